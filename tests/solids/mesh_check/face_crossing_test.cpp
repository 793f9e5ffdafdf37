// Meet against intervals of rational numbers on the common line of two planes.
#include "solids/mesh_check/face_crossing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <vector>

#include "solids/exact/exact_number.h"
#include "solids/exact/exact_orientation.h"

namespace volcontact::face_crossing_test {
namespace {

using Point = std::array<Rational, 3>;

Point ToPoint(const Eigen::Vector3d& v) { return {v[0], v[1], v[2]}; }
Point Minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Rational Dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Point Cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Point NormalOf(const FaceCorners& t) {
  const Point p = ToPoint(*t[0]);
  return Cross(Minus(ToPoint(*t[1]), p), Minus(ToPoint(*t[2]), p));
}

// The interval along d in which the interior of t meets the plane (n, origin), if it does.
std::optional<std::array<Rational, 2>> Interval(const FaceCorners& t, const Point& n,
                                                const Point& origin, const Point& d) {
  std::vector<Rational> ends;
  bool above = false, below = false;
  for (int i = 0; i < 3; ++i) {
    const Point p = ToPoint(*t[i]), q = ToPoint(*t[(i + 1) % 3]);
    const Rational hp = Dot(n, Minus(p, origin)), hq = Dot(n, Minus(q, origin));
    above = above || hp > 0;
    below = below || hp < 0;
    if (hp == 0) ends.push_back(Dot(d, p));
    if (hp * hq < 0) ends.push_back((Dot(d, p) * hq - Dot(d, q) * hp) / (hq - hp));
  }
  if (!above || !below) return std::nullopt;
  const auto [low, high] = std::minmax_element(ends.begin(), ends.end());
  return std::array{*low, *high};
}

bool InteriorsCross(const FaceCorners& a, const FaceCorners& b) {
  const Point na = NormalOf(a), nb = NormalOf(b), d = Cross(na, nb);
  const auto i = Interval(a, nb, ToPoint(*b[0]), d), j = Interval(b, na, ToPoint(*a[0]), d);
  return i && j && std::max((*i)[0], (*j)[0]) < std::min((*i)[1], (*j)[1]);
}

bool Coplanar(const FaceCorners& a, const FaceCorners& b) {
  const Point n = NormalOf(a);
  return std::all_of(b.begin(), b.end(), [&](const Eigen::Vector3d* p) {
    return Dot(n, Minus(ToPoint(*p), ToPoint(*a[0]))) == 0;
  });
}

TEST(FaceCrossing, AgreesWithIntervals) {
  std::mt19937 random(7);
  int crossings = 0, touches = 0;
  for (int k = 0; k < 20000; ++k) {
    // A small grid is full of coincidences; an odd scale takes the points off it, by rounding.
    std::uniform_int_distribution<int> coordinate(0, k % 2 == 0 ? 2 : 4);
    const double scale = k % 3 == 0 ? 1.0 : 0.1;
    std::array<Eigen::Vector3d, 6> points;
    for (auto& p : points) {
      for (int i = 0; i < 3; ++i) p[i] = scale * coordinate(random);
    }
    const auto same = std::find(points.begin() + 3, points.end(), points[0]);
    FaceCorners a = {&points[0], &points[1], &points[2]}, b = {&points[3], &points[4], &points[5]};
    if (same != points.end()) b[same - points.begin() - 3] = a[0];
    if (AxisOfArea(*a[0], *a[1], *a[2]) < 0 || AxisOfArea(*b[0], *b[1], *b[2]) < 0) continue;
    if (Coplanar(a, b)) continue;
    const FaceMeeting meeting = Meet(a, b);
    ASSERT_EQ(meeting.kind == Meeting::kCross, InteriorsCross(a, b)) << "case " << k;
    ASSERT_EQ(Meet(b, a).kind == Meeting::kCross, InteriorsCross(a, b)) << "case " << k;
    crossings += meeting.kind == Meeting::kCross;
    touches += meeting.kind == Meeting::kEdgeOfFirst || meeting.kind == Meeting::kEdgeOfSecond;
  }
  EXPECT_GT(crossings, 300);
  EXPECT_GT(touches, 50);
}

// Triangles with integer corners overlap in the plane when some point of a fine grid that avoids
// their edges' small slopes lies in both.
TEST(FaceCrossing, OverlapsInAPlaneAgreeWithSampling) {
  std::mt19937 random(8);
  std::uniform_int_distribution<int> coordinate(0, 4);
  int overlaps = 0;
  for (int k = 0; k < 500; ++k) {
    std::array<Eigen::Vector3d, 6> points;
    for (auto& p : points) {
      const int x = coordinate(random), y = coordinate(random);
      p = {1.0 * x, 1.0 * y, 1.0 * x + y};
    }
    const FaceCorners a = {&points[0], &points[1], &points[2]};
    const FaceCorners b = {&points[3], &points[4], &points[5]};
    const int side_a = OrientationAlong(2, *a[0], *a[1], *a[2]);
    const int side_b = OrientationAlong(2, *b[0], *b[1], *b[2]);
    if (side_a == 0 || side_b == 0) continue;
    const auto holds = [](const FaceCorners& t, int side, const Eigen::Vector3d& p) {
      return OrientationAlong(2, *t[0], *t[1], p) == side &&
             OrientationAlong(2, *t[1], *t[2], p) == side &&
             OrientationAlong(2, *t[2], *t[0], p) == side;
    };
    bool sampled = false;
    for (double x = 0.013; x < 4.0 && !sampled; x += 0.0371) {
      for (double y = 0.017; y < 4.0 && !sampled; y += 0.0373) {
        sampled = holds(a, side_a, {x, y, 0}) && holds(b, side_b, {x, y, 0});
      }
    }
    ASSERT_EQ(Meet(a, b).kind == Meeting::kOverlap, sampled) << "case " << k;
    overlaps += sampled;
  }
  EXPECT_GT(overlaps, 50);
}

}  // namespace
}  // namespace volcontact::face_crossing_test
