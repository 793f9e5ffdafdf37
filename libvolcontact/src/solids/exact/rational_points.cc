#include "solids/exact/rational_points.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "math/arithmetic/vector3.h"
#include "solids/exact/exact_orientation.h"

namespace volcontact {
namespace {

using Corners = std::array<Eigen::Vector3d, 3>;
using RationalCorners = std::array<RationalPoint, 3>;

RationalCorners CornersOf(const Corners& t) {
  return {ToRational(t[0]), ToRational(t[1]), ToRational(t[2])};
}

// Where a quantity vanishes between two points at which it has opposite signs.
RationalPoint Between(const RationalPoint& p, const Rational& at_p, const RationalPoint& q,
                      const Rational& at_q) {
  const Rational t = at_p / (at_p - at_q);
  RationalPoint between;
  for (int i = 0; i < 3; ++i) between[i] = p[i] + t * (q[i] - p[i]);
  return between;
}

// Where the rim of t meets a plane, of which its corners lie to these sides.
std::vector<RationalPoint> RimInPlane(const RationalCorners& t, const std::array<int, 3>& sides,
                                      const RationalCorners& plane) {
  std::vector<RationalPoint> points;
  std::optional<RationalPoint> normal;
  const auto height = [&](const RationalPoint& p) -> Rational {
    if (!normal) normal = Cross(Minus(plane[1], plane[0]), Minus(plane[2], plane[0]));
    return Dot(*normal, Minus(p, plane[0]));
  };
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    if (sides[i] == 0) points.push_back(t[i]);
    if (sides[i] * sides[j] < 0) points.push_back(Between(t[i], height(t[i]), t[j], height(t[j])));
  }
  return points;
}

// The common polygon of triangles in one plane: the first, cut by the edges of the second, seen
// along an axis.
std::vector<RationalPoint> CommonPolygon(const RationalCorners& first,
                                         const RationalCorners& second, int axis) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const auto side = [&](const RationalPoint& a, const RationalPoint& b, const RationalPoint& p) {
    return Rational((b[u] - a[u]) * (p[v] - a[v]) - (b[v] - a[v]) * (p[u] - a[u]));
  };
  const int sense = Sign(side(second[0], second[1], second[2]));
  std::vector<RationalPoint> polygon(first.begin(), first.end()), cut;
  for (int i = 0; i < 3; ++i) {
    std::vector<Rational> height;
    for (const RationalPoint& p : polygon) {
      height.push_back(sense * side(second[i], second[(i + 1) % 3], p));
    }
    cut.clear();
    for (std::size_t n = 0; n < polygon.size(); ++n) {
      const std::size_t next = (n + 1) % polygon.size();
      if (Sign(height[n]) >= 0) cut.push_back(polygon[n]);
      if (Sign(height[n]) * Sign(height[next]) < 0) {
        cut.push_back(Between(polygon[n], height[n], polygon[next], height[next]));
      }
    }
    polygon.swap(cut);
  }
  polygon.erase(std::unique(polygon.begin(), polygon.end()), polygon.end());
  if (polygon.size() > 1 && polygon.front() == polygon.back()) polygon.pop_back();
  return polygon;
}

}  // namespace

RationalPoint ToRational(const Eigen::Vector3d& p) {
  return {Rational(p.x()), Rational(p.y()), Rational(p.z())};
}

Eigen::Vector3d Rounded(const RationalPoint& p) {
  return {ToDouble(p[0]), ToDouble(p[1]), ToDouble(p[2])};
}

Vector3dd RoundedPrecisely(const RationalPoint& p) {
  const auto precise = [](const Rational& x) {
    const double high = ToDouble(x);
    return FastTwoSum(high, ToDouble(Rational(x - Rational(high))));
  };
  return {precise(p[0]), precise(p[1]), precise(p[2])};
}

// In two planes: what their line has of the one triangle and of the other.
std::vector<RationalPoint> CommonPoints(const Corners& first, const Corners& second) {
  std::array<std::array<int, 3>, 2> sides;
  for (int i = 0; i < 3; ++i) {
    sides[0][i] = Orientation(second[0], second[1], second[2], first[i]);
    sides[1][i] = Orientation(first[0], first[1], first[2], second[i]);
  }
  const RationalCorners a = CornersOf(first), b = CornersOf(second);
  if (sides[0] == std::array<int, 3>{0, 0, 0}) {
    return CommonPolygon(a, b, AxisOfArea(first[0], first[1], first[2]));
  }
  std::vector<RationalPoint> of_a = RimInPlane(a, sides[0], b), of_b = RimInPlane(b, sides[1], a);
  if (of_a.empty() || of_b.empty()) return {};
  // Points of one line have an order by their coordinates, taken one after the other.
  const auto [a_from, a_to] = std::minmax_element(of_a.begin(), of_a.end());
  const auto [b_from, b_to] = std::minmax_element(of_b.begin(), of_b.end());
  const RationalPoint from = std::max(*a_from, *b_from), to = std::min(*a_to, *b_to);
  if (from > to) return {};
  if (from == to) return {from};
  return {from, to};
}

int RationalPoints::Add(const RationalPoint& p) {
  const Eigen::Vector3d rounded = Rounded(p);
  std::vector<int>& same = by_rounded_[{rounded.x(), rounded.y(), rounded.z()}];
  for (const int i : same) {
    if (exact_[i] == p) return i;
  }
  const int number = static_cast<int>(exact_.size());
  same.push_back(number);
  exact_.push_back(p);
  rounded_.push_back(rounded);
  precise_.push_back(RoundedPrecisely(p));
  return number;
}

}  // namespace volcontact
