// The laws at the end of a step: their derivatives against differences, and what they are as the
// step goes to zero.
#include "volcontact/forces/contact_in_step.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "volcontact/math/error.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::contact_in_step_test {
namespace {

using Eigen::Vector3d;

struct Placed {
  std::string name;
  Solid A, B;
  Pose X_WA;  // B's is the world
};

Pose Turned(const Vector3d& t, double angle, const Vector3d& axis) {
  const Eigen::Quaterniond q(Eigen::AngleAxisd(angle, axis.normalized()));
  return Pose{t, {q.w(), q.x(), q.y(), q.z()}};
}

std::vector<Placed> Contacts() {
  return {{"ball on plane", Sphere(0.03), HalfSpace(), Turned({0.01, 0.0, 0.0299}, 0.3, {1, 2, 3})},
          {"box on its face", Box({0.1, 0.08, 0.05}), HalfSpace(),
           Turned({0.0, 0.0, 0.0248}, 1e-3, {1, 0.5, 0})},
          {"corner", Box({0.1, 0.1, 0.1}), HalfSpace(), Turned({0, 0, 0.083}, 0.9, {1, 0.8, 0.1})},
          {"edge", Box({0.1, 0.1, 0.1}), Box({0.2, 0.2, 0.04}),
           Turned({0.0, 0.0, 0.0898}, M_PI / 4.0, {1, 0, 0})},
          {"cylinder beside ball", Cylinder(0.02, 0.1), Sphere(0.05),
           Turned({0.0, 0.0685, 0.01}, 0.1, {1, 0, 0})}};
}

Metrics QueryOf(const Placed& placed, const Pose& X_WA) {
  QueryOptions options;
  options.tolerance = 1e-12;
  options.hessian = true;
  return PreparedPair(placed.A, placed.B).Query(X_WA, Pose{}, options);
}

// A's pose after a motion about a point.
Pose Moved(const Pose& X_WA, const Vector3d& point, const Vector6& motion) {
  const Vector3d d = motion.head<3>(), w = motion.tail<3>();
  const double angle = w.norm();
  const Eigen::Matrix3d R =
      angle == 0.0 ? Eigen::Matrix3d(Eigen::Matrix3d::Identity())
                   : Eigen::Matrix3d(Eigen::AngleAxisd(angle, w / angle).toRotationMatrix());
  return MakePose(R * X_WA.Rotation(), point + d + R * (X_WA.t - point));
}

TEST(NearbyContact, ErrsByTheThirdPowerOfTheMotion) {
  for (const Placed& placed : Contacts()) {
    SCOPED_TRACE(placed.name);
    const Metrics metrics = QueryOf(placed, placed.X_WA);
    ASSERT_TRUE(metrics.overlap && metrics.hessian_W.has_value());
    const NearbyContact nearby(metrics);
    const double height = metrics.volume / metrics.area_vector_W.norm();
    Vector6 way;
    way << 0.3, -0.2, 0.5, 0.4, 0.6, -0.3;
    way.tail<3>() /= 0.05;  // rotations in terms of the size
    double last = 0.0;
    for (const double part : {4e-2, 2e-2, 1e-2}) {
      const Vector6 motion = part * height * way;
      const Metrics there = QueryOf(placed, Moved(placed.X_WA, metrics.centroid_W, motion));
      const double error = std::abs(nearby.Volume(motion) - there.volume);
      const double scale = metrics.volume;
      EXPECT_LT(error, 3.0 * part * part * part * scale) << part;
      if (last > 1e-8 * scale) {
        EXPECT_LT(error, last / 5.0) << part;
      }
      last = error;
      EXPECT_LT((nearby.AreaVector(motion) - there.area_vector_W).norm(),
                30.0 * part * part * metrics.area_vector_W.norm());
      EXPECT_LT((nearby.Centroid(motion) - there.centroid_W).norm(), 30.0 * part * part * 0.05);
    }
  }
}

TEST(NearbyContact, FindsWhereSimpleShapesPart) {
  // A prism, a cap, a corner: exponents 1, 2 and 3, and the depth.
  const auto nearby = [](const Solid& A, const Pose& X_WA) {
    return NearbyContact(QueryOf({"", A, HalfSpace(), X_WA}, X_WA));
  };
  const NearbyContact face = nearby(Box({0.1, 0.1, 0.1}), Pose{{0, 0, 0.0499}});
  EXPECT_NEAR(face.exponent(), 1.0, 1e-6);
  EXPECT_NEAR(face.reach(), 1e-4, 1e-9);
  const NearbyContact cap = nearby(Sphere(0.03), Pose{{0, 0, 0.03 - 1e-6}});
  EXPECT_NEAR(cap.exponent(), 2.0, 1e-4);
  EXPECT_NEAR(cap.reach(), 1e-6, 1e-10);
  const double half = 0.05 * std::sqrt(3.0);  // of the diagonal, from the centre
  const Pose on_corner =
      Turned({0, 0, half - 1e-4}, std::acos(1.0 / std::sqrt(3.0)), {1.0, -1.0, 0.0});
  const NearbyContact corner = nearby(Box({0.1, 0.1, 0.1}), on_corner);
  EXPECT_NEAR(corner.exponent(), 3.0, 1e-6);
  EXPECT_NEAR(corner.reach(), 1e-4, 1e-9);
}

TEST(NearbyContact, TrustsNothingThatPartsWithinItsError) {
  const Placed ball = Contacts()[0];
  const NearbyContact nearby(QueryOf(ball, ball.X_WA));
  Vector6 up = Vector6::Zero();
  EXPECT_TRUE(nearby.Trusts(up));
  up[2] = 0.99 * nearby.reach();
  EXPECT_FALSE(nearby.Trusts(up));
  up[2] = 2.0 * nearby.reach();
  EXPECT_TRUE(nearby.Trusts(up));
  EXPECT_FALSE(NearbyContact().Trusts(up));
}

std::vector<FrictionLaw> FrictionLaws() {
  BristleFriction bristles;
  bristles.mu_s = 0.6;
  bristles.mu_c = 0.4;
  bristles.sigma0 = 1e4;
  bristles.sigma1 = 30.0;
  bristles.sigma2 = 0.1;
  bristles.v_stribeck = 0.05;
  BristleFriction dwelling = bristles;
  dwelling.tau_dwell = 0.1;
  return {NoFriction{}, CoulombFriction{0.3, 0.02}, bristles, dwelling,
          PatchCoulombFriction{0.3, 0.02}};
}

ContactModel ModelOf(const FrictionLaw& friction, RollingInertia rolling = RollingInertia::kExact) {
  ContactParameters parameters;
  VolumetricNormal normal;
  normal.stiffness_a = 1e9;
  normal.stiffness_b = 3e9;
  normal.damping.restitution = 0.5;
  parameters.normal = normal;
  parameters.friction = friction;
  parameters.rolling = rolling;
  return ContactModel(parameters);
}

// A pressure that is spread roughly as the foundation's.
std::vector<PressureSample> PressureOn(const ContactGeometry& geometry) {
  const Vector3d t1 = geometry.normal_W.unitOrthogonal(), t2 = geometry.normal_W.cross(t1);
  const double r = geometry.gyration_radius;
  return {{r * t1, 0.3}, {-r * t1, 0.2}, {r * t2, 0.25}, {-r * t2, 0.25}};
}

struct StepCase {
  StepState state;
  Vector6 twist, reached;
};

StepCase RandomCase(const NearbyContact& nearby, double step, std::mt19937* random) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const ContactGeometry& geometry = nearby.geometry();
  const auto across = [&](const Vector3d& v) {
    return Vector3d(v - geometry.normal_W * geometry.normal_W.dot(v));
  };
  const auto vector = [&] { return Vector3d(unit(*random), unit(*random), unit(*random)); };
  StepCase result;
  ContactState& contact = result.state.contact;
  contact.touching = true;
  contact.impact_speed = 0.3;
  contact.normal_W = geometry.normal_W;
  contact.friction.deflection_W = 2e-5 * across(vector());
  contact.friction.twist = 1e-3 * unit(*random);
  contact.friction.dwell = 0.5 * (1.0 + unit(*random));
  result.state.stored = result.state.bent = std::numeric_limits<double>::infinity();
  const double far = 0.2 * nearby.reach() / step;
  result.twist << std::min(far, 0.05) * vector(), std::min(far, 0.05) / 0.05 * vector();
  result.reached << std::min(far, 0.05) * vector(), std::min(far, 0.05) / 0.05 * vector();
  return result;
}

// The force and its potential have the derivatives that are told.
TEST(ContactInStep, HasTheDerivativesOfDifferences) {
  std::mt19937 random(7);
  int compared = 0;
  for (const Placed& placed : Contacts()) {
    const NearbyContact nearby(QueryOf(placed, placed.X_WA));
    const std::vector<PressureSample> pressure = PressureOn(nearby.geometry());
    for (const FrictionLaw& friction : FrictionLaws()) {
      const StepLaws laws(ModelOf(friction));
      for (const double step : {1e-4, 2e-3}) {
        for (int sample = 0; sample < 20; ++sample) {
          SCOPED_TRACE(placed.name + ", law " + std::to_string(friction.index()));
          StepCase at = RandomCase(nearby, step, &random);
          // Sometimes there is less energy than the springs would have.
          if (sample % 3 == 0) at.state.stored = at.state.bent = 1e-7;
          const ContactInStep contact(laws, nearby, at.state, at.reached, step, &pressure);
          const StepLag lag = contact.LagAt(at.twist, sample % 2 == 0);
          const StepForce force = contact.Evaluate(at.twist, lag);
          EXPECT_EQ(force.wrench, contact.WrenchAt(at.twist, lag));
          EXPECT_LT((force.damping - force.damping.transpose()).norm(),
                    1e-12 * force.damping.norm());
          Vector6 scale;
          scale << Vector3d::Constant(1e-6), Vector3d::Constant(2e-5);
          for (int i = 0; i < 6; ++i) {
            const auto there = [&](double part) {
              Vector6 twist = at.twist;
              twist[i] += part * scale[i];
              return std::pair(contact.WrenchAt(twist, lag), contact.Potential(twist, lag));
            };
            const auto [plus, potential_plus] = there(1.0);
            const auto [minus, potential_minus] = there(-1.0);
            const Vector6 ahead = (plus - force.wrench) / scale[i];
            const Vector6 behind = (force.wrench - minus) / scale[i];
            const double size = force.damping.col(i).norm() + ahead.norm();
            if ((ahead - behind).norm() > 1e-2 * size) continue;  // a kink between
            ++compared;
            EXPECT_LT((0.5 * (ahead + behind) + force.damping.col(i)).norm(),
                      2e-4 * size + 1e-7 * force.wrench.norm() / scale[i]);
            EXPECT_NEAR((potential_plus - potential_minus) / (2.0 * scale[i]), -force.wrench[i],
                        1e-3 * force.wrench.norm() + 1e-9 * std::abs(potential_plus) / scale[i]);
          }
        }
      }
    }
  }
  EXPECT_GT(compared, 5000);
}

TEST(ContactInStep, HasTheDerivativesByTheState) {
  std::mt19937 random(11);
  const Placed placed = Contacts()[1];
  const NearbyContact nearby(QueryOf(placed, placed.X_WA));
  const StepLaws laws(ModelOf(FrictionLaws()[2]));
  const double step = 1e-3;
  int compared = 0;
  for (int sample = 0; sample < 50; ++sample) {
    const StepCase at = RandomCase(nearby, step, &random);
    const ContactInStep contact(laws, nearby, at.state, at.reached, step);
    const Eigen::Matrix<double, 6, 3> told =
        contact.StateDerivative(at.twist, contact.LagAt(at.twist, false));
    for (int i = 0; i < 3; ++i) {
      const double scale = i < 2 ? 1e-9 : 1e-7;
      const auto there = [&](double part) {
        StepState state = at.state;
        if (i < 2) {
          state.contact.friction.deflection_W += part * scale * contact.tangents().col(i);
        } else {
          state.contact.friction.twist += part * scale;
        }
        const ContactInStep other(laws, nearby, state, at.reached, step);
        return other.WrenchAt(at.twist, other.LagAt(at.twist, false));
      };
      const Vector6 slope = (there(1.0) - there(-1.0)) / (2.0 * scale);
      const Vector6 ahead = (there(1.0) - there(0.0)) / scale;
      if ((ahead - slope).norm() > 1e-3 * slope.norm()) continue;
      ++compared;
      EXPECT_LT((slope + told.col(i)).norm(), 1e-4 * told.norm() + 1e-4 * slope.norm());
    }
  }
  EXPECT_GT(compared, 100);
}

// What the laws of ContactModel say, at first order of the step.
TEST(ContactInStep, TendsToTheLawsAsTheStepGoesToZero) {
  std::mt19937 random(3);
  for (const Placed& placed : Contacts()) {
    const NearbyContact nearby(QueryOf(placed, placed.X_WA));
    const ContactGeometry& geometry = nearby.geometry();
    const std::vector<PressureSample> pressure = PressureOn(geometry);
    for (const FrictionLaw& friction : FrictionLaws()) {
      const ContactModel model = ModelOf(friction);
      const StepLaws laws(model);
      for (int sample = 0; sample < 10; ++sample) {
        SCOPED_TRACE(placed.name + ", law " + std::to_string(friction.index()));
        StepCase at = RandomCase(nearby, 1e-3, &random);
        at.twist.tail<3>() -=
            geometry.normal_W * geometry.normal_W.dot(at.twist.tail<3>());  // no spin
        const Vector3d v = at.twist.head<3>();
        ContactMotion motion;
        motion.normal_speed = geometry.normal_W.dot(v);
        motion.tangential_velocity_W = v - motion.normal_speed * geometry.normal_W;
        motion.rolling_velocity_W = at.twist.tail<3>();
        // Bristles along the sliding, as they come to be: across it both parts are limited each.
        at.state.contact.friction.deflection_W =
            1e-5 * model.SlidingVelocity(geometry, motion).normalized();
        at.state.contact.friction.twist = 0.0;
        const ContactForce law = model.Evaluate(geometry, motion, at.state.contact, pressure);
        Vector6 wrench;
        wrench << law.force_W, law.torque_W;
        Vector6 scale;  // moments in terms of the contact's extent
        scale << Vector3d::Ones(), Vector3d::Constant(1.0 / geometry.gyration_radius);
        double last = 0.0;
        for (const double step : {1e-6, 1e-7}) {
          const ContactInStep contact(laws, nearby, at.state, at.twist, step, &pressure);
          const StepLag lag = contact.LagAt(at.twist, false);
          const Vector6 found = contact.WrenchAt(at.twist, lag);
          const double error =
              (found - wrench).cwiseProduct(scale).norm() / wrench.cwiseProduct(scale).norm();
          EXPECT_LT(error, step / 1e-6 * 2e-2 + 1e-9);
          if (last > 1e-7) {
            EXPECT_LT(error, 0.2 * last);
          }
          last = error;
          const StepState after = contact.StateAfter(at.twist, lag);
          const Vector3d rate =
              (after.contact.friction.deflection_W - at.state.contact.friction.deflection_W) / step;
          EXPECT_LT((rate - law.rate.deflection_W).norm(),
                    1e-3 * law.rate.deflection_W.norm() + 1e-2 * v.norm() * step / 1e-6);
        }
      }
    }
  }
}

TEST(ContactInStep, GivesBackNoMoreThanItHas) {
  const Placed ball = Contacts()[0];
  const NearbyContact nearby(QueryOf(ball, ball.X_WA));
  const StepLaws laws(ModelOf(NoFriction{}));
  for (const double stored : {0.0, 1e-9, 1e-5}) {
    StepState state;
    state.contact.touching = true;
    state.contact.normal_W = nearby.geometry().normal_W;
    state.contact.impact_speed = 0.1;
    state.stored = stored;
    const ContactInStep contact(laws, nearby, state, Vector6::Zero(), 1e-3);
    for (const double speed : {1e-4, 1e-2, 1.0}) {
      Vector6 twist = Vector6::Zero();
      twist[2] = speed;
      const double given = 1e-3 * contact.WrenchAt(twist, contact.LagAt(twist, true)).dot(twist);
      EXPECT_LE(given, contact.MostToGive() + 1e-12 * stored);
      // Pressed further it pushes, and takes.
      twist[2] = -1e-3;
      EXPECT_GT(contact.WrenchAt(twist, contact.LagAt(twist, true))[2], 0.0);
      EXPECT_GT(contact.StateAfter(twist, contact.LagAt(twist, true)).stored, stored);
    }
  }
}

TEST(ContactInStep, RefusesLawsWithoutAForm) {
  ContactParameters parameters;
  parameters.normal = LinearNormal{1e5, 10.0};
  try {
    StepLaws laws{ContactModel(parameters)};
    FAIL() << "not refused";
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("linear"), std::string::npos) << error.what();
  }
  parameters.normal = AzadFeatherstoneNormal{1e5, 10.0};
  EXPECT_THROW(StepLaws{ContactModel(parameters)}, InvalidInput);
  const Placed ball = Contacts()[0];
  const StepLaws laws(ModelOf(PatchCoulombFriction{0.3}));
  const NearbyContact nearby(QueryOf(ball, ball.X_WA));
  EXPECT_THROW(ContactInStep(laws, nearby, {}, Vector6::Zero(), 1e-3), InvalidInput);
}

// Points: f = k x^p (1 + a v_n), and the clutch of Azad and Featherstone.
TEST(ContactInStep, TakesPointLaws) {
  ContactGeometry point;
  point.touching = true;
  point.normal_W = Vector3d::UnitZ();
  point.depth = 1e-4;
  ContactParameters parameters;
  PowerNormal normal;
  normal.stiffness = 1e9;
  parameters.normal = normal;
  parameters.friction = ClutchFriction{0.4, 1e6, 1e3, 0.5};
  const ContactModel model(parameters);
  const StepLaws laws(model);
  StepState state;
  state.contact.touching = true;
  state.contact.normal_W = point.normal_W;
  state.contact.impact_speed = 0.2;
  state.contact.friction.deflection_W = {1e-5, 2e-5, 0.0};
  state.stored = state.bent = 1e9;
  for (const double speed : {1e-4, 3e-2, 1.0}) {
    Vector6 twist;
    twist << speed, -0.5 * speed, -0.05, 0.0, 0.0, 0.0;
    ContactMotion motion;
    motion.normal_speed = twist[2];
    motion.tangential_velocity_W = {twist[0], twist[1], 0.0};
    const ContactForce law = model.Evaluate(point, motion, state.contact);
    const ContactInStep contact(laws, NearbyContact(point), state, twist, 1e-8);
    const StepLag lag = contact.LagAt(twist, false);
    const Vector6 found = contact.WrenchAt(twist, lag);
    EXPECT_LT((found.head<3>() - law.force_W).norm(), 1e-4 * law.force_W.norm()) << speed;
    const StepState after = contact.StateAfter(twist, lag);
    const Vector3d rate =
        (after.contact.friction.deflection_W - state.contact.friction.deflection_W) / 1e-8;
    EXPECT_LT((rate - law.rate.deflection_W).norm(), 1e-4 * twist.norm()) << speed;
  }
}

}  // namespace
}  // namespace volcontact::contact_in_step_test
