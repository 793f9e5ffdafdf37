// Where the structure of the columns changes along a slice.
//
// For surfaces of degree <= 2 the places are roots of polynomials in v of degree <= 4, written down
// here; candidates that change nothing drop out when the columns on either side are compared. Surfaces
// of higher degree have no such formulas: their slices are sampled and changes bisected.
#include <algorithm>
#include <cmath>

#include "integration/slice.h"
#include "math/univariate.h"

namespace volcontact {
namespace {

// Samples per slice that look for events of surfaces of degree > 2.
constexpr int kFreeSamples = 24;

using Quadratic = std::array<double, 3>;  // ascending coefficients in v
using Quartic = std::array<double, 5>;

Quartic Product(const Quadratic& f, const Quadratic& g) {
  return {f[0] * g[0], f[0] * g[1] + f[1] * g[0], f[0] * g[2] + f[1] * g[1] + f[2] * g[0],
          f[1] * g[2] + f[2] * g[1], f[2] * g[2]};
}

// The resultant in z of a1 z² + b1 z + c1 and b z + c, with b, c, b1, c1 polynomials in v:
// a1 c² − b1 b c + c1 b². Its roots are the v at which the two curves meet. For two straight surfaces
// (a1 = 0) the factor b is left out.
Quartic CrossingPolynomial(const SliceSurface& first, const SliceSurface& second) {
  const bool swap = std::abs(second.a) > std::abs(first.a);
  const SliceSurface& f = swap ? second : first;
  const SliceSurface& g = swap ? first : second;
  const Quadratic b1 = {f.b0, f.b1, 0.0}, c1 = {f.c0, f.c1, f.c2};
  Quadratic b = {g.b0, g.b1, 0.0}, c = {g.c0, g.c1, g.c2};
  if (f.a == 0.0) {
    const Quartic p = Product(b1, c), q = Product(b, c1);
    Quartic result;
    for (int n = 0; n < 5; ++n) result[n] = p[n] - q[n];
    return result;
  }
  // Eliminate z² first: the member of the pencil without it meets f in the same points.
  const double ratio = g.a / f.a;
  for (int n = 0; n < 3; ++n) {
    b[n] -= ratio * b1[n];
    c[n] -= ratio * c1[n];
  }
  const Quartic cc = Product(c, c), bc = Product(b, c), bb = Product(b, b);
  // b1·(b c) and c1·(b b): degrees 4 since b and b1 are linear.
  Quartic result;
  for (int n = 0; n < 5; ++n) {
    result[n] = f.a * cc[n] - b1[0] * bc[n] + c1[0] * bb[n];
    if (n >= 1) result[n] += -b1[1] * bc[n - 1] + c1[1] * bb[n - 1];
    if (n >= 2) result[n] += c1[2] * bb[n - 2];
  }
  return result;
}

Roots RootsOf(const Quartic& p, double lo, double hi) {
  int degree = 4;
  while (degree > 0 && p[degree] == 0.0) --degree;
  if (degree > 2) return SignChanges(p.data(), degree, lo, hi);
  return SolveQuadratic(p[2], p[1], p[0]);
}

}  // namespace

std::vector<EventSource> AllEventSources(const LocalProblem& problem) {
  using Kind = EventSource::Kind;
  std::vector<EventSource> sources;
  std::vector<int> curved;
  for (const int s : problem.expression.Surfaces()) {
    const LocalSurface& surface = problem.surfaces[s];
    if (surface.psi.degree > 2) continue;
    if (surface.wall) {
      sources.push_back({Kind::kWall, s, s});
      continue;
    }
    if (surface.psi.degree == 2 && surface.psi.c[9] != 0.0) {
      sources.push_back({Kind::kSilhouette, s, s});
    }
    for (const int t : curved) sources.push_back({Kind::kPair, t, s});
    curved.push_back(s);
  }
  return sources;
}

void Slice::AppendEvents(const EventSource& source, int index, double v0, double v1) {
  const SliceSurface& f = surfaces_[source.i];
  Quartic p{};
  switch (source.kind) {
    case EventSource::Kind::kSilhouette:
      // The discriminant b² − 4 a c of the column polynomial.
      p = {f.b0 * f.b0 - 4.0 * f.a * f.c0, 2.0 * f.b0 * f.b1 - 4.0 * f.a * f.c1,
           f.b1 * f.b1 - 4.0 * f.a * f.c2, 0.0, 0.0};
      break;
    case EventSource::Kind::kWall:
      p = {f.c0, f.c1, f.c2, 0.0, 0.0};
      break;
    case EventSource::Kind::kPair:
      p = CrossingPolynomial(f, surfaces_[source.j]);
      break;
  }
  const Roots roots = RootsOf(p, v0, v1);
  for (int n = 0; n < roots.count; ++n) {
    if (roots.x[n] > v0 && roots.x[n] < v1) events_.push_back({roots.x[n], index});
    if (source.kind == EventSource::Kind::kSilhouette) {
      branch_points_.push_back({roots.x[n], source.i});
    }
  }
}

void Slice::BisectEvent(double v0, std::uint64_t signature0, double v1, std::uint64_t signature1,
                        double resolution, int depth) {
  while (v1 - v0 > resolution) {
    const double v = 0.5 * (v0 + v1);
    const std::uint64_t signature = SignatureAt(v);
    if (signature == signature1) {
      v1 = v;
    } else if (signature == signature0) {
      v0 = v;
    } else if (depth > 0) {
      BisectEvent(v0, signature0, v, signature, resolution, depth - 1);
      v0 = v;
      signature0 = signature;
      --depth;
    } else {
      break;
    }
  }
  events_.push_back({0.5 * (v0 + v1), -1});
}

// The silhouettes nearest to a piece on either side, among those of the surfaces that bound it. The
// kind of a bisected event is not known; each is taken for one.
void Slice::FindBranchPoints(Piece* piece) {
  FindColumn(0.5 * (piece->v0 + piece->v1), &column_);
  for (const BranchPoint& point : branch_points_) {
    const bool bounds_piece =
        point.surface < 0 ||
        std::any_of(column_.ends.begin(), column_.ends.end(),
                    [&](const ColumnEnd& end) { return end.surface == point.surface; });
    if (!bounds_piece) continue;
    if (point.v <= piece->v0) piece->branch0 = std::max(piece->branch0, point.v);
    if (point.v >= piece->v1) piece->branch1 = std::min(piece->branch1, point.v);
  }
}

void Slice::AppendFreeEvents(double v0, double v1, double resolution) {
  const std::size_t known = events_.size();
  const double width = (v1 - v0) / kFreeSamples;
  double left = v0;
  for (std::size_t i = 0; i <= known; ++i) {
    const double right = i < known ? events_[i].v : v1;
    if (right - left <= resolution * (v1 - v0)) continue;
    const int samples = 2 + static_cast<int>((right - left) / width);
    double previous = 0.0;
    std::uint64_t previous_signature = 0;
    for (int n = 0; n < samples; ++n) {
      // Chebyshev-like spacing, denser towards the ends where pieces begin.
      const double t = 0.5 - 0.5 * std::cos(M_PI * (n + 0.5) / samples);
      const double v = left + t * (right - left);
      const std::uint64_t signature = SignatureAt(v);
      if (n > 0 && signature != previous_signature) {
        BisectEvent(previous, previous_signature, v, signature, resolution * (v1 - v0), 4);
      }
      previous = v;
      previous_signature = signature;
    }
    left = right;
  }
}

void Slice::FindStructure(double v0, double v1, const std::vector<EventSource>& sources,
                          double resolution, SliceStructure* structure) {
  events_.clear();
  branch_points_.clear();
  for (std::size_t n = 0; n < sources.size(); ++n) {
    AppendEvents(sources[n], static_cast<int>(n), v0, v1);
  }
  const auto by_place = [](const Event& a, const Event& b) { return a.v < b.v; };
  std::sort(events_.begin(), events_.end(), by_place);
  if (has_high_degree_) {
    const std::size_t known = events_.size();
    AppendFreeEvents(v0, v1, resolution);
    for (std::size_t n = known; n < events_.size(); ++n) {
      branch_points_.push_back({events_[n].v, -1});
    }
    std::sort(events_.begin(), events_.end(), by_place);
  }
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
  for (Piece& piece : structure->pieces) {
    if (piece.signature != 0) FindBranchPoints(&piece);
  }
}

bool SliceStructure::SameAs(const SliceStructure& other) const {
  return std::equal(pieces.begin(), pieces.end(), other.pieces.begin(), other.pieces.end(),
                    [](const Piece& a, const Piece& b) { return a.signature == b.signature; });
}

}  // namespace volcontact
