// Warnings of steps that are too long, against closed forms of what explicit methods follow; the
// motions stay calm.
#include <atomic>
#include <cmath>
#include <thread>
#include <vector>

#include "mujoco/loaded_model.h"
#include "support/paths.h"

namespace volcontact::test::steps_test {
namespace {

using Eigen::Vector3d;

constexpr double kPi = 3.14159265358979323846, kGravity = 9.81;
constexpr double kRadius = 0.1, kMass = 2.0, kStiffness = 1e8;

std::vector<std::string> told;

class Steps : public testing::Test {
 protected:
  void SetUp() override {
    told.clear();
    mju_user_warning = [](const char* text) { told.emplace_back(text); };
  }
  void TearDown() override { mju_user_warning = nullptr; }
};

// A ball at rest: V = m g/k = π d² (r − d/3), A_c = π (2 r d − d²).
struct Rest {
  Rest() {
    const double volume = kMass * kGravity / kStiffness;
    for (int i = 0; i < 50; ++i) depth = std::sqrt(volume / (kPi * (kRadius - depth / 3.0)));
    omega_squared = kStiffness * kPi * (2.0 * kRadius - depth) * depth / kMass;
  }
  double depth = 0.0, omega_squared = 0.0;
};

// How a ball that begins next to rest moves late: up and down, and its push to the side in a step.
struct Late {
  double speed = 0.0, jerk = 0.0;
};

Late RunAtRest(const std::string& integrator, double step, const MujocoContactSpec& spec,
               double slide = 0.0) {
  char option[200];
  std::snprintf(option, sizeof option, "timestep=\"%.12g\" integrator=\"%s\"", step,
                integrator.c_str());
  const ModelPointer model = Loaded(BallXml(option, kRadius, kMass, kRadius - 1.01 * Rest().depth));
  const MujocoContacts contacts(model.get(), {spec});
  const DataPointer data = DataOf(model);
  data->qvel[0] = slide;
  told.clear();
  Late late;
  constexpr int kSteps = 4000, kLate = 200;
  for (int i = 0; i < kSteps; ++i) {
    mj_step(model.get(), data.get());
    if (i < kSteps - kLate) continue;
    late.speed = std::fmax(late.speed, std::abs(data->qvel[2]));
    late.jerk = std::fmax(late.jerk, std::abs(data->qacc[0]) * step);
  }
  return late;
}

MujocoContactSpec WithDamping(double v_small) {
  MujocoContactSpec spec = BallOnFloor(kStiffness, 0.5);
  std::get<VolumetricNormal>(spec.parameters.normal).damping.v_small = v_small;
  return spec;
}

// What small motions may have left after the time of these runs [m/s].
constexpr double kCalm = 1e-4;

// Euler's method, with the new velocity in the positions: h²ω²/4 + hγ/2 = 1.
TEST_F(Steps, OfEulersMethodAreToldFromTheLimitOn) {
  const Rest rest;
  for (const double v_small : {0.05, 0.3, 1e-3}) {
    const double gamma = kGravity * SolveDamping(0.5).d / (0.5 * v_small);
    const double limit = 4.0 / (gamma + std::sqrt(gamma * gamma + 4.0 * rest.omega_squared));
    for (const char* integrator : {"Euler", "implicit"}) {
      const Late below = RunAtRest(integrator, 0.93 * limit, WithDamping(v_small));
      EXPECT_TRUE(told.empty()) << told.front();
      const Late above = RunAtRest(integrator, 1.07 * limit, WithDamping(v_small));
      ASSERT_EQ(told.size(), 1u) << v_small;
      EXPECT_LT(std::fmax(below.speed, above.speed), kCalm) << v_small;
    }
  }
  EXPECT_NE(told[0].find("contact \"c\" at 0 s"), std::string::npos) << told[0];
  EXPECT_NE(told[0].find("normal.v_small"), std::string::npos) << told[0];
}

TEST_F(Steps, OfRungeAndKuttasMethodAreToldFromTheLimitOn) {
  const Rest rest;
  for (const double v_small : {100.0, 1e-3}) {
    const double gamma = kGravity * SolveDamping(0.5).d / (0.5 * v_small);
    const double fastest = v_small > 1.0
                               ? std::sqrt(rest.omega_squared)
                               : 0.5 * gamma + std::sqrt(0.25 * gamma * gamma - rest.omega_squared);
    const Late below = RunAtRest("RK4", 0.93 * 2.785 / fastest, WithDamping(v_small));
    EXPECT_TRUE(told.empty()) << told.front();
    const Late above = RunAtRest("RK4", 1.15 * 2.785 / fastest, WithDamping(v_small));
    ASSERT_EQ(told.size(), 1u) << v_small;
    EXPECT_LT(std::fmax(below.speed, above.speed), kCalm) << v_small;
  }
}

// The cure that is named heals.
TEST_F(Steps, FollowWithTheSpeedThatTheWarningNames) {
  RunAtRest("Euler", 1e-3, WithDamping(1e-3));
  ASSERT_EQ(told.size(), 1u);
  const std::string before = "normal.v_small to ";
  const std::size_t at = told[0].find(before);
  ASSERT_NE(at, std::string::npos) << told[0];
  const Late late =
      RunAtRest("Euler", 1e-3, WithDamping(std::stod(told[0].substr(at + before.size()))));
  EXPECT_TRUE(told.empty()) << told.front();
  EXPECT_LT(late.speed, 1e-12);
}

// A tangential push moves 2/7 of a ball. Bristles as they stick: 2/γ with γ = σ1 f_n/m, and
// 2 σ1/σ0; as they slide: v_stribeck over μ f_n/m.
TEST_F(Steps, OfBristlesAreToldFromTheLimitOn) {
  struct Case {
    double sigma0, sigma1, v_stribeck, limit;
    const char* cure;
  };
  const double load = 3.5 * kGravity;
  for (const Case& c : {Case{1e4, 300.0, 10.0, 2.0 / (300.0 * load), "friction.sigma1"},
                        Case{1e4, 1.0, 10.0, 2e-4, "friction.sigma1"},
                        Case{1e4, 20.0, 1e-3, 1e-3 / (0.4 * load), "friction.v_stribeck"}}) {
    MujocoContactSpec spec = WithDamping(0.2);
    BristleFriction friction = SomeBristles();
    friction.mu_s = 0.4;
    friction.tau_dwell = 0.0;
    friction.sigma0 = c.sigma0;
    friction.sigma1 = c.sigma1;
    friction.v_stribeck = c.v_stribeck;
    spec.parameters.friction = friction;
    const Late below = RunAtRest("Euler", 0.9 * c.limit, spec, 0.01);
    EXPECT_TRUE(told.empty()) << told.front();
    const Late above = RunAtRest("Euler", 1.1 * c.limit, spec, 0.01);
    ASSERT_EQ(told.size(), 1u) << c.cure;
    EXPECT_NE(told[0].find(c.cure), std::string::npos) << told[0];
    EXPECT_LT(std::fmax(below.jerk, above.jerk), kCalm) << c.cure << below.jerk;
  }
}

// Its steepest slope is 3/2 μ f_n/v_epsilon.
TEST_F(Steps, OfCoulombFrictionAreToldFromTheLimitOn) {
  constexpr double kMu = 0.4, kEpsilon = 1e-3;
  const double limit = 2.0 / (1.5 * kMu * 3.5 * kGravity / kEpsilon);
  MujocoContactSpec spec = WithDamping(0.2);
  spec.parameters.friction = CoulombFriction{kMu, kEpsilon};
  const Late below = RunAtRest("Euler", 0.9 * limit, spec, 0.01);
  EXPECT_TRUE(told.empty()) << told.front();
  const Late above = RunAtRest("Euler", 1.1 * limit, spec, 0.01);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].find("friction.v_epsilon"), std::string::npos) << told[0];
  EXPECT_LT(std::fmax(below.jerk, above.jerk), kCalm);
}

// The mass that a push moves is that of MuJoCo's own mass matrix: an arm whose tip rests on a cart.
TEST_F(Steps, SeeTheMassThatThePushMoves) {
  const ModelPointer model = Loaded(R"(<mujoco><option timestep="0.02"/><worldbody>
    <body pos="0 0 1" euler="0 20 0"><joint type="hinge" axis="0 1 0"/><geom type="capsule" size="0.05 0.2"/>
    <body pos="0 0 -0.4" euler="0 -50 0"><joint type="ball"/><geom type="capsule" size="0.05 0.2" pos="0 0 -0.2"/>
    <geom name="tip" type="sphere" size="0.1" pos="0 0 -0.4"/></body></body>
    <body name="cart" pos="0.04 0.02 0.08"><joint type="slide" axis="0 0 1"/><joint type="hinge" axis="0 1 0"/>
    <geom name="cart" type="box" size="0.3 0.3 0.1"/></body></worldbody></mujoco>)");
  MujocoContactSpec spec = BallOnFloor(1e8, 1.0);
  spec.a.geom = "tip";
  spec.b.geom = "cart";
  const MujocoContacts contacts(model.get(), {spec});
  const DataPointer data = DataOf(model);
  mj_forward(model.get(), data.get());
  const MujocoContactMoment& now = contacts.Last(0, data.get());
  ASSERT_EQ(now.patches.size(), 1u);
  const ContactGeometry& geometry = now.patches[0].geometry;
  const auto size = static_cast<std::size_t>(model->nv);
  std::vector<mjtNum> row(size, 0.0), solved(size, 0.0);
  const auto push = [&](const char* geom, const Vector3d& force) {
    const Vector3d torque = Vector3d::Zero();
    mj_applyFT(model.get(), data.get(), force.data(), torque.data(), geometry.point_W.data(),
               model->geom_bodyid[mj_name2id(model.get(), mjOBJ_GEOM, geom)], row.data());
  };
  push("tip", geometry.normal_W);
  push("cart", -geometry.normal_W);
  mj_solveM(model.get(), data.get(), solved.data(), row.data(), 1);
  double per_mass = 0.0;
  for (std::size_t i = 0; i < size; ++i) per_mass += row[i] * solved[i];
  const double limit = 2.0 / std::sqrt(1e8 * geometry.contact_area * per_mass);
  ASSERT_EQ(told.size(), 1u);
  const std::string before = "steps of at most ";
  const std::size_t at = told[0].find(before);
  ASSERT_NE(at, std::string::npos) << told[0];
  EXPECT_NEAR(std::stod(told[0].substr(at + before.size())), limit, 0.01 * limit) << told[0];
}

std::atomic<int> warnings{0};

TEST_F(Steps, AreWarnedOfOnceForEachLaw) {
  const ModelPointer model = Loaded(BallXml("timestep=\"0.001\"", kRadius, kMass, 0.0999));
  const MujocoContacts contacts(model.get(), {WithDamping(1e-3)});
  warnings = 0;
  mju_user_warning = [](const char*) { ++warnings; };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const DataPointer data = DataOf(model);
      for (int k = 0; k < 200; ++k) mj_step(model.get(), data.get());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(warnings, 1);
}

// No false alarm: the examples, of which motions and steps go together.
TEST_F(Steps, OfTheExamplesAreShortEnough) {
  for (const char* name : {"ball_in_cup", "foot_on_step"}) {
    const std::filesystem::path folder = std::filesystem::path(DataFolder()) / "mujoco";
    char error[1000] = "";
    const ModelPointer model(
        mj_loadXML((folder / (std::string(name) + ".xml")).c_str(), nullptr, error, sizeof error));
    ASSERT_NE(model, nullptr) << error;
    const MujocoContacts contacts(model.get(), ReadMujocoContacts(model.get(), folder));
    const DataPointer data = DataOf(model);
    if (model->nkey > 0) mj_resetDataKeyframe(model.get(), data.get(), 0);
    while (data->time < 0.3) mj_step(model.get(), data.get());
    EXPECT_TRUE(told.empty()) << told.front();
  }
}

}  // namespace
}  // namespace volcontact::test::steps_test
