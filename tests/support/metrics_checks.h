// Comparing the metrics of overlaps with known ones and with each other.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <limits>

#include "volcontact/overlap/prepared_pair.h"

namespace volcontact::testing {

/// What the public header promises of the area vector, relative to the projection, at tight
/// tolerances.
inline constexpr double kPromisedAreaError = 2e-6;
/// The rounding of sums of some thousand terms, and of the last digits of the true values.
inline constexpr double kKnownRounding = 64.0 * std::numeric_limits<double>::epsilon();

/// Metrics as seen from a frame in which their own frame has pose X.
Metrics Moved(const Metrics& metrics, const Pose& X);

/// What the metrics of an overlap should be, and how well that is known.
struct Truth {
  double volume = 0.0;  ///< 0: no overlap; the rest does not matter then
  Eigen::Vector3d centroid = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  Eigen::Vector3d area_vector = Eigen::Vector3d::Zero();
  /// Relative uncertainty of volume and inertia, and of the centroid by the radius of gyration.
  double uncertainty = 0.0;
  /// Relative uncertainty of the area vector; infinite where it is a matter of convention.
  double area_uncertainty = 0.0;

  /// Radius of gyration about the centroid, sqrt(tr J / 2V): the size by which centroids are
  /// judged.
  double Size() const;
};

/// The metrics of one query as the truth for another one; without contact, the area vector is zero.
Truth TruthFrom(const Metrics& metrics, double uncertainty);
Truth TruthFrom(const VolumeMetrics& metrics, double uncertainty);

/// Expects everything the interface promises of an overlap, or of none, at the given tolerance:
/// volume, centroid, inertia and area vector within it, the certified bracket (where there is one)
/// around the true volume, the error estimate not under a tenth of the true error, "converged", and
/// ExpectConsistent().
void ExpectMetrics(const Metrics& actual, const Truth& truth, double tolerance);

/// The part of it that concerns the volume alone; of one that is not empty.
void ExpectVolumeMetrics(const VolumeMetrics& actual, const Truth& truth, double tolerance);

/// Expects that there is no overlap: volume exactly 0 and a finite distance >= 0.
void ExpectNoOverlap(const Metrics& actual);

/// Expects the identities that tie the fields of one result together.
void ExpectConsistent(const Metrics& metrics);

/// Expects the metrics of B ∩ A to be those of A ∩ B with normal and area vector reversed.
void ExpectReversed(const Metrics& ab, const Metrics& ba, double tolerance);

/// Success when all fields but stats.seconds and stats.threads are equal bit by bit.
::testing::AssertionResult BitwiseEqual(const Metrics& a, const Metrics& b);

/// Runs a query with a given method and tolerance.
Metrics QueryWith(const Solid& A, const Solid& B, Method method, double tolerance);

}  // namespace volcontact::testing
