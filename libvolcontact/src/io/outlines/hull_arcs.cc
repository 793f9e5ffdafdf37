#include "io/outlines/hull_arcs.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace volcontact {
namespace {

constexpr double kFullTurn = 2.0 * std::numbers::pi;
// How far beside a curve the outline is looked for, as a part of the size. Files have six digits.
constexpr double kBeside = 1e-7;
// Angles that differ by rounding only [rad].
constexpr double kSameAngle = 1e-9;

double Within(double angle) {
  const double turned = std::fmod(angle, kFullTurn);
  return turned < 0.0 ? turned + kFullTurn : turned;
}

double AngleOf(const Eigen::Vector2d& d) { return std::atan2(d.y(), d.x()); }

struct Circle {
  Eigen::Vector2d center;
  double radius;
};
struct Segment {
  Eigen::Vector2d p, q;
};
struct Curves {
  std::vector<Circle> circles;
  std::vector<Segment> segments;
};

bool Collect(const Outline& outline, Curves* curves) {
  if (outline.kind == Outline::Kind::kDisc) {
    const auto radius = outline.Radius();
    if (radius) curves->circles.push_back({outline.center, *radius});
    return radius.has_value();
  }
  for (std::size_t i = 0; i < outline.ring.size(); ++i) {
    curves->segments.push_back({outline.ring[i], outline.ring[(i + 1) % outline.ring.size()]});
  }
  return std::ranges::all_of(outline.parts,
                             [&](const Outline& part) { return Collect(part, curves); });
}

bool Contains(const Outline& outline, const Eigen::Vector2d& p) {
  using Kind = Outline::Kind;
  const auto contains = [&](const Outline& part) { return Contains(part, p); };
  switch (outline.kind) {
    case Kind::kDisc:
      return (outline.disc.inverse() * (p - outline.center)).squaredNorm() <= 1.0;
    case Kind::kPolygon:
      return IsInside(outline.ring, p);
    case Kind::kUnion:
      return std::ranges::any_of(outline.parts, contains);
    case Kind::kIntersection:
      return std::ranges::all_of(outline.parts, contains);
    case Kind::kDifference:
      break;
  }
  return contains(outline.parts.front()) &&
         std::none_of(outline.parts.begin() + 1, outline.parts.end(), contains);
}

// Where a circle meets the line of a segment.
std::vector<Eigen::Vector2d> Meetings(const Circle& circle, const Segment& segment) {
  const Eigen::Vector2d d = (segment.q - segment.p).normalized(), to = circle.center - segment.p;
  const double along = d.dot(to), h2 = to.squaredNorm() - along * along;
  const double half2 = circle.radius * circle.radius - h2;
  if (half2 < 0.0) return {};
  const double half = std::sqrt(half2);
  return {segment.p + (along - half) * d, segment.p + (along + half) * d};
}

std::vector<Eigen::Vector2d> Meetings(const Circle& a, const Circle& b) {
  const Eigen::Vector2d d = b.center - a.center;
  const double length = d.norm();
  if (length == 0.0) return {};
  const double along = (length * length + a.radius * a.radius - b.radius * b.radius) / (2 * length);
  const double half2 = a.radius * a.radius - along * along;
  if (half2 < 0.0) return {};
  const Eigen::Vector2d e = d / length, middle = a.center + along * e;
  const Eigen::Vector2d across = std::sqrt(half2) * Eigen::Vector2d(-e.y(), e.x());
  return {middle + across, middle - across};
}

std::vector<Eigen::Vector2d> Meetings(const Segment& a, const Segment& b) {
  Eigen::Matrix2d directions;
  directions << a.q - a.p, b.p - b.q;
  const double parallel = 1e-12 * directions.col(0).norm() * directions.col(1).norm();
  if (std::abs(directions.determinant()) <= parallel) return {};
  const Eigen::Vector2d shares = directions.inverse() * (b.p - a.p);
  return {a.p + shares[0] * (a.q - a.p)};
}

class ArcFinder {
 public:
  ArcFinder(const Outline& outline, const Curves& curves) : outline_(outline), curves_(curves) {
    const OutlineBounds bounds = BoundsOf(outline);
    beside_ = kBeside * bounds.Half().norm();
  }

  std::vector<HullArc> Run() {
    for (const Segment& segment : curves_.segments) AddCorner(segment.p);
    for (std::size_t i = 0; i < curves_.segments.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        AddCorners(Meetings(curves_.segments[i], curves_.segments[k]));
      }
    }
    for (const Circle& circle : curves_.circles) AddArcs(circle);
    return arcs_;
  }

 private:
  void AddCorner(const Eigen::Vector2d& p) {
    constexpr int kAround = 16;
    for (int i = 0; i < kAround; ++i) {
      // Not along the axes, as edges are.
      const double angle = kFullTurn * (i + 0.37) / kAround;
      if (!Contains(outline_, p + beside_ * Eigen::Vector2d(std::cos(angle), std::sin(angle))))
        continue;
      arcs_.push_back({p});
      return;
    }
  }

  void AddCorners(const std::vector<Eigen::Vector2d>& points) {
    for (const Eigen::Vector2d& p : points) AddCorner(p);
  }

  void AddArcs(const Circle& circle) {
    std::vector<double> cuts;
    const auto cut = [&](const std::vector<Eigen::Vector2d>& points) {
      AddCorners(points);
      for (const Eigen::Vector2d& p : points) cuts.push_back(Within(AngleOf(p - circle.center)));
    };
    for (const Segment& segment : curves_.segments) cut(Meetings(circle, segment));
    for (const Circle& other : curves_.circles) cut(Meetings(circle, other));
    std::sort(cuts.begin(), cuts.end());
    if (cuts.empty()) cuts.push_back(0.0);
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      const bool is_last = i + 1 == cuts.size();
      const double end = is_last ? cuts.front() + kFullTurn : cuts[i + 1], sweep = end - cuts[i];
      if (sweep <= kSameAngle) continue;
      const Eigen::Vector2d u(std::cos(cuts[i] + 0.5 * sweep), std::sin(cuts[i] + 0.5 * sweep));
      const bool is_there = Contains(outline_, circle.center + (circle.radius - beside_) * u) ||
                            Contains(outline_, circle.center + (circle.radius + beside_) * u);
      if (is_there) arcs_.push_back({circle.center, circle.radius, cuts[i], sweep});
    }
  }

  const Outline& outline_;
  const Curves& curves_;
  double beside_ = 0.0;
  std::vector<HullArc> arcs_;
};

}  // namespace

bool HullArc::Faces(double angle) const {
  const double after = Within(angle - from);
  return IsWhole() || after <= sweep + kSameAngle || after >= kFullTurn - kSameAngle;
}

Eigen::Vector2d HullArc::At(double angle) const {
  return center + radius * Eigen::Vector2d(std::cos(angle), std::sin(angle));
}

HullArc HullArc::Mapped(const Eigen::Matrix2d& A, const Eigen::Vector2d& b) const {
  const bool is_mirror = A.determinant() < 0.0;
  const double begin = is_mirror ? from + sweep : from;
  const Eigen::Vector2d u = A * Eigen::Vector2d(std::cos(begin), std::sin(begin));
  return {A * center + b, radius * A.col(0).norm(), Within(AngleOf(u)), sweep};
}

std::optional<std::vector<HullArc>> HullArcsOf(const Outline& outline) {
  Curves curves;
  if (!Collect(outline, &curves)) return std::nullopt;
  return ArcFinder(outline, curves).Run();
}

bool IsHullOfCircles(const std::vector<HullArc>& arcs) {
  // Between these directions the farthest circle stays the same, and so do the ends of arcs.
  std::vector<double> directions;
  for (const HullArc& a : arcs) {
    directions.insert(directions.end(), {Within(a.from), Within(a.from + a.sweep)});
    for (const HullArc& b : arcs) {
      const Eigen::Vector2d d = b.center - a.center;
      const double cosine = (a.radius - b.radius) / d.norm();
      if (!(std::abs(cosine) <= 1.0)) continue;
      directions.push_back(Within(AngleOf(d) + std::acos(cosine)));
      directions.push_back(Within(AngleOf(d) - std::acos(cosine)));
    }
  }
  std::sort(directions.begin(), directions.end());
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const bool is_last = i + 1 == directions.size();
    const double end = is_last ? directions.front() + kFullTurn : directions[i + 1];
    if (end - directions[i] <= kSameAngle) continue;
    const double middle = 0.5 * (directions[i] + end);
    const Eigen::Vector2d u(std::cos(middle), std::sin(middle));
    const auto reach = [&](const HullArc& arc) { return u.dot(arc.center) + arc.radius; };
    const double most = reach(*std::ranges::max_element(arcs, {}, reach));
    const bool is_there = std::ranges::any_of(arcs, [&](const HullArc& arc) {
      const double far = std::abs(most) + arc.radius;
      return reach(arc) >= most - kSameAngle * far && arc.Faces(middle);
    });
    if (!is_there) return false;
  }
  return true;
}

}  // namespace volcontact
