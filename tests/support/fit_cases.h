// Pairs of solids whose surfaces nearly coincide, with true metrics; see tests/oracle/README.md.
#pragma once

#include <string>
#include <vector>

#include "volcontact/overlap/prepared_pair.h"

namespace volcontact::testing {

struct FitCase {
  std::string id, family;
  Solid A, B;
  Pose X_WA;  ///< B stands at the origin
  double volume = 0.0;
  Eigen::Vector3d centroid = Eigen::Vector3d::Zero(), area_vector = Eigen::Vector3d::Zero();
  double face = 0.0;         ///< what the area vector is the sum of, without what cancels [m²]
  double uncertainty = 0.0;  ///< relative, of all of these
};

/// The cases of all families, one family after the other.
std::vector<FitCase> LoadFitCases();

/// How far an answer is from the truth, in parts of what it is held to: V of V, the centroid of
/// the radius of gyration, the area vector of the area of the faces.
struct FitErrors {
  double volume = 0.0, centroid = 0.0, area_vector = 0.0;
};
FitErrors ErrorsOf(const Metrics& metrics, const FitCase& fit);

}  // namespace volcontact::testing
