#include "solids/mesh_check/face_crossing.h"

#include <utility>

#include "solids/exact/exact_orientation.h"

namespace volcontact {
namespace {

// The sides of b's plane on which a's corners lie. A shared corner lies in the plane.
std::array<int, 3> Sides(const FaceCorners& a, const FaceCorners& b) {
  std::array<int, 3> sides{};
  for (int i = 0; i < 3; ++i) {
    if (a[i] == b[0] || a[i] == b[1] || a[i] == b[2]) continue;
    sides[i] = Orientation(*b[0], *b[1], *b[2], *a[i]);
  }
  return sides;
}

// Whether an edge of a has b on its outer side, both seen along the axis, along which a has the
// given orientation.
bool SeparatesInPlane(const FaceCorners& a, const FaceCorners& b, int axis, int orientation) {
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector3d &p = *a[i], &q = *a[(i + 1) % 3];
    bool outside = true;
    for (int j = 0; j < 3 && outside; ++j) {
      if (b[j] == a[i] || b[j] == a[(i + 1) % 3]) continue;
      outside = OrientationAlong(axis, p, q, *b[j]) * orientation <= 0;
    }
    if (outside) return true;
  }
  return false;
}

bool OverlapInPlane(const FaceCorners& a, const FaceCorners& b) {
  const int axis = AxisOfArea(*a[0], *a[1], *a[2]);
  return !SeparatesInPlane(a, b, axis, OrientationAlong(axis, *a[0], *a[1], *a[2])) &&
         !SeparatesInPlane(b, a, axis, OrientationAlong(axis, *b[0], *b[1], *b[2]));
}

// The corner that is alone on its side of the plane, or −1 when the triangle does not reach the
// plane along a segment.
int LoneCorner(const std::array<int, 3>& sides) {
  for (int i = 0; i < 3; ++i) {
    if (sides[i] * sides[(i + 1) % 3] <= 0 && sides[i] * sides[(i + 2) % 3] <= 0 && sides[i] != 0)
      return i;
  }
  return -1;
}

// Turns the lone corner to the front, and the triangle over where asked.
FaceCorners Arranged(const FaceCorners& t, int corner, bool over) {
  FaceCorners result = {t[corner], t[(corner + 1) % 3], t[(corner + 2) % 3]};
  if (over) std::swap(result[1], result[2]);
  return result;
}

bool TouchesWithEdge(const std::array<int, 3>& sides) {
  return (sides[0] == 0) + (sides[1] == 0) + (sides[2] == 0) == 2;
}

}  // namespace

// Guigue and Devillers: both triangles cut the common line of their planes in an interval. With
// a[0] on the positive side of b's plane and b[0] on that of a's, the intervals run from edge
// a[0]a[2] to a[0]a[1] and from b[0]b[1] to b[0]b[2], and an orientation of the four ends of two
// edges gives the order of their points on the line.
FaceMeeting Meet(const FaceCorners& a, const FaceCorners& b) {
  const std::array<int, 3> sides_a = Sides(a, b);
  if (sides_a[0] == 0 && sides_a[1] == 0 && sides_a[2] == 0) {
    return {OverlapInPlane(a, b) ? Meeting::kOverlap : Meeting::kApart, 0, 0};
  }
  const int lone_a = LoneCorner(sides_a);
  if (lone_a < 0) return {};
  const std::array<int, 3> sides_b = Sides(b, a);
  const int lone_b = LoneCorner(sides_b);
  if (lone_b < 0) return {};
  const bool edge_a = TouchesWithEdge(sides_a), edge_b = TouchesWithEdge(sides_b);
  if (edge_a && edge_b) return {};
  const FaceCorners p = Arranged(a, lone_a, sides_b[lone_b] < 0);
  const FaceCorners q = Arranged(b, lone_b, sides_a[lone_a] < 0);
  if (Orientation(*p[0], *p[1], *q[0], *q[1]) >= 0) return {};
  if (Orientation(*p[0], *p[2], *q[0], *q[2]) <= 0) return {};
  if (edge_a) return {Meeting::kEdgeOfFirst, lone_a, sides_a[lone_a]};
  if (edge_b) return {Meeting::kEdgeOfSecond, lone_b, sides_b[lone_b]};
  return {Meeting::kCross, 0, 0};
}

}  // namespace volcontact
