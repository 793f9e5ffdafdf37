// What contact forces cost beside the geometry they stand on.
#include <benchmark/benchmark.h>

#include <vector>

#include "support.h"
#include "volcontact/volcontact.h"

namespace volcontact::bench {
namespace {

// A ball that slides, rolls and spins on the ground, a hundredth of its radius deep.
struct Ball {
  PreparedPair pair{Sphere(0.1), HalfSpace()};
  Pose X_WA{{0.0, 0.0, 0.099}}, X_WB;
  Twist V_A{{0.02, 0.01, -0.1}, {0.3, 0.2, 5.0}}, V_B;
  Metrics metrics = pair.Query(X_WA, X_WB);
};

ContactParameters Parameters(const FrictionLaw& friction) {
  ContactParameters parameters;
  VolumetricNormal normal{1e9, 2e9};
  normal.damping.restitution = 0.7;
  parameters.normal = normal;
  parameters.friction = friction;
  return parameters;
}

BristleFriction Bristles() {
  BristleFriction friction{0.5, 0.4, 1e4, 60.0, 0.01};
  friction.tau_dwell = 0.5;
  return friction;
}

// From the metrics of the overlap to the wrench, the rate of the state and the powers.
void Evaluate(benchmark::State& state, const FrictionLaw& friction, bool sampled) {
  const Ball ball;
  const ContactModel model(Parameters(friction));
  const ContactGeometry geometry = GeometryOf(ball.metrics);
  const ContactMotion motion =
      MotionAt(geometry.point_W, geometry.normal_W, ball.X_WA, ball.V_A, ball.X_WB, ball.V_B);
  const ContactState contact = model.Touch(geometry, motion);
  std::vector<PressureSample> pressure;
  if (sampled) pressure = PressureOf(ball.pair.SampleVolume(ball.X_WA, ball.X_WB), geometry);
  for (auto _ : state) {
    const ContactGeometry now = GeometryOf(ball.metrics);
    const ContactMotion moves =
        MotionAt(now.point_W, now.normal_W, ball.X_WA, ball.V_A, ball.X_WB, ball.V_B);
    benchmark::DoNotOptimize(model.Evaluate(now, moves, contact, pressure));
  }
  state.counters["samples"] = static_cast<double>(pressure.size());
}

}  // namespace

void RegisterBenchmarks() {
  Register("force/evaluate/friction:none",
           [](benchmark::State& state) { Evaluate(state, NoFriction{}, false); });
  Register("force/evaluate/friction:coulomb",
           [](benchmark::State& state) { Evaluate(state, CoulombFriction{0.4}, false); });
  Register("force/evaluate/friction:bristle",
           [](benchmark::State& state) { Evaluate(state, Bristles(), false); });
  Register("force/evaluate/friction:patch_coulomb",
           [](benchmark::State& state) { Evaluate(state, PatchCoulombFriction{0.4}, true); });
}

}  // namespace volcontact::bench
