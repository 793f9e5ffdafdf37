// The bound by which a step is found to follow all laws, beside the sums that it bounds.
#include "mujoco/passive/step_bound.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "mujoco/loaded_model.h"

namespace volcontact::test::step_bound_test {
namespace {

using Eigen::Vector3d;
using mujoco::AreTooFast;
using mujoco::ContactTrack;
using mujoco::IsFollowed;
using mujoco::StepPatch;

struct Draw {
  std::mt19937 random;
  double Between(double a, double b) { return std::uniform_real_distribution<>(a, b)(random); }
  double Scale(double a, double b) { return std::exp(Between(std::log(a), std::log(b))); }
  Vector3d Vector(double size) {
    const auto one = [&] { return Between(-size, size); };
    const double x = one(), y = one();
    return {x, y, one()};
  }
};

MujocoPatch PatchOf(Draw* draw) {
  MujocoPatch patch;
  ContactGeometry& g = patch.geometry;
  g.touching = true;
  g.normal_W = draw->Vector(1.0).normalized();
  const double size = draw->Scale(1e-3, 0.1), depth = size * draw->Scale(1e-3, 0.1);
  g.volume = size * size * depth;
  g.contact_area = size * size;
  g.gyration_radius = 0.5 * size;
  g.inertia_W = g.volume * size * size *
                (Vector3d(1.0, 1.0, 1.0) + draw->Vector(0.3)).asDiagonal().toDenseMatrix();
  patch.motion.normal_speed = draw->Between(-0.1, 0.1);
  patch.motion.tangential_velocity_W = draw->Vector(0.01);
  patch.motion.spin = draw->Between(-0.1, 0.1);
  patch.state.impact_speed = draw->Scale(1e-3, 1.0);
  patch.force.plate_W = draw->Vector(0.2 * size);
  patch.force.normal_W = draw->Scale(1e-2, 1e3) * g.normal_W;
  return patch;
}

// The response of two bodies, either of which may stay.
AxisResponse ResponseOf(Draw* draw) {
  AxisResponse response;
  const int bodies = 1 + static_cast<int>(draw->random() % 2);
  for (int dof = 6 * bodies - 1; dof >= 0; --dof) response.axes.push_back(dof);
  response.columns.resize(6 * bodies, 6);
  const double force = draw->Scale(0.1, 10.0), torque = force * draw->Scale(1.0, 30.0);
  for (Eigen::Index i = 0; i < response.columns.rows(); ++i) {
    response.columns.row(i) << draw->Vector(force).transpose(), draw->Vector(torque).transpose();
  }
  return response;
}

std::vector<FrictionLaw> Laws() {
  BristleFriction slow = SomeBristles();
  slow.v_stribeck = 0.05;
  return {NoFriction{}, CoulombFriction{0.4, 0.01}, PatchCoulombFriction{0.4, 0.01}, slow};
}

TEST(MujocoStepBound, NeverFollowsWhatIsTooFast) {
  int followed = 0, fast = 0, near = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    Draw draw{std::mt19937(seed)};
    MujocoContactSpec spec = BallOnFloor(draw.Scale(1e4, 1e9), draw.Between(0.2, 0.9));
    spec.parameters.friction = Laws()[seed % 4];
    const ContactTrack track(Sphere(0.1), HalfSpace(), spec, {});
    std::vector<MujocoPatch> found(1 + draw.random() % 3);
    std::vector<StepPatch> patches;
    for (MujocoPatch& patch : found) {
      patch = PatchOf(&draw);
      patches.push_back({0, &track, &track.ModelOf({}), &patch, ResponseOf(&draw)});
    }
    // The longest step that is found to be followed, and what the exact sums say of one next to it.
    double step = 1.0;
    while (step > 1e-12 && !IsFollowed(patches, step)) step *= 0.9;
    if (step > 1e-12) ++followed;
    EXPECT_FALSE(AreTooFast(patches, step)) << seed;
    if (!AreTooFast(patches, 0.5)) continue;
    ++fast;
    if (AreTooFast(patches, 4.0 * step)) ++near;
  }
  EXPECT_EQ(followed, 4000);
  EXPECT_GT(fast, 2000);
  EXPECT_GT(near, 3 * fast / 4) << fast;  // a bound that names all steps too long would do nothing
}

}  // namespace
}  // namespace volcontact::test::step_bound_test
