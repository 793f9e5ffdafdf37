// Queries random pairs of parts of a few primitives and writes the first section of
// docs/benchmarks_parts.md, a table of time, error, method and belief.
//
//   parts_survey [PAIRS [step]]
//
// With `step` queries leave out what forces along the area vector do not need, as those of a time
// step do.
//
// The error is the largest relative difference of V from an answer at a hundredth of the tolerance
// with A and B exchanged, in the same run: other frames, other cells. No closed form is used.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "random_parts.h"
#include "volcontact/volcontact.h"

namespace volcontact::bench {
namespace {

using Eigen::Vector3d;
using SolidPair = std::pair<Solid, Solid>;

constexpr double kTolerance = 1e-9, kReference = 1e-11;
constexpr int kRepeats = 3;

Solid Cylinders(Draw& draw, int count) { return Part{draw.SomeCylinders(count), {}}.MakeSolid(); }

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
      {"unions of 2 cylinders",
       [](Draw& d) { return SolidPair(Cylinders(d, 2), Cylinders(d, 2)); }},
      {"unions of 4 cylinders",
       [](Draw& d) { return SolidPair(Cylinders(d, 4), Cylinders(d, 4)); }},
      {"unions of 8 cylinders",
       [](Draw& d) { return SolidPair(Cylinders(d, 8), Cylinders(d, 8)); }},
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
bool Add(const SolidPair& solids, bool for_step, Tally* tally) {
  QueryOptions options;
  options.bound_volume = options.contact_area = !for_step;
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

void Survey(const Family& family, int pairs, bool for_step, std::map<std::string, int>* reasons) {
  Draw draw(20261122);
  Tally tally;
  for (int tries = 0; static_cast<int>(tally.seconds.size()) < pairs && tries < 4 * pairs;
       ++tries) {
    Add(family.make(draw), for_step, &tally);
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

void Run(int pairs, bool for_step) {
  fmt::print(
      "Random pairs at random poses, deep in each other unless a depth is named, {} at {:.0e}, the "
      "best of\n"
      "{} runs each. Error: the largest relative difference of V from an answer at {:.0e} with A "
      "and B exchanged.\n\n"
      "| pair | n | median [ms] | 95 % [ms] | worst [ms] | by edges | other | not converged | "
      "error |\n"
      "|---|---|---|---|---|---|---|---|---|\n",
      for_step ? "the metrics of a time step" : "all metrics", kTolerance, kRepeats, kReference);
  std::map<std::string, int> reasons;
  for (const Family& family : Families()) Survey(family, pairs, for_step, &reasons);
  fmt::print("\nWhy sums over edges failed, for all or for a part of the overlap:\n\n");
  for (const auto& [reason, times] : reasons) fmt::print("- {}: {}\n", reason, times);
  if (reasons.empty()) fmt::print("- never\n");
}

}  // namespace
}  // namespace volcontact::bench

int main(int count, char** arguments) {
  const int pairs = count > 1 ? std::atoi(arguments[1]) : 200;
  const bool for_step = count > 2 && std::string(arguments[2]) == "step";
  if (pairs < 1 || (count > 2 && !for_step)) {
    std::fprintf(stderr, "usage: parts_survey [PAIRS [step]]\n");
    return 2;
  }
  volcontact::bench::Run(pairs, for_step);
  return 0;
}
