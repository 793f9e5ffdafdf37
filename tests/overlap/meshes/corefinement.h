// What the overlap of two meshes should be, by CGAL's corefinement in rational numbers.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "corefinement/corefinement.h"
#include "support/metrics_checks.h"

namespace volcontact::testing {

/// Nothing is known of the area vector.
inline Truth ToTruth(const ExactMoments& moments) {
  Truth truth;
  truth.volume = moments.volume;
  if (moments.volume == 0.0) return truth;
  truth.centroid = moments.centroid;
  truth.inertia = moments.inertia;
  truth.uncertainty = 1e-15;
  truth.area_uncertainty = std::numeric_limits<double>::infinity();
  return truth;
}

/// Nothing when the intersection is not a manifold, which corefinement cannot represent.
inline std::optional<Truth> ExactOverlap(const TriangleMesh& A, const TriangleMesh& B,
                                         const Pose& X_AB) {
  const std::optional<ExactMoments> moments = CorefinedOverlap(A, B, X_AB);
  if (!moments) return std::nullopt;
  return ToTruth(*moments);
}

/// Each closed surface that bounds the overlap, largest first; empty where corefinement cannot
/// tell.
inline std::vector<Truth> ExactPatches(const TriangleMesh& A, const TriangleMesh& B,
                                       const Pose& X_AB) {
  std::vector<Truth> patches;
  for (const ExactMoments& moments : CorefinedPatches(A, B, X_AB)) {
    patches.push_back(ToTruth(moments));
  }
  return patches;
}

}  // namespace volcontact::testing
