// Queries random pairs of parts of a few primitives and writes a table: time, error, method,
// belief.
//
//   parts_survey [PAIRS] > docs/benchmarks_parts.md
//
// The error is the largest relative difference of V from an answer at a hundredth of the tolerance
// with A and B exchanged, in the same run: other frames, other cells. No closed form is used.

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "volcontact/volcontact.h"

namespace volcontact::bench {
namespace {

using Eigen::Vector3d;
using SolidPair = std::pair<Solid, Solid>;

constexpr double kTolerance = 1e-9, kReference = 1e-11;
constexpr int kRepeats = 3;

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}

  double Between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  Vector3d Vector(double low, double high) {
    const double x = Between(low, high), y = Between(low, high), z = Between(low, high);
    return {x, y, z};
  }
  Pose Near(double reach) {
    Eigen::Vector4d q;
    std::normal_distribution<double> normal;
    for (int i = 0; i < 4; ++i) q[i] = normal(engine_);
    q.normalize();
    return {Vector(-reach, reach), {q[0], q[1], q[2], q[3]}};
  }
  Solid SomeBox() { return Box(Vector(0.6, 1.4)).Posed(Near(0.3)); }
  Solid SomeSphere() { return Sphere(Between(0.3, 0.6)).Posed(Near(0.4)); }
  Solid SomeCylinder() {
    const double radius = Between(0.2, 0.4);
    return Cylinder(radius, Between(0.8, 2.0)).Posed(Near(0.3));
  }
  Solid Cylinders(int count) {
    std::vector<Solid> all;
    for (int n = 0; n < count; ++n) all.push_back(SomeCylinder());
    return Union(all);
  }

 private:
  std::mt19937_64 engine_;
};

struct Family {
  std::string name;
  std::function<SolidPair(Draw&)> make;
};

// A ball so deep in the middle of a plate's face, moved with it.
SolidPair BallOnPlate(Draw& draw, double depth) {
  const double radius = draw.Between(0.1, 0.3);
  const Pose X = draw.Near(1.0);
  const Solid plate = Difference(Box({1.0, 1.0, 0.4}), {Cylinder(0.2, 1.0)}).Posed(X);
  const Solid ball =
      Sphere(radius).Posed({{0.34, 0.3, 0.2 + radius - depth}, {1.0, 0.0, 0.0, 0.0}});
  return {plate, ball.Posed(X)};
}

std::vector<Family> Families() {
  return {
      {"union of 2 spheres × box",
       [](Draw& d) {
         return SolidPair(Union({d.SomeSphere(), d.SomeSphere()}), d.SomeBox());
       }},
      {"box − sphere × box",
       [](Draw& d) { return SolidPair(Difference(d.SomeBox(), {d.SomeSphere()}), d.SomeBox()); }},
      {"box − cylinder × box",
       [](Draw& d) { return SolidPair(Difference(d.SomeBox(), {d.SomeCylinder()}), d.SomeBox()); }},
      {"box − 2 cylinders × cylinder",
       [](Draw& d) {
         return SolidPair(Difference(d.SomeBox(), {d.SomeCylinder(), d.SomeCylinder()}),
                          d.SomeCylinder());
       }},
      {"box ∪ cylinder × box ∪ sphere",
       [](Draw& d) {
         return SolidPair(Union({d.SomeBox(), d.SomeCylinder()}),
                          Union({d.SomeBox(), d.SomeSphere()}));
       }},
      {"unions of 2 cylinders", [](Draw& d) { return SolidPair(d.Cylinders(2), d.Cylinders(2)); }},
      {"unions of 4 cylinders", [](Draw& d) { return SolidPair(d.Cylinders(4), d.Cylinders(4)); }},
      {"unions of 8 cylinders", [](Draw& d) { return SolidPair(d.Cylinders(8), d.Cylinders(8)); }},
      {"ellipsoid × ellipsoid",
       [](Draw& d) {
         return SolidPair(Ellipsoid(d.Vector(0.3, 0.8)).Posed(d.Near(0.3)),
                          Ellipsoid(d.Vector(0.3, 0.8)).Posed(d.Near(0.3)));
       }},
      {"capsule × box",
       [](Draw& d) {
         return SolidPair(Capsule(d.Between(0.1, 0.3), 0.8).Posed(d.Near(0.4)), d.SomeBox());
       }},
      {"cone × cylinder",
       [](Draw& d) {
         return SolidPair(Cone(d.Between(0.3, 0.6), 1.0).Posed(d.Near(0.4)), d.SomeCylinder());
       }},
      {"torus × box",
       [](Draw& d) {
         return SolidPair(Torus(0.5, d.Between(0.1, 0.25)).Posed(d.Near(0.3)), d.SomeBox());
       }},
      {"ball 1e-3 deep on a drilled plate", [](Draw& d) { return BallOnPlate(d, 1e-3); }},
      {"ball 1e-6 deep on a drilled plate", [](Draw& d) { return BallOnPlate(d, 1e-6); }},
      {"ball 1e-8 deep on a drilled plate", [](Draw& d) { return BallOnPlate(d, 1e-8); }},
  };
}

struct Tally {
  std::vector<double> seconds;
  int edges = 0, otherwise = 0, not_converged = 0;
  double worst = 0.0;
  std::map<std::string, int> reasons;
};

Metrics Timed(const PreparedPair& pair, const QueryOptions& options, double* seconds) {
  Metrics metrics;
  *seconds = 1e300;
  for (int n = 0; n < kRepeats; ++n) {
    const auto start = std::chrono::steady_clock::now();
    metrics = pair.Query(Pose(), Pose(), options);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    *seconds = std::min(*seconds, taken.count());
  }
  return metrics;
}

// False without an overlap.
bool Add(const SolidPair& solids, Tally* tally) {
  QueryOptions options;
  options.tolerance = kTolerance;
  options.bound_distance = false;
  double seconds;
  const Metrics metrics = Timed(PreparedPair(solids.first, solids.second), options, &seconds);
  if (!metrics.overlap) return false;
  tally->seconds.push_back(seconds);
  ++(metrics.stats.edges > 0 ? tally->edges : tally->otherwise);
  if (!metrics.stats.fallback.empty()) ++tally->reasons[metrics.stats.fallback];
  if (!metrics.converged) {
    ++tally->not_converged;
    return true;
  }
  options.tolerance = kReference;
  const Metrics reference =
      PreparedPair(solids.second, solids.first).Query(Pose(), Pose(), options);
  tally->worst = std::max(tally->worst, std::abs(metrics.volume / reference.volume - 1.0));
  return true;
}

void Survey(const Family& family, int pairs, std::map<std::string, int>* reasons) {
  Draw draw(20261122);
  Tally tally;
  for (int tries = 0; static_cast<int>(tally.seconds.size()) < pairs && tries < 4 * pairs;
       ++tries) {
    Add(family.make(draw), &tally);
  }
  std::sort(tally.seconds.begin(), tally.seconds.end());
  const std::size_t count = tally.seconds.size();
  const auto at = [&](double part) {
    return 1e3 * tally.seconds[std::min(count - 1, static_cast<std::size_t>(part * count))];
  };
  fmt::print("| {} | {} | {:.2f} | {:.2f} | {:.2f} | {} | {} | {} | {:.1e} |\n", family.name, count,
             at(0.5), at(0.95), at(1.0), tally.edges, tally.otherwise, tally.not_converged,
             tally.worst);
  std::fflush(stdout);
  for (const auto& [reason, times] : tally.reasons) (*reasons)[reason] += times;
}

void Run(int pairs) {
  fmt::print(
      "# Parts of a few primitives\n\n"
      "Written by `build/release/bench/parts_survey` ({:%Y-%m-%d}, gcc {}, one core of a shared "
      "machine): random pairs at random poses, "
      "deep in each\n"
      "other but where a depth is named, all metrics at {:.0e}, the best of {} runs each. Error: "
      "the largest relative\n"
      "difference of V from an answer at {:.0e} with A and B exchanged.\n\n"
      "| pair | n | median [ms] | 95 % [ms] | worst [ms] | by edges | otherwise | not converged | "
      "error |\n"
      "|---|---|---|---|---|---|---|---|---|\n",
      fmt::localtime(std::time(nullptr)), __VERSION__, kTolerance, kRepeats, kReference);
  std::map<std::string, int> reasons;
  for (const Family& family : Families()) Survey(family, pairs, &reasons);
  fmt::print("\nWhy edges did not do, for all or for a part of the overlap:\n\n");
  for (const auto& [reason, times] : reasons) fmt::print("- {}: {}\n", reason, times);
  if (reasons.empty()) fmt::print("- never\n");
}

}  // namespace
}  // namespace volcontact::bench

int main(int count, char** arguments) {
  const int pairs = count > 1 ? std::atoi(arguments[1]) : 200;
  if (pairs < 1) {
    std::fprintf(stderr, "usage: parts_survey [PAIRS]\n");
    return 2;
  }
  volcontact::bench::Run(pairs);
  return 0;
}
