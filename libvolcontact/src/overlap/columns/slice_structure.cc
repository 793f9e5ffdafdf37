// Where the structure of the columns changes along a slice.
//
// The places are roots of polynomials in v (quadric_events.h) or, for surfaces of higher degree,
// common zeros of two curves (plane_curves.h). Candidates that change nothing drop out when the
// columns on either side are compared; of those at known heights, many sooner, by what the other
// surfaces say.
#include <algorithm>
#include <cmath>

#include "math/arithmetic/univariate.h"
#include "math/plane_curves.h"
#include "math/time_limit.h"
#include "overlap/columns/quadric_events.h"
#include "overlap/columns/slice.h"

namespace volcontact {
namespace {

// Curves are searched this much beyond the slice and the box: silhouettes out there are branch
// points of columns within.
constexpr double kBeyondSlice = 1.2;
// Values of surfaces smaller than this do not tell on which side of them an event is.
constexpr double kUndecided = 1e-6;
// Zeros of curves closer together than this, relative to the slice, are not told apart.
constexpr double kLeastResolution = 1e-10;
// Sources between two looks at the clock.
constexpr std::size_t kSourcesOfLook = 64;

}  // namespace

void AllEventSources(const LocalProblem& problem, std::vector<EventSource>* sources) {
  using Kind = EventSource::Kind;
  thread_local std::vector<int> present;
  problem.expression.FindSurfaces(&present);
  sources->clear();
  for (std::size_t n = 0; n < present.size(); ++n) {
    const int s = present[n];
    const LocalSurface& surface = problem.surfaces[s];
    if (surface.wall) {
      sources->push_back({Kind::kWall, s, s});
      continue;
    }
    const bool straight =
        surface.psi.degree == 1 || (surface.psi.degree == 2 && surface.psi.c[kZZ] == 0.0);
    if (!straight) sources->push_back({Kind::kSilhouette, s, s});
    for (std::size_t m = 0; m < n; ++m) {
      const int t = present[m];
      if (!problem.surfaces[t].wall) sources->push_back({Kind::kPair, t, s});
    }
  }
}

// Whether the region may depend on a source's surfaces at a point of the slice.
bool Slice::Matters(const EventSource& source, double v, double z) {
  if (std::abs(z) > 1.0 + kUndecided) return false;
  for (const int s : active_) {
    states_[s] = Truth::kUnknown;
    if (s == source.i || s == source.j) continue;
    const double value = surfaces_[s].Value(v, z);
    if (std::abs(value) > kUndecided) states_[s] = value < 0.0 ? Truth::kTrue : Truth::kFalse;
  }
  return problem_->expression.Evaluate(states_.data()) == Truth::kUnknown;
}

void Slice::AppendPolynomialEvents(const EventSource& source, int index, double v0, double v1) {
  const SliceSurface &f = surfaces_[source.i], &g = surfaces_[source.j];
  const bool silhouette = source.kind == EventSource::Kind::kSilhouette;
  const auto append = [&](double v) {
    if (v > v0 && v < v1) events_.push_back({v, index});
    if (silhouette) branch_points_.push_back({v, source.i});
  };
  const Quartic p = f.degree > 2 ? f.WallPolynomial() : QuadricEventPolynomial(source.kind, f, g);
  if (!silhouette && HasNoRoot(p, v0, v1)) return;
  if (p[3] == 0.0 && p[4] == 0.0) {
    const RootList<2> roots = SolveQuadratic(p[2], p[1], p[0]);
    for (int n = 0; n < roots.count; ++n) append(roots.x[n]);
  } else {
    const auto roots = SignChanges(p.data(), p[4] == 0.0 ? 3 : 4, v0, v1);
    for (int n = 0; n < roots.count; ++n) append(roots.x[n]);
  }
}

void Slice::AppendCurveEvents(const EventSource& source, int index, double v0, double v1,
                              double resolution) {
  const bool silhouette = source.kind == EventSource::Kind::kSilhouette;
  const Bivariate& f = curves_[source.i];
  effort_ += kEffortOfBox * CommonZeros(f, silhouette ? f.DerivativeU() : curves_[source.j],
                                        std::max(resolution, kLeastResolution), &zeros_);
  for (const PlanePoint& zero : zeros_) {
    const double v = center_ + half_ * zero.t;
    if (silhouette) branch_points_.push_back({v, source.i});
    if (v > v0 && v < v1 && Matters(source, v, kBeyondSlice * zero.u))
      events_.push_back({v, index});
  }
}

void Slice::FindEvents(double v0, double v1, const std::vector<EventSource>& sources,
                       double resolution) {
  events_.clear();
  branch_points_.clear();
  near_found_ = false;
  effort_ += kEffortOfSlice + kEffortOfSource * static_cast<long>(sources.size());
  center_ = 0.5 * (v0 + v1);
  half_ = 0.5 * kBeyondSlice * (v1 - v0);
  if (curves_needed_) {
    for (const int s : active_) curves_[s] = surfaces_[s].Curve(center_, half_, kBeyondSlice);
  }
  for (std::size_t n = 0; n < sources.size(); ++n) {
    if (n % kSourcesOfLook == 0) TimeLimit::Enforce();
    const EventSource& source = sources[n];
    const int degree = std::max(surfaces_[source.i].degree, surfaces_[source.j].degree);
    if (degree <= 2 || source.kind == EventSource::Kind::kWall) {
      AppendPolynomialEvents(source, static_cast<int>(n), v0, v1);
    } else {
      AppendCurveEvents(source, static_cast<int>(n), v0, v1, resolution);
    }
  }
  std::sort(events_.begin(), events_.end(),
            [](const Event& a, const Event& b) { return a.v < b.v; });
}

void Slice::FindStructure(double v0, double v1, const std::vector<EventSource>& sources,
                          double resolution, SliceStructure* structure) {
  FindEvents(v0, v1, sources, resolution);
  structure->pieces.clear();
  structure->boundaries.clear();
  const double narrow = resolution * (v1 - v0);
  Event left = {v0, -1};
  for (std::size_t i = 0; i <= events_.size(); ++i) {
    const Event right = i < events_.size() ? events_[i] : Event{v1, -1};
    if (right.v - left.v <= narrow) {
      if (right.source >= 0 && sources[right.source].kind == EventSource::Kind::kWall) {
        left.source = right.source;
      }
      continue;
    }
    const std::uint64_t signature = SignatureAt(0.5 * (left.v + right.v));
    if (!structure->pieces.empty() && structure->pieces.back().signature == signature) {
      structure->pieces.back().v1 = right.v;
    } else {
      if (!structure->pieces.empty()) structure->boundaries.push_back({left.v, left.source});
      structure->pieces.push_back({left.v, right.v, signature});
    }
    left = right;
  }
}

bool SliceStructure::SameAs(const SliceStructure& other) const {
  return std::equal(pieces.begin(), pieces.end(), other.pieces.begin(), other.pieces.end(),
                    [](const Piece& a, const Piece& b) { return a.signature == b.signature; });
}

}  // namespace volcontact
