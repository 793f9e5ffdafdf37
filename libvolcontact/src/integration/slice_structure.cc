// Where the structure of the columns changes along a slice.
//
// The places are roots of polynomials in v (event_polynomial.h); candidates that change nothing drop
// out when the columns on either side are compared. Only for crossings of two surfaces of degree > 2
// there is no polynomial of workable degree: such slices are sampled as well, and changes bisected.
#include <algorithm>
#include <cmath>

#include "integration/event_polynomial.h"
#include "integration/quadric_events.h"
#include "integration/slice.h"
#include "math/univariate.h"

namespace volcontact {
namespace {

// Samples per slice that look for crossings of surfaces of degree > 2.
constexpr int kFreeSamples = 24;

}  // namespace

std::vector<EventSource> AllEventSources(const LocalProblem& problem) {
  using Kind = EventSource::Kind;
  std::vector<EventSource> sources;
  std::vector<int> earlier;
  for (const int s : problem.expression.Surfaces()) {
    const LocalSurface& surface = problem.surfaces[s];
    if (surface.wall) {
      sources.push_back({Kind::kWall, s, s});
      continue;
    }
    const bool straight =
        surface.psi.degree == 1 || (surface.psi.degree == 2 && surface.psi.c[9] == 0.0);
    if (!straight) sources.push_back({Kind::kSilhouette, s, s});
    for (const int t : earlier) {
      if (surface.psi.degree <= 2 || problem.surfaces[t].psi.degree <= 2) {
        sources.push_back({Kind::kPair, t, s});
      }
    }
    earlier.push_back(s);
  }
  return sources;
}

void Slice::AppendEvents(const EventSource& source, int index, double v0, double v1) {
  const bool silhouette = source.kind == EventSource::Kind::kSilhouette;
  const auto append = [&](double v) {
    if (v > v0 && v < v1) events_.push_back({v, index});
    if (silhouette) branch_points_.push_back({v, source.i});
  };
  const SliceSurface &f = surfaces_[source.i], &g = surfaces_[source.j];
  if (f.degree > 2 || g.degree > 2) {
    const Univariate p = EventPolynomial(source, f, g);
    const auto roots = SignChanges(p.c.data(), p.degree, v0, v1);
    for (int n = 0; n < roots.count; ++n) append(roots.x[n]);
    return;
  }
  const Quartic p = QuadricEventPolynomial(source.kind, f, g);
  if (!silhouette && HasNoRoot(p, v0, v1)) return;
  if (p[3] == 0.0 && p[4] == 0.0) {
    const RootList<2> roots = SolveQuadratic(p[2], p[1], p[0]);
    for (int n = 0; n < roots.count; ++n) append(roots.x[n]);
  } else {
    const auto roots = SignChanges(p.data(), p[4] == 0.0 ? 3 : 4, v0, v1);
    for (int n = 0; n < roots.count; ++n) append(roots.x[n]);
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
  if (high_degree_count_ > 1) {
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
