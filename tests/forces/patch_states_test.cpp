// Contacts that grow together and come apart: what bent bristles push, turn and hold.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <vector>

#include "forces/force_samples.h"
#include "volcontact/contact/patch_tracking.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::patch_states_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kStiffness = 1e8, kSigma0 = 1e4;

ContactModel Model() {
  ContactParameters parameters;
  parameters.normal = VolumetricNormal{kStiffness, INFINITY, {0.5}};
  parameters.friction = BristleFriction{0.5, 0.4, kSigma0, 60.0};
  return ContactModel(parameters);
}

ContactGeometry SumOf(const std::vector<PatchState>& parts) {
  ContactGeometry sum = parts[0].geometry;
  sum.volume = 0.0;
  sum.point_W.setZero();
  for (const PatchState& part : parts) {
    sum.volume += part.geometry.volume;
    sum.point_W += part.geometry.volume * part.geometry.point_W;
  }
  sum.point_W /= sum.volume;
  double second = 0.0;
  for (const PatchState& part : parts) {
    const Vector3d rho = part.geometry.point_W - sum.point_W;
    const double across = (rho - sum.normal_W * sum.normal_W.dot(rho)).squaredNorm();
    const double r = part.geometry.gyration_radius;
    second += part.geometry.volume * (r * r + across);
  }
  sum.gyration_radius = std::sqrt(second / sum.volume);
  return sum;
}

// What bent bristles hold at rest, about the world's origin: force and torque about n, and energy.
struct Held {
  Vector3d force = Vector3d::Zero();
  double torque = 0.0, energy = 0.0;

  void Add(const ContactModel& model, const ContactGeometry& geometry, const ContactState& state) {
    const double load = kStiffness * geometry.volume, r = geometry.gyration_radius;
    const Vector3d f = -load * kSigma0 * state.friction.deflection_W;
    force += f;
    torque += geometry.normal_W.dot(geometry.point_W.cross(f)) -
              load * kSigma0 * r * r * state.friction.twist;
    energy += model.BristleEnergy(geometry, load, state.friction);
  }
};

std::vector<PatchState> RandomPatches(Random* random, const Vector3d& n, int count) {
  std::vector<PatchState> patches(static_cast<std::size_t>(count));
  const Matrix3d across = Matrix3d::Identity() - n * n.transpose();
  for (PatchState& patch : patches) {
    patch.geometry.touching = patch.state.touching = true;
    patch.geometry.normal_W = patch.state.normal_W = n;
    patch.geometry.point_W = Vector3d(0.3, -0.2, 0.1) + across * random->UniformVector(-0.2, 0.2);
    patch.geometry.volume = LogUniform(random, 1e-9, 1e-7);
    patch.geometry.gyration_radius = random->Uniform(0.01, 0.05);
    patch.state.friction.deflection_W = across * random->UniformVector(-1e-5, 1e-5);
    patch.state.friction.twist = random->Uniform(-1e-3, 1e-3);
    patch.state.friction.dwell = random->Uniform(0.0, 1.0);
    patch.state.impact_speed = random->Uniform(0.1, 2.0);
    patch.state.relaxation = 1e-10;
  }
  return patches;
}

TEST(PatchStates, GrownTogetherPushAndTurnAsBeforeAndHoldNoMore) {
  Random random(3);
  const ContactModel model = Model();
  for (int trial = 0; trial < 200; ++trial) {
    const std::vector<PatchState> parts =
        RandomPatches(&random, random.UnitVector(), 2 + trial % 3);
    const ContactGeometry sum = SumOf(parts);
    const ContactState joined = model.Joined(parts, sum);
    Held before, after;
    double slowness = 0.0;
    for (const PatchState& part : parts) {
      before.Add(model, part.geometry, part.state);
      slowness += part.geometry.volume / part.state.impact_speed;
    }
    after.Add(model, sum, joined);
    EXPECT_LE((after.force - before.force).norm(), 1e-12 * before.force.norm());
    EXPECT_NEAR(after.torque, before.torque, 1e-12 * before.force.norm());
    EXPECT_LE(after.energy, before.energy * (1.0 + 1e-12));
    EXPECT_NEAR(1.0 / joined.impact_speed, slowness / sum.volume, 1e-12 / joined.impact_speed);
    EXPECT_NEAR(joined.relaxation, 1e-10 * static_cast<double>(parts.size()), 1e-22);
  }
}

TEST(PatchStates, PiecesPushTurnAndHoldTogetherAsTheWhole) {
  Random random(4);
  const ContactModel model = Model();
  for (int trial = 0; trial < 200; ++trial) {
    const Vector3d n = random.UnitVector();
    const std::vector<PatchState> parts = RandomPatches(&random, n, 2 + trial % 3);
    PatchState whole = RandomPatches(&random, n, 1)[0];
    whole.geometry = SumOf(parts);
    Held before, after;
    before.Add(model, whole.geometry, whole.state);
    std::vector<PatchState> pieces = parts;
    double relaxation = 0.0;
    for (PatchState& piece : pieces) {
      piece.state =
          model.PieceOf(whole, piece.geometry, piece.geometry.point_W - whole.geometry.point_W,
                        piece.geometry.volume / whole.geometry.volume);
      after.Add(model, piece.geometry, piece.state);
      relaxation += piece.state.relaxation;
      EXPECT_EQ(piece.state.impact_speed, whole.state.impact_speed);
    }
    EXPECT_LE((after.force - before.force).norm(), 1e-11 * before.force.norm());
    EXPECT_NEAR(after.torque, before.torque, 1e-11 * before.force.norm());
    EXPECT_NEAR(after.energy, before.energy, 1e-11 * before.energy);
    EXPECT_NEAR(relaxation, whole.state.relaxation, 1e-22);
    // And back again: the same as before they came apart.
    const ContactState again = model.Joined(pieces, whole.geometry);
    EXPECT_LE((again.friction.deflection_W - whole.state.friction.deflection_W).norm(), 1e-16);
    EXPECT_NEAR(again.friction.twist, whole.state.friction.twist, 1e-14);
    EXPECT_NEAR(again.impact_speed, whole.state.impact_speed, 1e-12);
  }
}

// Two balls joined stiffly, of which the patches on a plane meet as they go deeper: the forces of
// both, and the force of the one that they become.
TEST(PatchStates, ElasticForcesOnAPlaneAddUp) {
  const Pose left{{-0.07, 0, 0}, {1, 0, 0, 0}}, right{{0.07, 0, 0.005}, {1, 0, 0, 0}};
  const PreparedPair pair(Union({Sphere(0.1).Posed(left), Sphere(0.1).Posed(right)}), HalfSpace());
  const ContactModel model = Model();
  std::size_t most = 0, least = 9;
  for (double depth = 0.01; depth < 0.05; depth += 0.004) {
    const Pose X_WA{{0, 0, 0.1 - depth}, {1, 0, 0, 0}};
    const QueryOptions options{.tolerance = 1e-9};
    const std::vector<Metrics> patches = pair.QueryPatches(X_WA, Pose(), options);
    const auto wrench = [&](const Metrics& metrics, Vector3d* force, Vector3d* torque) {
      const ContactForce f = model.Evaluate(GeometryOf(metrics), {}, {});
      *force += f.normal_W;
      *torque += f.point_W.cross(f.normal_W);
    };
    Vector3d force = Vector3d::Zero(), torque = force, whole = force, whole_torque = force;
    for (const Metrics& patch : patches) wrench(patch, &force, &torque);
    wrench(pair.Query(X_WA, Pose(), options), &whole, &whole_torque);
    EXPECT_LE((force - whole).norm(), 1e-8 * whole.norm());
    EXPECT_LE((torque - whole_torque).norm(), 1e-8 * whole.norm());
    most = std::max(most, patches.size());
    least = std::min(least, patches.size());
  }
  EXPECT_EQ(most, 2u);
  EXPECT_EQ(least, 1u);
}

PatchMark MarkAt(double x, double volume, double radius = 0.01) {
  PatchMark mark;
  mark.volume = volume;
  mark.point_A = mark.point_B = Vector3d(x, 0, 0);
  mark.radius = radius;
  return mark;
}

using Lists = std::vector<std::vector<int>>;

TEST(PatchTracking, NewKeptAndLost) {
  const std::vector<PatchMark> before = {MarkAt(0.0, 1.0), MarkAt(0.1, 2.0), MarkAt(0.2, 1.0)};
  EXPECT_EQ(TrackPatches(before, before), (Lists{{0}, {1}, {2}}));
  EXPECT_EQ(TrackPatches({}, before), (Lists{{}, {}, {}}));
  EXPECT_TRUE(TrackPatches(before, {}).empty());
  // Whatever their order; the middle one is lost, with nobody the larger for it.
  EXPECT_EQ(TrackPatches(before, {MarkAt(0.201, 1.1), MarkAt(0.002, 0.9)}), (Lists{{2}, {0}}));
  // A new one beside what has not lost by it, and one far off in place of a lost one.
  EXPECT_EQ(TrackPatches({before[0]}, {MarkAt(0.03, 0.01), before[0]}), (Lists{{}, {0}}));
  EXPECT_EQ(TrackPatches({before[0]}, {MarkAt(1.0, 1.0)}), (Lists{{}}));
}

TEST(PatchTracking, GrownTogetherAndComeApart) {
  const std::vector<PatchMark> two = {MarkAt(0.0, 1.0), MarkAt(0.03, 2.0)};
  const std::vector<PatchMark> one = {MarkAt(0.02, 3.01, 0.02)};
  EXPECT_EQ(TrackPatches(two, one), (Lists{{0, 1}}));
  EXPECT_EQ(TrackPatches(one, two), (Lists{{0}, {0}}));
  // Beside another that stays.
  EXPECT_EQ(TrackPatches({two[0], MarkAt(0.2, 5.0), two[1]}, {MarkAt(0.2, 5.1), one[0]}),
            (Lists{{1}, {0, 2}}));
}

// A patch that stays on one body while the other slides by, and one that both carry along.
TEST(PatchTracking, FollowsWhicheverBodyCarriesIt) {
  PatchMark foot = MarkAt(0.0, 1.0), other = MarkAt(0.5, 1.0);
  PatchMark moved = foot, moved_other = other;
  moved.point_B.x() += 0.5;
  moved_other.point_B.x() += 0.5;
  EXPECT_EQ(TrackPatches({foot, other}, {moved_other, moved}), (Lists{{1}, {0}}));
}

}  // namespace
}  // namespace volcontact::testing::patch_states_test
