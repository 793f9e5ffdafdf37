// Steps that are too long for contacts: these make no energy, whatever their numbers are.
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "mujoco/hand.h"
#include "mujoco/loaded_model.h"
#include "support/samples.h"

namespace volcontact::test {
namespace {

using Eigen::Vector3d;

int warnings = 0;

class LongSteps : public ::testing::Test {
 protected:
  void SetUp() override {
    warnings = 0;
    mju_user_warning = [](const char*) { ++warnings; };
  }
  void TearDown() override { mju_user_warning = nullptr; }
};

std::string Head(double step) {
  return Text("<mujoco><option timestep=\"%.9g\"><flag energy=\"enable\"/></option>", step);
}

// With the damping of slow impacts by default, which at rest is the stiffest part of all.
MujocoContactSpec Contact(const std::string& a, const std::string& b, double stiffness,
                          const FrictionLaw& friction) {
  MujocoContactSpec spec = BallOnFloor(stiffness, 0.5);
  spec.name = a + " on " + b;
  spec.a.geom = a;
  spec.b.geom = b;
  spec.parameters.friction = friction;
  return spec;
}

std::vector<FrictionLaw> Frictions() {
  BristleFriction bristles = SomeBristles();
  return {CoulombFriction{0.5, 1e-3}, bristles};
}

// Of all bodies, with the speeds in the middle of a step for the potential: so of a free fall it is
// what it was.
double EnergyOf(const ModelPointer& model, const DataPointer& data) {
  mj_energyPos(model.get(), data.get());
  mj_energyVel(model.get(), data.get());
  double lag = 0.0;
  for (int body = 1; body < model->nbody; ++body) {
    lag += model->body_mass[body] * 9.81 * data->qvel[model->body_dofadr[body] + 2];
  }
  return data->energy[0] + data->energy[1] + 0.5 * model->opt.timestep * lag;
}

// The greatest energy over that at the start [J]. All bodies are free.
double Gain(const ModelPointer& model, const DataPointer& data, double duration) {
  mj_forward(model.get(), data.get());
  const double start = EnergyOf(model, data);
  double gain = 0.0;
  while (data->time < duration) {
    mj_step(model.get(), data.get());
    const double now = EnergyOf(model, data) - start;
    if (!(now <= gain)) gain = now;
  }
  return gain;
}

TEST_F(LongSteps, LeaveBallsWhereTheyLand) {
  for (const double step : {1e-3, 2e-3, 5e-3})
    for (const FrictionLaw& friction : Frictions()) {
      std::string xml =
          Head(step) + "<worldbody><geom name=\"floor\" type=\"plane\" size=\"9 9 1\"/>";
      std::vector<MujocoContactSpec> contacts;
      for (int i = 0; i < 25; ++i) {
        xml += Text(
            "<body pos=\"%d %d %g\"><freejoint/><geom name=\"b%d\" size=\"0.05\" mass=\"0.5\"/>"
            "</body>",
            i % 5, i / 5, 0.06 + 0.005 * i, i);
        contacts.push_back(Contact("b" + std::to_string(i), "floor", 1e10, friction));
      }
      const ModelPointer model = Loaded(xml + "</worldbody></mujoco>");
      const MujocoContacts made(model.get(), contacts);
      const DataPointer data = DataOf(model);
      warnings = 0;
      EXPECT_LT(Gain(model, data, 0.5), 1e-9);
      EXPECT_EQ(warnings, 1);  // of one law
      for (int i = 0; i < 25; ++i) EXPECT_NEAR(data->qpos[7 * i + 2], 0.05, 1e-4);
      EXPECT_LT(data->energy[1], 1e-9);
    }
}

TEST_F(LongSteps, LeaveStacksStanding) {
  for (const double step : {1e-3, 2e-3, 5e-3})
    for (const double stiffness : {1e8, 1e11}) {
      std::string xml = Head(step) + "<worldbody><geom name=\"b0\" type=\"plane\" size=\"9 9 1\"/>";
      std::vector<MujocoContactSpec> contacts;
      for (int i = 1; i <= 5; ++i) {
        xml += Text(
            "<body pos=\"0 0 %g\"><freejoint/><geom name=\"b%d\" type=\"box\" "
            "size=\"0.05 0.05 0.05\" mass=\"1\"/></body>",
            0.1 * i - 0.05 + 1e-4 * i, i);
        contacts.push_back(Contact("b" + std::to_string(i), "b" + std::to_string(i - 1), stiffness,
                                   CoulombFriction{0.5, 1e-3}));
      }
      const ModelPointer model = Loaded(xml + "</worldbody></mujoco>");
      const MujocoContacts made(model.get(), contacts);
      const DataPointer data = DataOf(model);
      EXPECT_LT(Gain(model, data, 0.5), 1e-9);
      for (int i = 0; i < 5; ++i) {
        EXPECT_NEAR(data->qpos[7 * i], 0.0, 1e-3);
        EXPECT_NEAR(data->qpos[7 * i + 2], 0.1 * i + 0.05, 1e-3);
      }
      EXPECT_EQ(warnings, 1);
      warnings = 0;
    }
}

// Every other box ten thousand times lighter than those it lies between, or heavier.
TEST_F(LongSteps, LeaveStacksOfAnyMassesStanding) {
  for (const double other : {1e-4, 1e4}) {
    for (const double step : {1e-3, 2e-3, 5e-3}) {
      for (const FrictionLaw& friction : Frictions()) {
        std::string xml =
            Head(step) + "<worldbody><geom name=\"b0\" type=\"plane\" size=\"9 9 1\"/>";
        std::vector<MujocoContactSpec> contacts;
        double scale = 0.0;
        for (int i = 1; i <= 5; ++i) {
          const double mass = i % 2 == 1 ? 1.0 : other;
          scale += mass * 9.81 * 0.1 * i;
          xml += Text(
              "<body pos=\"0 0 %g\"><freejoint/><geom name=\"b%d\" type=\"box\" "
              "size=\"0.05 0.05 0.05\" mass=\"%g\"/></body>",
              0.1 * i - 0.05 + 1e-5 * i, i, mass);
          contacts.push_back(
              Contact("b" + std::to_string(i), "b" + std::to_string(i - 1), 1e12, friction));
        }
        const ModelPointer model = Loaded(xml + "</worldbody></mujoco>");
        const MujocoContacts made(model.get(), contacts);
        const DataPointer data = DataOf(model);
        EXPECT_LT(Gain(model, data, 0.5), 1e-9 * scale) << other << " " << step;
        for (int i = 0; i < 5; ++i) {
          EXPECT_NEAR(data->qpos[7 * i], 0.0, 1e-4) << other << " " << step;
          EXPECT_NEAR(data->qpos[7 * i + 2], 0.1 * i + 0.05, 2e-4) << other << " " << step;
        }
        EXPECT_LT(data->energy[1], 1e-6 * scale) << other << " " << step;
      }
    }
  }
}

// Boxes at rest keep their forces; one that is pushed slides as friction lets it.
TEST_F(LongSteps, LetBoxesRestUntilTheyArePushed) {
  std::string xml = Head(1e-3) + "<worldbody><geom name=\"floor\" type=\"plane\" size=\"9 9 1\"/>";
  std::vector<MujocoContactSpec> contacts;
  for (int i = 0; i < 2; ++i) {
    xml += Text(
        "<body pos=\"%d 0 0.0501\"><freejoint/><geom name=\"b%d\" type=\"box\" "
        "size=\"0.05 0.05 0.05\" mass=\"0.5\"/></body>",
        i, i);
    contacts.push_back(Contact("b" + std::to_string(i), "floor", 1e10, CoulombFriction{0.5, 1e-3}));
  }
  const ModelPointer model = Loaded(xml + "</worldbody></mujoco>");
  MujocoContacts made(model.get(), contacts);
  const DataPointer data = DataOf(model), copy = DataOf(model);
  while (data->time < 1.0) mj_step(model.get(), data.get());
  const Vector3d before(data->qpos);
  mj_copyData(copy.get(), model.get(), data.get());
  made.CopyState(data.get(), copy.get());
  while (data->time < 2.0) {
    mj_step(model.get(), data.get());
    mj_step(model.get(), copy.get());
  }
  EXPECT_LT((Vector3d(data->qpos) - before).norm(), 1e-12);
  EXPECT_TRUE(std::equal(data->qpos, data->qpos + model->nq, copy->qpos));
  for (int i = 0; i < 2; ++i) {
    const MujocoContactMoment& now = made.Last(i, data.get());
    EXPECT_NEAR(now.Total().force_W.z(), 0.5 * 9.81, 1e-8);
    EXPECT_NEAR(now.time, 2.0, 2e-3);
    EXPECT_EQ(now.touches, 1);
  }
  data->xfrc_applied[6] = 4.0;
  for (int i = 0; i < 100; ++i) mj_step(model.get(), data.get());
  EXPECT_NEAR(data->qvel[0], 0.1 * (4.0 / 0.5 - 0.5 * 9.81), 2e-3);
  EXPECT_LT(std::abs(data->qvel[6]), 1e-12);
}

// Three fingers, each turned by a motor, close on a ball and hold it against its weight.
TEST_F(LongSteps, LetAHandHoldABall) {
  for (const double step : {1e-3, 2e-3, 5e-3}) {
    for (const double stiffness : {1e8, 5e9}) {
      std::vector<MujocoContactSpec> contacts;
      for (int i = 0; i < kFingers; ++i) {
        contacts.push_back(
            Contact("f" + std::to_string(i), "ball", stiffness, CoulombFriction{0.5, 1e-3}));
      }
      const ModelPointer model = Loaded(Head(step) + HandOnBall());
      const MujocoContacts made(model.get(), contacts);
      const DataPointer data = DataOf(model);
      for (int i = 0; i < kFingers; ++i) data->ctrl[i] = -1.0;
      while (data->time < 0.4) mj_step(model.get(), data.get());
      EXPECT_LT(Vector3d(data->qpos).norm(), 0.03) << step << " " << stiffness;
      EXPECT_LT(Vector3d(data->qvel).norm(), 1e-3) << step << " " << stiffness;
    }
  }
}

// Loads come to our contact through MuJoCo's constraints: a contact of its own, with a box that is
// a hundred times heavier.
TEST_F(LongSteps, CarryWhatMujocosConstraintsPressOnThem) {
  const ModelPointer model = Loaded(Head(0.002) + R"(<worldbody>
    <geom name="floor" type="plane" size="9 9 1"/>
    <body pos="0 0 0.0501"><joint type="slide" axis="0 0 1"/>
      <geom name="low" type="box" size="0.05 0.05 0.05" mass="0.1"/></body>
    <body pos="0 0 0.152"><joint type="slide" axis="0 0 1"/>
      <geom type="box" size="0.05 0.05 0.05" mass="10"/></body></worldbody></mujoco>)");
  const MujocoContacts made(model.get(),
                            {Contact("low", "floor", 1e10, CoulombFriction{0.5, 1e-3})});
  const DataPointer data = DataOf(model);
  while (data->time < 1.0) mj_step(model.get(), data.get());
  EXPECT_NEAR(data->qpos[0], -1e-4, 1e-5);
  EXPECT_LT(std::fabs(data->qvel[0]), 1e-6);
  EXPECT_NEAR(made.Last(0, data.get()).Total().force_W.z(), 10.1 * 9.81, 1e-3);
}

struct Draw {
  std::mt19937 random;
  double Between(double a, double b) { return std::uniform_real_distribution<>(a, b)(random); }
  double Scale(double a, double b) { return std::exp(Between(std::log(a), std::log(b))); }
};

// Bodies dropped on each other and on a floor.
struct RandomModel {
  explicit RandomModel(unsigned seed);

  ModelPointer model;
  std::vector<MujocoContactSpec> contacts;
  double scale = 0.0;  // of energies [J]
};

RandomModel::RandomModel(unsigned seed) {
  Draw draw{std::mt19937(seed)};
  const double step = draw.Scale(1e-4, 5e-3), stiffness = draw.Scale(1e6, 1e14);
  const double least = draw.Scale(1e-2, 10.0), ratio = draw.Scale(1.0, 1e4);
  const FrictionLaw friction = Frictions()[seed % 2];
  std::string xml = Head(step) + "<worldbody><geom name=\"b0\" type=\"plane\" size=\"9 9 1\"/>";
  double height = 0.0;
  for (int i = 1; i <= 3; ++i) {
    const char* const types[] = {"sphere", "box", "capsule", "cylinder"};
    const double r = draw.Between(0.03, 0.06), mass = least * std::pow(ratio, draw.Between(0, 1));
    height += 2.0 * r + draw.Between(0.0, 0.02);
    scale += mass * 9.81 * height;
    xml += Text(
        "<body pos=\"%g %g %g\" euler=\"%g %g 0\"><freejoint/><geom name=\"b%d\" "
        "type=\"%s\" size=\"%g %g %g\" mass=\"%g\"/></body>",
        draw.Between(-0.02, 0.02), draw.Between(-0.02, 0.02), height, draw.Between(0, 90),
        draw.Between(0, 90), i, types[draw.random() % 4], r, r, r, mass);
    height += 2.0 * r;
    for (int j = 0; j < i; ++j) {
      contacts.push_back(
          Contact("b" + std::to_string(i), "b" + std::to_string(j), stiffness, friction));
    }
  }
  model = Loaded(xml + "</worldbody></mujoco>");
}

// In this one a heavy ball drives a capsule deep into a box, and a step gives up.
constexpr unsigned kGivesUp = 10382;

TEST_F(LongSteps, MakeNoEnergyInRandomModels) {
  std::vector<unsigned> seeds(static_cast<std::size_t>(testing::Samples(16, 100)));
  std::iota(seeds.begin(), seeds.end(), 0u);
  seeds.push_back(kGivesUp);
  for (const unsigned seed : seeds) {
    const RandomModel random(seed);
    const MujocoContacts made(random.model.get(), random.contacts);
    const DataPointer data = DataOf(random.model);
    EXPECT_LT(Gain(random.model, data, 0.25), 1e-9 * random.scale) << seed;
  }
}

// A copy goes on to the last bit, in the middle of impacts, too, and whatever was stepped since.
TEST_F(LongSteps, GoOnAlikeFromCopies) {
  constexpr int kBetween = 37, kAlike = 23;  // steps
  for (unsigned seed = 0; seed < 8; ++seed) {
    const RandomModel random(seed);
    const mjModel* const model = random.model.get();
    MujocoContacts made(model, random.contacts);
    const DataPointer data = DataOf(random.model), copy = DataOf(random.model);
    const auto go_on = [&](const DataPointer& from, int steps) {
      for (int i = 0; i < steps; ++i) mj_step(model, from.get());
    };
    while (data->time < 0.25) {
      go_on(data, kBetween);
      mj_copyData(copy.get(), model, data.get());
      made.CopyState(data.get(), copy.get());
      go_on(copy, kAlike);
      go_on(data, kAlike);
      EXPECT_TRUE(std::equal(data->qpos, data->qpos + model->nq, copy->qpos)) << seed;
      EXPECT_TRUE(std::equal(data->qvel, data->qvel + model->nv, copy->qvel)) << seed;
    }
  }
}

}  // namespace
}  // namespace volcontact::test
