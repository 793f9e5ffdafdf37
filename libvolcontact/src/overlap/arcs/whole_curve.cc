#include "overlap/arcs/whole_curve.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Newton's steps on a loop: the last is less than this, of coordinates of the cube.
constexpr int kMostLoopSteps = 20;
constexpr double kLastLoopStep = 1e-13;

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

CurvePoint WholeCurve::LoopAt(double t) const {
  const double c = std::cos(t), s = std::sin(t);
  double slope, z = 0.0;
  double rho = 1.0 / std::sqrt(EvaluateTrig(D, c, s, &slope));
  const Vector3d out = c * n.cosine + s * n.sine, &up = quadric.ruling;
  Vector3d p, df, dg;
  for (int step = 0; step < kMostLoopSteps; ++step) {
    p = base + rho * out + z * up;
    const double at_f = EvaluateSurface(*surfaces[0], p, &df);
    const double at_g = EvaluateSurface(*surfaces[1], p, &dg);
    const double f_out = df.dot(out), f_up = df.dot(up), g_out = dg.dot(out), g_up = dg.dot(up);
    const double determinant = f_out * g_up - f_up * g_out;
    const double change = (at_f * g_up - at_g * f_up) / determinant;
    const double rise = (f_out * at_g - g_out * at_f) / determinant;
    rho -= change;
    z -= rise;
    if (std::abs(change) + std::abs(rise) <= kLastLoopStep) break;
  }
  const Vector3d along = df.cross(dg);
  const double turn = (c * n.sine - s * n.cosine).dot(along);
  return {base + rho * out + z * up, rho / turn * along};
}

WholeCurve WholeCurve::Mapped(const Eigen::Matrix3d& linear, const Vector3d& offset) const {
  WholeCurve mapped = *this;
  if (kind == Kind::kLoop || kind == Kind::kChart) {
    mapped.kind = Kind::kMapped;
    mapped.original = this;
    mapped.base = offset;
    mapped.n = {linear.col(0), linear.col(1), linear.col(2)};
    return mapped;
  }
  const auto map = [&linear](const Ellipse& section) -> Ellipse {
    return {linear * section.origin, linear * section.cosine, linear * section.sine};
  };
  mapped.base = linear * base + offset;
  mapped.n = map(n);
  mapped.quadric.base = linear * quadric.base + offset;
  mapped.quadric.ruling = linear * quadric.ruling;
  mapped.quadric.section = map(quadric.section);
  return mapped;
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
  if (kind == Kind::kLoop) return LoopAt(t);
  if (kind == Kind::kChart) {
    CurvePoint point;
    arc->At(t, &point.p, &point.derivative);
    return point;
  }
  if (kind == Kind::kMapped) {
    const CurvePoint point = original->At(t);
    const auto turned = [this](const Vector3d& v) -> Vector3d {
      return v[0] * n.origin + v[1] * n.cosine + v[2] * n.sine;
    };
    return {base + turned(point.p), turned(point.derivative)};
  }
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
