// Samples of overlaps with meshes: their moments, and Coulomb friction over the patch against the
// same solids without a mesh.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "support/meshes.h"
#include "support/random_solids.h"
#include "volcontact/contact/contact_geometry.h"
#include "volcontact/forces/friction.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::mesh_samples_test {
namespace {

using Eigen::Vector3d;

Pose At(const Vector3d& t) { return {t, {1.0, 0.0, 0.0, 0.0}}; }

TEST(MeshSamples, HaveTheMomentsOfTheVolume) {
  Random random(11);
  const Solid star = Mesh(StarMesh(&random, 2, 0.2));
  const std::vector<std::pair<Solid, Solid>> pairs = {
      {star, Mesh(LPrism()).Posed(At({0.3, -0.4, 0.1}))},
      {star, Box({0.9, 1.3, 0.7}).Posed(random.PoseAt({0.6, 0.2, 0.5}))},
      {HalfSpace().Posed(At({0.0, 0.0, -0.5})), star},
      {star, Sphere(0.3).Posed(At({0.8, 0.3, 0.0}))},
      {Cylinder(0.25, 1.0).Posed(random.PoseAt({0.9, 0.0, 0.2})),
       Difference(Mesh(BoxMesh({-1, -1, -1}, {1, 1, 1})), {Sphere(0.6)})}};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    SCOPED_TRACE(i);
    const PreparedPair pair(pairs[i].first, pairs[i].second);
    const Pose X_W = random.PoseAt(random.UniformVector(-1.0, 1.0));
    const QueryOptions options{.tolerance = 1e-7};
    const Metrics metrics = pair.Query(X_W, X_W, options);
    ASSERT_TRUE(metrics.overlap);
    double volume = 0.0, second = 0.0;
    Vector3d first = Vector3d::Zero();
    for (const VolumeSample& sample : pair.SampleVolume(X_W, X_W, options)) {
      const Vector3d r = sample.point_W - metrics.centroid_W;
      volume += sample.volume;
      first += sample.volume * r;
      second += sample.volume * r.squaredNorm();
    }
    EXPECT_NEAR(volume, metrics.volume, 1e-6 * metrics.volume);
    EXPECT_LT(first.norm(), 1e-6 * metrics.volume);
    EXPECT_NEAR(second, 0.5 * metrics.inertia_W.trace(), 1e-6 * second);
    // About a line beside the middle: the same across it.
    const Vector3d n = random.UnitVector();
    const SampleAxis axis = {metrics.centroid_W + 0.05 * n.unitOrthogonal(), n};
    double of_columns = 0.0, about = 0.0;
    for (const VolumeSample& sample : pair.SampleVolumeAbout(axis, X_W, X_W, options)) {
      of_columns += sample.volume;
      about += sample.volume * n.cross(sample.point_W - metrics.centroid_W).squaredNorm();
    }
    EXPECT_NEAR(of_columns, metrics.volume, 1e-4 * metrics.volume);
    EXPECT_NEAR(about, n.dot(metrics.inertia_W * n), 2e-4 * about);
    EXPECT_TRUE(pair.SampleVolume(X_W, At({50.0, 0.0, 0.0}), options).empty() ||
                pairs[i].first.Bounds().IsBounded() == false);
  }
}

// A disc of the ground, and how high the overlap is over it.
struct Disc {
  double x, y, radius;
  std::function<double(double)> height;
};

constexpr double kSlow = 1e-4;

// Force and torque, about a point, of Coulomb friction by a unit normal force along z: element by
// element.
Vector3d BruteForce(const std::vector<Disc>& discs, const Vector3d& middle, double speed,
                    double spin) {
  constexpr int kRings = 500, kAngles = 720;
  Vector3d sum = Vector3d::Zero();
  double load = 0.0;
  for (const Disc& disc : discs) {
    for (int i = 0; i < kRings; ++i) {
      const double r = disc.radius * (i + 0.5) / kRings;
      const double weight = r * disc.height(r) * disc.radius / kRings;
      for (int j = 0; j < kAngles; ++j) {
        const double angle = 2.0 * M_PI * (j + 0.5) / kAngles;
        const double x = disc.x + r * std::cos(angle) - middle.x();
        const double y = disc.y + r * std::sin(angle) - middle.y();
        const double vx = speed - spin * y, vy = spin * x;
        const double size = std::max(kSlow, std::hypot(vx, vy));
        sum -= weight * Vector3d(vx, vy, x * vy - y * vx) / size;
        load += weight;
      }
    }
  }
  return sum / load;
}

// The same of a block, which is a mesh, over another solid.
Vector3d Slide(const Solid& A, const Solid& B, double speed, double spin, Vector3d* middle) {
  const PreparedPair pair(A, B);
  const QueryOptions options{.tolerance = 1e-6};
  ContactGeometry geometry = GeometryOf(pair.QueryRelative(Pose{}, options));
  geometry.normal_W = Vector3d::UnitZ();
  *middle = geometry.point_W;
  FrictionInput input;
  input.normal_force = 1.0;
  input.velocity_W = speed * Vector3d::UnitX();
  input.spin = spin;
  input.normal_W = geometry.normal_W;
  const std::vector<PressureSample> pressure =
      SlidingPressure(pair, Pose{}, Pose{}, geometry, input.velocity_W, spin, options);
  input.pressure = &pressure;
  const FrictionForce f = EvaluateFriction(PatchCoulombFriction{1.0, kSlow}, input, {});
  return {f.force_W.x(), f.force_W.y(), f.torque};
}

// A block on a prism of many sides, as good as a disc; on a ball; on two cylinders.
TEST(MeshSamples, RubAsTheElementsOfThePatchDo) {
  constexpr double kDepth = 1e-3;
  const Vector3d half(0.1, 0.07, 0.05);
  const Solid block = Mesh(BoxMesh(-half, half, 5)).Posed(At({0.0, 0.0, half.z() - kDepth}));
  const std::vector<double> radii(400, 0.03);
  const auto flat = [](double height) { return [height](double) { return height; }; };
  struct Ground {
    Solid solid;
    std::vector<Disc> discs;
    double tolerance;
  };
  const Ground grounds[] = {
      {Mesh(StarPrism(radii, 0.1)).Posed(At({0.02, 0.01, -0.05})),
       {{0.02, 0.01, 0.03, flat(kDepth)}},
       3e-4},
      {Sphere(0.05).Posed(At({0.02, 0.01, -0.049})),
       {{0.02, 0.01, 0.014, [](double r) { return std::sqrt(0.0025 - r * r) - 0.048; }}},
       1e-3},
      {Union({Cylinder(0.02, 0.1).Posed(At({0.05, 0.0, -0.05})),
              Cylinder(0.03, 0.1).Posed(At({-0.04, 0.02, -0.0502}))}),
       {{0.05, 0.0, 0.02, flat(kDepth)}, {-0.04, 0.02, 0.03, flat(kDepth - 2e-4)}},
       4e-3}};
  for (const Ground& ground : grounds) {
    for (const double place : {0.0, 0.3, 0.9, 1.5, 3.0}) {
      SCOPED_TRACE(::testing::Message() << ground.discs.size() << " discs, " << place);
      const double spin = 5.0, speed = place * 0.03 * spin;
      Vector3d middle;
      const Vector3d found = Slide(block, ground.solid, speed, spin, &middle);
      const Vector3d truth = BruteForce(ground.discs, middle, speed, spin);
      const Vector3d scale(1.0, 1.0, 1.0 / 0.03);
      EXPECT_LT((found - truth).cwiseProduct(scale).norm(), ground.tolerance);
    }
  }
}

}  // namespace
}  // namespace volcontact::testing::mesh_samples_test
