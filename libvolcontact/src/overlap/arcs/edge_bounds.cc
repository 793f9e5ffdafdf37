// Bounds of what integrals along edges are off.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "math/discs.h"
#include "math/rule_bounds.h"
#include "overlap/arcs/edge_quadrature.h"

namespace volcontact {
namespace {

// Sums of the half axes of ellipses about [−1, 1] in which forms may be analytic.
constexpr double kFirstReach = 2.0, kLargeReach = 3.5, kSmallReaches[] = {1.5, 1.3};
// Ellipses that are thinner than that of this sum take twice as many discs.
constexpr double kThin = 1.4;
// What the quadrature of all pieces may be off, relative to the volume, before pieces are halved;
// how often each may be, and how many nodes its halves may take.
constexpr double kEnough = 1e-2;
constexpr int kMostHalvings = 12;
constexpr long kMostNodes = 2'000;
// By how much roundings of sums are off, relative to their terms.
constexpr double kRoundingOfSums = 1e-13;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

// What a part of an edge adds to the volume.
double EdgeQuadrature::VolumeOf(const EdgePiece& piece, const PieceIntegrals& integrals) const {
  const std::span<const EdgeSheet> sheets = piece.sheets.All();
  double volume = 0.0;
  for (std::size_t k = 0; k < sheets.size(); ++k) {
    const double unit = FormOf(sheets[k]).Units().s[BoundarySums::kVolume];
    volume += sheets[k].weight * unit * integrals.sums[k].s[BoundarySums::kVolume];
  }
  return volume;
}

// Whether MostOn may tell anything.
bool EdgeQuadrature::HasDiscs(const EdgePiece& piece) const {
  const std::span<const EdgeSheet> sheets = piece.sheets.All();
  return of_region_->HasDiscs(piece) && !IsSeam(piece) &&
         std::all_of(sheets.begin(), sheets.end(),
                     [this](const EdgeSheet& sheet) { return FormOf(sheet).HasVolumeOn(); });
}

// How large the forms of a part's volume are, taken together, in an ellipse about it at most, on
// the derivative by a place in [−1, 1]; infinite where they may not be analytic.
double EdgeQuadrature::MostOn(const EdgePiece& piece, const Part& part, double reach) const {
  const double half = 0.5 * (part.to - part.from);
  const int packs = reach < kThin ? 2 : 1;
  double largest = 0.0;
  for (int n = 0; n < packs; ++n) {
    std::array<Discs, 3> p, derivative;
    of_region_->DiscsOn(piece, part.from + half * (1.0 + DiscsAbout(reach, n, packs)), &p,
                        &derivative);
    Discs sum;
    for (const EdgeSheet& sheet : piece.sheets.All()) {
      sum += sheet.weight * FormOf(sheet).VolumeOn(p, derivative);
    }
    const Lanes most = half * sum.Magnitude();
    for (std::size_t k = 0; k < Lanes::kCount; ++k) {
      if (!(most.x[k] < kInfinity)) return kInfinity;
      largest = std::max(largest, most.x[k]);
    }
  }
  return largest;
}

// By how much a value is off what a part of an edge adds to the volume, at most; `rule`: the one
// that it is from, 0 if it is from several.
double EdgeQuadrature::BoundOf(const EdgePiece& piece, const Part& part, double value, int rule,
                               double enough, int halvings, Nodes* nodes) const {
  if (IsStraight(piece)) return 0.0;
  double bound = kInfinity;
  const auto try_reach = [&](double reach) {
    const double most = MostOn(piece, part, reach);
    if (rule > 0) bound = std::min(bound, most * ErrorOfRule(rule, reach));
    return most < kInfinity;
  };
  if (try_reach(kFirstReach)) {
    if (bound > enough) try_reach(kLargeReach);
  } else {
    for (const double reach : kSmallReaches) {
      if (bound > enough) try_reach(reach);
    }
  }
  if (bound <= enough || halvings == 0 || nodes->count > kMostNodes) return bound;
  const double middle = 0.5 * (part.from + part.to);
  double sum = 0.0, by_halves = 0.0;
  for (const Part& half : {Part{part.from, middle}, Part{middle, part.to}}) {
    const double of_half = VolumeOf(piece, Integrate(piece, half, kRuleOfHalves, 0, nodes));
    by_halves += BoundOf(piece, half, of_half, kRuleOfHalves, 0.5 * enough, halvings - 1, nodes);
    if (nodes->lost || by_halves == kInfinity) return bound;
    sum += of_half;
  }
  return std::min(bound, by_halves + std::abs(sum - value));
}

double EdgeQuadrature::VolumeBound(double volume) {
  const double enough = kEnough * volume / static_cast<double>(edges_.size());
  if (!std::all_of(edges_.begin(), edges_.end(),
                   [this](const EdgePiece& piece) { return IsStraight(piece) || HasDiscs(piece); }))
    return kInfinity;
  double bound = 0.0, terms = 0.0;
  for (std::size_t n = 0; n < edges_.size() && bound < kInfinity; ++n) {
    nodes_.front().count = 0;
    bound += BoundOf(edges_[n], {}, volumes_[n], rules_[n], enough, kMostHalvings, &nodes_.front());
    terms += std::abs(volumes_[n]);
  }
  return bound + kRoundingOfSums * terms;
}

}  // namespace volcontact
