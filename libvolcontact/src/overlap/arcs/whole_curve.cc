#include "overlap/arcs/whole_curve.h"

#include <algorithm>

namespace volcontact {
namespace {

using Eigen::Vector3d;

double Sinc(double x) { return std::abs(x) < 1e-4 ? 1.0 - x * x / 6.0 : std::sin(x) / x; }

}  // namespace

WholeCurve::OnRuling WholeCurve::RulingAt(double t) const {
  OnRuling at;
  const double s = std::sin(t), c = std::cos(t);
  double root, droot;  // s of the quadratic equation, and its derivative
  if (oscillates) {
    const double psi = reach * s, phi = middle + psi;
    at.cosine = std::cos(phi);
    at.sine = std::sin(phi);
    at.dphi = reach * c;
    // 1 ∓ sin t without cancellation.
    const double below = s > 0.0 ? c * c / (1.0 + s) : 1.0 - s;
    const double above = s < 0.0 ? c * c / (1.0 - s) : 1.0 + s;
    const double rest = G[0] + G[1] * std::cos(psi) + G[2] * std::sin(psi);
    const double rate = std::sqrt(
        std::max(0.0, 0.5 * Sinc(0.5 * reach * below) * Sinc(0.5 * reach * above) * rest));
    double slope;
    EvaluateTrig(D, at.cosine, at.sine, &slope);
    root = reach * c * rate;
    droot = 0.5 * slope / rate;
  } else {
    at.cosine = c;
    at.sine = s;
    at.dphi = 1.0;
    double slope;
    root = sign * std::sqrt(std::max(0.0, EvaluateTrig(D, c, s, &slope)));
    droot = 0.5 * slope / root;
  }
  const double inverse = 1.0 / g;
  at.y = (root - (b[0] + b[1] * at.cosine + b[2] * at.sine)) * inverse;
  at.dy = (droot - (b[2] * at.cosine - b[1] * at.sine) * at.dphi) * inverse;
  return at;
}

CurvePoint WholeCurve::GraphAt(double t) const {
  const double h = b[0], q = w[0] + t * (w[1] + t * w[2]), dq = w[1] + 2.0 * t * w[2];
  const double root = sign * std::sqrt(std::max(0.0, h * h - g * q));
  // Without a difference of like numbers.
  const double y = root * h > 0.0 ? -q / (h + root) : (root - h) / g;
  return {base + t * n.cosine + y * n.sine, n.cosine - 0.5 * dq / root * n.sine};
}

CurvePoint WholeCurve::At(double t) const {
  if (kind == Kind::kLine) return {base + t * n.cosine, n.cosine};
  if (kind == Kind::kConic) {
    const double c = std::cos(t), s = std::sin(t);
    const double inverse = 1.0 / (w[0] + w[1] * c + w[2] * s);
    const Vector3d offset = inverse * n.At(c, s);
    return {base + offset, inverse * (n.Derivative(c, s) - (w[2] * c - w[1] * s) * offset)};
  }
  if (kind == Kind::kGraph) return GraphAt(t);
  const OnRuling at = RulingAt(t);
  const Vector3d section = quadric.section.At(at.cosine, at.sine);
  const Vector3d slope = at.dphi * quadric.section.Derivative(at.cosine, at.sine);
  if (!quadric.is_cone) {
    return {quadric.base + section + at.y * quadric.ruling, slope + at.dy * quadric.ruling};
  }
  const Vector3d offset = section / at.y;
  return {quadric.base + offset, (slope - at.dy * offset) / at.y};
}

}  // namespace volcontact
