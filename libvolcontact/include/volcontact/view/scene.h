// What is drawn of a contact or of a run: a scene of items that all writers of files read.
//
// Component volcontact::view. Plain values in SI units, in the world frame W unless they say
// otherwise; any number of threads may read one. Labels are data of any kind: what writes a file
// escapes them, and takes bytes that are no UTF-8 out.
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "volcontact/display/display.h"
#include "volcontact/export.h"
#include "volcontact/math/pose.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {

/// A colour as screens take it (sRGB), each part in [0, 1].
using Color = std::array<double, 3>;

/// A body: its surface in its own frame, and where that is.
struct BodyItem {
  std::string name;
  char side = 0;      ///< 'a' or 'b' of a contact of two; else 0
  bool thin = false;  ///< a stand-in for a body without a solid: not translucent
  /// Drawn as far as it is visible in a picture. A moving one does not determine the size of the
  /// picture.
  bool unbounded = false;
  Color color = {0.5, 0.5, 0.5};
  DisplayMesh mesh;          ///< in the body's frame B
  Pose X_WB;                 ///< at the first time
  std::vector<Pose> motion;  ///< X_WB at Scene::times; empty for a body that stays
};

/// The boundary of an overlap.
struct OverlapItem {
  std::string label;
  OverlapDisplay display;
};

/// A contact patch, seen along the normal.
struct PatchItem {
  std::string label;
  PatchDisplay display;
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  ///< unit, from B toward A
  /// Pressure over height [N/m³]: the stiffness, with the damping of the normal force in it. 0:
  /// none is known, and the patch shows heights.
  double pressure_per_height = 0.0;
};

/// A point with a mark.
struct PointItem {
  std::string kind;  ///< "centroid", or "point" for any other
  std::string label;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
};

/// A vector at a point, drawn to scale up to a greatest length.
struct ArrowItem {
  std::string quantity;  ///< "normal", "force", "torque", "area_vector" or "velocity"
  std::string unit;      ///< "N"; empty for a unit vector
  std::string label;
  std::string contact;  ///< the contact's or body's name
  Color color = {0.2, 0.2, 0.2};
  /// Set by FinishScene, alike for all arrows of a quantity.
  double metres_per_unit = 1.0;
  double longest = 0.0;  ///< [m]; a vector that would be longer is drawn as long as this
  /// One for all times, or one for each of Scene::times.
  std::vector<Eigen::Vector3d> points, vectors;
};

/// Curves.
struct LinesItem {
  std::string kind;  ///< "cells", "arcs", "axes" or "trail"
  std::string label;
  std::string body;  ///< of a trail
  Color color = {0.2, 0.2, 0.2};
  std::vector<std::vector<Eigen::Vector3d>> lines;
};

/// The colour map of patches: one map for the whole scene.
struct Legend {
  bool is_pressure = false;            ///< else height
  double least = 0.0, greatest = 0.0;  ///< [Pa], or [m]
};

/// Where an overlap is that is too thin or too small to be seen.
struct Inset {
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< the normal
  double factor = 1.0;                              ///< by which to stretch along the axis, >= 1
  double radius = 0.0;                              ///< around the axis [m]
};

/// Curves over time that belong together.
struct PlotCurve {
  std::string name;
  std::vector<double> values;  ///< at Scene::times
};
struct ScenePlot {
  std::string title, quantity, unit;
  std::vector<PlotCurve> curves;
};

struct SceneEvent {
  double time = 0.0;  ///< [s]
  std::string name;
};

/// The forces of a contact over time.
struct ContactHistory {
  std::string name, body_a, body_b;
  std::vector<Eigen::Vector3d> points, forces, torques;  ///< at Scene::times; on A
};

struct Scene {
  std::string title;
  double size = 1.0;  ///< about how large what is to be seen is [m], > 0
  std::vector<BodyItem> bodies;
  std::vector<OverlapItem> overlaps;
  std::vector<PatchItem> patches;
  std::vector<PointItem> points;
  std::vector<ArrowItem> arrows;
  std::vector<LinesItem> lines;
  std::optional<Legend> legend;
  std::optional<Inset> inset;
  std::string metrics;  ///< JSON: an answer of `query` or `force`, or nothing

  /// For a run: ascending [s]; empty for a scene without motion.
  std::vector<double> times;
  std::vector<ContactHistory> contacts;
  std::vector<ScenePlot> plots;
  std::vector<SceneEvent> events;
  std::string state;                ///< why the run is not to be relied on; empty for a good one
  std::size_t every = 1, rows = 0;  ///< every how-many-th row of the run is in `times`

  /// Remarks for whoever asked for the scene, each one line.
  std::vector<std::string> notes;
};

/// Colours of the scale between 0 and 1: "viridis", as even in lightness as colours can be, for
/// eyes that tell red from green and for such that do not. Beyond the ends as at the ends.
VOLCONTACT_EXPORT Color ScaleColor(double share);

/// The number of entries of the table that ScaleColor goes through linearly, and its entries.
inline constexpr int kScaleColors = 33;

/// Sets Scene::size and the scales of arrows, and adds axes of a round length. Arrows of one
/// quantity have one scale, by the longest of them; of forces and torques by the median where some
/// are more than four times as long, which are drawn shortened then. Torques that are but rounding
/// of forces are dropped. Called last, when all items are in.
VOLCONTACT_EXPORT void FinishScene(Scene* scene);

}  // namespace view
VOLCONTACT_NAMESPACE_END
