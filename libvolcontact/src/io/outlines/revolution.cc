#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "io/outlines/extrusion.h"
#include "io/outlines/outline_solid.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;
// What is off a whole or half turn by this was meant as one: the file has six digits.
constexpr double kAngleRounding = 1e-9;
constexpr double kSameLength = 1e-12;
// Each corner more is a cone more in every query.
constexpr std::size_t kMostCorners = 200;

// Steps times corners: each is a plane in every query.
constexpr std::size_t kMostFacetPlanes = 600;

// a + b z + c ρ² with ρ² = x² + y², as a matrix; and with z².
Eigen::Matrix4d Radial(double constant, double z, double zz, double square) {
  Eigen::Matrix4d Q = Eigen::Matrix4d::Zero();
  Q(0, 0) = Q(1, 1) = square;
  Q(2, 2) = zz;
  Q(2, 3) = Q(3, 2) = 0.5 * z;
  Q(3, 3) = constant;
  return Q;
}

// Turns outlines of (ρ, z), of which the part ρ > 0 counts.
class Turner {
 public:
  // Between the heights `low` and `high` the surfaces must be right. `facets` are of the turn by
  // `angle`.
  Turner(const SolidMap& map, double low, double high, double angle, const Facets& facets)
      : map_(map), low_(low), high_(high) {
    const double step = angle / std::max(facets.count, 1);
    for (int k = 0; k < facets.count; ++k) {
      const double middle = facets.start + (k + 0.5) * step;
      middles_.emplace_back(std::cos(middle), std::sin(middle));
      middles_.back() /= std::cos(0.5 * step);
    }
  }

  TernarySolid Leaf(const Outline& outline) const {
    if (outline.kind == Outline::Kind::kDisc && middles_.empty()) return Disc(outline);
    if (outline.kind == Outline::Kind::kDisc) {
      throw InvalidInput(
          "a circle without facets is revolved in facets; give both a $fn of 12 or less, or "
          "neither, or export this part as STL");
    }
    if (outline.ring.size() > kMostCorners ||
        outline.ring.size() * middles_.size() > kMostFacetPlanes) {
      throw InvalidInput(
          fmt::format("an outline with {} corners is too large to be revolved, the limit is {}; "
                      "draw its arcs with circle(), or export this part as STL",
                      outline.ring.size(), kMostCorners));
    }
    return OfFormula(FormulaOf(outline.ring),
                     [&](int edge) { return EdgeSide(outline.ring, edge); });
  }

 private:
  // n·(ρ, z) <= d on the left of an edge.
  TernarySolid EdgeSide(const PolygonRing& ring, int edge) const {
    const auto e = static_cast<std::size_t>(edge);
    const Eigen::Vector2d &p = ring[e], &q = ring[(e + 1) % ring.size()];
    const auto [n, d] = LineOf(p, q);
    const double a = n.x(), b = n.y();
    if (a != 0.0 && !middles_.empty()) return FacetedSide(n, d);
    if (a == 0.0) return TernarySolid(map_.HalfSpaceImage({0.0, 0.0, b}, d));
    if (b == 0.0) return InCylinder(p.x(), a > 0.0);
    if (a > 0.0) return InNappe(p, b / a);
    return Without(InNappe(p, b / a));
  }

  // The same with the distance from the axis as facets have it, the greatest of those along their
  // middles: below it all of them, beyond it any.
  TernarySolid FacetedSide(const Eigen::Vector2d& n, double d) const {
    // The axis, where the outline ends at it.
    if (n.x() < 0.0 && n.y() == 0.0 && d >= 0.0) return true;
    std::vector<TernarySolid> sides;
    for (const Eigen::Vector2d& middle : middles_) {
      sides.push_back(map_.HalfSpaceImage({n.x() * middle.x(), n.x() * middle.y(), n.y()}, d));
    }
    return Combined(n.x() > 0.0, sides);
  }

  // ρ <= radius, or >= where not `inside`.
  TernarySolid InCylinder(double radius, bool inside) const {
    if (!(radius > 0.0)) return !inside;
    if (map_.IsIdentity()) {
      const Solid cylinder = InfiniteCylinder(radius);
      return inside ? cylinder : Complement(cylinder);
    }
    const Solid cylinder = map_.QuadricImage(Radial(-radius * radius, 0.0, 0.0, 1.0));
    return inside ? cylinder : Complement(cylinder);
  }

  // ρ <= r(z), the line through p with r' = −slope: one nappe of ρ² <= r², without the plane that
  // cuts off the other where that lies beyond all that counts.
  TernarySolid InNappe(const Eigen::Vector2d& p, double slope) const {
    const double at_zero = p.x() + slope * p.y();  // r(z) = at_zero − slope z
    const Solid cone =
        map_.QuadricImage(Radial(-at_zero * at_zero, 2.0 * at_zero * slope, -slope * slope, 1.0));
    const double at_low = at_zero - slope * low_, at_high = at_zero - slope * high_;
    if (at_low > 0.0 && at_high > 0.0) return cone;
    if (at_low < 0.0 && at_high < 0.0) return false;
    return Intersection({cone, map_.HalfSpaceImage({0.0, 0.0, slope}, at_zero)});
  }

  // E + l ρ <= 0 of an ellipse with an axis along z: E² <= l²ρ² where l < 0, or E <= 0 besides.
  TernarySolid Disc(const Outline& outline) const {
    const double c = outline.center.x(), z0 = outline.center.y();
    const auto radius = outline.Radius();
    if (radius && map_.IsIdentity()) {
      const Pose X{{0.0, 0.0, z0}};
      if (c == 0.0) return Sphere(*radius).Posed(X);
      if (c >= *radius) return Torus(c, *radius).Posed(X);
    }
    // Squares of the semi-axes.
    const Eigen::Matrix2d S = outline.disc * outline.disc.transpose();
    if (std::abs(S(0, 1)) > kSameLength * std::sqrt(S(0, 0) * S(1, 1))) {
      throw InvalidInput(
          "an ellipse that is tilted against the axis makes a surface of degree above four; export "
          "this part as STL");
    }
    const double a2 = S(0, 0), b2 = S(1, 1), ratio = a2 / b2;
    if (c <= -std::sqrt(a2)) return false;
    const double constant = c * c + ratio * z0 * z0 - a2;
    const Eigen::Matrix4d E = Radial(constant, -2.0 * ratio * z0, ratio, 1.0);
    const Solid core = map_.QuadricImage(E);
    if (c == 0.0) return core;
    const Eigen::Vector4d l(0.0, 0.0, 0.0, -2.0 * c);
    const Eigen::Matrix4d square = Radial(0.0, 0.0, 0.0, 1.0);
    const Solid outer = map_.QuarticImage(E, l, square, c > 0.0);
    if (c >= std::sqrt(a2)) return outer;
    if (c > 0.0) return Union({core, outer});
    return Intersection({core, outer});
  }

  const SolidMap& map_;
  const double low_, high_;
  std::vector<Eigen::Vector2d> middles_;  // of facets: p·middle is ρ where that is nearest
};

// What lies between the half-planes at angle 0 and at `angle` from the x axis.
TernarySolid Wedge(double angle, const SolidMap& map) {
  const double size = std::abs(angle);
  if (size >= kTurn - kAngleRounding) return true;
  const auto side = [&](double at, double sign) {
    // Quarter turns exactly, so that flush faces stay so.
    const double quarters = at / (0.25 * kTurn);
    double c = std::cos(at), s = std::sin(at);
    if (std::abs(quarters - std::round(quarters)) < kAngleRounding) {
      c = std::round(c);
      s = std::round(s);
    }
    return map.HalfSpaceImage({sign * s, -sign * c, 0.0}, 0.0);
  };
  const double sign = angle > 0.0 ? 1.0 : -1.0;
  const Solid from = side(0.0, sign), to = side(angle, -sign);
  if (std::abs(size - 0.5 * kTurn) < kAngleRounding) return from;
  if (size < 0.5 * kTurn) return Intersection({from, to});
  return Union({from, to});
}

}  // namespace

Eigen::Vector2d FacetDirection(int i, int n) {
  // Within an eighth of a turn of the x axis or the y axis, so that mirrored parts mirror.
  const int eighths = 8 * i / n, quarter = (eighths + 1) / 2 % 4;
  const double angle = kTurn * (4.0 * i - static_cast<double>((eighths + 1) / 2) * n) / (4.0 * n);
  const double c = std::cos(angle), s = std::sin(angle);
  constexpr double kSign[] = {1.0, 1.0, -1.0, -1.0};
  const double sign = kSign[quarter];
  return quarter % 2 == 0 ? Eigen::Vector2d(sign * c, sign * s)
                          : Eigen::Vector2d(-sign * s, sign * c);
}

Solid Revolved(const Outline& outline, double angle, const SolidMap& map, const Facets& facets) {
  OutlineBounds bounds = BoundsOf(outline);
  bounds.min.x() = std::max(bounds.min.x(), 0.0);
  if (bounds.IsEmpty() || !(bounds.max.x() > 0.0)) {
    throw InvalidInput("its outline is empty on the side x > 0 of the axis; move it there");
  }
  const double radius = bounds.max.x(), half = bounds.Half().y(), middle = bounds.Center().y();
  if (facets.count > 0 && std::abs(angle) / facets.count >= 0.5 * kTurn - kAngleRounding) {
    throw InvalidInput("its $fn gives a single flat facet for half a turn; raise it");
  }
  const Turner turner(map, middle - 2.0 * half, middle + 2.0 * half, angle, facets);
  const TernarySolid turned =
      OfOutline(outline, [&](const Outline& leaf) { return turner.Leaf(leaf); });
  const TernarySolid wedge = Wedge(angle, map);
  const bool is_whole = std::holds_alternative<bool>(wedge);
  const TernarySolid cut = Combined(true, {turned, wedge});
  const Solid* solid = std::get_if<Solid>(&cut);
  if (!solid)
    throw InvalidInput("its outline is empty on the side x > 0 of the axis; move it there");
  if (outline.kind == Outline::Kind::kDisc && is_whole) return *solid;  // bounded by itself
  if (is_whole && map.IsIdentity() && facets.count == 0) {
    // What bounds it is round about the same axis, too: a solid of revolution is summed as one.
    const Solid around = Cylinder(kLoose * radius, 2.0 * kLoose * half);
    return Intersection({around.Posed(Pose{{0.0, 0.0, middle}}), *solid});
  }
  return Intersection({map.LooseBox({0.0, 0.0, middle}, {radius, radius, half}, false), *solid});
}

}  // namespace volcontact
