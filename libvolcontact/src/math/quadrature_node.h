// Quadrature nodes on intervals with singular ends.
#pragma once

namespace volcontact {

struct QuadratureNode {
  double x, weight;
};

/// Maps a node t in [-1, 1] to [x0, x1], with the derivative dx/dt as weight. At a singular end dx/dt
/// vanishes linearly, which turns an integrand that behaves like a square root there into an analytic
/// one.
inline QuadratureNode MapNode(double x0, double x1, bool singular0, bool singular1, double t) {
  const double length = x1 - x0;
  const double s = 0.5 * (1.0 + t), u = 0.5 * (1.0 - t);
  if (singular0 && singular1) return {x0 + length * s * s * (3.0 - 2.0 * s), 3.0 * length * s * u};
  if (singular0) return {x0 + length * s * s, length * s};
  if (singular1) return {x1 - length * u * u, length * u};
  return {x0 + length * s, 0.5 * length};
}

}  // namespace volcontact
