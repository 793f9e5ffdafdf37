// Motions of MuJoCo's models with our contacts, against closed forms and the library itself.
#include <cmath>
#include <thread>
#include <vector>

#include "mujoco/loaded_model.h"

namespace volcontact::test {
namespace {

using Eigen::Vector3d;

const char* const kIntegrators[] = {"Euler", "RK4", "implicit"};

class EachIntegrator : public testing::TestWithParam<const char*> {
 protected:
  std::string Option(const std::string& more) const {
    return "integrator=\"" + std::string(GetParam()) + "\" " + more;
  }
};
INSTANTIATE_TEST_SUITE_P(Mujoco, EachIntegrator, testing::ValuesIn(kIntegrators));

TEST_P(EachIntegrator, BallAtRestHasTheVolumeOfItsWeight) {
  constexpr double kMass = 2.0, kStiffness = 1e8;
  const ModelPointer model = Loaded(BallXml(Option("timestep=\"0.0005\""), 0.1, kMass, 0.0999));
  MujocoContactSpec spec = BallOnFloor(kStiffness, 0.5);
  // Slow impacts are damped as if this fast: at rest at a rate of g d/(e v_small), which an
  // explicit method follows to 2 over its step.
  std::get<VolumetricNormal>(spec.parameters.normal).damping.v_small = 0.05;
  const MujocoContacts contacts(model.get(), {spec});
  const DataPointer data = DataOf(model);
  while (data->time < 1.0) mj_step(model.get(), data.get());
  mj_forward(model.get(), data.get());
  const MujocoContactMoment& now = contacts.Last(0, data.get());
  ASSERT_EQ(now.patches.size(), 1u);
  const double expected = kMass * 9.81 / kStiffness;
  EXPECT_NEAR(now.patches[0].geometry.volume, expected, 1e-9 * expected);
  EXPECT_EQ(data->ncon, 0);
}

TEST_P(EachIntegrator, ReboundsWithTheRestitution) {
  for (const double e : {0.3, 0.7, 0.95}) {
    const ModelPointer model =
        Loaded(BallXml(Option("timestep=\"0.0001\" gravity=\"0 0 0\""), 0.1, 2.0, 0.1003));
    const MujocoContacts contacts(model.get(), {BallOnFloor(1e7, e)});
    const DataPointer data = DataOf(model);
    data->qvel[2] = -1.0;
    while (data->time < 0.2) mj_step(model.get(), data.get());
    EXPECT_NEAR(data->qvel[2], e, 0.01) << e;
    const MujocoContactMoment& now = contacts.Last(0, data.get());
    EXPECT_EQ(now.touches, 1);
    EXPECT_TRUE(now.patches.empty());
    // What the ball lost, the books have.
    EXPECT_NEAR(now.energies.Total(), 0.5 * 2.0 * (1.0 - data->qvel[2] * data->qvel[2]), 1e-3);
  }
}

// Two feet of one body, in one mesh that is moved off its middle: each patch is a contact of its
// own, and carries half.
TEST(MujocoPatches, ShareTheLoadAtRest) {
  const ModelPointer model = Loaded(R"(<mujoco><option timestep="0.0005"/><asset>
    <mesh name="feet" vertex="0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1
      3 0 0 4 0 0 3 1 0 4 1 0 3 0 1 4 0 1 3 1 1 4 1 1"
      face="0 2 1 1 2 3 4 5 6 5 7 6 0 1 4 1 5 4 2 6 3 3 6 7 0 4 2 2 4 6 1 3 5 3 7 5
      8 10 9 9 10 11 12 13 14 13 15 14 8 9 12 9 13 12 10 14 11 11 14 15 8 12 10 10 12 14 9 11 13 11 15 13"/>
    </asset><worldbody><body name="floor"><geom type="plane" size="9 9 1"/></body>
    <body name="stand" pos="0 0 -0.0001"><freejoint/><geom type="mesh" mesh="feet" mass="4"/></body>
    </worldbody></mujoco>)");
  MujocoContactSpec spec = BallOnFloor(1e6, 0.5);
  spec.a = {"", "stand", 0, {}};
  spec.b = {"", "floor", 0, {}};
  spec.most_patches = 4;
  std::get<VolumetricNormal>(spec.parameters.normal).damping.v_small = 0.1;
  const MujocoContacts contacts(model.get(), {spec});
  const DataPointer data = DataOf(model);
  while (data->time < 1.0) mj_step(model.get(), data.get());
  mj_forward(model.get(), data.get());
  const MujocoContactMoment& now = contacts.Last(0, data.get());
  ASSERT_EQ(now.patches.size(), 2u);
  const double expected = 4.0 * 9.81 / 1e6 / 2.0;
  for (const MujocoPatch& patch : now.patches) {
    EXPECT_NEAR(patch.geometry.volume, expected, 1e-5 * expected);
  }
  EXPECT_NEAR(now.Total().force_W.z(), 4.0 * 9.81, 1e-8);
}

struct Recorded {
  double time;
  Pose X_WA;
  Twist A;
  Vector3d force, torque;
  std::vector<double> passive;
};

Recorded Now(const MujocoContacts& contacts, const mjModel* model, const mjData* data) {
  Recorded row;
  const ContactForce total = contacts.Last(0, data).Total();
  const Vector3d origin(data->xpos + 3);
  row.time = data->time;
  row.X_WA = {origin, {data->xquat[4], data->xquat[5], data->xquat[6], data->xquat[7]}};
  // A free joint's velocities are the origin's, in W, and the angular one in the body.
  row.A = {Vector3d(data->qvel), row.X_WA.Rotation() * Vector3d(data->qvel + 3)};
  row.force = total.force_W;
  row.torque = total.torque_W + (total.point_W - origin).cross(total.force_W);
  row.passive.assign(data->qfrc_passive, data->qfrc_passive + model->nv);
  return row;
}

// The library's own loop along poses: nothing in between, as in `force --poses`.
void ExpectForcesOfTheLibrary(const std::vector<Recorded>& rows, const MujocoContactSpec& spec,
                              const Solid& A, const Solid& B) {
  const PreparedPair pair(A, B);
  const ContactModel model(spec.parameters);
  QueryOptions options;
  options.bound_distance = false;
  ContactState state;
  ContactInstant last;
  for (const Recorded& row : rows) {
    const Metrics metrics = pair.Query(row.X_WA, Pose(), options);
    ContactInstant now{row.time, GeometryOf(metrics), {}};
    now.motion = MotionAt(now.geometry.point_W, now.geometry.normal_W, row.X_WA, row.A, {}, {});
    if (!now.geometry.touching) {
      state = {};
    } else if (!state.touching) {
      state = model.Touch(now.geometry, now.motion);
    } else {
      state = FollowContact(model, state, last, now);
    }
    const ContactForce force = model.Evaluate(now.geometry, now.motion, state);
    const Vector3d torque = force.torque_W + (force.point_W - row.X_WA.t).cross(force.force_W);
    const double scale = 1e-12 * (1.0 + row.force.norm());
    ASSERT_LT((force.force_W - row.force).norm(), scale) << row.time;
    ASSERT_LT((torque - row.torque).norm(), scale) << row.time;
    const Vector3d about = row.X_WA.Rotation().transpose() * torque;
    for (int i = 0; i < 3; ++i) {
      ASSERT_NEAR(row.passive[static_cast<std::size_t>(i)], force.force_W[i], scale);
      ASSERT_NEAR(row.passive[static_cast<std::size_t>(3 + i)], about[i], scale);
    }
    last = now;
  }
}

// With Runge and Kutta's method, too: its stages leave no trace in the state. Steps are short
// enough for the law.
TEST_P(EachIntegrator, ForcesAreThoseOfTheLibraryAlongTheMotion) {
  const ModelPointer model =
      Loaded("<mujoco><option " + Option("timestep=\"0.0005\"") +
             "/><worldbody><geom name=\"floor\" type=\"plane\" size=\"1 1 1\"/>"
             "<body name=\"ball\" pos=\"0.1 0.2 0.11\"><freejoint/>"
             "<geom name=\"ball\" type=\"ellipsoid\" size=\"0.1 0.08 0.12\" mass=\"2\"/>"
             "</body></worldbody></mujoco>");
  MujocoContactSpec spec = BallOnFloor(1e7, 0.4);
  std::get<VolumetricNormal>(spec.parameters.normal).damping.v_small = 0.7;
  BristleFriction friction = SomeBristles();
  friction.sigma0 = 500.0;
  friction.sigma1 = 2.0;
  friction.v_stribeck = 0.1;
  spec.parameters.friction = friction;
  const MujocoContacts contacts(model.get(), {spec});
  const DataPointer data = DataOf(model);
  data->qvel[0] = 0.7;
  data->qvel[3] = 2.0;
  data->qvel[5] = -3.0;
  std::vector<Recorded> rows;
  double greatest = 0.0;
  while (data->time < 0.5) {
    mj_forward(model.get(), data.get());
    rows.push_back(Now(contacts, model.get(), data.get()));
    greatest = std::fmax(greatest, rows.back().force.head<2>().norm());
    mj_step(model.get(), data.get());
  }
  EXPECT_GT(greatest, 1.0);
  ExpectForcesOfTheLibrary(rows, spec, Ellipsoid({0.1, 0.08, 0.12}), HalfSpace());
}

std::vector<double> Thrown(const mjModel* model, mjData* data, double speed, int steps) {
  data->qvel[0] = speed;
  for (int i = 0; i < steps; ++i) mj_step(model, data);
  std::vector<double> end(data->qpos, data->qpos + model->nq);
  end.insert(end.end(), data->qvel, data->qvel + model->nv);
  return end;
}

TEST(MujocoThreads, SeveralModelsAndDatasAtOnceAreAsOneByOne) {
  constexpr int kSteps = 400;
  const ModelPointer models[] = {Loaded(BallXml("timestep=\"0.001\"", 0.1, 2.0, 0.11)),
                                 Loaded(BallXml("timestep=\"0.0005\"", 0.05, 1.0, 0.06))};
  MujocoContactSpec spec = BallOnFloor(1e7, 0.5);
  spec.parameters.friction = SomeBristles();
  MujocoContacts first(models[0].get(), {spec}), second(models[1].get(), {spec});
  const auto run = [&](int i) {
    const ModelPointer& model = models[i % 2];
    const DataPointer data = DataOf(model);
    std::vector<double> end = Thrown(model.get(), data.get(), 0.1 * (1 + i), kSteps);
    (i % 2 == 0 ? first : second).Forget(data.get());
    return end;
  };
  std::vector<std::vector<double>> alone, together(6);
  for (int i = 0; i < 6; ++i) alone.push_back(run(i));
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&, i] { together[static_cast<std::size_t>(i)] = run(i); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(alone, together);
}

// Datas that take turns do not disturb each other; copies go on as what they were copied from; a
// step taken back is taken again.
TEST(MujocoStates, BelongToADataAndCanBeCopiedAndTakenBack) {
  const ModelPointer model = Loaded(BallXml("timestep=\"0.001\"", 0.1, 2.0, 0.1001));
  MujocoContactSpec spec = BallOnFloor(1e7, 0.5);
  spec.parameters.friction = SomeBristles();
  MujocoContacts contacts(model.get(), {spec});
  const DataPointer a = DataOf(model), b = DataOf(model), c = DataOf(model);
  const std::vector<double> expected = Thrown(model.get(), a.get(), 0.3, 300);
  b->qvel[0] = 0.3;
  for (int i = 0; i < 150; ++i) mj_step(model.get(), b.get());
  mj_copyData(c.get(), model.get(), b.get());
  contacts.CopyState(b.get(), c.get());
  // Back by the step that was made last.
  mj_forward(model.get(), c.get());
  std::vector<mjtNum> qpos(c->qpos, c->qpos + model->nq), qvel(c->qvel, c->qvel + model->nv);
  const double time = c->time;
  mj_step(model.get(), c.get());
  mj_forward(model.get(), c.get());
  mju_copy(c->qpos, qpos.data(), model->nq);
  mju_copy(c->qvel, qvel.data(), model->nv);
  c->time = time;
  mju_zero(c->qacc_warmstart, model->nv);
  for (int i = 0; i < 150; ++i) {
    mj_step(model.get(), b.get());
    mj_step(model.get(), c.get());
  }
  for (int i = 0; i < model->nq; ++i) {
    EXPECT_EQ(b->qpos[i], expected[static_cast<std::size_t>(i)]);
    EXPECT_EQ(c->qpos[i], expected[static_cast<std::size_t>(i)]);
  }
  mj_resetData(model.get(), a.get());
  EXPECT_EQ(Thrown(model.get(), a.get(), 0.3, 300), expected);
}

}  // namespace
}  // namespace volcontact::test
