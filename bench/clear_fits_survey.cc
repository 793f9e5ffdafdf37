// Asks for the distance of fits whose parts are clear of each other; writes
// docs/benchmarks_clear_fits.md, and to standard error each bound that is wrong. The same for parts
// beside each other.
//
//   clear_fits_survey [CASES [SEED]]

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "random_parts.h"
#include "support/clear_fits.h"
#include "volcontact/volcontact.h"

namespace volcontact::bench {
namespace {

using testing::ClearFit;

// The best of so many runs.
constexpr int kRepeats = 3;
// The truth is found by descent, and coordinates are some metres.
constexpr double kTruthRounding = 1e-7, kRounding = 1e-13;

constexpr const char* kHeader = R"(# Fits that are clear of each other

Written by `clear_fits_survey > docs/benchmarks_clear_fits.md` (target `clear_fits_survey`); do not edit.

{}, one core.

The pairs are shafts in bores and within them, balls in sockets and races, cones in seats, rings in grooves, on
shafts and in bores, keys, dovetails, stepped pins in pockets, and ellipsoids in moulds, in both orders of A and B.
Clearances are 1e-6 to 1e-1 of the radius. Parts are shifted and tilted within them, at random poses (seed {}).

- Times are processor times, the best of {} runs, of the distance bound alone, and of a query of all metrics with
  that bound.
- "Bound over distance" is the least quotient. The distance is the least distance of points of B's faces from A, by
  formulas for points and descent on the faces, without the library.
- "Wrong" counts bounds above the distance.

| pair | n | bound, median [ms] | worst [ms] | query, median [ms] | worst [ms] | bound over distance | wrong |
|---|---|---|---|---|---|---|---|
)";

constexpr const char* kPartsHeader = R"(
## Parts beside each other

Random parts, some 1 m large, at random poses up to 2 m from each other, of which those are counted that are apart.
"Bound over points" is the least quotient of the bound and the distance of the nearest points that come with it.
"Wrong" counts pairs that overlap once one of them has moved by 0.999 of the bound toward the other.

| pair | n | bound, median [ms] | worst [ms] | query, median [ms] | worst [ms] | bound over points | wrong |
|---|---|---|---|---|---|---|---|
)";

struct Tally {
  std::vector<double> of_bound, of_query;
  double least = 1.0;
  int wrong = 0;
};

template <class Work>
double BestTime(const Work& work) {
  double best = 1e300;
  for (int n = 0; n < kRepeats; ++n) {
    const std::clock_t start = std::clock();
    work();
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

void Add(const ClearFit& fit, bool exchanged, Tally* tally) {
  const PreparedPair pair = exchanged ? PreparedPair(fit.B, fit.A) : PreparedPair(fit.A, fit.B);
  const Pose X_WA = exchanged ? Pose() : fit.X_WA, X_WB = exchanged ? fit.X_WA : Pose();
  double bound = 0.0;
  tally->of_bound.push_back(BestTime([&] { bound = pair.DistanceBound(X_WA, X_WB); }));
  tally->of_query.push_back(BestTime([&] { pair.Query(X_WA, X_WB); }));
  tally->least = std::min(tally->least, bound / fit.distance);
  if (bound <= fit.distance * (1.0 + kTruthRounding) + kRounding) return;
  ++tally->wrong;
  fmt::print(stderr, "{}{}: {} of {}\n", fit.id, exchanged ? ", exchanged" : "", bound,
             fit.distance);
}

// A quantile [ms].
double Quantile(double part, std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  const double last = static_cast<double>(seconds.size() - 1);
  return 1e3 * seconds[static_cast<std::size_t>(std::ceil(part * last))];
}

void Print(const std::string& family, const Tally& tally) {
  std::string spoken = family;
  std::replace(spoken.begin(), spoken.end(), '_', ' ');
  fmt::print("| {} | {} | {:.3f} | {:.3f} | {:.3f} | {:.3f} | {:.3f} | {} |\n", spoken,
             tally.of_bound.size(), Quantile(0.5, tally.of_bound), Quantile(1.0, tally.of_bound),
             Quantile(0.5, tally.of_query), Quantile(1.0, tally.of_query), tally.least,
             tally.wrong);
}

void AddParts(const Solid& A, const Solid& B, const Pose& X_AB, Tally* tally) {
  const PreparedPair pair(A, B);
  Separation found = pair.Separate(Pose(), X_AB);
  if (!(found.distance_bound > 0.0)) return;
  tally->of_bound.push_back(BestTime([&] { found = pair.Separate(Pose(), X_AB); }));
  tally->of_query.push_back(BestTime([&] { pair.Query(Pose(), X_AB); }));
  if (!found.nearest_W) return;
  const Eigen::Vector3d apart = (*found.nearest_W)[0] - (*found.nearest_W)[1];
  tally->least = std::min(tally->least, found.distance_bound / apart.norm());
  const Pose moved = {X_AB.t + 0.999 * found.distance_bound * apart.normalized(), X_AB.q};
  tally->wrong += pair.Overlaps(Pose(), moved) == OverlapProof::kOverlap ? 1 : 0;
}

void RunParts(int of_each, std::uint32_t seed) {
  fmt::print(kPartsHeader);
  Draw draw(seed);
  const auto holed_box = [&] {
    return Part{{draw.SomeBox()}, {draw.SomeCylinder(), draw.SomeCylinder()}}.MakeSolid();
  };
  const auto boxes = [&] { return Part{{draw.SomeBox(), draw.SomeBox()}, {}}.MakeSolid(); };
  const auto mixed = [&] {
    return Part{{draw.SomeBox(), draw.SomeCylinder(), draw.SomeSphere()}, {}}.MakeSolid();
  };
  const auto family = [&](const char* name, const auto& make_A, const auto& make_B) {
    Tally tally;
    while (static_cast<int>(tally.of_bound.size()) < 2 * of_each) {
      const Solid A = make_A(), B = make_B();
      AddParts(A, B, draw.Near(2.0), &tally);
    }
    Print(name, tally);
  };
  family("unions of two boxes", boxes, boxes);
  family("box, cylinder, ball; the same", mixed, mixed);
  family("box with two holes; box, cylinder, ball", holed_box, mixed);
  family("boxes with two holes", holed_box, holed_box);
}

void Run(int of_each, std::uint32_t seed) {
  char today[16];
  const std::time_t now = std::time(nullptr);
  std::strftime(today, sizeof today, "%F", std::gmtime(&now));
  fmt::print(kHeader, today, seed, kRepeats);
  const std::vector<ClearFit> fits = testing::MakeClearFits(of_each, seed);
  for (std::size_t first = 0; first < fits.size(); first += static_cast<std::size_t>(of_each)) {
    Tally tally;
    for (int n = 0; n < of_each; ++n) {
      for (const bool exchanged : {false, true}) {
        Add(fits[first + static_cast<std::size_t>(n)], exchanged, &tally);
      }
    }
    Print(fits[first].family, tally);
  }
  RunParts(of_each, seed);
}

}  // namespace
}  // namespace volcontact::bench

int main(int count, char** arguments) {
  const int of_each = count > 1 ? std::atoi(arguments[1]) : 20;
  const int seed = count > 2 ? std::atoi(arguments[2]) : 7;
  if (of_each < 1 || seed < 0) {
    std::fprintf(stderr, "usage: clear_fits_survey [CASES [SEED]]\n");
    return 2;
  }
  volcontact::bench::Run(of_each, static_cast<std::uint32_t>(seed));
  return 0;
}
