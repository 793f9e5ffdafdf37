// Motion in contact: rebounds, conservation of momentum, bowls, slopes, cells, fixed steps.
#include "forces/ode.h"
#include "scenario/scenarios.h"

namespace volcontact::scenario::testing {
namespace {

using Eigen::AngleAxisd;
using volcontact::testing::Integrate;

const Quaterniond kTilt(AngleAxisd(0.9, Vector3d(1, -2, 0.5).normalized()));
const Quaterniond kTurn(AngleAxisd(-1.7, Vector3d(0.3, 1, 2).normalized()));

// A sphere of radius 0.1, away from its body's origin, meets an oblique plane at `speed`, with a
// centre of mass above the contact point: the whole mass rebounds.
Json ObliqueImpact(bool volumetric, double restitution, double speed) {
  const Vector3d n = kTilt * Vector3d::UnitZ(), center(0.02, 0.05, -0.03);
  const Vector3d start = Vector3d(3, 2, 1) + 0.1005 * n;
  Json document = Document();
  Json ball = Ball("ball");
  ball["solid"]["pose"] = {{"t", ListOf(center)}, {"q", ListOf(kTilt)}};
  ball["center_of_mass"] = ListOf(Vector3d(center + kTurn.conjugate() * (0.03 * n)));
  ball["pose"] = {{"t", ListOf(Vector3d(start - kTurn * center))}, {"q", ListOf(kTurn)}};
  ball["velocity"] = ListOf(Vector3d(-speed * n + 0.4 * (kTilt * Vector3d::UnitX())));
  document["bodies"] = {ball, Plane({3, 2, 1}, kTilt)};
  Json contact = volumetric ? Volumetric("ball", "plane", 1e9, restitution)
                            : Hertz("ball", "plane", 1e8, restitution);
  if (!volumetric) contact["geometry"]["frame_a"] = {{"t", ListOf(center)}};
  document["contacts"] = Json::array({contact});
  return document;
}

void ExpectRebound(const Json& document, double speed, double ratio) {
  Simulation simulation(document);
  const Vector3d n = kTilt * Vector3d::UnitZ();
  for (int i = 1; i <= 200; ++i) {
    simulation.AdvanceTo(i * 0.002 / speed);
    if (simulation("contact.touches") > 0 && simulation("contact.touching") == 0) break;
  }
  ASSERT_EQ(simulation("contact.touches"), 1);
  ASSERT_EQ(simulation("contact.touching"), 0);
  ExpectNear(simulation.Velocity("ball"), ratio * speed * n + 0.4 * (kTilt * Vector3d::UnitX()),
             1e-6 * speed);
  ExpectNear(simulation.Spin("ball"), Vector3d::Zero(), 1e-6);
  EXPECT_LE(simulation.LedgerError(), 1e-7);
  EXPECT_NEAR(simulation("energy.elastic"), 0, 1e-7);
  EXPECT_NEAR(simulation("energy.dissipated_damping"), 0.35 * speed * speed * (1 - ratio * ratio),
              1e-6);
}

TEST(ContactMotion, TheReboundIsTheRestitution) {
  for (const bool volumetric : {true, false}) {
    for (const double e : {0.05, 0.3, 0.8, 1.0}) {
      SCOPED_TRACE(::testing::Message() << (volumetric ? "volumetric " : "hertz ") << e);
      ExpectRebound(ObliqueImpact(volumetric, e, 0.7), 0.7, e);
    }
  }
}

TEST(ContactMotion, SlowImpactsAreDampedAsIfFaster) {
  // A quarter of v_small: a = d/(e v_small), D = a v, (1 + D)/(1 − D r) = exp(D (1 + r)).
  const double e = 0.5, d = 0.716375266635688, D = d / e / 4;
  double low = e, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double r = 0.5 * (low + high);
    (std::log((1 + D) / (1 - D * r)) < D * (1 + r) ? low : high) = r;
  }
  Json document = ObliqueImpact(true, e, 0.05);
  document["contacts"][0]["normal"]["v_small"] = 0.2;
  ExpectRebound(document, 0.05, low);
}

// Bodies that meet off centre with friction and spin, both free.
void ExpectMomentumKept(const Json& a, const Json& b, const Json& contact) {
  Json document = Document();
  document["bodies"] = {a, b};
  document["contacts"] = Json::array({contact});
  const Matrix3d inertia = 0.0028 * Matrix3d::Identity();
  const auto momenta = [&](const Simulation& s) {
    Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
    for (const char* name : {"a", "b"}) {
      const Vector3d p = 0.7 * s.Velocity(name);
      sum.head<3>() += p;
      sum.tail<3>() += s.Position(name).cross(p) + inertia * s.Spin(name);
    }
    return sum;
  };
  Simulation simulation(document);
  const auto before = momenta(simulation);
  const Vector3d v = simulation.Velocity("a"), w = simulation.Spin("a");
  simulation.Run(0.05, 50);
  EXPECT_GE(simulation("contact.touches"), 1);
  EXPECT_GT(simulation.Measure("max(contact.ft)"), 1.0);
  EXPECT_GT((simulation.Velocity("a") - v).norm(), 0.1);
  EXPECT_GT((simulation.Spin("a") - w).norm(), 0.1);
  EXPECT_LE((momenta(simulation) - before).head<3>().norm(), 1e-9);
  EXPECT_LE((momenta(simulation) - before).tail<3>().norm(), 1e-9);
  EXPECT_LE(simulation.LedgerError(), 1e-6);
}

TEST(ContactMotion, TwoSpheresKeepTheirMomentum) {
  Json a = Ball("a"), b = Ball("b");
  a["pose"] = {{"t", {0, 0, 0}}, {"q", ListOf(kTurn)}};
  a["velocity"] = {1, 0.5, 0};
  a["angular_velocity"] = {5, 20, -30};
  b["pose"] = {{"t", {0.2 + 0.003, 0.01, 0.02}}};
  b["velocity"] = {-1, 0, 0.3};
  Json contact = Volumetric("a", "b", 1e8, 0.6);
  contact["friction"] = Bristles();
  ExpectMomentumKept(a, b, contact);
}

TEST(ContactMotion, ASphereAndABoxKeepTheirMomentum) {
  Json a = Ball("a"), b = Ball("b");
  a["pose"] = {{"t", {0.04, -0.03, 0.155}}};
  a["velocity"] = {0.5, 0.5, -1};
  a["angular_velocity"] = {0, 3, 20};
  b["solid"] = {{"box", {{"size", {0.2, 0.2, 0.1}}}}};
  Json contact = Volumetric("a", "b", 1e8, 0.6);
  contact["geometry"]["tolerance"] = 1e-9;
  contact["friction"] = Bristles();
  ExpectMomentumKept(a, b, contact);
}

// A sphere in a horizontal bore without friction or damping: a pendulum on a spring,
// m p'' = m g + k (|p| − L)^1.5 inwards.
TEST(ContactMotion, ABallSwingsInABore) {
  const double R = 0.1, bore = 0.5, L = bore - R, k = 1e6, m = 0.7, g = 9.81;
  Json document = Document();
  document["gravity"] = {0, 0, -g};
  document["integrator"]["tolerance"] = 1e-11;
  const double depth = std::pow(m * g / k, 2.0 / 3.0);
  const Quaterniond along_y(AngleAxisd(M_PI / 2, Vector3d::UnitX()));
  Json ball = Ball("ball"), pipe = {{"name", "pipe"}, {"fixed", true}};
  ball["pose"] = {{"t", {0.2, 0.1, -std::sqrt((L + depth) * (L + depth) - 0.04)}}};
  document["bodies"] = {ball, pipe};
  Json contact = Hertz("ball", "pipe", k, 1);
  contact["geometry"] = {{"type", "sphere_bore"},
                         {"sphere_radius", R},
                         {"radius", bore},
                         {"frame_b", {{"q", ListOf(along_y)}}}};
  document["contacts"] = Json::array({contact});
  Simulation simulation(document);
  using State = Eigen::Vector4d;
  State y(0.2, ball["pose"]["t"][2].get<double>(), 0, 0);
  const auto rate = [&](double, const State& s) {
    const double length = s.head<2>().norm(), x = std::max(length - L, 0.0);
    const Eigen::Vector2d force = -k * std::pow(x, 1.5) / length * s.head<2>();
    return State(s[2], s[3], force[0] / m, force[1] / m - g);
  };
  Integrate<4>(rate, 0, 1, &y);
  simulation.Run(1, 50);
  ExpectNear(simulation.Position("ball"), {y[0], 0.1, y[1]}, 1e-6);
  ExpectNear(simulation.Velocity("ball"), {y[2], 0, y[3]}, 1e-5);
  EXPECT_LE(simulation.LedgerError(), 1e-7);
}

TEST(ContactMotion, ABallOnASlopeSlidesWithoutFriction) {
  // At rest in its depth, so that the normal force is steady.
  const double m = 0.7, g = 9.81, angle = 0.3, k = 1e6;
  const Quaterniond tilt(AngleAxisd(angle, Vector3d::UnitY()));
  const double depth = std::pow(m * g * std::cos(angle) / k, 2.0 / 3.0);
  const Vector3d start(0.5, 0.2, 0.1);
  Json document = Document();
  document["gravity"] = {0, 0, -g};
  document["bodies"] = {Ball("ball"), Plane(start, tilt)};
  document["bodies"][0]["pose"] = {
      {"t", ListOf(Vector3d(start + (0.1 - depth) * (tilt * Vector3d::UnitZ())))}};
  document["contacts"] = Json::array({Hertz("ball", "plane", k, 0.5)});
  Simulation simulation(document);
  simulation.AdvanceTo(1);
  ExpectNear(simulation.Velocity("ball"), g * std::sin(angle) * (tilt * Vector3d::UnitX()), 1e-8);
  ExpectNear(simulation.Spin("ball"), Vector3d::Zero(), 1e-12);
  ExpectNear(simulation.Vector("contact", "nx", "ny", "nz"), tilt * Vector3d::UnitZ(), 1e-12);
  EXPECT_NEAR(simulation("contact.fn"), m * g * std::cos(angle), 1e-7);
  EXPECT_NEAR(simulation("contact.vt"), g * std::sin(angle), 1e-8);
}

// Sliding spheres under Coulomb friction roll from t = 2 v/(7 μ g) on, at 5/7 of their speed.
TEST(ContactMotion, ASkiddingSphereEndsRolling) {
  const double k = 1e7, depth = std::pow(0.7 * 9.81 / k, 2.0 / 3.0), mu = 0.4, R = 0.1 - depth;
  Json document = Document();
  document["gravity"] = {0, 0, -9.81};
  document["bodies"] = {Ball("ball"), Plane()};
  document["bodies"][0]["pose"] = {{"t", {0, 0, R}}};
  document["bodies"][0]["velocity"] = {1, 0, 0};
  document["bodies"][0]["inertia"] = {0.0028, 0.0028, 0.0028};
  document["contacts"] = Json::array({Hertz("ball", "plane", k, 0.5)});
  document["contacts"][0]["friction"] = {{"mu_c", mu}, {"sigma0", 1e4}, {"sigma1", 60}};
  Simulation simulation(document);
  simulation.AdvanceTo(0.05);
  // The bristles take σ0⁻¹ of way to load.
  EXPECT_NEAR(simulation("ball.vx"), 1 - mu * 9.81 * 0.05, 3e-3);
  simulation.Run(0.5, 10);
  // Friction acts at the contact point, 0.1 m below the centre.
  EXPECT_NEAR(simulation("ball.vx"), 5.0 / 7.0, 1e-6);
  EXPECT_NEAR(simulation("ball.vx"), 0.1 * simulation("ball.wy"), 1e-6);
  EXPECT_LE(simulation("contact.vt"), 1e-6);
  EXPECT_LE(simulation.LedgerError(), 1e-6);
}

// A box cut into two that touch is the same box: without damping the forces add up exactly.
TEST(ContactMotion, CellsAddUpToTheWhole) {
  Json whole = Document();
  Json box = Ball("box");
  box["solid"] = {{"box", {{"size", {0.3, 0.2, 0.1}}}}};
  box["pose"] = {{"t", {0, 0, 0.0505}},
                 {"q", ListOf(Quaterniond(AngleAxisd(0.002, Vector3d(1, 2, 0).normalized())))}};
  box["velocity"] = {0, 0, -0.5};
  whole["gravity"] = {0, 0, -9.81};
  whole["bodies"] = {box, Plane()};
  whole["contacts"] = Json::array({Volumetric("box", "plane", 1e8, 1)});
  Json cut = whole;
  cut["contacts"][0]["geometry"]["cells"] = true;
  cut["bodies"][0]["solid"] = {
      {"union",
       {{{"box", {{"size", {0.1, 0.2, 0.1}}}}, {"pose", {{"t", {-0.1, 0, 0}}}}},
        {{"box", {{"size", {0.2, 0.2, 0.1}}}}, {"pose", {{"t", {0.05, 0, 0}}}}}}}};
  Simulation one(whole), two(cut);
  double most_cells = 0, most_force = 0;
  for (int i = 1; i <= 40; ++i) {
    one.AdvanceTo(i * 5e-4);
    two.AdvanceTo(i * 5e-4);
    const double force = one("contact.fn");
    most_cells = std::max(most_cells, two("contact.cells"));
    most_force = std::max(most_force, force);
    EXPECT_NEAR(two("contact.fn"), force, 1e-6 * most_force + 1e-3) << i;
    EXPECT_NEAR(two("contact.volume"), one("contact.volume"), 1e-12) << i;
    ExpectNear(two.Vector("contact", "fx", "fy", "fz"), one.Vector("contact", "fx", "fy", "fz"),
               1e-6 * most_force + 1e-3);
    const auto torque = [](const Simulation& s) {  // about the world's origin
      return Vector3d(
          s.Vector("contact", "tx", "ty", "tz") +
          s.Vector("contact", "px", "py", "pz").cross(s.Vector("contact", "fx", "fy", "fz")));
    };
    ExpectNear(torque(two), torque(one), 1e-6 * most_force + 1e-3);
    ExpectNear(two.Position("box"), one.Position("box"), 1e-8);
  }
  EXPECT_EQ(most_cells, 2);
  EXPECT_GT(most_force, 100);
  EXPECT_LE(two.LedgerError(), 1e-6);
}

// Contact is found at the end of a step of 1 ms, up to 1 mm too late.
TEST(ContactMotion, RelaxationStartsFixedStepsWithoutAForceJump) {
  for (const char* method : {"rk4", "rk3", "euler"}) {
    SCOPED_TRACE(method);
    Json document = Document();
    document["integrator"] = {{"method", method}, {"step", 1e-3}};
    document["bodies"] = {Ball("ball"), Plane()};
    document["bodies"][0]["pose"] = {{"t", {0, 0, 0.1042}}};
    document["bodies"][0]["velocity"] = {0, 0, -1};
    document["contacts"] = Json::array({Hertz("ball", "plane", 1e5, 0.8)});
    const auto first_force = [&](double tau) {
      document["contacts"][0]["tau_relaxation"] = tau;
      Simulation simulation(document);
      while (simulation("contact.touching") == 0) {
        simulation.AdvanceTo(simulation("t") + 1e-3);
        if (simulation("t") > 0.1) break;
      }
      EXPECT_NEAR(simulation("contact.depth"), 8e-4, 1e-6);
      const double force = simulation("contact.fn");
      simulation.AdvanceTo(simulation("t") + 1e-3);
      // What was deep then goes back in a second, with tau = 1 s.
      EXPECT_NEAR(simulation("contact.relaxation"), tau > 0 ? 8e-4 : 0, 2e-6);
      return force;
    };
    EXPECT_GT(first_force(0), 1e5 * std::pow(8e-4, 1.5));
    EXPECT_NEAR(first_force(1), 0, 1e-9);
  }
}

TEST(ContactMotion, AnImpactThatBeginsInContactDoesNotFallThrough) {
  // Already touching at the start, and approaching: the same rebound from a fresh contact.
  Json document = ObliqueImpact(false, 0.5, 0.7);
  const Vector3d n = kTilt * Vector3d::UnitZ();
  Json& t = document["bodies"][0]["pose"]["t"];
  const Vector3d start(t[0], t[1], t[2]);
  t = ListOf(Vector3d(start - 0.0005 * n - 1e-12 * n));
  ExpectRebound(document, 0.7, 0.5);
}

}  // namespace
}  // namespace volcontact::scenario::testing
