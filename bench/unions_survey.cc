// Queries unions of many bodies beside a plane, a ball or another union, and writes
// docs/benchmarks_unions.md: time, growth, belief and error.
//
//   unions_survey [MOST_BODIES [FAMILY]]

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "random_parts.h"
#include "survey_head.h"
#include "volcontact/volcontact.h"

namespace volcontact::bench {
namespace {

using Eigen::Vector3d;

constexpr std::uint64_t kSeed = 20261125;
constexpr double kTolerance = 1e-9;
constexpr int kRepeats = 3, kPairs = 12, kBodiesOfAllPairs = 1000;

struct SolidPair {
  Solid A, B;
};

struct Family {
  std::string name;
  std::vector<int> bodies;
  std::function<SolidPair(Draw&, int)> make;
};

Pose At(const Vector3d& t) { return {t, Pose().q}; }

// A square of this half width holds n bodies of 0.1 m as dense as twelve of them on 0.3 m.
double HalfWidth(int n) { return 0.15 * std::sqrt(n / 12.0); }

// n turned bodies close to the plane z = 0, three in four of which reach it.
Solid Heap(Draw& draw, int n, const std::function<Solid(Draw&)>& make) {
  const double w = HalfWidth(n);
  std::vector<Solid> bodies;
  for (int i = 0; i < n; ++i) {
    Pose X = draw.Near(0.0);
    X.t = {draw.Between(-w, w), draw.Between(-w, w), draw.Between(-0.05, 0.05)};
    bodies.push_back(make(draw).Posed(X));
  }
  return Union(std::move(bodies));
}

Solid SomeBody(Draw& draw) {
  const double kind = draw.Between(0.0, 3.0);
  if (kind < 1.0) return Box({0.05, 0.05, 0.1});
  return kind < 2.0 ? Cylinder(0.02, 0.1) : Cone(0.03, 0.1);
}

SolidPair SpheresOnPlane(Draw& draw, int n) {
  const auto sphere = [](Draw& d) { return Sphere(d.Between(0.03, 0.06)); };
  return {Heap(draw, n, sphere), HalfSpace()};
}

SolidPair BodiesOnPlane(Draw& draw, int n) { return {Heap(draw, n, SomeBody), HalfSpace()}; }

SolidPair BodiesOnBall(Draw& draw, int n) {
  const double radius = 13.0 * HalfWidth(n);
  return {Heap(draw, n, SomeBody), Sphere(radius).Posed(At({0.0, 0.0, -radius}))};
}

Solid BoxAsMesh() {
  TriangleMesh mesh;
  for (int corner = 0; corner < 8; ++corner) {
    const auto side = [&](int axis) { return (corner >> axis & 1) - 0.5; };
    mesh.vertices.emplace_back(0.05 * side(0), 0.05 * side(1), 0.1 * side(2));
  }
  mesh.faces = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return Mesh(mesh);
}

SolidPair MeshesOnBall(Draw& draw, int n) {
  const double radius = 13.0 * HalfWidth(n);
  return {Heap(draw, n, [](Draw&) { return BoxAsMesh(); }),
          Sphere(radius).Posed(At({0.0, 0.0, -radius}))};
}

SolidPair Cylinders(Draw& draw, int n) {
  const Part A = {draw.SomeCylinders(n), {}}, B = {draw.SomeCylinders(n), {}};
  return {A.MakeSolid(), B.MakeSolid()};
}

std::vector<Family> Families() {
  return {{"unions of cylinders", {2, 4, 8, 16}, Cylinders},
          {"spheres × half-space", {16, 100, 400, 1600}, SpheresOnPlane},
          {"turned bodies × half-space", {12, 40, 200, 1000}, BodiesOnPlane},
          {"turned bodies × ball", {12, 40, 200, 1000}, BodiesOnBall},
          {"turned meshes of boxes × ball", {12, 40, 200}, MeshesOnBall}};
}

QueryOptions Options() {
  QueryOptions options;
  options.tolerance = kTolerance;
  options.bound_distance = false;
  return options;
}

// A ∩ B cut by two planes that meet at right angles.
double SumOfQuadrants(const SolidPair& pair) {
  const Pose X{{0.0123, -0.0071, 0.0},
               {0.91, 0.13, -0.21, std::sqrt(1.0 - 0.8281 - 0.0169 - 0.0441)}};
  const Solid half = HalfSpace().Posed({Vector3d::Zero(), {std::sqrt(0.5), std::sqrt(0.5), 0, 0}}),
              other = HalfSpace().Posed({Vector3d::Zero(), {std::sqrt(0.5), 0, std::sqrt(0.5), 0}});
  const auto beyond = [](const Solid& h) { return h.Posed({Vector3d::Zero(), {0, 0, 0, 1}}); };
  double sum = 0.0;
  for (const Solid& first : {half, beyond(half)}) {
    for (const Solid& second : {other, beyond(other)}) {
      const Solid quadrant = Intersection({first, second}).Posed(X);
      const PreparedPair cut(pair.A, Intersection({pair.B, quadrant}));
      sum += cut.Query(Pose(), Pose(), Options()).volume;
    }
  }
  return sum;
}

struct Tally {
  std::vector<double> seconds;
  int not_converged = 0, otherwise = 0;
  double worst = 0.0, widest = 0.0;  // relative: error, bracket
};

void Add(const SolidPair& solids, Tally* tally) {
  const PreparedPair pair(solids.A, solids.B);
  Metrics metrics;
  double best = 1e300;
  for (int n = 0; n < kRepeats; ++n) {
    const std::clock_t start = std::clock();
    metrics = pair.Query(Pose(), Pose(), Options());
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  if (!metrics.overlap) return;
  tally->seconds.push_back(best);
  if (!metrics.converged) ++tally->not_converged;
  if (!metrics.stats.fallback.empty()) ++tally->otherwise;
  const auto [lower, upper] = metrics.volume_bounds.value_or(std::array{0.0, HUGE_VAL});
  tally->widest = std::max(tally->widest, (upper - lower) / metrics.volume);
  tally->worst = std::max(tally->worst, std::abs(SumOfQuadrants(solids) / metrics.volume - 1.0));
}

void Survey(const Family& family, int most) {
  double before = 0.0;
  int n_before = 0;
  for (const int n : family.bodies) {
    if (n > most) continue;
    Draw draw(kSeed);
    Tally tally;
    const int pairs = std::clamp(kBodiesOfAllPairs / n, 1, kPairs);
    for (int i = 0; i < pairs; ++i) Add(family.make(draw, n), &tally);
    if (tally.seconds.empty()) continue;
    std::sort(tally.seconds.begin(), tally.seconds.end());
    const double median = 1e3 * tally.seconds[tally.seconds.size() / 2];
    const double growth =
        n_before > 0 ? std::log(median / before) / std::log(1.0 * n / n_before) : std::nan("");
    fmt::print("| {} | {} | {} | {:.2f} | {:.2f} | {:.1f} | {} | {} | {:.1e} | {:.1e} |\n",
               family.name, n, tally.seconds.size(), median, 1e3 * tally.seconds.back(), growth,
               tally.otherwise, tally.not_converged, tally.worst, tally.widest);
    std::fflush(stdout);
    before = median;
    n_before = n;
  }
}

}  // namespace
}  // namespace volcontact::bench

constexpr const char* kHeader = R"(# Unions of many bodies

Written by `unions_survey > docs/benchmarks_unions.md` (target `unions_survey`); do not edit.

{}, {}, {}, one core.

The pairs are unions of cylinders deep in each other, and heaps of turned boxes, cylinders and cones, or of balls.
Three in four of their bodies reach a plane or a large ball. A query asks for all metrics but the distance, at {}.

- Times are processor times of a prepared pair, the best of {} queries.
- "Growth" is the exponent of the number of bodies between two lines.
- "Error" is the largest relative difference of V from the sum over the four quadrants about a tilted line. Each
  quadrant is a separate query with other surfaces near it.
- "Bracket" is the largest relative width of `volume_bounds`. For meshes it is that of a bounding box by default.
- Meshes of boxes are joined into one when the pair is prepared. This time is not counted.

| pair | bodies | n | median [ms] | worst [ms] | growth | not by edges alone | not converged | error | bracket |
|---|---|---|---|---|---|---|---|---|---|
)";

int main(int count, char** arguments) {
  const int most = count > 1 ? std::atoi(arguments[1]) : 200;
  const std::string_view wanted = count > 2 ? arguments[2] : "";
  using volcontact::bench::Compiler, volcontact::bench::Machine, volcontact::bench::Today;
  fmt::print(kHeader, Today(), Compiler(), Machine(), volcontact::bench::kTolerance,
             volcontact::bench::kRepeats);
  for (const auto& family : volcontact::bench::Families()) {
    if (family.name.find(wanted) != std::string::npos) volcontact::bench::Survey(family, most);
  }
  return 0;
}
