// Motion without contact against closed forms: falls, tops, joints with frames, pendulums.
#include "forces/ode.h"
#include "scenario/scenarios.h"

namespace volcontact::scenario::testing {
namespace {

using Eigen::AngleAxisd;
using volcontact::testing::Integrate;

TEST(FreeMotion, AFallIsAParabola) {
  Json document = Document();
  const Vector3d g(0.5, -1.5, -9.0), p0(1, 2, 3), v0(-1, 0.5, 4);
  document["gravity"] = ListOf(g);
  document["bodies"] = Json::array({Ball("b")});
  document["bodies"][0]["pose"] = {{"t", ListOf(p0)}};
  document["bodies"][0]["velocity"] = ListOf(v0);
  Simulation simulation(document);
  simulation.Run(2, 10);
  ExpectNear(simulation.Position("b"), p0 + 2 * v0 + 2 * g, 1e-9);
  ExpectNear(simulation.Velocity("b"), v0 + 2 * g, 1e-9);
  EXPECT_LE(simulation.LedgerError(), 1e-9);
  EXPECT_NEAR(simulation("energy.kinetic"), 0.35 * (v0 + 2 * g).squaredNorm(), 1e-8);
}

TEST(FreeMotion, GravityIsThatOfTheEarthByDefault) {
  Json document = Document();
  document.erase("gravity");
  document["bodies"] = Json::array({Ball("b")});
  Simulation simulation(document);
  simulation.AdvanceTo(1);
  ExpectNear(simulation.Velocity("b"), {0, 0, -9.81}, 1e-10);
}

// A symmetric top whose centre of mass is not the body's origin, thrown: the centre of mass flies a
// parabola, and the top turns by exp(t L/A) R0 exp(t ω3 (1 − C/A) e3).
TEST(FreeMotion, ASpinningTopPrecesses) {
  const double A = 0.02, C = 0.03, m = 1.3;
  const Vector3d g(0, 0, -9.81), c(0.1, -0.05, 0.2), p0(0.3, -0.2, 1), v0(1, 2, 3), w0(4, -7, 9);
  Json document = Document();
  document["gravity"] = ListOf(g);
  document["bodies"] = {{{"name", "top"},
                         {"mass", m},
                         {"center_of_mass", ListOf(c)},
                         {"inertia", {A, A, C}},
                         {"pose", {{"t", ListOf(p0)}, {"q", ListOf(kOblique)}}},
                         {"velocity", ListOf(v0)},
                         {"angular_velocity", ListOf(w0)}}};
  Simulation simulation(document);
  const Matrix3d R0 = kOblique.toRotationMatrix();
  ExpectNear(simulation.Position("top"), p0, 1e-14);
  ExpectNear(simulation.Velocity("top"), v0, 1e-13);
  ExpectNear(simulation.Spin("top"), w0, 1e-13);
  EXPECT_LE((simulation.Rotation("top") - R0).norm(), 1e-14);

  const double t = 1.5;
  simulation.Run(t, 10);
  const Vector3d body_w = R0.transpose() * w0;
  const Vector3d L = R0 * Vector3d(A * body_w[0], A * body_w[1], C * body_w[2]);
  const Matrix3d R = AngleAxisd(t * L.norm() / A, L.normalized()) * R0 *
                     AngleAxisd(t * body_w[2] * (1 - C / A), Vector3d::UnitZ());
  const Vector3d w = L / A + body_w[2] * (1 - C / A) * R.col(2);
  const Vector3d com = p0 + R0 * c + t * (v0 + w0.cross(R0 * c)) + 0.5 * t * t * g;
  const Vector3d com_v = v0 + w0.cross(R0 * c) + t * g;
  EXPECT_LE((simulation.Rotation("top") - R).norm(), 1e-8);
  ExpectNear(simulation.Spin("top"), w, 1e-7);
  ExpectNear(simulation.Position("top"), com - R * c, 1e-8);
  ExpectNear(simulation.Velocity("top"), com_v - w.cross(R * c), 1e-7);
  const double energy = 0.5 * m * com_v.squaredNorm() + 0.5 * w.dot(L);
  EXPECT_NEAR(simulation("energy.kinetic"), energy, 1e-8 * energy);
  EXPECT_LE(simulation.LedgerError(), 1e-8);
}

TEST(FreeMotion, ASliderFallsAlongItsAxis) {
  // The axis is x of a frame in a fixed body that is turned and moved itself.
  const Quaterniond table(AngleAxisd(0.7, Vector3d(0.2, 1, 0.1).normalized()));
  const Vector3d table_p(0.5, 0.6, 0.7), frame_p(0.1, 0.2, -0.3), mount(0.05, -0.02, 0.03);
  const Quaterniond mount_q(AngleAxisd(-0.4, Vector3d(1, 1, 1).normalized()));
  const Vector3d g(0.3, 0.2, -9.81);
  Json document = Document();
  document["gravity"] = ListOf(g);
  document["bodies"] = {{{"name", "table"},
                         {"fixed", true},
                         {"pose", {{"t", ListOf(table_p)}, {"q", ListOf(table)}}}},
                        {{"name", "b"},
                         {"mass", 2.5},
                         {"center_of_mass", {0.3, 0, 0}},
                         {"inertia", {0.1, 0.1, 0.1}},
                         {"joint",
                          {{"type", "slider"},
                           {"parent", "table"},
                           {"frame_parent", {{"t", ListOf(frame_p)}, {"q", ListOf(kOblique)}}},
                           {"frame_body", {{"t", ListOf(mount)}, {"q", ListOf(mount_q)}}}}},
                         {"coordinates", {0.25}},
                         {"rates", {-0.75}}}};
  Simulation simulation(document);
  const Quaterniond q = table * kOblique;
  const Vector3d axis = q * Vector3d::UnitX();
  const Quaterniond body_q = q * mount_q.conjugate();
  const Vector3d zero = table_p + table * frame_p - body_q * mount;
  for (const double t : {0.0, 1.0}) {
    if (t > 0) simulation.AdvanceTo(t);
    const double a = g.dot(axis), x = 0.25 - 0.75 * t + 0.5 * a * t * t;
    ExpectNear(simulation.Position("b"), zero + x * axis, 1e-10);
    ExpectNear(simulation.Velocity("b"), (a * t - 0.75) * axis, 1e-10);
    EXPECT_LE((simulation.Rotation("b") - body_q.toRotationMatrix()).norm(), 1e-12);
    ExpectNear(simulation.Spin("b"), Vector3d::Zero(), 1e-12);
  }
  EXPECT_LE(simulation.LedgerError(), 1e-9);
}

// A pin away from the body's origin and from its centre of mass, about an oblique axis:
// I φ'' = (axis × arm)·m g.
TEST(FreeMotion, APinWithAnOffsetIsACompoundPendulum) {
  const Vector3d frame_p(0.1, 0.2, 0.3), hinge(-0.2, 0.05, 0.4), com(0.1, 0.3, -0.2);
  const Vector3d g(1, -3, -9);
  const double m = 1.7;
  const Matrix3d central = Vector3d(0.02, 0.03, 0.04).asDiagonal();
  Json document = Document();
  document["gravity"] = ListOf(g);
  document["bodies"] = {{{"name", "b"},
                         {"mass", m},
                         {"center_of_mass", ListOf(com)},
                         {"inertia", {0.02, 0.03, 0.04}},
                         {"joint",
                          {{"type", "pin"},
                           {"frame_parent", {{"t", ListOf(frame_p)}, {"q", ListOf(kOblique)}}},
                           {"frame_body", {{"t", ListOf(hinge)}}}}},
                         {"coordinates", {0.6}},
                         {"rates", {2.0}}}};
  Simulation simulation(document);
  const auto rotation = [](double phi) {
    return Matrix3d(kOblique.toRotationMatrix() * AngleAxisd(phi, Vector3d::UnitZ()));
  };
  const Vector3d axis = kOblique * Vector3d::UnitZ();
  const Vector3d arm = com - hinge;
  const double inertia = central(2, 2) + m * arm.head<2>().squaredNorm();
  Eigen::Vector2d y(0.6, 2.0);
  const auto rate = [&](double, const Eigen::Vector2d& state) {
    return Eigen::Vector2d(state[1], axis.dot((rotation(state[0]) * arm).cross(m * g)) / inertia);
  };
  Integrate<2>(rate, 0, 1, &y);
  simulation.Run(1, 10);
  EXPECT_LE((simulation.Rotation("b") - rotation(y[0])).norm(), 1e-8);
  ExpectNear(simulation.Spin("b"), y[1] * axis, 1e-8);
  ExpectNear(simulation.Position("b"), frame_p - rotation(y[0]) * hinge, 1e-8);
  EXPECT_LE(simulation.LedgerError(), 1e-9);
}

TEST(FreeMotion, PlanarBodiesTurnAndMoveInTheirPlane) {
  Json document = Document();
  document["gravity"] = {0, 0, -9.81};
  document["bodies"] = {{{"name", "b"},
                         {"mass", 2},
                         {"inertia", {0.1, 0.1, 0.1}},
                         {"joint", {{"type", "planar"}}},
                         {"coordinates", {0.5, 1, 2}},
                         {"rates", {3, 0.25, -0.5}}}};
  Simulation simulation(document);
  simulation.AdvanceTo(1);
  // The plane carries the weight.
  ExpectNear(simulation.Position("b"), {1.25, 1.5, 0}, 1e-10);
  const Matrix3d R(AngleAxisd(3.5, Vector3d::UnitZ()));
  EXPECT_LE((simulation.Rotation("b") - R).norm(), 1e-9);
}

TEST(FreeMotion, ABallJointStartsAtThePoseAndSpinOfTheWorld) {
  // On a carrier that is turned and turns itself.
  const Quaterniond q(AngleAxisd(0.8, Vector3d(1, 0, 1).normalized()));
  const Vector3d spin(1, 2, -3), hinge(0, 0.1, 0.2);
  Json document = Document();
  Json carrier = Ball("carrier");
  carrier["pose"] = {{"t", {1, 2, 3}}, {"q", ListOf(kOblique)}};
  carrier["angular_velocity"] = {0.5, 0, 1};
  Json body = Ball("b");
  body["joint"] = {{"type", "ball"},
                   {"parent", "carrier"},
                   {"frame_parent", {{"t", {0.3, 0, 0}}, {"q", ListOf(q)}}},
                   {"frame_body", {{"t", ListOf(hinge)}, {"q", ListOf(kOblique)}}}};
  body["pose"] = {{"q", ListOf(q)}};
  body["angular_velocity"] = ListOf(spin);
  document["bodies"] = {carrier, body};
  Simulation simulation(document);
  EXPECT_LE((simulation.Rotation("b") - q.toRotationMatrix()).norm(), 1e-12);
  ExpectNear(simulation.Spin("b"), spin, 1e-12);
  ExpectNear(simulation.Position("b"),
             Vector3d(1, 2, 3) + kOblique * Vector3d(0.3, 0, 0) - q * hinge, 1e-12);
}

// Two massless links with point masses at their ends, relative angles (Gonthier 2007, 5.1.5): the
// coupled equations in absolute angles from the downward vertical.
TEST(FreeMotion, ADoublePendulumConservesEnergy) {
  const double m1 = 1.2, m2 = 0.8, l1 = 0.5, l2 = 0.7, g = 9.81;
  Json document = Document();
  document["gravity"] = {0, -g, 0};
  document["bodies"] = {
      {{"name", "upper"},
       {"mass", m1},
       {"center_of_mass", {0, -l1, 0}},
       {"joint", {{"type", "pin"}}},
       {"coordinates", {1.0}}},
      {{"name", "lower"},
       {"mass", m2},
       {"center_of_mass", {0, -l2, 0}},
       {"joint", {{"type", "pin"}, {"parent", "upper"}, {"frame_parent", {{"t", {0, -l1, 0}}}}}},
       {"coordinates", {0.5}},
       {"rates", {1.0}}}};
  Simulation simulation(document);
  Eigen::Vector4d y(1.0, 1.5, 0.0, 1.0);
  const auto rate = [&](double, const Eigen::Vector4d& s) {
    const double d = s[0] - s[1], c = std::cos(d);
    Eigen::Matrix2d M;
    M << (m1 + m2) * l1, m2 * l2 * c, l1 * c, l2;
    const Eigen::Vector2d b(-m2 * l2 * s[3] * s[3] * std::sin(d) - (m1 + m2) * g * std::sin(s[0]),
                            l1 * s[2] * s[2] * std::sin(d) - g * std::sin(s[1]));
    const Eigen::Vector2d a = M.inverse() * b;
    return Eigen::Vector4d(s[2], s[3], a[0], a[1]);
  };
  Integrate<4>(rate, 0, 3, &y);
  simulation.Run(3, 30);
  const Vector3d elbow(l1 * std::sin(y[0]), -l1 * std::cos(y[0]), 0);
  ExpectNear(simulation.Position("lower"), elbow, 1e-6);
  EXPECT_NEAR(simulation("lower.wz"), y[3], 1e-5);
  const auto energy = [&](std::size_t i) {
    return simulation.All("energy.kinetic")[i] + simulation.All("energy.potential")[i];
  };
  for (std::size_t i = 0; i <= 30; ++i) EXPECT_NEAR(energy(i), energy(0), 1e-8) << i;
  EXPECT_LE(simulation.LedgerError(), 1e-9);
}

}  // namespace
}  // namespace volcontact::scenario::testing
