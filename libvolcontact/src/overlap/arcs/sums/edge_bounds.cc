// Bounds of what integrals along edges are off.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "math/arithmetic/discs.h"
#include "math/quadrature/rule_bounds.h"
#include "overlap/arcs/sums/edge_quadrature.h"

namespace volcontact {
namespace {

// Sums of the half axes of ellipses about [−1, 1] in which forms may be analytic, and which of them
// is tried first, by the rule: then smaller ones where it is too large, larger ones for less.
constexpr double kReaches[] = {1.3, 1.5, 2.0, 3.5};
constexpr int kFirstReach[kPattersonCount] = {3, 3, 3, 2, 1};
// Ellipses of less than this sum take twice as many discs. That of the largest sum is not tried on
// tori: centres of its discs lie beyond the ends of the edge, where a seam may be.
constexpr double kThin = 1.4;
// What the quadrature of all pieces may be off, relative to the volume, before pieces are halved;
// how often each may be, with this rule for its parts, and how many packs of discs each may take on
// average.
constexpr double kEnough = 1e-2;
constexpr int kMostHalvings = 12, kRuleOfParts = 4;
constexpr long kFewPacks = 12, kManyPacks = 300;
// By how much roundings of sums are off, relative to their terms.
constexpr double kRoundingOfSums = 1e-13;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

// What an edge adds to the volume.
double EdgeQuadrature::VolumeOf(const EdgePiece& piece, const PieceIntegrals& integrals) const {
  const std::span<const EdgeSheet> sheets = piece.sheets.All();
  double volume = 0.0;
  for (std::size_t k = 0; k < sheets.size(); ++k) {
    const double unit = FormOf(sheets[k]).Units().s[BoundarySums::kVolume];
    volume += sheets[k].weight * unit * integrals.sums[k].s[BoundarySums::kVolume];
  }
  return volume;
}

// The forms of the volume of an edge, together, at points or on discs of them.
template <class T>
T EdgeQuadrature::VolumeOn(const EdgePiece& piece, const std::array<T, 3>& p,
                           const std::array<T, 3>& derivative) const {
  T sum;
  for (const EdgeSheet& sheet : piece.sheets.All()) {
    sum += sheet.weight * FormOf(sheet).VolumeOn(p, derivative, IsSeam(piece));
  }
  return sum;
}

// Whether VolumeOn serves.
bool EdgeQuadrature::HasDiscs(const EdgePiece& piece) const {
  const std::span<const EdgeSheet> sheets = piece.sheets.All();
  return of_region_->HasDiscs(piece) &&
         std::all_of(sheets.begin(), sheets.end(),
                     [this](const EdgeSheet& sheet) { return FormOf(sheet).HasVolumeOn(); });
}

bool EdgeQuadrature::IsOnTorus(const EdgePiece& piece) const {
  const std::span<const EdgeSheet> sheets = piece.sheets.All();
  return std::any_of(sheets.begin(), sheets.end(),
                     [this](const EdgeSheet& sheet) { return FormOf(sheet).IsOfTorus(); });
}

// How large the forms of a part's volume are in an ellipse about it at most; infinite where they
// may not be analytic.
double EdgeQuadrature::MostOn(const EdgePiece& piece, const Part& part, double reach,
                              long* packs) const {
  const int count = reach < kThin ? 2 : 1;
  const double half = 0.5 * (part.to - part.from);
  double largest = 0.0;
  for (int n = 0; n < count; ++n) {
    --*packs;
    std::array<Discs, 3> p, derivative;
    of_region_->DiscsOn(piece, part.from + half * (1.0 + DiscsAbout(reach, n, count)), &p,
                        &derivative);
    const Lanes most = half * VolumeOn(piece, p, derivative).Magnitude();
    for (std::size_t k = 0; k < Lanes::kCount; ++k) {
      if (!(most.x[k] < kInfinity)) return kInfinity;
      largest = std::max(largest, most.x[k]);
    }
  }
  return largest;
}

// By how much a rule is off at most, by the sizes that are known.
double EdgeQuadrature::LeastError(const Sizes& most, int rule) {
  double least = kInfinity;
  for (int n = 0; n < kReachCount; ++n) {
    if (most[n] >= 0.0) least = std::min(least, most[n] * ErrorOfRule(rule, kReaches[n]));
  }
  return least;
}

// By how much a rule is off what a part of an edge adds to the volume, at most: no more than
// enough, or what can be told. Looks for what is negative in `most`, by the reach.
double EdgeQuadrature::ErrorOn(const EdgePiece& piece, const Part& part, int rule, double enough,
                               Sizes* most, long* packs) const {
  const int count = IsOnTorus(piece) ? kReachCount - 1 : kReachCount;
  int n = std::min(kFirstReach[rule], count - 1);
  const auto error = [&] {
    double& size = (*most)[n];
    if (size < 0.0) size = MostOn(piece, part, kReaches[n], packs);
    return size * ErrorOfRule(rule, kReaches[n]);
  };
  double least = error();
  if (least < kInfinity) {
    while (least > enough && ++n < count) least = std::min(least, error());
  } else {
    while (!(least < kInfinity) && --n >= 0) least = error();
  }
  return least;
}

// What a part of an edge adds to the volume by a rule.
double EdgeQuadrature::VolumeByRule(const EdgePiece& piece, const Part& part, int rule) const {
  const NodePacks& nodes = NodePacks::Get();
  const double half = 0.5 * (part.to - part.from);
  CurvePoints points;
  Lanes sum;
  for (int n = 0; n < NodePacks::PacksOf(rule); ++n) {
    const Lanes places = part.from + half * (1.0 + nodes.places[n]);
    if (!of_region_->PointsOn(*problem_, piece, places, &points)) return kInfinity;
    sum += nodes.weights[rule][n] * VolumeOn(piece, points.p, points.derivative);
  }
  return half * sum.Sum();
}

// What a part of an edge adds to the volume, up to an error: by the rule that has been taken, if
// there is one, by a better one, or of its halves.
EdgeQuadrature::BoundedVolume EdgeQuadrature::Enclose(const EdgePiece& piece, const Part& part,
                                                      const Taken& taken, double enough,
                                                      int halvings, long* packs) const {
  Sizes most;
  most.fill(-1.0);
  BoundedVolume known = {taken.volume, kInfinity};
  if (taken.rule > 0) known.error = ErrorOn(piece, part, taken.rule, enough, &most, packs);
  if (known.error <= enough) return known;
  if (ErrorOn(piece, part, kRuleOfParts, enough, &most, packs) <= enough) {
    int rule = 0;
    double error = kInfinity;
    while (!(error <= enough)) error = LeastError(most, ++rule);
    return {VolumeByRule(piece, part, rule), error};
  }
  if (halvings == 0 || *packs <= 0) return known;
  const double middle = 0.5 * (part.from + part.to);
  BoundedVolume sum;
  for (const Part& half : {Part{part.from, middle}, Part{middle, part.to}}) {
    const BoundedVolume of_half = Enclose(piece, half, {}, 0.5 * enough, halvings - 1, packs);
    if (of_half.error == kInfinity) return known;
    sum.value += of_half.value;
    sum.error += of_half.error;
  }
  return sum;
}

double EdgeQuadrature::VolumeBound(double volume, BoundEffort effort) const {
  const auto serves = [&](const EdgePiece& piece) { return IsStraight(piece) || HasDiscs(piece); };
  if (!std::all_of(edges_.begin(), edges_.end(), serves)) return kInfinity;
  const double enough = kEnough * volume / static_cast<double>(edges_.size());
  long packs =
      (effort == BoundEffort::kQuick ? kFewPacks : kManyPacks) * static_cast<long>(edges_.size());
  double bound = 0.0;
  for (std::size_t n = 0; n < edges_.size() && bound < kInfinity; ++n) {
    const EdgePiece& piece = edges_[n];
    bound += kRoundingOfSums * std::abs(volumes_[n]);
    if (IsStraight(piece)) continue;
    const BoundedVolume enclosed =
        Enclose(piece, {}, {rules_[n], volumes_[n]}, enough, kMostHalvings, &packs);
    bound += std::abs(enclosed.value - volumes_[n]) + enclosed.error;
  }
  return bound;
}

}  // namespace volcontact
