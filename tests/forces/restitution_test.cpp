// Free impacts, integrated through ContactModel::Evaluate: the rebound of every normal law.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "forces/ode.h"
#include "volcontact/forces/contact_model.h"

namespace volcontact::testing::restitution_test {
namespace {

using Eigen::Vector3d;

constexpr double kPi = std::numbers::pi;

ContactGeometry AtDepth(double depth) {
  ContactGeometry geometry;
  geometry.touching = true;
  geometry.depth = depth;
  geometry.normal_W = Vector3d::UnitZ();
  return geometry;
}

// A body of mass m that meets a fixed one at speed v, its geometry a function of the depth.
struct Impact {
  Impact(const NormalLaw& law, double m, double v) : mass(m), speed(v) { parameters.normal = law; }

  double Energy() const { return 0.5 * mass * speed * speed; }

  ContactParameters parameters;
  double mass, speed;
  std::function<ContactGeometry(double)> geometry = AtDepth;
};

struct Rebound {
  double speed = 0.0, elastic = 0.0, damped = 0.0;
};

ContactForce ForceAt(const Impact& impact, const ContactModel& model, const ContactState& state,
                     double depth, double normal_speed) {
  ContactMotion motion;
  motion.normal_speed = normal_speed;
  return model.Evaluate(impact.geometry(depth), motion, state);
}

// In time until the bodies part, then in depth, which is zero at the end exactly. State: depth,
// speed (then its square), energy put into the spring, energy damped.
Rebound Simulate(const Impact& impact) {
  using State = Eigen::Vector4d;
  const ContactModel model(impact.parameters);
  ContactMotion first;
  first.normal_speed = -impact.speed;
  const ContactState state = model.Touch(impact.geometry(0.0), first);
  EXPECT_EQ(state.impact_speed, impact.speed);
  OdeOptions options;
  options.absolute = 1e-15 * std::min(impact.Energy(), impact.speed);
  const auto in_time = [&](double, const State& y) {
    const ContactForce f = ForceAt(impact, model, state, y[0], y[1]);
    return State(-y[1], f.force_W.z() / impact.mass, f.powers.elastic, f.powers.normal_damping);
  };
  State y(0.0, -impact.speed, 0.0, 0.0);
  Integrate<4>(
      in_time, 0.0, 1.0, &y, [](double, const State& at) { return at[1] > 0.0; }, options);
  const auto in_depth = [&](double depth, const State& at) {
    const double v = std::sqrt(std::max(0.0, at[1]));
    const ContactForce f = ForceAt(impact, model, state, depth, v);
    return State(-1.0, -2.0 * f.force_W.z() / impact.mass, -f.powers.elastic / v,
                 -f.powers.normal_damping / v);
  };
  y[1] *= y[1];
  Integrate<4>(in_depth, y[0], 0.0, &y, options);
  return {std::sqrt(y[1]), y[2], y[3]};
}

RestitutionDamping Damping(double e, RestitutionLaw law = RestitutionLaw::kExact) {
  return {.restitution = e, .law = law, .v_small = 1e-6};
}

struct Shape {
  std::string name;
  double (*volume)(double depth);
};

std::vector<Shape> Shapes() {
  return {
      {"box", [](double x) { return 0.02 * x; }},
      {"wedge", [](double x) { return 0.3 * x * x; }},
      {"cap", [](double x) { return kPi * x * x * (0.5 - x / 3.0); }},
  };
}

std::vector<Impact> Impacts(const RestitutionDamping& damping, double mass, double speed) {
  std::vector<Impact> impacts;
  for (const double exponent : {1.0, 1.5, 2.0}) {
    impacts.emplace_back(PowerNormal{3e5, exponent, damping}, mass, speed);
  }
  for (const Shape& shape : Shapes()) {
    impacts.emplace_back(VolumetricNormal{4e8, 9e8, damping}, mass, speed);
    impacts.back().geometry = [shape](double depth) {
      ContactGeometry geometry = AtDepth(0.0);
      geometry.volume = shape.volume(depth);
      return geometry;
    };
  }
  return impacts;
}

class ExactRestitution : public ::testing::TestWithParam<double> {};

TEST_P(ExactRestitution, IsWhatWasAskedFor) {
  const double e = GetParam();
  for (const double mass : {0.02, 1.0, 35.0}) {
    for (const double speed : {0.003, 0.5, 4.0}) {
      for (const Impact& impact : Impacts(Damping(e), mass, speed)) {
        const Rebound rebound = Simulate(impact);
        EXPECT_NEAR(rebound.speed / speed, e, 1e-8)
            << impact.parameters.normal.index() << " " << mass << " " << speed;
        // What is damped is what is lost; the spring returns all that it took.
        EXPECT_NEAR(rebound.damped / impact.Energy(), 1.0 - e * e, 1e-8);
        EXPECT_NEAR(rebound.elastic / impact.Energy(), 0.0, 1e-8);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Values, ExactRestitution,
                         ::testing::Values(0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1.0));

// The rebound that Eq. (3.22) gives for a v_n^i = A, by bisection.
double ReboundOf(double A) {
  double low = 0.0, high = std::min(1.0, 1.0 / A);
  for (int i = 0; i < 200; ++i) {
    const double e = 0.5 * (low + high);
    (A - std::log1p(A) + e * A + std::log1p(-e * A) > 0.0 ? low : high) = e;
  }
  return low;
}

TEST(ApproximateRestitution, IsNotWhatWasAskedFor) {
  for (const double e : {0.05, 0.3, 0.5, 0.9}) {
    for (const auto& [law, A] :
         {std::pair{RestitutionLaw::kHuntCrossley, 1.5 * (1.0 - e)},
          std::pair{RestitutionLaw::kLankaraniNikravesh, 0.75 * (1.0 - e * e)}}) {
      for (const Impact& impact : Impacts(Damping(e, law), 2.0, 0.7)) {
        EXPECT_NEAR(Simulate(impact).speed / impact.speed, ReboundOf(A), 1e-8) << e;
      }
    }
  }
  EXPECT_NEAR(ReboundOf(0.75), 0.663, 5e-4);
  EXPECT_NEAR(ReboundOf(0.75 * 0.75), 0.725, 5e-4);
}

// Below v_small the damping is that of v_small: relatively less, so the rebound is higher.
TEST(SlowImpact, IsDampedAsIfAtVSmall) {
  const double e = 0.4, v_small = 0.01, speed = 0.002;
  for (const Impact& impact :
       Impacts({.restitution = e, .law = RestitutionLaw::kExact, .v_small = v_small}, 2.0, speed)) {
    const double A = SolveDamping(e).d / e * speed / v_small;
    EXPECT_NEAR(Simulate(impact).speed / speed, ReboundOf(A), 1e-8);
  }
}

// Eq. (8): restitution falls with the speed of impact; the energy lost is what the damper took.
TEST(AzadFeatherstone, RestitutionFallsWithSpeed) {
  double last = 1.0;
  for (const double speed : {1e-3, 1e-2, 0.1, 1.0, 5.0}) {
    const Impact impact(AzadFeatherstoneNormal{2e6, 300.0}, 0.3, speed);
    const Rebound rebound = Simulate(impact);
    const double e = rebound.speed / speed;
    EXPECT_GT(e, 0.05);
    EXPECT_LT(e, last) << speed;
    last = e;
    EXPECT_NEAR(rebound.damped / impact.Energy(), 1.0 - e * e, 1e-8) << speed;
    EXPECT_NEAR(rebound.elastic / impact.Energy(), 0.0, 1e-8) << speed;
  }
}

TEST(AzadFeatherstone, ReboundsFullyWithoutDamping) {
  const Impact impact(AzadFeatherstoneNormal{2e6, 0.0}, 0.3, 0.4);
  EXPECT_NEAR(Simulate(impact).speed, 0.4, 1e-9);
}

// The clamped linear spring-damper lets go where the acceleration vanishes: with β = c/(2m),
// ω0² = k/m and ω² = ω0² − β² the rebound is exp(−β t_c), t_c = (π − atan2(2βω, ω² − β²))/ω; above
// critical damping, with Ω² = β² − ω0², t_c = log((β + Ω)/(β − Ω))/Ω.
double ClampedLinearRebound(double k, double c, double m) {
  const double beta = 0.5 * c / m, square = k / m - beta * beta;
  const double w = std::sqrt(std::abs(square));
  const double t = square > 0.0 ? (kPi - std::atan2(2.0 * beta * w, square - beta * beta)) / w
                                : std::log((beta + w) / (beta - w)) / w;
  return std::exp(-beta * t);
}

TEST(Linear, ReboundsAsTheClampedSpringAndDamper) {
  const double k = 5e4, m = 0.7, speed = 0.9;
  const double critical = 2.0 * std::sqrt(k * m);
  for (const double ratio : {0.0, 0.01, 0.3, 0.6, 0.75, 0.95, 1.2, 2.0}) {
    const Impact impact(LinearNormal{k, ratio * critical}, m, speed);
    const Rebound rebound = Simulate(impact);
    const double e = ClampedLinearRebound(k, ratio * critical, m);
    EXPECT_NEAR(rebound.speed / speed, e, 1e-8) << ratio;
    EXPECT_NEAR((rebound.damped + rebound.elastic) / impact.Energy(), 1.0 - e * e, 1e-8) << ratio;
  }
}

}  // namespace
}  // namespace volcontact::testing::restitution_test
