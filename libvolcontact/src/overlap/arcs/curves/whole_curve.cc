#include "overlap/arcs/curves/whole_curve.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "math/arithmetic/discs.h"
#include "math/arithmetic/lanes.h"
#include "math/arithmetic/sine_cosine.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Newton's steps on a loop: the last is less than this, of coordinates of the cube.
constexpr int kMostLoopSteps = 20;
constexpr double kLastLoopStep = 1e-13;

// A point on a curve is no farther from the guess of where it is.
constexpr double kOffGuess = 1e-4;

// Below it sin(x)/x is the first two terms of its series.
constexpr double kSmallAngle = 1e-4;

template <class T>
T Sinc(const T& x) {
  T sine, cosine;
  FindSineCosine(x, &sine, &cosine);
  return WhereNegative(AbsoluteOf(x) - kSmallAngle, 1.0 - x * x * (1.0 / 6.0), sine / x);
}

// By its second order: a third derivative at x is no larger than cosh(Im x)/4, and that no larger
// than a geometric series.
Discs Sinc(const Discs& x) {
  const Lanes& at = x.center;
  Lanes sine, cosine;
  FindSineCosine(at, &sine, &cosine);
  const Lanes value = Sinc(at), beyond = AbsoluteOf(at) - kSmallAngle;
  const Lanes slope = WhereNegative(beyond, at * (-1.0 / 3.0), (cosine - value) / at);
  const Lanes bend = WhereNegative(beyond, -1.0 / 6.0, -0.5 * value - slope / at);
  const Discs u = x.OffCenter();
  const Lanes rr = u.Radius() * u.Radius();
  const Lanes third = Discs::BelowOne(0.5 * rr, u.Radius() * rr / (24.0 - 12.0 * rr));
  return (Discs(value) + u * slope + u * u * bend).OffBy(third);
}

}  // namespace

template <class T>
WholeCurve::OnRuling<T> WholeCurve::RulingAt(const T& t) const {
  OnRuling<T> at;
  T s, c, root, slope, droot;  // the root s of the quadratic equation, and its derivative
  FindSineCosine(t, &s, &c);
  if (oscillates) {
    const T psi = reach * s;
    T sine_psi, cosine_psi;
    FindSineCosine(psi, &sine_psi, &cosine_psi);
    FindSineCosine(middle + psi, &at.sine, &at.cosine);
    at.dphi = reach * c;
    // 1 ∓ sin t without cancellation.
    const T below = WhereNegative(-s, c * c / (1.0 + s), 1.0 - s);
    const T above = WhereNegative(s, c * c / (1.0 - s), 1.0 + s);
    const T rest = G[0] + G[1] * cosine_psi + G[2] * sine_psi;
    const T rate = RootOf(0.5 * Sinc(0.5 * reach * below) * Sinc(0.5 * reach * above) * rest);
    EvaluateTrig(D, at.cosine, at.sine, &slope);
    root = reach * c * rate;
    droot = 0.5 * slope / rate;
  } else {
    at.cosine = c;
    at.sine = s;
    at.dphi = 1.0;
    root = sign * RootOf(EvaluateTrig(D, c, s, &slope));
    droot = 0.5 * slope / root;
  }
  const double inverse = 1.0 / g;
  at.y = (root - (b[0] + b[1] * at.cosine + b[2] * at.sine)) * inverse;
  at.dy = (droot - (b[2] * at.cosine - b[1] * at.sine) * at.dphi) * inverse;
  return at;
}

template <class T>
void WholeCurve::ConicAt(const T& t, std::array<T, 3>* p, std::array<T, 3>* derivative) const {
  T s, c;
  FindSineCosine(t, &s, &c);
  const T inverse = 1.0 / (w[0] + w[1] * c + w[2] * s), slope = w[2] * c - w[1] * s;
  for (int i = 0; i < 3; ++i) {
    const T offset = inverse * (n.origin[i] + c * n.cosine[i] + s * n.sine[i]);
    (*p)[i] = base[i] + offset;
    (*derivative)[i] = inverse * ((c * n.sine[i] - s * n.cosine[i]) - slope * offset);
  }
}

template <class T>
void WholeCurve::RuledAt(const T& t, std::array<T, 3>* p, std::array<T, 3>* derivative) const {
  const OnRuling<T> at = RulingAt(t);
  const Ellipse& around = quadric.section;
  for (int i = 0; i < 3; ++i) {
    const T section = around.origin[i] + at.cosine * around.cosine[i] + at.sine * around.sine[i];
    const T slope = at.dphi * (at.cosine * around.sine[i] - at.sine * around.cosine[i]);
    if (quadric.is_cone) {
      const T offset = section / at.y;
      (*p)[i] = quadric.base[i] + offset;
      (*derivative)[i] = (slope - at.dy * offset) / at.y;
    } else {
      (*p)[i] = quadric.base[i] + section + at.y * quadric.ruling[i];
      (*derivative)[i] = slope + at.dy * quadric.ruling[i];
    }
  }
}

template <class T>
void WholeCurve::GraphAt(const T& t, std::array<T, 3>* p, std::array<T, 3>* derivative) const {
  const double h = b[0];
  const T q = w[0] + t * (w[1] + t * w[2]), dq = w[1] + 2.0 * w[2] * t;
  const T root = sign * RootOf(h * h - g * q), slope = -0.5 * dq / root;
  // Without a difference of like numbers.
  const T y = sign * h > 0.0 ? -q / (h + root) : (root - h) / g;
  for (int i = 0; i < 3; ++i) {
    (*p)[i] = base[i] + t * n.cosine[i] + y * n.sine[i];
    (*derivative)[i] = n.cosine[i] + slope * n.sine[i];
  }
}

template <class T>
void WholeCurve::PointsAt(const T& t, std::array<T, 3>* p, std::array<T, 3>* derivative) const {
  if (kind == Kind::kConic) return ConicAt(t, p, derivative);
  if (kind == Kind::kRuled) return RuledAt(t, p, derivative);
  if (kind == Kind::kGraph) return GraphAt(t, p, derivative);
  for (int i = 0; i < 3; ++i) {
    (*p)[i] = base[i] + t * n.cosine[i];
    (*derivative)[i] = n.cosine[i];
  }
}

template WholeCurve::OnRuling<double> WholeCurve::RulingAt(const double&) const;
template WholeCurve::OnRuling<Lanes> WholeCurve::RulingAt(const Lanes&) const;
template void WholeCurve::PointsAt(const Lanes&, std::array<Lanes, 3>*,
                                   std::array<Lanes, 3>*) const;
template void WholeCurve::PointsAt(const Discs&, std::array<Discs, 3>*,
                                   std::array<Discs, 3>*) const;

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
  if (HasPointsAt()) {
    std::array<double, 3> p, derivative;
    PointsAt(t, &p, &derivative);
    return {Vector3d(p.data()), Vector3d(derivative.data())};
  }
  if (kind == Kind::kLoop) return LoopAt(t);
  if (kind == Kind::kChart) {
    CurvePoint point;
    arc->At(t, &point.p, &point.derivative);
    return point;
  }
  const CurvePoint point = original->At(t);  // kMapped
  const auto turned = [this](const Vector3d& v) -> Vector3d {
    return v[0] * n.origin + v[1] * n.cosine + v[2] * n.sine;
  };
  return {base + turned(point.p), turned(point.derivative)};
}

std::optional<Vector3d> WholeCurve::Swept(double t_from, double t_to) const {
  const bool is_ellipse = kind == Kind::kConic && w[1] == 0.0 && w[2] == 0.0;
  if (kind != Kind::kLine && !is_ellipse) return std::nullopt;
  const Vector3d begin = At(t_from).p, end = At(t_to).p;
  if (kind == Kind::kLine) return begin.cross(end);
  const Vector3d center = base + n.origin / w[0], turned = n.cosine.cross(n.sine) / (w[0] * w[0]);
  return center.cross(end - begin) + (t_to - t_from) * turned;
}

void WholeCurve::DiscsAt(const Discs& t, std::array<Discs, 3>* p,
                         std::array<Discs, 3>* derivative) const {
  if (HasPointsAt()) return PointsAt(t, p, derivative);
  if (kind == Kind::kChart) return arc->On(t, p, derivative);
  std::array<Discs, 3> of_original, by_t;
  original->DiscsAt(t, &of_original, &by_t);
  for (int i = 0; i < 3; ++i) {
    const auto turned = [&](const std::array<Discs, 3>& v) {
      return v[0] * n.origin[i] + v[1] * n.cosine[i] + v[2] * n.sine[i];
    };
    (*p)[i] = base[i] + turned(of_original);
    (*derivative)[i] = turned(by_t);
  }
}

// kConic, kRuled: the angle of a point on the curve: t, or φ of a ruled quadric. Both are the
// solution of equations that are linear in its cosine and sine.
double WholeCurve::AngleOf(const Vector3d& point) const {
  if (kind == Kind::kConic) {
    const Vector3d from_base = point - base;
    const Vector3d of_cosine = w[1] * from_base - n.cosine, of_sine = w[2] * from_base - n.sine;
    const Vector3d rest = n.origin - w[0] * from_base, normal = of_cosine.cross(of_sine);
    return std::atan2(of_cosine.cross(rest).dot(normal), rest.cross(of_sine).dot(normal));
  }
  const Vector3d from_base = point - quadric.base;
  const Vector3d rest =
      quadric.is_cone ? -quadric.section.origin : Vector3d(from_base - quadric.section.origin);
  const Vector3d along = quadric.is_cone ? -from_base : quadric.ruling;
  const double determinant = quadric.section.cosine.cross(quadric.section.sine).dot(along);
  return std::atan2(quadric.section.cosine.cross(rest).dot(along) / determinant,
                    rest.cross(quadric.section.sine).dot(along) / determinant);
}

double WholeCurve::GuessParameter(const Vector3d& point) const {
  if (kind == Kind::kLine) return (point - base).dot(n.cosine) / n.cosine.squaredNorm();
  const double angle = AngleOf(point);
  if (!oscillates) return angle;
  // The curve passes each ruling twice.
  const double psi = std::remainder(angle - middle, kFullTurn);
  const double t = std::asin(std::clamp(psi / reach, -1.0, 1.0)), other = 0.5 * kFullTurn - t;
  const auto distance = [&](double at) { return (At(at).p - point).squaredNorm(); };
  return distance(t) <= distance(other) ? t : other;
}

std::optional<double> WholeCurve::ParameterOf(const Vector3d& point, double most) const {
  if (!HasParameters()) return std::nullopt;
  // Of a point on the curve the guess is true but for rounding, of which a step of Newton's takes
  // what is left where the curve turns around.
  double t = GuessParameter(point);
  const CurvePoint guess = At(t);
  const Vector3d off = point - guess.p;
  if (!(off.norm() <= std::max(most, kOffGuess))) return std::nullopt;
  t += off.dot(guess.derivative) / guess.derivative.squaredNorm();
  if (kind != Kind::kLine) t -= kFullTurn * std::floor((t - from) / kFullTurn);
  const bool is_there = t >= from && t <= to && (At(t).p - point).norm() <= most;
  return is_there ? std::optional(t) : std::nullopt;
}

WholeCurve WholeConic(const Vector3d& base, const Ellipse& n, const std::array<double, 3>& w) {
  WholeCurve curve;
  curve.kind = WholeCurve::Kind::kConic;
  curve.is_closed = true;
  curve.to = kFullTurn;
  curve.base = base;
  curve.n = n;
  curve.w = w;
  return curve;
}

}  // namespace volcontact
