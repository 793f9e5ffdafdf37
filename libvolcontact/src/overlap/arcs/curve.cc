#include "overlap/arcs/curve.h"

#include <Eigen/Geometry>
#include <cmath>

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Newton's iteration doubles the digits: a step no longer than this is the last that is needed. The
// unit cube holds all that is looked for, and starts are near.
constexpr double kLastStep = 3e-8;
constexpr int kMaxSteps = 12;
constexpr double kFarOff = 8.0;

}  // namespace

CurvePoint Interpolate(const CurvePoint& start, const CurvePoint& end, int axis, double u) {
  const double length = end.p[axis] - start.p[axis], v = 1.0 - u;
  CurvePoint point;
  point.p = v * v * ((1.0 + 2.0 * u) * start.p + u * length * start.derivative) +
            u * u * ((1.0 + 2.0 * v) * end.p - v * length * end.derivative);
  point.p[axis] = start.p[axis] + u * length;
  return point;
}

bool SolveOnSlice(const LocalSurface& first, const LocalSurface& second, int axis,
                  CurvePoint* point) {
  const int a = (axis + 1) % 3, b = (axis + 2) % 3;
  Vector3d& p = point->p;
  Vector3d f, g;
  for (int step = 0; step < kMaxSteps; ++step) {
    const double u = EvaluateQuadric(first, p, &f), v = EvaluateQuadric(second, p, &g);
    double inverse = 1.0 / (f[a] * g[b] - f[b] * g[a]);
    const double da = (u * g[b] - v * f[b]) * inverse, db = (v * f[a] - u * g[a]) * inverse;
    p[a] -= da;
    p[b] -= db;
    const double length = std::abs(da) + std::abs(db);
    if (length <= kLastStep) {
      EvaluateQuadric(first, p, &f);
      EvaluateQuadric(second, p, &g);
      inverse = 1.0 / (f[a] * g[b] - f[b] * g[a]);
      point->derivative[axis] = 1.0;
      point->derivative[a] = (g[axis] * f[b] - f[axis] * g[b]) * inverse;
      point->derivative[b] = (f[axis] * g[a] - g[axis] * f[a]) * inverse;
      return true;
    }
    if (!(length <= kFarOff && std::abs(p[a]) <= kFarOff && std::abs(p[b]) <= kFarOff))
      return false;
  }
  return false;
}

bool SolveVertex(const LocalSurface& first, const LocalSurface& second, const LocalSurface& third,
                 Vector3d* p) {
  Vector3d f, g, h;
  for (int step = 0; step < kMaxSteps; ++step) {
    const double u = EvaluateQuadric(first, *p, &f), v = EvaluateQuadric(second, *p, &g),
                 w = EvaluateQuadric(third, *p, &h);
    const Vector3d gh = g.cross(h);
    const Vector3d move = (u * gh + v * h.cross(f) + w * f.cross(g)) / f.dot(gh);
    *p -= move;
    const double length = move.cwiseAbs().maxCoeff();
    if (length <= kLastStep) return true;
    if (!(length <= kFarOff)) return false;
  }
  return false;
}

}  // namespace volcontact
