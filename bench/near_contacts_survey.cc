// Meshes and other solids that just miss each other, and that just touch; writes
// docs/benchmarks_near_contacts.md, and to standard error each case that fell short.
//
//   near_contacts_survey [POSES]
//
// Gaps from 1e-9 to 1e-2 of the mesh's size, depths from 1e-7 to 1e-2, at faces, edges and vertices
// of eleven meshes, the same number of each kind of solid. What is true is known from how they were
// put there and from a look at all other faces (tests/support/near_contacts.h).

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "support/near_contacts.h"
#include "volcontact/volcontact.h"

namespace volcontact::bench {
namespace {

using Eigen::Vector3d;
using testing::Feature;
using testing::NearMesh;
using testing::NearPlace;
using testing::NearSolid;

constexpr int kAttempts = 200;
// A bound is right up to roundings of coordinates of this part of the size.
constexpr double kRounding = 1e-13;
constexpr double kShare = 0.9;

constexpr const char* kHeader = R"(# Meshes that just miss and just touch other solids

Written by `near_contacts_survey {0} > docs/benchmarks_near_contacts.md` (target `near_contacts_survey`); do not edit.

At {0} random places a solid misses one of eleven meshes, and at as many it touches one. The meshes are the six of
`data/meshes`, a sphere, a torus, a gear, a star and an L. A solid misses by 1e-9 to 1e-2 of its size, beside a
face, an edge or a vertex, or touches with a depth of 1e-7 to 1e-2. Its size is about a tenth of the mesh's. The
distance is known from the placement. Other code has checked all faces that might be nearer. Times are processor
times of one core with a prepared pair: `Separate` for the misses, `Query` at 1e-6 for the touches.

"Undecided": `Overlaps` did not prove a miss. "Too large": the bound exceeds the distance. "Under 0.9": it is less than nine
tenths of the distance. "No points": no nearest points were found, or they are farther apart than that.
)";

struct Misses {
  std::string name;
  int count = 0, overlaps = 0, undecided = 0, wrong = 0, short_of = 0, no_points = 0;
  std::vector<double> microseconds;
};

struct Touches {
  int count = 0, missed = 0, open = 0, outside = 0, indefinite = 0, unproved = 0;
  std::vector<double> microseconds;
};

// Processor time, so that other work does not count.
template <class F>
double MicrosecondsOf(const F& f) {
  const std::clock_t start = std::clock();
  f();
  return 1e6 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

void Tell(const char* what, const NearMesh& mesh, const NearSolid& solid, const NearPlace& place,
          double value) {
  std::fprintf(stderr, "%s: %s x %s, gap %.3g of the size, value %.6g of it; pose", what,
               mesh.name.c_str(), solid.name.c_str(), place.truth / mesh.size, value / place.truth);
  for (const double x : place.X_MB.t) std::fprintf(stderr, " %.17g", x);
  for (const double x : place.X_MB.q) std::fprintf(stderr, " %.17g", x);
  std::fprintf(stderr, "\n");
}

void Miss(const NearMesh& mesh, const NearSolid& solid, const NearPlace& place, Misses* misses) {
  const PreparedPair pair(mesh.solid, solid.solid);
  const double gap = place.truth, rounding = kRounding * mesh.size;
  ++misses->count;
  Separation found;
  misses->microseconds.push_back(
      MicrosecondsOf([&] { found = pair.Separate(Pose{}, place.X_MB); }));
  const auto count = [&](bool is_so, const char* what, int* number) {
    if (!is_so) return;
    ++*number;
    Tell(what, mesh, solid, place, found.distance_bound);
  };
  count(found.distance_bound > gap * (1.0 + 1e-9) + rounding, "beyond", &misses->wrong);
  count(found.distance_bound < kShare * gap - rounding, "short", &misses->short_of);
  const auto& points = found.nearest_W;
  const double apart = points ? ((*points)[0] - (*points)[1]).norm() : 0.0;
  count(!points || apart < gap * (1.0 - 2e-3) - rounding || apart > gap / kShare + rounding,
        "no points", &misses->no_points);
  count(pair.Query(Pose{}, place.X_MB).overlap, "overlap", &misses->overlaps);
  count(pair.Overlaps(Pose{}, place.X_MB) != OverlapProof::kSeparated, "undecided",
        &misses->undecided);
}

bool Holds(const Aabb& box, const Vector3d& p, double margin) {
  return (p.array() >= box.min.array() - margin).all() &&
         (p.array() <= box.max.array() + margin).all();
}

void Touch(const NearMesh& mesh, const NearSolid& solid, const NearPlace& place, Touches* touches) {
  const PreparedPair pair(mesh.solid, solid.solid);
  ++touches->count;
  Metrics metrics;
  touches->microseconds.push_back(
      MicrosecondsOf([&] { metrics = pair.Query(Pose{}, place.X_MB); }));
  const auto count = [&](bool is_so, const char* what, int* number) {
    if (!is_so) return;
    ++*number;
    Tell(what, mesh, solid, place, std::cbrt(metrics.volume));
  };
  count(!metrics.overlap || !(metrics.volume > 0.0), "missed", &touches->missed);
  count(!metrics.converged, "open", &touches->open);
  const double margin = kRounding * mesh.size;
  count(metrics.overlap &&
            !(Holds(mesh.solid.Bounds(), metrics.centroid_W, margin) &&
              Holds(solid.solid.Posed(place.X_MB).Bounds(), metrics.centroid_W, margin)),
        "outside", &touches->outside);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(metrics.inertia_W);
  count(metrics.overlap && !(solver.eigenvalues().minCoeff() > 0.0), "indefinite",
        &touches->indefinite);
  count(pair.Overlaps(Pose{}, place.X_MB) == OverlapProof::kSeparated, "separated",
        &touches->unproved);
}

double Quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0.0;
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

// Places of one kind of solid, a gap or a depth each.
template <class Visit>
void ForPlaces(const std::vector<NearMesh>& meshes, int kind, int poses, double least, double sign,
               const Visit& visit) {
  std::mt19937_64 random(static_cast<std::uint64_t>(100 + kind));
  const double low = std::log10(least);
  for (int n = 0, tries = 0; n < poses && tries < kAttempts * poses; ++tries) {
    const NearMesh& mesh = meshes[static_cast<std::size_t>(n) % meshes.size()];
    const NearSolid solid = testing::MakeNearSolid(kind, mesh.size, &random);
    const double size = std::pow(10.0, std::uniform_real_distribution<double>(low, -2.0)(random));
    const auto place = testing::PlaceNear(mesh, solid, static_cast<Feature>((n / 11) % 3),
                                          sign * size * mesh.size, &random);
    if (!place) continue;
    ++n;
    visit(mesh, solid, *place);
  }
}

void Run(int poses) {
  const std::vector<NearMesh> meshes = testing::NearMeshes();
  const int each = (poses + testing::kNearKinds - 1) / testing::kNearKinds;
  fmt::print(kHeader, poses);
  fmt::print(
      "\n| solid | misses | overlap | undecided | bound too large | under 0.9 | no points | median "
      "[µs] | 99 % [µs] | worst [µs] |\n|---|---|---|---|---|---|---|---|---|---|\n");
  for (int kind = 0; kind < testing::kNearKinds; ++kind) {
    Misses m;
    ForPlaces(meshes, kind, each, 1e-9, 1.0,
              [&](const NearMesh& mesh, const NearSolid& solid, const NearPlace& place) {
                m.name = solid.name;
                Miss(mesh, solid, place, &m);
              });
    fmt::print("| {} | {} | {} | {} | {} | {} | {} | {:.1f} | {:.0f} | {:.0f} |\n", m.name, m.count,
               m.overlaps, m.undecided, m.wrong, m.short_of, m.no_points,
               Quantile(m.microseconds, 0.5), Quantile(m.microseconds, 0.99),
               Quantile(m.microseconds, 1.0));
    std::fflush(stdout);
  }
  fmt::print(
      "\n| solid | touches | no overlap | not converged | centroid outside | inertia not positive "
      "| proved apart | median [µs] | 99 % [µs] | worst [µs] |\n"
      "|---|---|---|---|---|---|---|---|---|---|\n");
  for (int kind = 0; kind < testing::kNearKinds; ++kind) {
    Touches t;
    std::string name;
    ForPlaces(meshes, kind, each, 1e-7, -1.0,
              [&](const NearMesh& mesh, const NearSolid& solid, const NearPlace& place) {
                name = solid.name;
                Touch(mesh, solid, place, &t);
              });
    fmt::print("| {} | {} | {} | {} | {} | {} | {} | {:.0f} | {:.0f} | {:.0f} |\n", name, t.count,
               t.missed, t.open, t.outside, t.indefinite, t.unproved, Quantile(t.microseconds, 0.5),
               Quantile(t.microseconds, 0.99), Quantile(t.microseconds, 1.0));
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace volcontact::bench

int main(int argc, char** argv) {
  volcontact::bench::Run(argc > 1 ? std::atoi(argv[1]) : 10'000);
  return 0;
}
