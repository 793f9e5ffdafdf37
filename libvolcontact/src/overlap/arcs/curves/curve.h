// The room `arcs`: moments of an overlap as sums over its edges.
//
// edge_finder.h finds the pieces of edges in an octree of cells, face_form.h turns the flux through
// a face into an integral along its edges, edge_quadrature.h integrates, arc_method.h decides what
// is valid. docs/theory.md has the mathematics.
//
// A curve in which two surfaces meet, point by point.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>

#include "math/arithmetic/lanes.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

/// psi of third or fourth degree at p, and its gradient.
double EvaluateQuartic(const LocalSurface& surface, const Eigen::Vector3d& p,
                       Eigen::Vector3d* gradient);

/// psi at p and its gradient.
inline double EvaluateSurface(const LocalSurface& surface, const Eigen::Vector3d& p,
                              Eigen::Vector3d* gradient) {
  const auto& c = surface.psi.c;
  const double x = p[0], y = p[1], z = p[2];
  if (surface.psi.degree <= 1) {
    *gradient = {c[kX], c[kY], c[kZ]};
    return c[kOne] + (c[kX] * x + c[kY] * y + c[kZ] * z);
  }
  if (surface.psi.degree > 2) return EvaluateQuartic(surface, p, gradient);
  const double gx = 2.0 * c[kXX] * x + c[kXY] * y + c[kXZ] * z;
  const double gy = 2.0 * c[kYY] * y + c[kXY] * x + c[kYZ] * z;
  const double gz = 2.0 * c[kZZ] * z + c[kXZ] * x + c[kYZ] * y;
  *gradient = {c[kX] + gx, c[kY] + gy, c[kZ] + gz};
  return c[kOne] + (x * (c[kX] + 0.5 * gx) + y * (c[kY] + 0.5 * gy) + z * (c[kZ] + 0.5 * gz));
}

/// A point of a curve, and its derivative by one of the coordinates, which is 1 in that coordinate.
struct CurvePoint {
  Eigen::Vector3d p = Eigen::Vector3d::Zero(), derivative = Eigen::Vector3d::Zero();
};

/// Several points of a curve.
struct CurvePoints {
  std::array<Lanes, 3> p, derivative;

  void Set(std::size_t n, const CurvePoint& point) {
    for (int i = 0; i < 3; ++i) {
      p[i].x[n] = point.p[i];
      derivative[i].x[n] = point.derivative[i];
    }
  }
  /// Takes derivatives by another parameter, of which the present one is `scale` times.
  void ScaleDerivative(double scale) {
    for (Lanes& along : derivative) along *= scale;
  }
};

/// The point a part u of the way from start to end along the axis, as a polynomial of third degree
/// tells from what is known of the ends; without a derivative.
CurvePoint Interpolate(const CurvePoint& start, const CurvePoint& end, int axis, double u);

/// Moves `point` along the other two axes to where both surfaces vanish, by Newton's method from
/// where it is, and finds the derivative by its coordinate `axis`. False when that does not
/// converge nearby.
bool SolveOnSlice(const LocalSurface& first, const LocalSurface& second, int axis,
                  CurvePoint* point);

/// The point of the curve of two surfaces a part u of the way along the axis between two of its
/// points: where SolveOnSlice gets from what Interpolate tells, and false where that does not.
bool SolveBetween(const LocalSurface& first, const LocalSurface& second, const CurvePoint& start,
                  const CurvePoint& end, int axis, double u, CurvePoint* point);

/// Moves p to where three surfaces vanish, by Newton's method. False when that does not converge
/// nearby.
bool SolveVertex(const LocalSurface& first, const LocalSurface& second, const LocalSurface& third,
                 Eigen::Vector3d* p);

}  // namespace volcontact
