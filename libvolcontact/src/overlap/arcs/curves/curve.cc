#include "overlap/arcs/curves/curve.h"

#include <Eigen/Geometry>
#include <cmath>
#include <utility>

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Newton's iteration doubles the digits: a step no longer than this is the last that is needed. The
// unit cube holds all that is looked for, and starts are near.
constexpr double kLastStep = 3e-8;
constexpr int kMaxSteps = 12;
constexpr double kFarOff = 8.0;

// A polynomial with its derivatives by x, y and z, in a scheme of Horner's.
struct Jet {
  double value = 0.0, dx = 0.0, dy = 0.0, dz = 0.0;
};

// The same, times x, y or z, plus what does not depend on that variable.
void StepX(double x, const Jet& rest, Jet* jet) {
  jet->dx = jet->dx * x + jet->value;
  jet->value = jet->value * x + rest.value;
  jet->dy = jet->dy * x + rest.dy;
  jet->dz = jet->dz * x + rest.dz;
}
void StepY(double y, const Jet& rest, Jet* jet) {
  jet->dy = jet->dy * y + jet->value;
  jet->value = jet->value * y + rest.value;
  jet->dz = jet->dz * y + rest.dz;
}
void StepZ(double z, double rest, Jet* jet) {
  jet->dz = jet->dz * z + jet->value;
  jet->value = jet->value * z + rest;
}

// The terms of a polynomial of the given degree with x^i y^j, by z.
template <int degree, int i, int j>
Jet TermsInZ(const double* c, double z) {
  Jet jet;
  jet.value = c[MonomialIndex(i, j, degree - i - j)];
  [&]<int... n>(std::integer_sequence<int, n...>) {
    (StepZ(z, c[MonomialIndex(i, j, degree - i - j - 1 - n)], &jet), ...);
  }
  (std::make_integer_sequence<int, degree - i - j>());
  return jet;
}

template <int degree, int i>
Jet TermsInYZ(const double* c, double y, double z) {
  Jet jet = TermsInZ<degree, i, degree - i>(c, z);
  [&]<int... n>(std::integer_sequence<int, n...>) {
    (StepY(y, TermsInZ<degree, i, degree - i - 1 - n>(c, z), &jet), ...);
  }
  (std::make_integer_sequence<int, degree - i>());
  return jet;
}

template <int degree>
Jet AllTerms(const double* c, const Vector3d& p) {
  Jet jet = TermsInYZ<degree, degree>(c, p[1], p[2]);
  [&]<int... n>(std::integer_sequence<int, n...>) {
    (StepX(p[0], TermsInYZ<degree, degree - 1 - n>(c, p[1], p[2]), &jet), ...);
  }
  (std::make_integer_sequence<int, degree>());
  return jet;
}

}  // namespace

double EvaluateQuartic(const LocalSurface& surface, const Vector3d& p, Vector3d* gradient) {
  const double* c = surface.psi.c.data();
  const Jet jet = surface.psi.degree == 3 ? AllTerms<3>(c, p) : AllTerms<4>(c, p);
  *gradient = {jet.dx, jet.dy, jet.dz};
  return jet.value;
}

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
    const double u = EvaluateSurface(first, p, &f), v = EvaluateSurface(second, p, &g);
    double inverse = 1.0 / (f[a] * g[b] - f[b] * g[a]);
    const double da = (u * g[b] - v * f[b]) * inverse, db = (v * f[a] - u * g[a]) * inverse;
    p[a] -= da;
    p[b] -= db;
    const double length = std::abs(da) + std::abs(db);
    if (length <= kLastStep) {
      EvaluateSurface(first, p, &f);
      EvaluateSurface(second, p, &g);
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

bool SolveBetween(const LocalSurface& first, const LocalSurface& second, const CurvePoint& start,
                  const CurvePoint& end, int axis, double u, CurvePoint* point) {
  *point = Interpolate(start, end, axis, u);
  return SolveOnSlice(first, second, axis, point);
}

bool SolveVertex(const LocalSurface& first, const LocalSurface& second, const LocalSurface& third,
                 Vector3d* p) {
  Vector3d f, g, h;
  for (int step = 0; step < kMaxSteps; ++step) {
    const double u = EvaluateSurface(first, *p, &f), v = EvaluateSurface(second, *p, &g),
                 w = EvaluateSurface(third, *p, &h);
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
