// What the hulls of OpenSCAD files are made of.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "io/outlines/hull_arcs.h"
#include "io/scad/scad_reading.h"
#include "io/scad/scad_syntax.h"

namespace volcontact {

/// Sizes that differ by no more, relative, are equal but for the rounding of files.
inline constexpr double kSameSize = 1e-9;

/// A corner or an arc between two heights, in the hull's frame [m].
struct HullPrism {
  HullArc arc;
  double low, high;
};

/// What a hull is made of, as far as each kind of hull can be.
struct HullParts {
  std::vector<Eigen::Vector3d> points;  ///< corners, and others for what is round
  std::vector<Eigen::Vector3d> centers;
  std::vector<double> radii;  ///< of the balls about `centers`
  std::vector<HullPrism> prisms;
  bool only_balls = true, only_points = true, only_prisms = true;
  double deviation = 0.0;  ///< of `points` from what is round [m]
};

/// The parts of these statements under M. Throws InvalidInput for modules that hulls do not take;
/// a difference is one, or counts as what it is cut from.
enum class ScadDifferences { kRefused, kUncut };
HullParts HullPartsOf(const std::vector<ScadStatement>& statements, const Eigen::Matrix3d& M,
                      ScadReading* reading,
                      ScadDifferences differences = ScadDifferences::kRefused);

}  // namespace volcontact
