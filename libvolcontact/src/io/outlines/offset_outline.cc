#include "io/outlines/offset_outline.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace volcontact {
namespace {

// Each edge of a concave polygon becomes a rectangle, and each corner a disc.
constexpr std::size_t kMostConcaveEdges = 60;

using Kind = Outline::Kind;

Outline PolygonOutline(PolygonRing ring) {
  Outline polygon;
  polygon.kind = Kind::kPolygon;
  polygon.ring = std::move(ring);
  return polygon;
}

Outline DiscOutline(const Eigen::Vector2d& center, double radius) {
  Outline disc;
  disc.kind = Kind::kDisc;
  disc.disc *= radius;
  disc.center = center;
  return disc;
}

const Eigen::Vector2d& CornerOf(const PolygonRing& ring, std::size_t i) {
  return ring[i % ring.size()];
}

double Cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  return a.x() * b.y() - a.y() * b.x();
}

// How a ring turns at a corner: positive to the left.
double TurnAt(const PolygonRing& ring, std::size_t i) {
  const Eigen::Vector2d &before = CornerOf(ring, i + ring.size() - 1), &at = CornerOf(ring, i);
  return Cross(at - before, CornerOf(ring, i + 1) - at);
}

bool IsConvex(const PolygonRing& ring) {
  for (std::size_t i = 0; i < ring.size(); ++i) {
    if (TurnAt(ring, i) < 0.0) return false;
  }
  return true;
}

// The edge's line, moved to its right: outward.
DirectedLine MovedEdge(const PolygonRing& ring, std::size_t i, double distance) {
  DirectedLine line = LineOf(CornerOf(ring, i), CornerOf(ring, i + 1));
  line.d += distance * line.n.norm();
  return line;
}

Eigen::Vector2d Meeting(const DirectedLine& a, const DirectedLine& b) {
  return Eigen::Vector2d(a.d * b.n.y() - b.d * a.n.y(), a.n.x() * b.d - b.n.x() * a.d) /
         Cross(a.n, b.n);
}

// What of a convex ring is left of a line.
PolygonRing Clipped(const PolygonRing& ring, const DirectedLine& line) {
  PolygonRing left;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Eigen::Vector2d &p = ring[i], &q = CornerOf(ring, i + 1);
    const double at_p = line.n.dot(p) - line.d, at_q = line.n.dot(q) - line.d;
    if (at_p <= 0.0) left.push_back(p);
    if ((at_p < 0.0 && at_q > 0.0) || (at_p > 0.0 && at_q < 0.0)) {
      left.push_back(Meeting(line, LineOf(p, q)));
    }
  }
  return left;
}

Outline Shrunk(const PolygonRing& ring, double distance) {
  PolygonRing left = ring;
  for (std::size_t i = 0; i < ring.size() && !left.empty(); ++i) {
    left = Clipped(left, MovedEdge(ring, i, -distance));
  }
  left = CleanRing(std::move(left));
  return left.size() < 3 ? Outline() : PolygonOutline(std::move(left));
}

// The points within a distance of the edges, but for those in front of corners of one kind, where
// they are on the other side of the boundary anyway.
std::vector<Outline> AroundEdges(const PolygonRing& ring, double distance, double turn) {
  std::vector<Outline> parts;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Eigen::Vector2d &p = ring[i], &q = CornerOf(ring, i + 1);
    const Eigen::Vector2d along = (q - p).normalized(),
                          n = distance * Eigen::Vector2d(along.y(), -along.x());
    parts.push_back(PolygonOutline({p - n, p + n, q + n, q - n}));
    if (turn * TurnAt(ring, i) > 0.0) parts.push_back(DiscOutline(p, distance));
  }
  return parts;
}

std::optional<Outline> RoundPolygon(const Outline& polygon, double distance) {
  const PolygonRing& ring = polygon.ring;
  if (IsConvex(ring) && distance < 0.0) return Shrunk(ring, -distance);
  if (IsConvex(ring)) return HullOfDiscs(ring, std::vector<double>(ring.size(), distance));
  if (ring.size() > kMostConcaveEdges) return std::nullopt;
  Outline all;
  if (distance < 0.0) all.kind = Kind::kDifference;
  all.parts = AroundEdges(ring, std::abs(distance), distance < 0.0 ? -1.0 : 1.0);
  all.parts.insert(all.parts.begin(), polygon);
  return all;
}

std::optional<Outline> MitredPolygon(const Outline& polygon, double distance) {
  const PolygonRing& ring = polygon.ring;
  if (IsConvex(ring) && distance < 0.0) return Shrunk(ring, -distance);
  PolygonRing moved;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    moved.push_back(
        Meeting(MovedEdge(ring, i + ring.size() - 1, distance), MovedEdge(ring, i, distance)));
  }
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Eigen::Vector2d before = CornerOf(ring, i + 1) - ring[i],
                          after = CornerOf(moved, i + 1) - moved[i];
    if (!(before.dot(after) > 0.0)) return std::nullopt;
  }
  if (!IsSimple(moved)) return std::nullopt;
  return PolygonOutline(CleanRing(std::move(moved)));
}

double DistanceToEdge(const Eigen::Vector2d& x, const Eigen::Vector2d& p,
                      const Eigen::Vector2d& q) {
  const Eigen::Vector2d d = q - p;
  const double t = std::clamp(d.dot(x - p) / d.squaredNorm(), 0.0, 1.0);
  return (x - p - t * d).norm();
}

// Whether a disc or polygon is inside another and touches its boundary nowhere. False also where
// that is not known.
bool IsStrictlyInside(const Outline& inner, const Outline& outer) {
  if (inner.kind > Kind::kPolygon) return false;
  const auto radius = inner.Radius();
  if (inner.kind == Kind::kDisc && !radius) return false;
  if (outer.kind == Kind::kDisc) {
    const auto most = outer.Radius();
    if (!most) return false;
    if (radius && inner.kind == Kind::kDisc) {
      return (inner.center - outer.center).norm() + *radius < *most;
    }
    return std::ranges::all_of(
        inner.ring, [&](const Eigen::Vector2d& p) { return (p - outer.center).norm() < *most; });
  }
  if (outer.kind != Kind::kPolygon) return false;
  if (inner.kind == Kind::kPolygon) {
    return !RingsMeet(inner.ring, outer.ring) && IsInside(outer.ring, inner.ring.front());
  }
  for (std::size_t i = 0; i < outer.ring.size(); ++i) {
    if (DistanceToEdge(inner.center, outer.ring[i], CornerOf(outer.ring, i + 1)) <= *radius) {
      return false;
    }
  }
  return IsInside(outer.ring, inner.center);
}

bool AreApart(const Outline& a, const Outline& b) {
  const OutlineBounds p = BoundsOf(a), q = BoundsOf(b);
  return (p.max.array() < q.min.array()).any() || (q.max.array() < p.min.array()).any();
}

// Holes that are apart from each other and from the outer boundary: a disc that grows from the
// region meets only one of them.
bool HasSeparateHoles(const Outline& difference) {
  const std::vector<Outline>& parts = difference.parts;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (!IsStrictlyInside(parts[i], parts[0])) return false;
    for (std::size_t k = 1; k < i; ++k) {
      if (!AreApart(parts[i], parts[k])) return false;
    }
  }
  return true;
}

using Offset = std::optional<Outline> (*)(const Outline&, double);

// Unions grow part by part, and intersections shrink so. A region with holes grows as its outer
// boundary does while its holes shrink.
std::optional<Outline> OffsetParts(const Outline& outline, double distance, Offset offset) {
  const bool grows = distance > 0.0;
  if (outline.kind == Kind::kUnion && !grows && outline.parts.size() > 1) return std::nullopt;
  if (outline.kind == Kind::kIntersection && grows) return std::nullopt;
  if (outline.kind == Kind::kDifference && grows && !HasSeparateHoles(outline)) return std::nullopt;
  Outline all;
  all.kind = outline.kind;
  for (std::size_t i = 0; i < outline.parts.size(); ++i) {
    const bool is_hole = outline.kind == Kind::kDifference && i > 0;
    std::optional<Outline> part = offset(outline.parts[i], is_hole ? -distance : distance);
    if (!part) return std::nullopt;
    if (!part->IsEmpty()) {
      all.parts.push_back(std::move(*part));
    } else if (outline.kind != Kind::kUnion && !is_hole) {
      return Outline();
    }
  }
  return all;
}

std::optional<Outline> OffsetDisc(const Outline& disc, double distance) {
  const auto radius = disc.Radius();
  if (!radius) return std::nullopt;
  return *radius + distance > 0.0 ? DiscOutline(disc.center, *radius + distance) : Outline();
}

}  // namespace

std::optional<Outline> OffsetRound(const Outline& outline, double distance) {
  if (distance == 0.0 || outline.IsEmpty()) return outline;
  if (outline.kind == Kind::kDisc) return OffsetDisc(outline, distance);
  if (outline.kind == Kind::kPolygon) return RoundPolygon(outline, distance);
  return OffsetParts(outline, distance, OffsetRound);
}

std::optional<Outline> OffsetMitred(const Outline& outline, double distance) {
  if (distance == 0.0 || outline.IsEmpty()) return outline;
  if (outline.kind == Kind::kDisc) return OffsetDisc(outline, distance);
  if (outline.kind == Kind::kPolygon) return MitredPolygon(outline, distance);
  return OffsetParts(outline, distance, OffsetMitred);
}

}  // namespace volcontact
