#include "region.h"

#include <algorithm>
#include <utility>

namespace fits {
namespace {

// Halves until a change of structure is known to 2^-58 of the range: what is lost there goes with
// the power 3/2 of it.
constexpr int kHalvings = 58;
constexpr int kGoldenSteps = 36;

using Signature = std::vector<int>;

// What is seen at a parameter: of a ray at v, or of a whole slice at u.
struct View {
  Signature signature;
  std::vector<Real> slack;
};
using Look = std::function<View(Real)>;

struct Change {
  Real at;
  Signature after;
};

// All changes between two points.
void Halve(const Look& look, Real low, const Signature& before, Real high, const Signature& after,
           int steps, std::vector<Change>* changes) {
  if (before == after) return;
  if (steps == 0) {
    changes->push_back({(low + high) / 2, after});
    return;
  }
  const Real middle = (low + high) / 2;
  const Signature seen = look(middle).signature;
  Halve(look, low, before, middle, seen, steps - 1, changes);
  Halve(look, middle, seen, high, after, steps - 1, changes);
}

// The least of one slack between two points: something narrow may hide there.
Real LeastAt(const Look& look, std::size_t which, Real low, Real high) {
  const Real part = (Sqrt(5) - 1) / 2;
  Real a = high - part * (high - low), b = low + part * (high - low);
  Real at_a = look(a).slack[which], at_b = look(b).slack[which];
  for (int n = 0; n < kGoldenSteps; ++n) {
    if (at_a < at_b) {
      high = b, b = a, at_b = at_a;
      a = high - part * (high - low), at_a = look(a).slack[which];
    } else {
      low = a, a = b, at_a = at_b;
      b = low + part * (high - low), at_b = look(b).slack[which];
    }
  }
  return (low + high) / 2;
}

struct Sample {
  Real at;
  View view;
};

// The samples of a grid, with those where a slack is least between neighbours that look the same.
std::vector<Sample> Samples(const Look& look, Real low, Real high, int grid) {
  std::vector<Sample> samples;
  for (int k = 0; k <= grid; ++k) {
    const Real at = low + (high - low) * k / grid;
    samples.push_back({at, look(at)});
  }
  std::vector<Sample> more;
  for (std::size_t k = 1; k + 1 < samples.size(); ++k) {
    const View &a = samples[k - 1].view, &b = samples[k].view, &c = samples[k + 1].view;
    if (a.signature != b.signature && b.signature != c.signature) continue;
    for (std::size_t n = 0; n < b.slack.size(); ++n) {
      if (Abs(b.slack[n]) >= 1e29 || b.slack[n] > a.slack[n] || b.slack[n] > c.slack[n]) continue;
      const Real at = LeastAt(look, n, samples[k - 1].at, samples[k + 1].at);
      View view = look(at);
      if (view.signature != b.signature) more.push_back({at, std::move(view)});
    }
  }
  samples.insert(samples.end(), more.begin(), more.end());
  std::sort(samples.begin(), samples.end(),
            [](const Sample& a, const Sample& b) { return a.at < b.at; });
  return samples;
}

struct Piece {
  Real low, high;
  Signature signature;
};

std::vector<Piece> Pieces(const Look& look, Real low, Real high, int grid) {
  const std::vector<Sample> samples = Samples(look, low, high, grid);
  std::vector<Piece> pieces{{low, high, samples.front().view.signature}};
  for (std::size_t k = 0; k + 1 < samples.size(); ++k) {
    std::vector<Change> changes;
    Halve(look, samples[k].at, samples[k].view.signature, samples[k + 1].at,
          samples[k + 1].view.signature, kHalvings, &changes);
    for (const Change& change : changes) {
      pieces.back().high = change.at;
      pieces.push_back({change.at, high, change.after});
    }
  }
  return pieces;
}

// Between breaks that are known.
std::vector<Piece> KnownPieces(const Look& look, std::vector<Real> breaks, Real low, Real high) {
  breaks.push_back(low);
  breaks.push_back(high);
  std::sort(breaks.begin(), breaks.end());
  std::vector<Piece> pieces;
  for (std::size_t k = 0; k + 1 < breaks.size(); ++k) {
    if (breaks[k] < low || breaks[k + 1] > high || breaks[k] == breaks[k + 1]) continue;
    pieces.push_back({breaks[k], breaks[k + 1], look((breaks[k] + breaks[k + 1]) / 2).signature});
  }
  return pieces;
}

Look AlongV(const Region& region, Real u) {
  return [&region, u](Real v) {
    Sight sight = LookAlong(region, region.ray(u, v));
    return View{std::move(sight.signature), std::move(sight.slack)};
  };
}

// The greatest margin of a slice; beyond the grid by golden section.
Real SliceMargin(const Region& region, Real u, int grid) {
  const auto margin = [&](Real v) { return LookAlong(region, region.ray(u, v)).margin; };
  Real best = -1e30;
  int at = 0;
  const Real step = (region.v_high - region.v_low) / grid;
  for (int k = 0; k <= grid; ++k) {
    const Real value = margin(region.v_low + step * k);
    if (value > best) best = value, at = k;
  }
  const Look less = [&](Real v) { return View{{}, {-margin(v)}}; };
  const Real low = Max(region.v_low, region.v_low + step * (at - 1));
  const Real high = Min(region.v_high, region.v_low + step * (at + 1));
  return Max(best, margin(LeastAt(less, 0, low, high)));
}

Look AlongU(const Region& region, int grid) {
  return [&region, grid](Real u) {
    View view;
    for (const Piece& piece : Pieces(AlongV(region, u), region.v_low, region.v_high, grid)) {
      view.signature.push_back(-9);
      view.signature.insert(view.signature.end(), piece.signature.begin(), piece.signature.end());
    }
    // How far the surfaces are apart, or what is left until they are.
    const Real margin = SliceMargin(region, u, grid);
    view.slack = {-margin, margin};
    return view;
  };
}

void AddEnd(const Region& region, const Ray& ray, Real t, int label, bool high, Real weight,
            Totals* totals) {
  Owner owner = high ? region.high_owner : region.low_owner;
  Vec gradient = ray.along;
  const Vec x = ray.start + t * ray.along;
  if (label >= 0) {
    owner = region.bounds[label].owner;
    gradient = region.bounds[label].surface->Gradient(x);
  }
  if (owner != region.area_from || owner == Owner::kNone) return;
  // The outward normal, over the area that a ray's share of the parameters covers.
  const Real element = t * (ray.j1 + t * ray.j2) / Dot(gradient, ray.along);
  const Real sign = (high ? 1 : -1) * (owner == Owner::kA ? -1 : 1);
  totals->area = totals->area + (sign * weight * element) * gradient;
  totals->face += weight * Abs(element) * Norm(gradient);
}

void AddRay(const Region& region, Real u, Real v, Real weight, Totals* totals) {
  const Ray ray = region.ray(u, v);
  for (const Interval& part : LookAlong(region, ray).intervals) {
    const Real a = part.low, b = part.high, length = b - a;
    const Real first = length * (a + b) / 2;                    // of t
    const Real second = length * (a * a + a * b + b * b) / 3;   // of t^2
    const Real third = length * (a + b) * (a * a + b * b) / 4;  // of t^3
    const Real volume = ray.j1 * first + ray.j2 * second;
    const Real moment = ray.j1 * second + ray.j2 * third;
    totals->volume += weight * volume;
    totals->moment = totals->moment + (weight * volume) * ray.start + (weight * moment) * ray.along;
    AddEnd(region, ray, a, part.low_label, false, weight, totals);
    AddEnd(region, ray, b, part.high_label, true, weight, totals);
  }
}

std::vector<Piece> SlicePieces(const Region& region, Real u, int grid) {
  const Look look = AlongV(region, u);
  if (region.v_breaks) {
    return KnownPieces(look, region.v_breaks(u), region.v_low, region.v_high);
  }
  return Pieces(look, region.v_low, region.v_high, grid);
}

std::vector<Piece> RegionPieces(const Region& region, const Resolution& resolution) {
  if (region.v_breaks) {
    const Look look = [](Real) { return View{}; };
    return KnownPieces(look, region.u_breaks, region.u_low, region.u_high);
  }
  return Pieces(AlongU(region, resolution.v_grid), region.u_low, region.u_high, resolution.u_grid);
}

void AddSlice(const Region& region, const Resolution& resolution, Real u, Real weight,
              Totals* totals) {
  const Rule& rule = SineRule(resolution.v_points);
  for (const Piece& piece : SlicePieces(region, u, resolution.v_grid)) {
    if (piece.signature.empty()) continue;
    const Real middle = (piece.low + piece.high) / 2, half = (piece.high - piece.low) / 2;
    for (std::size_t k = 0; k < rule.node.size(); ++k) {
      AddRay(region, u, middle + half * rule.node[k], weight * half * rule.weight[k], totals);
    }
  }
}

}  // namespace

Totals Integrate(const Region& region, const Resolution& resolution) {
  Totals totals;
  const Rule& rule = SineRule(resolution.u_points);
  for (const Piece& piece : RegionPieces(region, resolution)) {
    if (piece.signature == Signature{-9}) continue;
    const Real middle = (piece.low + piece.high) / 2, half = (piece.high - piece.low) / 2;
    for (std::size_t k = 0; k < rule.node.size(); ++k) {
      AddSlice(region, resolution, middle + half * rule.node[k], half * rule.weight[k], &totals);
    }
  }
  return totals;
}

Real GreatestMargin(const Region& region) {
  constexpr int kGrid = 24;
  const auto margin = [&](Real u) { return SliceMargin(region, u, kGrid); };
  const Look less = [&](Real u) { return View{{}, {-margin(u)}}; };
  Real best = -1e30;
  int at = 0;
  const Real step = (region.u_high - region.u_low) / kGrid;
  for (int k = 0; k <= kGrid; ++k) {
    const Real value = margin(region.u_low + step * k);
    if (value > best) best = value, at = k;
  }
  return Max(best, margin(LeastAt(less, 0, region.u_low + step * (at - 1),
                                  region.u_low + step * (at + 1))));
}

}  // namespace fits
