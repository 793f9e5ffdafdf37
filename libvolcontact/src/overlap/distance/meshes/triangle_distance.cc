#include "overlap/distance/meshes/triangle_distance.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace volcontact {
namespace {

using Eigen::Vector3d;
using Corners = std::array<Vector3d, 3>;

// Edges whose cross product is shorter than the square root of this, relatively, are taken for
// parallel: any point of one serves then.
constexpr double kParallelEdges = 1e-14;

void Offer(const Vector3d& x, const Vector3d& y, NearestPair* best) {
  const double squared = (x - y).squaredNorm();
  if (squared >= best->upper) return;
  best->upper = squared;
  best->x = x;
  best->y = y;
}

// Offers the nearest points of the edges from p0 to p1 and from q0 to q1.
void OfferEdges(const Vector3d& p0, const Vector3d& p1, const Vector3d& q0, const Vector3d& q1,
                NearestPair* best) {
  const Vector3d d = p1 - p0, e = q1 - q0, r = p0 - q0;
  const double a = d.squaredNorm(), b = d.dot(e), c = e.squaredNorm();
  const double determinant = a * c - b * b;
  double s = determinant > kParallelEdges * a * c
                 ? std::clamp((b * e.dot(r) - c * d.dot(r)) / determinant, 0.0, 1.0)
                 : 0.0;
  const double t = c > 0.0 ? std::clamp((e.dot(r) + s * b) / c, 0.0, 1.0) : 0.0;
  s = a > 0.0 ? std::clamp((t * b - d.dot(r)) / a, 0.0, 1.0) : 0.0;
  Offer(p0 + s * d, q0 + t * e, best);
}

// Whether an edge goes through a triangle. Where roundings hide that, the edge passes a side of the
// triangle, or ends at it, within roundings.
bool GoesThrough(const Vector3d& p, const Vector3d& q, const Corners& t, Vector3d* where) {
  const Vector3d n = (t[1] - t[0]).cross(t[2] - t[0]);
  const double at_p = n.dot(p - t[0]), at_q = n.dot(q - t[0]);
  if ((at_p > 0.0) == (at_q > 0.0)) return false;
  *where = p + (at_p / (at_p - at_q)) * (q - p);
  for (int i = 0; i < 3; ++i) {
    if (n.dot((t[(i + 1) % 3] - t[i]).cross(*where - t[i])) < 0.0) return false;
  }
  return true;
}

}  // namespace

Vector3d NearestOnTriangle(const Vector3d& p, const Corners& t) {
  const Vector3d n = (t[1] - t[0]).cross(t[2] - t[0]);
  const double area = n.squaredNorm();
  bool above = area > 0.0;
  NearestPair best;
  for (int i = 0; i < 3; ++i) {
    const Vector3d e = t[(i + 1) % 3] - t[i], d = p - t[i];
    above = above && n.dot(e.cross(d)) >= 0.0;
    const double length = e.squaredNorm();
    const double s = length > 0.0 ? std::clamp(d.dot(e) / length, 0.0, 1.0) : 0.0;
    Offer(p, t[i] + s * e, &best);
  }
  if (above) Offer(p, p - (n.dot(p - t[0]) / area) * n, &best);
  return best.y;
}

NearestPair TriangleDistance(const Corners& a, const Corners& b) {
  NearestPair best;
  for (int i = 0; i < 3; ++i) {
    Vector3d where;
    if (GoesThrough(a[i], a[(i + 1) % 3], b, &where) ||
        GoesThrough(b[i], b[(i + 1) % 3], a, &where)) {
      return {0.0, 0.0, where, where};
    }
    Offer(a[i], NearestOnTriangle(a[i], b), &best);
    Offer(NearestOnTriangle(b[i], a), b[i], &best);
    for (int j = 0; j < 3; ++j) OfferEdges(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3], &best);
  }
  best.upper = best.lower = std::sqrt(best.upper);
  return best;
}

}  // namespace volcontact
