// Many contacts in one element.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "simbody/cxx17/models.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

using SimTK::Vec3;

// Balls that fall into a corner of three half-spaces.
struct Heap {
  enum class How { kSet, kSingles };

  Heap(How how, int count, SimbodyContact::Events events, const ContactParameters& parameters)
      : gravity(model.forces, model.matter, Vec3(-1, -2, -9.81)) {
    const Solid ball = Sphere(kRadius), plane = HalfSpace();
    const double half = std::sqrt(0.5);
    for (const Pose& X :
         {Pose{}, Pose{{0, 0, 0}, {half, 0, half, 0}}, Pose{{0, 0, 0}, {half, -half, 0, 0}}}) {
      bodies.push_back({model.matter.Ground(), plane.Posed(X)});
    }
    for (int i = 0; i < count; ++i) {
      balls.push_back(model.AddBall());
      bodies.push_back({balls.back(), ball});
    }
    const std::vector<ContactSetPair> pairs = AllPairs(static_cast<int>(bodies.size()), 3);
    if (how == How::kSet) {
      set = std::make_unique<SimbodyContactSet>(&model.system, &model.forces, bodies, pairs,
                                                std::vector<ContactSetLaw>{{parameters}}, 6 * count,
                                                events);
      return;
    }
    for (const ContactSetPair& pair : pairs) {
      const ContactSetBody &a = bodies[static_cast<std::size_t>(pair.a)],
                           &b = bodies[static_cast<std::size_t>(pair.b)];
      singles.emplace_back(&model.system, &model.forces, a.body, b.body,
                           SolidPair{a.solid, b.solid}, parameters, events);
    }
  }

  SimTK::State Start() {
    SimTK::State state = model.system.realizeTopology();
    std::mt19937 random(4);
    std::uniform_real_distribution<double> any(-1.0, 1.0);
    const int side = static_cast<int>(std::ceil(std::cbrt(static_cast<double>(balls.size()))));
    for (int i = 0; i < static_cast<int>(balls.size()); ++i) {
      const Vec3 place(i % side, (i / side) % side, i / side / side);
      SimTK::MobilizedBody::Free& ball = balls[static_cast<std::size_t>(i)];
      ball.setQToFitTranslation(
          state, Vec3(0.11) + 0.22 * place + 0.005 * Vec3(any(random), any(random), any(random)));
      ball.setUToFitVelocity(state, SimTK::SpatialVec(Vec3(any(random), 3 * any(random), 0),
                                                      Vec3(any(random), any(random), -0.5)));
    }
    return state;
  }

  ContactEnergies Energies(const SimTK::State& state) const {
    if (set) return set->Energies(state);
    ContactEnergies sum;
    for (const SimbodyContact& single : singles) sum += single.Energies(state);
    return sum;
  }
  int Touches(const SimTK::State& state) const {
    if (set) return set->TouchCount(state);
    int sum = 0;
    for (const SimbodyContact& single : singles) sum += single.TouchCount(state);
    return sum;
  }

  EmptyModel model;
  SimTK::Force::Gravity gravity;
  std::vector<ContactSetBody> bodies;
  std::vector<SimTK::MobilizedBody::Free> balls;
  std::unique_ptr<SimbodyContactSet> set;
  std::vector<SimbodyContact> singles;
};

ContactParameters RoughBalls() {
  ContactParameters parameters = Parameters(0.5);
  std::get<VolumetricNormal>(parameters.normal).stiffness_a = 1e7;
  std::get<VolumetricNormal>(parameters.normal).stiffness_b = 1e7;
  BristleFriction friction = Bristles();
  friction.sigma0 = 200.0;
  friction.sigma1 = 1.0;
  friction.v_stribeck = 1.0;
  friction.v_epsilon = 0.1;
  parameters.friction = friction;
  return parameters;
}

TEST(SimbodySet, MovesAsSingleElementsDo) {
  const ContactParameters parameters = RoughBalls();
  Heap set(Heap::How::kSet, 8, SimbodyContact::Events::kNone, parameters);
  Heap singles(Heap::How::kSingles, 8, SimbodyContact::Events::kNone, parameters);
  std::vector<SimTK::State> ends;
  for (Heap* heap : {&set, &singles}) {
    SimTK::RungeKutta3Integrator integrator(heap->model.system);
    integrator.setFixedStepSize(5e-4);
    SimTK::TimeStepper stepper(heap->model.system, integrator);
    stepper.initialize(heap->Start());
    for (const double end : {0.025, 0.05, 0.1}) {
      stepper.stepTo(end);
      ends.push_back(stepper.getState());
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const SimTK::State &a = ends[i], &b = ends[i + 3];
    EXPECT_EQ(set.Touches(a), singles.Touches(b));
    EXPECT_LT((a.getQ() - b.getQ()).norm(), 1e-12);
    EXPECT_LT((a.getU() - b.getU()).norm(), 1e-11);
    EXPECT_NEAR(set.Energies(a).Dissipated(), singles.Energies(b).Dissipated(), 1e-11);
    EXPECT_NEAR(set.Energies(a).Total(), singles.Energies(b).Total(), 1e-11);
  }
  EXPECT_GT(set.Touches(ends[2]), 15);
  const ContactEnergies a = set.Energies(ends[2]);
  EXPECT_GT(a.bristle, 0.01);
}

// With events; a heap that is saved, loaded into another one, and goes on.
TEST(SimbodySet, KeepsItsEnergyAndItsStates) {
  Heap heap(Heap::How::kSet, 8, SimbodyContact::Events::kLocated, RoughBalls());
  SimTK::State state = heap.Start();
  heap.set->SetErrorWeights(&state, 1.0);
  const auto total = [](Heap& of, const SimTK::State& at) {
    of.model.system.realize(at, SimTK::Stage::Dynamics);
    const ContactEnergies books = of.set->Energies(at);
    return of.model.system.calcEnergy(at) + books.Dissipated() + books.lost - books.made;
  };
  const double before = total(heap, state);
  SimTK::RungeKuttaMersonIntegrator integrator(heap.model.system);
  integrator.setAccuracy(1e-7);
  SimTK::TimeStepper stepper(heap.model.system, integrator);
  stepper.initialize(state);
  stepper.stepTo(0.1);
  EXPECT_NEAR(total(heap, stepper.getState()), before, 1e-5 * before);
  EXPECT_GT(heap.Touches(stepper.getState()), 8);

  const SimTK::State middle = stepper.getState();
  heap.model.system.realize(middle, SimTK::Stage::Acceleration);
  Heap other(Heap::How::kSet, 8, SimbodyContact::Events::kLocated, RoughBalls());
  SimTK::State loaded = other.Start();
  loaded.updTime() = middle.getTime();
  loaded.updQ() = middle.getQ();
  loaded.updU() = middle.getU();
  const std::vector<double> saved = heap.set->Save(middle);
  other.set->Load(saved, &loaded);
  other.model.system.realize(loaded, SimTK::Stage::Acceleration);
  EXPECT_EQ(other.set->Save(loaded), saved);
  const std::vector<PairEvaluation> a = heap.set->Evaluate(middle), b = other.set->Evaluate(loaded);
  ASSERT_EQ(a.size(), b.size());
  ASSERT_FALSE(a.empty());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].pair, b[i].pair);
    EXPECT_LT((a[i].contact.force.force_W - b[i].contact.force.force_W).norm(), 1e-9);
  }
  std::vector<double> damaged = saved;
  damaged.pop_back();
  EXPECT_THROW(other.set->Load(damaged, &loaded), InvalidInput);
  Heap smaller(Heap::How::kSet, 7, SimbodyContact::Events::kLocated, RoughBalls());
  SimTK::State fewer = smaller.Start();
  EXPECT_THROW(smaller.set->Load(saved, &fewer), InvalidInput);
}

TEST(SimbodySet, BeginsWithWhatItsSpringsHold) {
  Heap heap(Heap::How::kSet, 1, SimbodyContact::Events::kNone, Parameters(1.0));
  SimTK::State state = heap.model.system.realizeTopology();
  const double depth = 1e-3;
  heap.balls[0].setQToFitTranslation(state, Vec3(1.0, 1.0, 1.0));
  EXPECT_FALSE(heap.set->Begin(&state));
  heap.balls[0].setQToFitTranslation(state, Vec3(kRadius - depth, kRadius - depth, 1.0));
  ASSERT_TRUE(heap.set->Begin(&state));
  // Each cap holds k ∫ V dx with V = π x² (R − x/3).
  const double cap =
      M_PI * kStiffness * (kRadius * std::pow(depth, 3) / 3 - std::pow(depth, 4) / 12);
  EXPECT_NEAR(heap.set->Energies(state).elastic, 2 * cap, 1e-6 * cap);
  heap.model.system.realize(state, SimTK::Stage::Dynamics);
  EXPECT_NEAR(heap.set->StoredEnergy(state), 2 * cap, 1e-6 * cap);
  EXPECT_EQ(heap.set->TouchCount(state), 2);
}

TEST(SimbodySet, RefusesWhatDoesNotGoTogether) {
  EmptyModel model;
  SimTK::MobilizedBody::Free ball = model.AddBall();
  const std::vector<ContactSetBody> bodies = {
      {model.matter.Ground(), HalfSpace()}, {ball, Sphere(kRadius)}, {ball, HalfSpace()}};
  const auto message = [&](const std::vector<ContactSetPair>& pairs, int most,
                           const ContactParameters& parameters) -> std::string {
    try {
      SimbodyContactSet(&model.system, &model.forces, bodies, pairs, {{parameters}}, most);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  const ContactParameters good = Parameters(0.5);
  ContactParameters hertz;
  hertz.normal = PowerNormal{1e6, 1.5, {}};
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_EQ(message({{0, 1, 0}}, 1, good), "");
  EXPECT_TRUE(has(message({{0, 1, 0}}, 0, good), "most_contacts is 0"));
  EXPECT_TRUE(
      has(message({{0, 1, 0}, {0, 3, 0}}, 1, good), "pair 1 of the set: there is no body 3"));
  EXPECT_TRUE(has(message({{0, -1, 0}}, 1, good), "there is no body -1"));
  EXPECT_TRUE(has(message({{0, 1, 1}}, 1, good), "there is no law 1"));
  EXPECT_TRUE(has(message({{1, 2, 0}}, 1, good), "cannot touch itself"));
  EXPECT_TRUE(has(message({{0, 2, 0}}, 1, good), "are unbounded"));
  EXPECT_TRUE(has(message({{0, 1, 0}}, 1, hertz), "pair 0 of the set: two solids need"));
  EXPECT_THROW(AllPairs(3, 4), InvalidInput);
  EXPECT_EQ(AllPairs(4, 2).size(), 5U);
}

// More contacts than slots end a simulation with a message that says so.
TEST(SimbodySet, TooFewSlotsAreTold) {
  EmptyModel model;
  SimTK::MobilizedBody::Free a = model.AddBall(), b = model.AddBall();
  const std::vector<ContactSetBody> bodies = {
      {model.matter.Ground(), HalfSpace()}, {a, Sphere(kRadius)}, {b, Sphere(kRadius)}};
  const SimbodyContactSet set(&model.system, &model.forces, bodies, AllPairs(3, 1),
                              {{Parameters(0.5)}}, 1);
  SimTK::State state = model.system.realizeTopology();
  a.setQToFitTranslation(state, Vec3(0, 0, 0.099));
  b.setQToFitTranslation(state, Vec3(1, 0, 0.2));
  model.system.realize(state, SimTK::Stage::Acceleration);
  EXPECT_EQ(set.Evaluate(state).size(), 1U);
  b.setQToFitTranslation(state, Vec3(1, 0, 0.099));
  try {
    model.system.realize(state, SimTK::Stage::Acceleration);
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("most_contacts"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace volcontact
