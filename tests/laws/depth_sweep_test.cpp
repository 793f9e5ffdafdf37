// Thin overlaps at any depth, orientation and offset: octree and patch against closed forms.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "support/metrics_checks.h"
#include "support/random_solids.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::depth_sweep_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr std::uint64_t kSeed = 602214076;
constexpr double kDepths[] = {1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
constexpr double kTolerances[] = {1e-6, 1e-10};

Pose At(const Vector3d& t) { return {t, {1.0, 0.0, 0.0, 0.0}}; }

struct Contact {
  Solid A, B;
  Metrics expected;
};

// A family of contacts by depth, relative to a size of the order of one.
struct Family {
  std::string name;
  Contact (*make)(double depth);

  friend void PrintTo(const Family& family, std::ostream* out) { *out << family.name; }
};

Contact WithClosedForm(const Solid& A, const Solid& B) {
  return {A, B, QueryWith(A, B, Method::kClosedForm, 1e-6)};
}

Contact SpherePlane(double depth) {
  return WithClosedForm(HalfSpace(), Sphere(1.0).Posed(At({0.25, 0.125, 1.0 - depth})));
}

// Not along a coordinate axis: the depth comes out near the one asked for.
Contact SphereSphere(double depth) {
  const Vector3d direction = Vector3d(0.2, -0.4, 0.9).normalized();
  return WithClosedForm(Sphere(1.0), Sphere(0.75).Posed(At((1.75 - depth) * direction)));
}

// The image of two spheres under x -> M x with powers of two: exact in doubles, and so is the
// truth.
Contact EllipsoidEllipsoid(double depth) {
  const Vector3d m(1.0, 0.5, 0.25);
  const Matrix3d M = m.asDiagonal();
  const double r = 1.0, s = 0.75;
  const Vector3d center = (r + s - depth) * Vector3d(0.3, 0.2, -0.9).normalized();
  Metrics image = QueryWith(Sphere(r), Sphere(s).Posed(At(center)), Method::kClosedForm, 1e-6);
  const Matrix3d second = 0.5 * image.inertia_W.trace() * Matrix3d::Identity() - image.inertia_W;
  const Matrix3d mapped = M * second * M;
  image.volume *= m.prod();
  image.centroid_W = M * image.centroid_W;
  image.inertia_W = m.prod() * (mapped.trace() * Matrix3d::Identity() - mapped);
  image.area_vector_W = m.prod() * image.area_vector_W.cwiseQuotient(m);
  return {Ellipsoid(r * m), Ellipsoid(s * m).Posed(At(M * center)), image};
}

// A tilted cylinder presses the lowest point of its rim into the plane.
Contact TiltedCylinderPlane(double depth) {
  Pose pose = AxisAngle(Vector3d(0.6, -0.8, 0.0), 0.3);
  pose.t = {0.1, 0.2, 0.5 * std::sin(0.3) + std::cos(0.3) - depth};
  return WithClosedForm(HalfSpace(), Cylinder(0.5, 2.0).Posed(pose));
}

Contact LyingCylinderPlane(double depth) {
  Pose pose = {{0.1, 0.2, 0.5 - 0.5 * depth}, {0.7071067811865476, 0.7071067811865476, 0.0, 0.0}};
  return WithClosedForm(HalfSpace(), Cylinder(0.5, 2.0).Posed(pose));
}

using Quaternion = std::array<double, 4>;
constexpr Quaternion kCornerDown = {0.8, 0.2, 0.4, 0.4};
constexpr Quaternion kEdgeDown = {0.8, 0.4, 0.2, 0.4};  // exactly parallel to z = 0

Pose TurnedDown(const Quaternion& q, const Vector3d& size, double depth) {
  Pose pose = {Vector3d::Zero(), q};
  const Vector3d down = pose.Rotation().row(2).transpose().cwiseAbs();
  pose.t = {0.1, 0.2, 0.5 * size.dot(down) - depth};
  return pose;
}

const Vector3d kBoxSize(1.0, 1.5, 2.0);

Contact BoxCornerPlane(double depth) {
  return WithClosedForm(HalfSpace(), Box(kBoxSize).Posed(TurnedDown(kCornerDown, kBoxSize, depth)));
}

Contact BoxEdgePlane(double depth) {
  return WithClosedForm(HalfSpace(), Box(kBoxSize).Posed(TurnedDown(kEdgeDown, kBoxSize, depth)));
}

// Onto the upper face, z = 0, of a plate: the overlap is that with the half-space under it.
Contact BoxOnPlate(const Quaternion& q, double depth) {
  Contact contact =
      WithClosedForm(HalfSpace(), Box(kBoxSize).Posed(TurnedDown(q, kBoxSize, depth)));
  contact.A = Box({4.0, 4.0, 8.0}).Posed(At({0.0, 0.0, -4.0}));
  return contact;
}

Contact BoxCornerBoxFace(double depth) { return BoxOnPlate(kCornerDown, depth); }

Contact BoxEdgeBoxFace(double depth) { return BoxOnPlate(kEdgeDown, depth); }

class DepthSweep : public ::testing::TestWithParam<Family> {
 protected:
  // Runs `check(A, B, expected)` for all depths up to the deepest, turned at random, near the
  // origin and far from it.
  template <typename Check>
  static void ForAllPoses(double deepest, const Check& check) {
    Random random(kSeed);
    for (const double depth : kDepths) {
      if (depth > deepest) continue;
      const Contact contact = GetParam().make(depth);
      for (const double offset : {0.0, 1e3}) {
        SCOPED_TRACE(::testing::Message() << "depth " << depth << ", offset " << offset);
        const Pose X = random.PoseAt(offset * random.UnitVector());
        // The centroid's rotation to the offset is rounded once.
        check(contact.A.Posed(X), contact.B.Posed(X), TruthFrom(Moved(contact.expected, X), 1e-13));
      }
    }
  }
};

TEST_P(DepthSweep, Boundary) {
  ForAllPoses(1.0, [](const Solid& A, const Solid& B, const Truth& truth) {
    for (const double tolerance : kTolerances) {
      SCOPED_TRACE(tolerance);
      ExpectMetrics(QueryWith(A, B, Method::kBoundary, tolerance), truth, tolerance);
    }
  });
}

TEST_P(DepthSweep, Columns) {
  ForAllPoses(1.0, [](const Solid& A, const Solid& B, const Truth& truth) {
    const Metrics metrics = QueryWith(A, B, Method::kColumns, 1e-6);
    ExpectMetrics(metrics, truth, 1e-6);
    EXPECT_EQ(metrics.method, Method::kColumns);
  });
}

TEST_P(DepthSweep, AutoIsAShortcut) {
  ForAllPoses(1.0, [](const Solid& A, const Solid& B, const Truth& truth) {
    const Metrics metrics = QueryWith(A, B, Method::kAuto, 1e-8);
    ExpectMetrics(metrics, truth, 1e-8);
    EXPECT_NE(metrics.method, Method::kColumns)
        << "columns for a convex pair: " << metrics.stats.fallback;
  });
}

TEST_P(DepthSweep, ClosedForm) {
  if (GetParam().name == "ellipsoid_ellipsoid") GTEST_SKIP() << "no formula";
  ForAllPoses(1.0, [](const Solid& A, const Solid& B, const Truth& truth) {
    ExpectMetrics(QueryWith(A, B, Method::kClosedForm, 1e-6), truth, 1e-13);
  });
}

// The work must not grow with depth, orientation or offset.
TEST_P(DepthSweep, CostIsFlat) {
  double most = 0.0;
  ForAllPoses(1e-2, [&](const Solid& A, const Solid& B, const Truth&) {
    const Metrics metrics = QueryWith(A, B, Method::kBoundary, 1e-6);
    // A leaf costs about as much as ten cells.
    const double work = static_cast<double>(metrics.stats.cells + 10 * metrics.stats.leaves);
    most = std::max(most, work);
  });
  EXPECT_LE(most, 1500.0);
}

std::string FamilyName(const ::testing::TestParamInfo<Family>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Families, DepthSweep,
                         ::testing::Values(Family{"sphere_plane", SpherePlane},
                                           Family{"sphere_sphere", SphereSphere},
                                           Family{"ellipsoid_ellipsoid", EllipsoidEllipsoid},
                                           Family{"tilted_cylinder_plane", TiltedCylinderPlane},
                                           Family{"lying_cylinder_plane", LyingCylinderPlane},
                                           Family{"box_corner_plane", BoxCornerPlane},
                                           Family{"box_corner_box_face", BoxCornerBoxFace},
                                           Family{"box_edge_plane", BoxEdgePlane},
                                           Family{"box_edge_box_face", BoxEdgeBoxFace}),
                         FamilyName);

}  // namespace
}  // namespace volcontact::testing::depth_sweep_test
