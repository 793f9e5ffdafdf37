// Springs, loads and driven joints against closed forms, and their entries in the energy ledger.
#include "forces/ode.h"
#include "scenario/scenarios.h"

namespace volcontact::scenario::testing {
namespace {

using Eigen::AngleAxisd;

// A slider of 2 kg along an oblique axis.
Json Slider() {
  return {{"name", "b"},
          {"mass", 2},
          {"inertia", {0.1, 0.1, 0.1}},
          {"joint", {{"type", "slider"}, {"frame_parent", {{"q", ListOf(kOblique)}}}}}};
}

// A pin about z through the origin; 0.5 kg·m² about it.
Json Pin() {
  return {{"name", "b"}, {"mass", 2}, {"inertia", {0.5, 0.5, 0.5}}, {"joint", {{"type", "pin"}}}};
}

TEST(DrivenMotion, ASpringWithDampingDecays) {
  const double m = 2, k = 50, c = 3, rest = 0.3, x0 = 0.5, v0 = -1;
  Json document = Document();
  document["bodies"] = Json::array({Slider()});
  document["bodies"][0]["coordinates"] = {x0};
  document["bodies"][0]["rates"] = {v0};
  document["springs"] =
      Json::array({{{"body", "b"}, {"stiffness", k}, {"damping", c}, {"rest", rest}}});
  Simulation simulation(document);
  const Vector3d axis = kOblique * Vector3d::UnitX();
  const double decay = c / (2 * m), w = std::sqrt(k / m - decay * decay);
  const double B = (v0 + decay * (x0 - rest)) / w;
  const double start = 0.5 * k * (x0 - rest) * (x0 - rest) + 0.5 * m * v0 * v0;
  EXPECT_NEAR(simulation("energy.potential"), 0.5 * k * (x0 - rest) * (x0 - rest), 1e-12);
  for (const double t : {0.3, 1.0, 2.0}) {
    simulation.AdvanceTo(t);
    const double e = std::exp(-decay * t), co = std::cos(w * t), si = std::sin(w * t);
    const double u = e * ((x0 - rest) * co + B * si);
    const double v = -decay * u + e * w * (B * co - (x0 - rest) * si);
    EXPECT_NEAR(simulation.Position("b").dot(axis), rest + u, 1e-9);
    EXPECT_NEAR(simulation.Velocity("b").dot(axis), v, 1e-9);
    EXPECT_NEAR(simulation("energy.dissipated_joint"), start - 0.5 * k * u * u - 0.5 * m * v * v,
                1e-8);
    EXPECT_EQ(simulation("energy.work"), 0);
  }
  EXPECT_LE(simulation.LedgerError(), 1e-8);
}

TEST(DrivenMotion, ATorsionSpringSwings) {
  Json document = Document();
  document["bodies"] = Json::array({Pin()});
  document["bodies"][0]["coordinates"] = {1.2};
  document["springs"] = Json::array({{{"body", "b"}, {"stiffness", 8}}});
  Simulation simulation(document);
  simulation.AdvanceTo(1);
  EXPECT_NEAR(simulation("b.wz"), -1.2 * 4 * std::sin(4.0), 1e-8);
  EXPECT_NEAR(simulation("energy.kinetic") + simulation("energy.potential"), 4 * 1.44, 1e-8);
}

TEST(DrivenMotion, ASineDrivesASlider) {
  const double amplitude = 0.4, f = 1.5, phase = 0.7, offset = 0.2, m = 2, x0 = -0.1;
  const Vector3d g(0.5, -2, -9);
  Json document = Document();
  document["gravity"] = ListOf(g);
  document["bodies"] = Json::array({Slider()});
  document["bodies"][0]["coordinates"] = {x0};
  document["bodies"][0]["motion"] = {
      {"amplitude", amplitude}, {"frequency", f}, {"phase", phase}, {"offset", offset}};
  Simulation simulation(document);
  const Vector3d axis = kOblique * Vector3d::UnitX();
  const double w = 2 * M_PI * f;
  const double v0 = offset + amplitude * std::sin(phase);
  EXPECT_NEAR(simulation.Velocity("b").dot(axis), v0, 1e-14);  // from the start
  for (const double t : {0.1, 0.45, 1.0}) {
    simulation.AdvanceTo(t);
    const double v = offset + amplitude * std::sin(w * t + phase);
    const double x = x0 + offset * t + amplitude / w * (std::cos(phase) - std::cos(w * t + phase));
    EXPECT_NEAR(simulation.Velocity("b").dot(axis), v, 1e-13);
    ExpectNear(simulation.Position("b"), x * axis, 1e-9);
    // The drive gives what the body gains.
    const double work = 0.5 * m * (v * v - v0 * v0) - m * g.dot(axis) * (x - x0);
    EXPECT_NEAR(simulation("energy.work"), work, 1e-8);
  }
  EXPECT_LE(simulation.LedgerError(), 1e-8);
}

TEST(DrivenMotion, PiecewiseRatesTurnAPin) {
  // At rest until 0.2, up to 3 rad/s at 0.5, held until 0.7, then −1 at once enough (0.71).
  Json document = Document();
  document["bodies"] = Json::array({Pin()});
  document["bodies"][0]["motion"] = {{"times", {0.2, 0.5, 0.7, 0.71}}, {"rates", {0, 3, 3, -1}}};
  Simulation simulation(document);
  const double times[] = {0.1, 0.35, 0.6, 0.705, 1.0};
  const double rates[] = {0, 1.5, 3, 1, -1};
  const double angles[] = {0, 0.1125, 0.75, 1.06, 0.45 + 0.6 + 0.01 - 0.29};
  for (int i = 0; i < 5; ++i) {
    simulation.AdvanceTo(times[i]);
    EXPECT_NEAR(simulation("b.wz"), rates[i], 1e-12) << times[i];
    EXPECT_NEAR(2 * std::atan2(simulation("b.qz"), simulation("b.qw")), angles[i], 1e-8)
        << times[i];
    EXPECT_NEAR(simulation("energy.work"), 0.25 * rates[i] * rates[i], 1e-8) << times[i];
  }
  EXPECT_LE(simulation.LedgerError(), 1e-7);
}

TEST(DrivenMotion, ADrivenJointCarriesWhatHangsOnIt) {
  // A pendulum on a driven slider: the drive's work is what both gain.
  Json document = Document();
  document["gravity"] = {0, -9.81, 0};
  Json cart = Ball("cart"), bob = Ball("bob");
  cart["joint"] = {{"type", "slider"}};
  cart["motion"] = {{"amplitude", 2}, {"frequency", 0.8}};
  bob["center_of_mass"] = {0, -0.5, 0};
  bob["joint"] = {{"type", "pin"}, {"parent", "cart"}};
  document["bodies"] = {cart, bob};
  Simulation simulation(document);
  simulation.Run(1, 20);
  EXPECT_NEAR(simulation("cart.x"), 2 / (1.6 * M_PI) * (1 - std::cos(1.6 * M_PI)), 1e-9);
  // I φ'' = −m l (g sin φ + x'' cos φ), x'' = 2·1.6π cos(1.6π t).
  Eigen::Vector2d y(0, 0);
  const double inertia = 0.0028 + 0.7 * 0.25;
  const auto rate = [&](double t, const Eigen::Vector2d& s) {
    const double a = 3.2 * M_PI * std::cos(1.6 * M_PI * t);
    return Eigen::Vector2d(s[1], -0.35 * (9.81 * std::sin(s[0]) + a * std::cos(s[0])) / inertia);
  };
  volcontact::testing::Integrate<2>(rate, 0, 1, &y);
  EXPECT_NEAR(simulation("bob.wz"), y[1], 1e-7);
  EXPECT_LE(simulation.LedgerError(), 1e-8);
}

TEST(DrivenMotion, AForceWithATimeProfilePushes) {
  const Vector3d F(3, -1, 2);
  Json document = Document();
  document["bodies"] = Json::array({Ball("b")});
  document["loads"] = Json::array(
      {{{"body", "b"}, {"force", ListOf(F)}, {"times", {0.25, 0.5, 1.0}}, {"scale", {2, 0, 1}}}});
  Simulation simulation(document);
  // Integrals of the scale: 2 each second at first, then ramps.
  const double times[] = {0.25, 0.375, 0.5, 1.0, 1.5};
  const double impulses[] = {0.5, 0.5 + 0.1875, 0.75, 1.0, 1.5};
  for (int i = 0; i < 5; ++i) {
    simulation.AdvanceTo(times[i]);
    ExpectNear(simulation.Velocity("b"), impulses[i] / 0.7 * F, 1e-9);
    EXPECT_NEAR(simulation("energy.work"), simulation("energy.kinetic"), 1e-8);
  }
  EXPECT_LE(simulation.LedgerError(), 1e-8);
}

TEST(DrivenMotion, AForceInTheBodysFrameTurnsWithIt) {
  // Spinning about z at 2 rad/s: the velocity goes round a circle.
  Json document = Document();
  document["bodies"] = Json::array({Ball("b")});
  document["bodies"][0]["angular_velocity"] = {0, 0, 2};
  document["loads"] = Json::array({{{"body", "b"}, {"force", {1.4, 0, 0}}, {"frame", "body"}}});
  Simulation simulation(document);
  simulation.AdvanceTo(1);
  ExpectNear(simulation.Velocity("b"), {std::sin(2.0), 1 - std::cos(2.0), 0}, 1e-9);
  document["loads"][0]["frame"] = "world";
  Simulation straight(document);
  straight.AdvanceTo(1);
  ExpectNear(straight.Velocity("b"), {2, 0, 0}, 1e-9);
}

TEST(DrivenMotion, AForceAtAPointTurnsTheBody) {
  const double F = 1.5, arm = 0.4;
  Json document = Document();
  document["bodies"] = Json::array({Pin()});
  document["loads"] = Json::array(
      {{{"body", "b"}, {"force", {0, F, 0}}, {"point", {arm, 0, 0}}, {"frame", "body"}}});
  Simulation steady(document);
  steady.AdvanceTo(1);
  EXPECT_NEAR(steady("b.wz"), F * arm / 0.5, 1e-10);  // the arm turns with the force
  EXPECT_NEAR(steady("energy.work"), 0.5 * 0.5 * 1.44, 1e-9);

  document["loads"][0]["frame"] = "world";
  document["bodies"][0]["rates"] = {0.5};
  Simulation pulled(document);
  pulled.AdvanceTo(1);
  // ½ I ω² + const = F arm sin φ: the work of a constant force at a point.
  const double phi = 2 * std::atan2(pulled("b.qz"), pulled("b.qw"));
  EXPECT_NEAR(pulled("energy.work"), F * arm * std::sin(phi), 1e-9);
  EXPECT_NEAR(0.25 * pulled("b.wz") * pulled("b.wz"), 0.25 * 0.25 + F * arm * std::sin(phi), 1e-9);
  EXPECT_GT(phi, 0.7);
}

TEST(DrivenMotion, TheArmIsFromTheOriginAndTheBodyTurnsAboutItsCentreOfMass) {
  // A free body: the point is given from the body's origin, the torque counts about the centre.
  const Vector3d c(0.1, 0.2, -0.1), p(0.3, -0.1, 0.2), F(1, 2, 3), T(0.05, -0.03, 0.02);
  Json document = Document();
  document["bodies"] = Json::array({Ball("b")});
  document["bodies"][0]["center_of_mass"] = ListOf(c);
  document["bodies"][0]["pose"] = {{"q", ListOf(kOblique)}};
  document["loads"] = Json::array(
      {{{"body", "b"}, {"force", ListOf(F)}, {"torque", ListOf(T)}, {"point", ListOf(p)}}});
  Simulation simulation(document);
  const double t = 1e-4;  // short: the arm has hardly turned
  simulation.AdvanceTo(t);
  const Vector3d alpha = (T + (kOblique * (p - c)).cross(F)) / 0.0028;
  ExpectNear(simulation.Spin("b") / t, alpha, 1e-4 * alpha.norm());
  const Vector3d a = F / 0.7 - alpha.cross(kOblique * c);
  ExpectNear(simulation.Velocity("b") / t, a, 1e-3 * a.norm());
}

TEST(DrivenMotion, FixedStepsFollowTheProfilesToo) {
  for (const char* method : {"rk4", "rk3", "euler"}) {
    SCOPED_TRACE(method);
    Json document = Document();
    document["integrator"] = {{"method", method}, {"step", 1e-3}};
    document["bodies"] = {Slider(), Ball("c")};
    document["bodies"][0]["motion"] = {{"times", {0, 0.5}}, {"rates", {0, 1}}};
    document["loads"] = Json::array(
        {{{"body", "c"}, {"force", {0.7, 0, 0}}, {"times", {0.2, 0.6}}, {"scale", {0, 1}}}});
    Simulation simulation(document);
    simulation.Run(1, 10);
    EXPECT_EQ(simulation("t"), 1);
    const double tolerance = method[0] == 'e' ? 2e-3 : 1e-9;
    EXPECT_NEAR(simulation.Position("b").norm(), 0.75, tolerance);
    EXPECT_NEAR(simulation.Velocity("b").norm(), 1, 1e-12);
    EXPECT_NEAR(simulation("c.vx"), 0.6, tolerance);
  }
}

}  // namespace
}  // namespace volcontact::scenario::testing
