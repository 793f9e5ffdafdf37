#include "support/metrics_checks.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace volcontact::testing {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// Half an ulp of each coordinate of the result, and as much for the truth.
double CoordinateRounding(const Vector3d& p) { return kEpsilon * p.norm(); }

// Scale of an area vector that may vanish: the solids may be nested.
double AreaScale(const Truth& truth) {
  return std::max(truth.area_vector.norm(), truth.volume / truth.Size());
}

void ExpectBracket(const VolumeMetrics& actual, const Truth& truth) {
  ASSERT_TRUE(actual.volume_bounds.has_value());
  const auto [lower, upper] = *actual.volume_bounds;
  EXPECT_LE(lower, truth.volume * (1.0 + truth.uncertainty)) << "bracket misses the true volume";
  EXPECT_GE(upper, truth.volume * (1.0 - truth.uncertainty)) << "bracket misses the true volume";
}

// The identities that tie together what is known of a volume that is not empty.
void ExpectConsistentVolume(const VolumeMetrics& metrics) {
  const double volume = metrics.volume;
  ASSERT_GT(volume, 0.0);
  EXPECT_GE(metrics.volume_error, 0.0);
  if (metrics.converged) {
    EXPECT_LE(metrics.volume_error, std::max(metrics.tolerance, kKnownRounding) * volume);
  }
  if (metrics.volume_bounds) {
    EXPECT_LE((*metrics.volume_bounds)[0], volume * (1.0 + kKnownRounding));
    EXPECT_GE((*metrics.volume_bounds)[1], volume * (1.0 - kKnownRounding));
  }
  const Matrix3d& J = metrics.inertia_W;
  EXPECT_EQ(J, Matrix3d(J.transpose()));
  const Vector3d moments = Eigen::SelfAdjointEigenSolver<Matrix3d>(J).eigenvalues();
  EXPECT_GT(moments[0], 0.0);
  EXPECT_GE(moments[0] + moments[1], moments[2] * (1.0 - kKnownRounding)) << "triangle inequality";
}

void ExpectBits(::testing::AssertionResult* result, double a, double b, const char* field) {
  if (*result && std::bit_cast<std::uint64_t>(a) != std::bit_cast<std::uint64_t>(b)) {
    *result = ::testing::AssertionFailure()
              << field << " differs: " << ::testing::PrintToString(a) << " and "
              << ::testing::PrintToString(b) << ", by " << a - b;
  }
}

template <typename Matrix>
void ExpectBits(::testing::AssertionResult* result, const Matrix& a, const Matrix& b,
                const char* field) {
  for (int i = 0; i < a.size(); ++i) ExpectBits(result, a.data()[i], b.data()[i], field);
}

}  // namespace

Metrics Moved(const Metrics& metrics, const Pose& X) {
  Metrics moved = metrics;
  const Matrix3d R = X.Rotation();
  moved.centroid_W = X * metrics.centroid_W;
  moved.inertia_W = R * metrics.inertia_W * R.transpose();
  moved.area_vector_W = R * metrics.area_vector_W;
  moved.area_moment_W = R * metrics.area_moment_W;
  moved.normal_W = R * metrics.normal_W;
  return moved;
}

double Truth::Size() const { return std::sqrt(inertia.trace() / (2.0 * volume)); }

Truth TruthFrom(const VolumeMetrics& metrics, double uncertainty) {
  return {metrics.volume,   metrics.centroid_W, metrics.inertia_W,
          Vector3d::Zero(), uncertainty,        10.0 * uncertainty};
}

Truth TruthFrom(const Metrics& metrics, double uncertainty) {
  return {metrics.volume,        metrics.centroid_W, metrics.inertia_W,
          metrics.area_vector_W, uncertainty,        10.0 * uncertainty};
}

void ExpectNoOverlap(const Metrics& actual) {
  EXPECT_FALSE(actual.overlap);
  EXPECT_EQ(actual.volume, 0.0);
  ASSERT_TRUE(actual.distance.has_value());
  EXPECT_GE(*actual.distance, 0.0);
  EXPECT_TRUE(std::isfinite(*actual.distance));
  EXPECT_TRUE(actual.converged);
  if (actual.volume_bounds) {
    EXPECT_EQ((*actual.volume_bounds)[0], 0.0);
    EXPECT_GE((*actual.volume_bounds)[1], 0.0);
  }
}

void ExpectConsistent(const Metrics& metrics) {
  if (!metrics.overlap) return ExpectNoOverlap(metrics);
  ExpectConsistentVolume(metrics);
  EXPECT_EQ(metrics.distance, 0.0);
  const double volume = metrics.volume;
  const Matrix3d& J = metrics.inertia_W;
  const Vector3d& n = metrics.normal_W;
  if (n.isZero()) return;
  EXPECT_NEAR(n.norm(), 1.0, kKnownRounding);
  // If the area vector is smaller than its error, the normal need not take its sign.
  const double negligible =
      std::max(10.0 * metrics.tolerance, kPromisedAreaError) * metrics.contact_area;
  EXPECT_GE(n.dot(metrics.area_vector_W), -1e-6 * metrics.area_vector_W.norm() - negligible);
  EXPECT_GT(metrics.contact_area, 0.0);
  EXPECT_NEAR(metrics.mean_height * metrics.contact_area, volume, kKnownRounding * volume);
  const double gyration = std::sqrt(n.dot(J * n) / volume);
  EXPECT_NEAR(metrics.gyration_radius, gyration, 1e-12 * gyration);
}

void ExpectVolumeMetrics(const VolumeMetrics& actual, const Truth& truth, double tolerance) {
  EXPECT_TRUE(actual.converged);
  const double allowed = tolerance + truth.uncertainty + kKnownRounding;
  const double size = truth.Size();
  const double volume_error = std::abs(actual.volume - truth.volume);
  EXPECT_LE(volume_error / truth.volume, allowed) << "relative error of the volume";
  EXPECT_LE(volume_error,
            10.0 * actual.volume_error + (truth.uncertainty + kKnownRounding) * truth.volume)
      << "the estimated error " << actual.volume_error << " is too low";
  EXPECT_LE((actual.centroid_W - truth.centroid).norm(),
            allowed * size + CoordinateRounding(truth.centroid))
      << "centroid; relative to the size " << size << ": "
      << (actual.centroid_W - truth.centroid).norm() / size;
  const double inertia_error = (actual.inertia_W - truth.inertia).cwiseAbs().maxCoeff();
  EXPECT_LE(inertia_error / truth.inertia.cwiseAbs().maxCoeff(), allowed)
      << "relative error of the inertia";
  ExpectBracket(actual, truth);
  ExpectConsistentVolume(actual);
}

void ExpectMetrics(const Metrics& actual, const Truth& truth, double tolerance) {
  if (truth.volume == 0.0) return ExpectNoOverlap(actual);
  ASSERT_TRUE(actual.overlap);
  ExpectVolumeMetrics(actual, truth, tolerance);
  if (std::isfinite(truth.area_uncertainty)) {
    EXPECT_LE(
        (actual.area_vector_W - truth.area_vector).norm() / AreaScale(truth),
        std::max(10.0 * tolerance, kPromisedAreaError) + truth.area_uncertainty + kKnownRounding)
        << "relative error of the area vector";
  }
  ExpectConsistent(actual);
}

void ExpectReversed(const Metrics& ab, const Metrics& ba, double tolerance) {
  ASSERT_EQ(ab.overlap, ba.overlap);
  if (!ab.overlap) return;
  Truth expected = TruthFrom(ab, tolerance);
  expected.area_vector *= -1.0;
  ExpectMetrics(ba, expected, tolerance);
  // The normal follows the area vector only where that is not negligible.
  if (ab.area_vector_W.norm() < 1e-3 * ab.volume / expected.Size()) return;
  // An eigenvector is as well determined as the gap of its eigenvalue.
  const Vector3d moments = Eigen::SelfAdjointEigenSolver<Matrix3d>(ab.inertia_W).eigenvalues();
  const double gap = std::max(1e-3, 1.0 - moments[1] / moments[2]);
  EXPECT_LE((ab.normal_W + ba.normal_W).norm(), 100.0 * (tolerance + kKnownRounding) / gap)
      << "normals " << ab.normal_W.transpose() << " and " << ba.normal_W.transpose();
}

::testing::AssertionResult BitwiseEqual(const Metrics& a, const Metrics& b) {
  ::testing::AssertionResult result = ::testing::AssertionSuccess();
  if (a.overlap != b.overlap) return ::testing::AssertionFailure() << "overlap differs";
  if (a.converged != b.converged) return ::testing::AssertionFailure() << "converged differs";
  if (a.method != b.method) return ::testing::AssertionFailure() << "method differs";
  if (a.warnings != b.warnings) return ::testing::AssertionFailure() << "warnings differ";
  if (a.stats.cells != b.stats.cells) {
    return ::testing::AssertionFailure()
           << "stats.cells differs: " << a.stats.cells << " and " << b.stats.cells;
  }
  if (a.stats.leaves != b.stats.leaves) {
    return ::testing::AssertionFailure()
           << "stats.leaves differs: " << a.stats.leaves << " and " << b.stats.leaves;
  }
  if (a.volume_bounds.has_value() != b.volume_bounds.has_value()) {
    return ::testing::AssertionFailure() << "only one has volume_bounds";
  }
  ExpectBits(&result, a.volume, b.volume, "volume");
  if (a.volume_bounds) {
    ExpectBits(&result, (*a.volume_bounds)[0], (*b.volume_bounds)[0], "volume_bounds[0]");
    ExpectBits(&result, (*a.volume_bounds)[1], (*b.volume_bounds)[1], "volume_bounds[1]");
  }
  ExpectBits(&result, a.volume_error, b.volume_error, "volume_error");
  ExpectBits(&result, a.centroid_W, b.centroid_W, "centroid");
  ExpectBits(&result, a.inertia_W, b.inertia_W, "inertia");
  ExpectBits(&result, a.normal_W, b.normal_W, "normal");
  ExpectBits(&result, a.area_vector_W, b.area_vector_W, "area_vector");
  ExpectBits(&result, a.area_moment_W, b.area_moment_W, "area_moment");
  ExpectBits(&result, a.contact_area, b.contact_area, "contact_area");
  ExpectBits(&result, a.mean_height, b.mean_height, "mean_height");
  ExpectBits(&result, a.gyration_radius, b.gyration_radius, "gyration_radius");
  if (a.distance.has_value() != b.distance.has_value()) {
    return ::testing::AssertionFailure() << "only one has a distance";
  }
  if (a.distance) ExpectBits(&result, *a.distance, *b.distance, "distance");
  if (a.hessian_W.has_value() != b.hessian_W.has_value()) {
    return ::testing::AssertionFailure() << "only one has a Hessian";
  }
  if (a.hessian_W) ExpectBits(&result, *a.hessian_W, *b.hessian_W, "hessian");
  ExpectBits(&result, a.tolerance, b.tolerance, "tolerance");
  return result;
}

Metrics QueryWith(const Solid& A, const Solid& B, Method method, double tolerance) {
  QueryOptions options;
  options.method = method;
  options.tolerance = tolerance;
  return Query(A, B, options);
}

}  // namespace volcontact::testing
