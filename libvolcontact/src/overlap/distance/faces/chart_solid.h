// One of two solids whose faces are compared in charts.
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <vector>

#include "overlap/charts/surface_chart.h"
#include "overlap/charts/torus_base.h"
#include "overlap/distance/faces/surface_gap.h"
#include "overlap/frame/local_problem.h"
#include "solids/implicit/implicit_solid.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

/// A surface's chart, as far as it may lie in the solid's box.
struct FaceChart {
  SurfaceChart chart;
  std::optional<TorusBase> base;  ///< of a torus
  double error = 0.0;             ///< its points are off the surface by no more, in the cube
};

/// A solid within a box, in the scaled coordinates of a frame whose half extents are equal.
struct ChartSolid {
  LocalProblem problem;  ///< in the frame of the solid
  std::vector<SurfaceKind> kinds;
  std::vector<std::optional<SurfaceGap>> gaps;  ///< by surface; none where no distance follows
  std::array<Eigen::Vector3d, 8> corners;       ///< of the solid's box
  bool is_convex = false;
  std::vector<Eigen::Vector3d> parts;  ///< a point of each, as of ImplicitSolid

  ChartSolid(const ImplicitSolid& solid, const Aabb& bounds, const LocalFrame& frame);

  bool HasTorus() const;
  bool HasAllGaps() const;
  /// Whether a point of each of its connected parts may be known.
  bool HasKnownParts() const { return is_convex || !parts.empty(); }
  /// Whether a point is where an expression over the surfaces holds, or off it by no more than
  /// `slack` in psi.
  bool MayHold(const Expression& expression, const Eigen::Vector3d& p, double slack) const;
  Cell Bounds() const;
  /// The chart of a surface, made to face another solid; nothing for saddles, paraboloids and other
  /// surfaces without one, and where the box has none of it.
  std::optional<FaceChart> ChartOf(int surface, const ChartSolid& other) const;

 private:
  FaceChart ChartOfFlat(int surface, const ChartSolid& other) const;
  std::optional<FaceChart> ChartOfQuadric(int surface, const ChartSolid& other,
                                          const Eigen::Vector3d& near) const;
  std::optional<FaceChart> ChartOfRuled(const QuadricAxes& quadric, bool is_cone,
                                        const Eigen::Vector3d& near) const;
  void SetRange(const Eigen::Vector3d& base, const Eigen::Vector3d& direction, double* from,
                double* to) const;
};

}  // namespace volcontact
