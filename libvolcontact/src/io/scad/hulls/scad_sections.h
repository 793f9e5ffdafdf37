// Solids by their sections across z.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "io/outlines/convex_hull.h"
#include "io/outlines/outline.h"
#include "io/scad/hulls/scad_upright.h"
#include "io/scad/scad_primitives.h"

namespace volcontact {

/// How the sections of a solid change with their height.
enum class SectionChange {
  kNone,    ///< they are all the same
  kNested,  ///< each holds those farther from the height `largest`
  kOther,
};

/// A solid whose sections are outlines: a primitive, or a combination of such solids.
struct SectionedSolid {
  Outline::Kind kind = Outline::Kind::kUnion;
  std::vector<SectionedSolid> parts;  ///< of a combination

  // The section of a primitive.
  double low = 0.0, high = 0.0;       ///< there is nothing but between these heights [m]
  std::function<Outline(double)> at;  ///< the section at a height between them
  SectionChange change = SectionChange::kOther;
  double largest = 0.0;  ///< height [m]
  Outline image = {};    ///< along z; empty where it is not known
};

/// The section of the closed solid at a height [m].
Outline SectionAt(const SectionedSolid& solid, double z);
/// The image along z; nothing if sections do not decide it.
std::optional<Outline> ImageOf(const SectionedSolid& solid);

SectionedSolid UprightSections(UprightPart part);
/// The hull of points.
SectionedSolid CornerSections(std::vector<Eigen::Vector3d> points);
/// The image of a ball about the origin under M, moved by t.
SectionedSolid BallSections(double radius, const Eigen::Matrix3d& M, const Eigen::Vector3d& t);
/// The image of a round cone or cylinder about z, whose middle is at this height; nothing where its
/// axis is neither upright nor level, and for a level cone.
std::optional<SectionedSolid> ConeSections(const ConeSize& size, double middle,
                                           const Eigen::Matrix3d& M, const Eigen::Vector3d& t);

}  // namespace volcontact
