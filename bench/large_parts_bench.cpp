// How the time of a query grows with what a part holds elsewhere, and with the surfaces that take
// part in the overlap; and how long such parts take to prepare.
// Names: elsewhere/<part>/n:.., overlap/<part>/n:.. with the counters prepare_ms, median_us (CPU
// time) and converged, of cylinders medians over some pairs.

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "random_parts.h"
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
  const double tilt = 0.01;  // half the angle, about an axis in the plane
  pose.q = {std::cos(tilt), 0.6 * std::sin(tilt), 0.8 * std::sin(tilt), 0.0};
  return pose;
}

struct PartPair {
  Solid A, B;
  Pose X_AB;
};

PartPair BallOverPlate(int holes) {
  const int n = static_cast<int>(std::lround(std::sqrt(holes)));
  return {PerforatedPlate(n), Sphere(0.3), OverTheRim(n)};
}
PartPair ClusterOnPlane(int balls) { return {Cluster(balls), HalfSpace(), UnderTheCluster(balls)}; }

// Random unions of n cylinders, deep in each other.
std::vector<PartPair> CylinderPairs(int n) {
  constexpr int kPairs = 11;
  Draw draw(kSeed);
  std::vector<PartPair> pairs;
  for (int i = 0; i < kPairs; ++i) {
    const Part A = {draw.SomeCylinders(n), {}}, B = {draw.SomeCylinders(n), {}};
    pairs.push_back({A.MakeSolid(), B.MakeSolid(), Pose()});
  }
  return pairs;
}

void Measure(benchmark::State& state, const std::vector<PartPair>& pairs) {
  QueryOptions options;
  options.tolerance = kTolerance;
  std::vector<double> preparing, querying;
  bool converged = true;
  for (auto _ : state) {
    for (const PartPair& one : pairs) {
      std::unique_ptr<PreparedPair> pair;
      preparing.push_back(
          SecondsOf(WallSeconds, [&] { pair = std::make_unique<PreparedPair>(one.A, one.B); }));
      querying.push_back(MedianSeconds([&] {
        return SecondsOf(ThreadCpuSeconds, [&] {
          converged = pair->QueryRelative(one.X_AB, options).converged && converged;
        });
      }));
    }
  }
  SetCounter(state, "prepare_ms", 1e3 * Median(preparing));
  SetCounter(state, "median_us", 1e6 * Median(querying));
  SetCounter(state, "converged", converged);
}

void RegisterPairs(const std::string& name, int n, std::function<std::vector<PartPair>(int)> make) {
  Register(BenchmarkName(name, {{"n", std::to_string(n)}}), [=](benchmark::State& state) {
    Measure(state, make(n));
  })->Iterations(1);
}

}  // namespace

void RegisterBenchmarks() {
  for (const int n : {1, 4, 25, 100, 400, 1600, 10'000}) {
    RegisterPairs("elsewhere/holes", n,
                  [](int holes) { return std::vector{BallOverPlate(holes)}; });
  }
  for (const int n : {16, 100, 400, 1600}) {
    RegisterPairs("overlap/spheres", n,
                  [](int balls) { return std::vector{ClusterOnPlane(balls)}; });
  }
  for (const int n : {2, 4, 8}) RegisterPairs("overlap/cylinders", n, CylinderPairs);
}

}  // namespace volcontact::bench
