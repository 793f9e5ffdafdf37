// What contact patches must be, whatever the solids.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <vector>

#include "support/metrics_checks.h"
#include "volcontact/math/volume_moments.h"

namespace volcontact::testing {

/// What is additive in metrics, about the world's origin.
struct AdditiveMetrics {
  VolumeMoments moments;
  Eigen::Vector3d area = Eigen::Vector3d::Zero();
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();

  void Add(const Metrics& metrics) {
    VolumeMoments central;
    central.volume = metrics.volume;
    central.second = SecondFromInertia(metrics.inertia_W);
    moments += central.Transformed(Eigen::Matrix3d::Identity(), metrics.centroid_W);
    area += metrics.area_vector_W;
    torque += metrics.area_moment_W + metrics.centroid_W.cross(metrics.area_vector_W);
  }
};

/// Expects consistent patches, in order, whose sums are those of the whole.
inline void ExpectAddUp(const std::vector<Metrics>& patches, const Metrics& whole) {
  AdditiveMetrics sum, total;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    SCOPED_TRACE(::testing::Message() << "patch " << i);
    EXPECT_TRUE(patches[i].overlap);
    ExpectConsistent(patches[i]);
    if (i > 0) {
      EXPECT_LE(patches[i].volume, patches[i - 1].volume);
    }
    sum.Add(patches[i]);
  }
  EXPECT_EQ(patches.empty(), !whole.overlap);
  if (!whole.overlap) return;
  total.Add(whole);
  const double size = 1.0 + whole.centroid_W.norm() + whole.gyration_radius;
  const double volume_error = 1e-13 * whole.volume + whole.volume_error;
  EXPECT_NEAR(sum.moments.volume, whole.volume, volume_error);
  EXPECT_LE((sum.moments.first - total.moments.first).norm(), 10.0 * size * volume_error);
  EXPECT_LE((sum.moments.second - total.moments.second).norm(), 100.0 * size * size * volume_error);
  const double area_error = 1e-12 * (1.0 + whole.contact_area);
  EXPECT_LE((sum.area - total.area).norm(), area_error);
  EXPECT_LE((sum.torque - total.torque).norm(), 10.0 * size * area_error);
}

}  // namespace volcontact::testing
