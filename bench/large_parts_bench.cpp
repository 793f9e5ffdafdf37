// How the time of a query grows with what a part holds elsewhere, and with the surfaces that take
// part in the overlap; and how long such parts take to prepare.
// Names: elsewhere/<part>/n:.., overlap/<part>/n:.. with the counters prepare_ms and converged.

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "support.h"

namespace volcontact::bench {
namespace {

constexpr std::uint64_t kSeed = 4178;
constexpr double kTolerance = 1e-6;

Pose At(const Eigen::Vector3d& t) { return {t, Pose().q}; }

// A plate of n² squares of side one, each with a hole of radius 0.2 in its middle.
Solid PerforatedPlate(int n) {
  std::vector<Solid> holes;
  for (int i = 0; i < n * n; ++i) {
    holes.push_back(
        Cylinder(0.2, 0.8).Posed(At({i % n - 0.5 * (n - 1), i / n - 0.5 * (n - 1), 0.0})));
  }
  return Difference(Box({1.0 * n, 1.0 * n, 0.4}), holes);
}

// A ball of radius 0.3, 0.01 deep in the rim of the plate's hole in the middle.
Pose OverTheRim(int n) {
  const double middle = n / 2 - 0.5 * (n - 1), around = 0.7, up = 1.0;
  const Eigen::Vector3d out(std::cos(around), std::sin(around), 0.0);
  const Eigen::Vector3d rim = Eigen::Vector3d(middle, middle, 0.2) + 0.2 * out;
  return At(rim + 0.29 * (std::sin(up) * Eigen::Vector3d::UnitZ() - std::cos(up) * out));
}

// n balls of radii 0.5 to 0.8 in a cube of n units of volume.
Solid Cluster(int n) {
  std::mt19937_64 random(kSeed);
  std::uniform_real_distribution<double> place(0.0, std::cbrt(n)), radius(0.5, 0.8);
  std::vector<Solid> balls;
  for (int i = 0; i < n; ++i) {
    const double x = place(random), y = place(random), z = place(random);
    balls.push_back(Sphere(radius(random)).Posed(At({x, y, z})));
  }
  return Union(std::move(balls));
}

// The plane of a half-space just below the cube's bottom, a little askew.
Pose UnderTheCluster(int n) {
  const double middle = 0.5 * std::cbrt(n);
  Pose pose = At({middle, middle, -0.1});
  pose.q = {0.9998, 0.0124, 0.0148, 0.0049};
  return pose;
}

void RegisterPart(const std::string& name, int n, Solid (*make)(int), const Solid& tool,
                  Pose (*pose_of)(int), int argument) {
  Register(BenchmarkName(name, {{"n", std::to_string(n)}}), [=](benchmark::State& state) {
    const Solid part = make(argument);
    std::unique_ptr<PreparedPair> pair;
    const double seconds =
        SecondsOf(WallSeconds, [&] { pair = std::make_unique<PreparedPair>(part, tool); });
    QueryOptions options;
    options.tolerance = kTolerance;
    const Pose pose = pose_of(argument);
    Metrics metrics;
    for (auto _ : state) {
      metrics = pair->Query(pose, options);
      benchmark::DoNotOptimize(metrics);
    }
    SetWorkCounters(state, metrics);
    SetCounter(state, "prepare_ms", 1e3 * seconds);
    SetCounter(state, "converged", metrics.converged);
  });
}

}  // namespace

void RegisterBenchmarks() {
  for (const int n : {1, 2, 5, 10, 20, 40, 100}) {
    RegisterPart("elsewhere/holes", n * n, PerforatedPlate, Sphere(0.3), OverTheRim, n);
  }
  for (const int n : {16, 100, 400, 1600}) {
    RegisterPart("overlap/spheres", n, Cluster, HalfSpace(), UnderTheCluster, n);
  }
}

}  // namespace volcontact::bench
