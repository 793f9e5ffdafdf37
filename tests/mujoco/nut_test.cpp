// Contacts that go around: a nut that is turned up a bolt (data/mujoco/nut_on_bolt.xml), two
// threads as meshes, and a peg that falls into its bore.
#include <cmath>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "mujoco/loaded_model.h"
#include "support/paths.h"

namespace volcontact::test {
namespace {

constexpr double kPitch = 0.0025, kWeight = 0.5 * 9.81, kFriction = 0.05;  // [m], [N]
const double kPi = std::acos(-1.0);

// What was added up along a run.
struct Turned {
  double angle = 0.0, work = 0.0, torque = 0.0, lift = 0.0, dissipated = 0.0, elastic = 0.0;
  double rise = 0.0, kinetic = 0.0, speed = 0.0;  // since the start of the sums
};

double Kinetic(const mjModel* model, mjData* data) {
  std::vector<double> momentum(static_cast<std::size_t>(model->nv));
  mj_mulM(model, data, momentum.data(), data->qvel);
  double twice = 0.0;
  for (int i = 0; i < model->nv; ++i)
    twice += momentum[static_cast<std::size_t>(i)] * data->qvel[i];
  return 0.5 * twice;
}

struct LoadedNut {
  ModelPointer model;
  std::vector<MujocoContactSpec> specs;
};

LoadedNut LoadNut() {
  const std::filesystem::path folder = std::filesystem::path(volcontact::DataFolder()) / "mujoco";
  char error[1000] = "";
  ModelPointer model(
      mj_loadXML((folder / "nut_on_bolt.xml").c_str(), nullptr, error, sizeof error));
  if (model == nullptr) throw std::runtime_error(error);
  std::vector<MujocoContactSpec> specs = ReadMujocoContacts(model.get(), folder);
  return {std::move(model), std::move(specs)};
}

// Starts on the thread's flank with a speed that its wheel keeps; sums after `skipped` steps.
// Without the wheel and friction it is gravity's.
Turned Turn(double speed, int skipped, int steps, bool let_go = false) {
  auto [model, specs] = LoadNut();
  if (let_go) {
    model->opt.disableflags |= mjDSBL_ACTUATION;
    for (MujocoContactSpec& spec : specs) spec.parameters.friction = NoFriction();
  }
  const MujocoContacts contacts(model.get(), specs);
  const DataPointer data = DataOf(model);
  mj_resetDataKeyframe(model.get(), data.get(), 0);
  data->ctrl[0] = data->qvel[5] = speed;
  data->qvel[2] = kPitch * speed / (2.0 * kPi);
  Turned sum;
  const auto books = [&] {
    ContactEnergies all;
    for (int i = 0; i < contacts.NumContacts(); ++i) all += contacts.Last(i, data.get()).energies;
    return all;
  };
  for (int i = 0; i < skipped; ++i) mj_step(model.get(), data.get());
  const ContactEnergies before = books();
  const double from = data->qvel[5], height = data->qpos[2],
               kinetic = Kinetic(model.get(), data.get());
  for (int i = 0; i < steps; ++i) {
    mj_step(model.get(), data.get());
    const double turn = data->qvel[5] * model->opt.timestep;
    sum.angle += turn;
    sum.work += data->actuator_force[0] * turn;
    sum.torque += data->actuator_force[0] / steps;
    for (int j = 0; j < contacts.NumContacts(); ++j) {
      sum.lift += contacts.Last(j, data.get()).Total().force_W.z() / steps;
    }
  }
  const ContactEnergies after = books();
  sum.dissipated = after.Dissipated() - before.Dissipated();
  sum.elastic = after.Total() - before.Total() - sum.dissipated;
  sum.speed = data->qvel[5] - from;
  sum.rise = data->qpos[2] - height;
  sum.kinetic = Kinetic(model.get(), data.get()) - kinetic;
  return sum;
}

// The torque that a screw of W takes, from the balance on a slope: flanks of 30° from the nut's
// minor radius to the bolt's major one, at their mean radius by area. A sector of 15° pushes along
// its mean normal in its middle: of the slope and of the radius it has sin(β)/β.
double Torque(double direction, double mu = kFriction) {
  const double inner = 0.0101 - 5.0 / 16.0 * std::sqrt(3.0) * kPitch, outer = 0.01;
  const double radius =
      2.0 / 3.0 * (std::pow(outer, 3) - std::pow(inner, 3)) / (outer * outer - inner * inner);
  const double half = kPi / 24.0, arc = std::sin(half) / half;
  const double slope = arc * kPitch / (2.0 * kPi * radius);
  const double friction = direction * mu / std::cos(kPi / 6.0);
  return kWeight * arc * radius * (slope + friction) / (1.0 - friction * slope);
}

TEST(MujocoNut, ClimbsOnePitchATurnUnderTheTorqueOfAScrew) {
  const Turned up = Turn(4.0 * kPi, 40, 80);
  EXPECT_NEAR(up.rise, kPitch * up.angle / (2.0 * kPi), 1.5e-6);
  EXPECT_GT(up.rise, 1.8e-4);
  EXPECT_NEAR(up.lift, kWeight, 0.01 * kWeight);
  EXPECT_NEAR(up.torque, Torque(1.0), 0.01 * Torque(1.0));
  // What the wheel has done is lifted, moving, lost or sprung.
  EXPECT_NEAR(up.work, kWeight * up.rise + up.kinetic + up.dissipated + up.elastic,
              0.003 * up.work);
}

TEST(MujocoNut, IsHeldByFrictionAndHasToBeTurnedDown) {
  const Turned down = Turn(-4.0 * kPi, 40, 80);
  EXPECT_NEAR(down.rise, kPitch * down.angle / (2.0 * kPi), 1.5e-6);
  EXPECT_NEAR(down.lift, kWeight, 0.01 * kWeight);
  // The slope of the thread, 0.043, is less than friction's, 0.058.
  EXPECT_LT(down.torque, 0.0);
  EXPECT_NEAR(down.torque, Torque(-1.0), 0.01 * Torque(1.0));
}

TEST(MujocoNut, RunsDownByItsWeightWithoutFriction) {
  const Turned down = Turn(-4.0 * kPi, 40, 80, true);
  EXPECT_NEAR(down.rise, kPitch * down.angle / (2.0 * kPi), 1.5e-6);
  constexpr double kInertia = 0.00063, kTime = 80 * 0.0005;
  const double speed = -Torque(1.0, 0.0) * kTime / kInertia;
  EXPECT_NEAR(down.speed, speed, 0.01 * std::fabs(speed));
  EXPECT_NEAR(down.kinetic + down.dissipated + down.elastic, -kWeight * down.rise,
              0.003 * kWeight * std::fabs(down.rise));
}

// Without the wheel's drive, on bristles: from μ = 0.037 on friction holds the nut.
double SinksIn(double mu, int steps) {
  auto [model, specs] = LoadNut();
  BristleFriction bristles;
  bristles.mu_s = bristles.mu_c = mu;
  bristles.sigma0 = 1e5;
  bristles.sigma1 = 300.0;
  specs[0].parameters.friction = bristles;
  model->opt.disableflags |= mjDSBL_ACTUATION;
  model->opt.timestep = 0.001;
  const MujocoContacts contacts(model.get(), specs);
  const DataPointer data = DataOf(model);
  for (int i = 0; i < steps; ++i) mj_step(model.get(), data.get());
  EXPECT_EQ(contacts.Last(0, data.get()).patches.size(), 24u);
  const double height = data->qpos[2];
  for (int i = 0; i < steps; ++i) mj_step(model.get(), data.get());
  return height - data->qpos[2];
}

TEST(MujocoNut, IsHeldByBristlesFromTheSlopeOfItsThreadOn) {
  EXPECT_LT(std::fabs(SinksIn(0.05, 20)), 1e-8);
  EXPECT_GT(SinksIn(0.01, 20), 3e-7);
}

TEST(MujocoNut, SaysThatItsContactGoesAround) {
  auto [model, specs] = LoadNut();
  ASSERT_NE(model, nullptr);
  ASSERT_EQ(specs.size(), 1u);
  {
    const MujocoContacts contacts(model.get(), specs);
    ASSERT_EQ(contacts.Notes().size(), 1u);
    ExpectSays(contacts.Notes()[0], "contact \"thread\" goes around a body: divided into 24");
  }
  // As read from "geometry": {"division": "none"}.
  specs[0].division.kind = DivisionChoice::Kind::kNone;
  EXPECT_TRUE(MujocoContacts(model.get(), specs).Notes().empty());
}

TEST(MujocoNut, ReadsHowAContactIsDivided) {
  const auto read = [](const std::string& geometry) {
    const std::string text =
        R"({"volcontact": 1, "contacts": [{"name": "c", "geom_a": "ball", "geom_b": "floor",
            "normal": {"stiffness": 1e9}, "geometry": )" +
        geometry + "}]}";
    const ModelPointer model = Loaded(
        BallXml("", 0.1, 1.0, 0.1)
            .replace(8, 0, "<custom><text name=\"volcontact\" data='" + text + "'/></custom>"));
    return ReadMujocoContacts(model.get())[0].division;
  };
  EXPECT_EQ(read("{}").kind, DivisionChoice::Kind::kAuto);
  EXPECT_EQ(read(R"({"division": "none"})").kind, DivisionChoice::Kind::kNone);
  const DivisionChoice given =
      read(R"({"division": {"sectors": 8, "body": "b", "point": [1, 2, 3], "axis": [0, 1, 0]}})");
  EXPECT_EQ(given.kind, DivisionChoice::Kind::kSectors);
  EXPECT_EQ(given.sectors, 8);
  ASSERT_TRUE(given.axis.has_value());
  EXPECT_FALSE(given.axis->of_A);
  EXPECT_EQ(given.axis->point, Eigen::Vector3d(1, 2, 3));
}

// A peg of 5 mm above a bore with 10 µm around it; it flies in, and meets the wall within.
struct Peg {
  ModelPointer model;
  std::unique_ptr<MujocoContacts> contacts;
  DataPointer data;

  Peg(DivisionChoice::Kind kind, double step, double stiffness) {
    model = Loaded("<mujoco><option gravity=\"0 0 0\" timestep=\"" + std::to_string(step) +
                   R"("/><worldbody><body name="plate"/><body name="peg" pos="6e-6 3e-6 0.0354">
                      <freejoint/><inertial pos="0 0 0" mass="0.03" diaginertia="6e-6 6e-6 4e-7"/>
                      </body></worldbody></mujoco>)");
    MujocoContactSpec spec = BallOnFloor(stiffness, 0.5);
    spec.a = {.geom = "", .body = "peg", .solid = Cylinder(0.005, 0.05)};
    spec.b = {.geom = "",
              .body = "plate",
              .solid = Difference(Box({0.04, 0.04, 0.02}), {Cylinder(0.00501, 0.03)})};
    spec.division = {kind, 24, {}};
    if (kind == DivisionChoice::Kind::kSectors) spec.division.axis.emplace();
    contacts = std::make_unique<MujocoContacts>(model.get(), std::vector<MujocoContactSpec>{spec});
    data = DataOf(model);
    data->qvel[0] = 4e-4;
    data->qvel[1] = 2e-4;
    data->qvel[2] = -0.4;
  }

  void Run(int steps) const {
    for (int i = 0; i < steps; ++i) mj_step(model.get(), data.get());
  }
  const MujocoContactMoment& Last() const { return contacts->Last(0, data.get()); }
};

// By forces of the end of the step, and by the law.
TEST(MujocoPeg, IsDividedWhereItsContactBegins) {
  using Kind = DivisionChoice::Kind;
  for (const auto& [step, stiffness] : {std::pair(1e-3, 1e13), std::pair(1e-4, 1e9)}) {
    SCOPED_TRACE(step);
    const Peg found(Kind::kAuto, step, stiffness), given(Kind::kSectors, step, stiffness);
    EXPECT_TRUE(found.contacts->Notes().empty());
    found.Run(2);
    given.Run(2);
    EXPECT_EQ(found.Last().division.number, 0);
    const int steps = static_cast<int>(0.015 / step);
    found.Run(steps);
    given.Run(steps);
    EXPECT_EQ(found.Last().division.number, 1);
    EXPECT_GT(found.Last().touches, 0);
    EXPECT_EQ(found.Last().touches, given.Last().touches);
    for (int i = 0; i < 7; ++i) EXPECT_EQ(found.data->qpos[i], given.data->qpos[i]) << i;
    for (int i = 0; i < 6; ++i) EXPECT_EQ(found.data->qvel[i], given.data->qvel[i]) << i;
  }
}

// The peg lies in a trough, which becomes a bore; its contact lasts, and the steps follow the law.
TEST(MujocoPeg, IsDividedUnderLoadByTheLaw) {
  const Solid bore = Cylinder(0.00501, 0.2);
  MujocoContactSpec spec = BallOnFloor(1e11, 0.5);
  spec.a = {.geom = "", .body = "peg", .solid = Cylinder(0.005, 0.05)};
  spec.b = {
      .geom = "",
      .body = "plate",
      .solid = Union({Difference(Box({0.04, 0.04, 0.02}).Posed({{0, 0, -0.01}}), {bore}),
                      Difference(Box({0.04, 0.02, 0.06}).Posed({{0, -0.01, 0.03}}), {bore})})};
  spec.division = {DivisionChoice::Kind::kAuto};
  const ModelPointer model = Loaded(
      R"(<mujoco><option gravity="0 -9.81 0" timestep="5e-5"/><worldbody><body name="plate"/>
         <body name="peg" pos="0 -1.4e-5 0.0255"><freejoint/>
         <inertial pos="0 0 0" mass="0.03" diaginertia="6e-6 6e-6 4e-7"/></body></worldbody></mujoco>)");
  MujocoContacts contacts(model.get(), {spec});
  const DataPointer data = DataOf(model);
  data->qvel[2] = -0.4;
  const auto last = [&]() -> const MujocoContactMoment& { return contacts.Last(0, data.get()); };
  double depth = 0.0;  // at which it is divided [m]
  for (int i = 0; i < 700; ++i) {
    mj_step(model.get(), data.get());
    if (depth == 0.0 && last().division.number > 0) depth = 0.025 - data->qpos[2];
  }
  EXPECT_GT(depth, 0.002);
  EXPECT_LT(depth, 0.016);
  EXPECT_GE(last().patches.size(), 2u);
  const double weight = 0.03 * 9.81;
  EXPECT_NEAR(last().Total().force_W.y(), weight, 0.5 * weight);
  EXPECT_LT(std::abs(last().energies.made), 1e-3 * weight * 1e-5);
  EXPECT_LT(std::hypot(data->qvel[0], data->qvel[1]), 1e-3);
}

}  // namespace
}  // namespace volcontact::test
