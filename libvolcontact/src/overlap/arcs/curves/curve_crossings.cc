#include "overlap/arcs/curves/curve_crossings.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/arithmetic/lanes.h"
#include "math/arithmetic/univariate.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// A function on the curve that is nowhere larger vanishes there: coefficients are of order one, and
// known to a few roundings.
constexpr double kVanishing = 1e-11, kPrecision = 1e-13;
// Within this distance from the cube's centre points of a cone have more digits than numbers of its
// apex.
constexpr double kNearCube = 4.0;
// Steps between samples on a part of a curve on rulings to begin with, and at most: two of them are
// enough where their ends tell the sample between them to this part of the largest value, and are
// no farther from each other than this factor of how far off the root branches: samples that are
// farther apart see nothing of a narrow turn.
constexpr std::size_t kFirstSteps = Lanes::kCount, kMostSteps = 128;
constexpr double kInterpolationTolerance = 0.02, kLongestToBranch = 2.0;
// The estimated fourth derivative is trusted to this factor.
constexpr double kDerivativeMargin = 4.0;
// Boxes that are no proof are larger by this factor than the curve seems to be.
constexpr double kBoxMargin = 2.0;

// a + b, for the products of two affine functions along an ellipse.
void AddProduct(double factor, const std::array<double, 3>& a, const std::array<double, 3>& b,
                TrigPolynomial* sum) {
  TrigPolynomial& f = *sum;
  f[0] += factor * (a[0] * b[0] + 0.5 * (a[1] * b[1] + a[2] * b[2]));
  f[1] += factor * (a[0] * b[1] + a[1] * b[0]);
  f[2] += factor * (a[0] * b[2] + a[2] * b[0]);
  f[3] += factor * 0.5 * (a[1] * b[1] - a[2] * b[2]);
  f[4] += factor * 0.5 * (a[1] * b[2] + a[2] * b[1]);
}

// psi times a power of w along a conic.
TrigPolynomial OnSection(const WholeCurve& curve, const CurveSurface& surface) {
  Vector3d gradient;
  const double value = EvaluateSurface(*surface.surface, curve.base, &gradient);
  const Ellipse& n = curve.n;
  const std::array<double, 3> linear = {gradient.dot(n.origin), gradient.dot(n.cosine),
                                        gradient.dot(n.sine)};
  TrigPolynomial f = {};
  if (surface.surface->psi.degree <= 1) {
    for (int k = 0; k < 3; ++k) f[k] = value * curve.w[k] + linear[k];
    return f;
  }
  const Eigen::Matrix3d& H = surface.half_hessian;
  const Vector3d H0 = H * n.origin, Hc = H * n.cosine, Hs = H * n.sine;
  const double cc = n.cosine.dot(Hc), cs = n.cosine.dot(Hs), ss = n.sine.dot(Hs);
  f = {n.origin.dot(H0) + 0.5 * (cc + ss), 2.0 * n.cosine.dot(H0), 2.0 * n.sine.dot(H0),
       0.5 * (cc - ss), cs};
  AddProduct(1.0, curve.w, linear, &f);
  AddProduct(value, curve.w, curve.w, &f);
  return f;
}

}  // namespace

void CurveCrossings::Begin(const WholeCurve& curve, double from, double to) {
  curve_ = &curve;
  from_ = from;
  to_ = to;
  samples_.clear();
  radicand_ = curve.D;
  if (curve.oscillates) {
    const double c = std::cos(curve.middle), s = std::sin(curve.middle);
    const auto& [G0, G1, G2] = curve.G;
    radicand_ = {G0, G1 * c - G2 * s, G1 * s + G2 * c, 0.0, 0.0};
  }
}

// Of a conic: its numerator and its denominator, by their derivatives at the middle.
CurveCrossings::Range CurveCrossings::RangeOnConic() const {
  const double half = 0.5 * (to_ - from_), t = from_ + half;
  const double c = std::cos(t), s = std::sin(t), bend = 0.5 * half * half;
  const Ellipse& n = curve_->n;
  const std::array<double, 3>& w = curve_->w;
  const Vector3d axes = (n.cosine.cwiseAbs2() + n.sine.cwiseAbs2()).cwiseSqrt();
  const Vector3d middle = n.At(c, s);
  const Vector3d reach = half * n.Derivative(c, s).cwiseAbs() + bend * axes;
  const Vector3d low = (middle - reach).cwiseMax(n.origin - axes);
  const Vector3d high = (middle + reach).cwiseMin(n.origin + axes);
  const double amplitude = Length(w[1], w[2]);
  const double at_middle = w[0] + w[1] * c + w[2] * s;
  const double w_reach = half * std::abs(w[2] * c - w[1] * s) + bend * amplitude;
  const double least = std::max(at_middle - w_reach, w[0] - amplitude);
  const double most = std::min(at_middle + w_reach, w[0] + amplitude);
  if (!(least > 0.0)) return {};
  return {curve_->base + (low / least).cwiseMin(low / most),
          curve_->base + (high / least).cwiseMax(high / most)};
}

// Of a curve on rulings, by samples.
CurveCrossings::Range CurveCrossings::RangeOnRulings() {
  TakeSamples();
  Range range;
  CurvePoint last;
  const double step = (to_ - from_) / kFirstSteps;
  for (std::size_t n = 0; n < samples_.size(); ++n) {
    const Sample& sample = samples_[n];
    CurvePoint point{sample.p, sample.dp};
    if (curve_->quadric.is_cone) {
      // Beyond infinity it comes back from the other side.
      if (!(sample.on.y * samples_[0].on.y > 0.0)) return {};
      point.p /= sample.on.y;
      point.derivative = (sample.dp - sample.on.dy * point.p) / sample.on.y;
      point.p += curve_->quadric.base;
    }
    if (n == 0) {
      range = {point.p, point.p};
    } else {
      const Vector3d bend =
          0.125 * kBoxMargin * step * (point.derivative - last.derivative).cwiseAbs();
      range.low = range.low.cwiseMin(point.p.cwiseMin(last.p) - bend);
      range.high = range.high.cwiseMax(point.p.cwiseMax(last.p) + bend);
    }
    last = point;
  }
  return range;
}

bool CurveCrossings::BoxOf(Cell* box, double off) {
  Range range;
  switch (curve_->kind) {
    case WholeCurve::Kind::kLine: {
      const Vector3d start = curve_->At(from_).p, end = curve_->At(to_).p;
      range = {start.cwiseMin(end), start.cwiseMax(end)};
      break;
    }
    case WholeCurve::Kind::kConic:
      range = RangeOnConic();
      break;
    case WholeCurve::Kind::kGraph:
    case WholeCurve::Kind::kRuled:
    case WholeCurve::Kind::kLoop:
    case WholeCurve::Kind::kChart:
    case WholeCurve::Kind::kMapped:
      range = RangeOnRulings();
      break;
  }
  if (!range.low.allFinite() || !range.high.allFinite()) range = {};
  const Vector3d low = (range.low.array() - off).cwiseMax(-1.0),
                 high = (range.high.array() + off).cwiseMin(1.0);
  *box = {0.5 * (low + high), 0.5 * (high - low)};
  return (box->half.array() > 0.0).all();
}

CurveCrossings::Result CurveCrossings::Find(const CurveSurface& surface,
                                            std::vector<double>* parameters, DoubleZeros doubles) {
  if (surface.surface->psi.degree > 2) return OnRulings(surface, doubles, parameters);
  switch (curve_->kind) {
    case WholeCurve::Kind::kLine:
      return OnLine(surface, doubles, parameters);
    case WholeCurve::Kind::kConic:
      return OnConic(surface, doubles, parameters);
    case WholeCurve::Kind::kGraph:
    case WholeCurve::Kind::kRuled:
    case WholeCurve::Kind::kLoop:
    case WholeCurve::Kind::kChart:
    case WholeCurve::Kind::kMapped:
      break;
  }
  return OnRulings(surface, doubles, parameters);
}

CurveCrossings::Result CurveCrossings::OnLine(const CurveSurface& surface, DoubleZeros doubles,
                                              std::vector<double>* parameters) const {
  Vector3d gradient;
  const Vector3d& along = curve_->n.cosine;
  const double c0 = EvaluateSurface(*surface.surface, curve_->base, &gradient);
  const double c1 = gradient.dot(along), c2 = along.dot(surface.half_hessian * along);
  const double far = std::max(std::abs(from_), std::abs(to_));
  if (std::abs(c0) + far * (std::abs(c1) + far * std::abs(c2)) <= kVanishing)
    return Result::kUnknown;
  if (std::abs(c2) > kPrecision) {
    // An extreme on the curve that may be a zero.
    const double at = -0.5 * c1 / c2, extreme = c0 + 0.5 * c1 * at;
    if (at > from_ && at < to_ && std::abs(extreme) <= kPrecision) {
      if (doubles == DoubleZeros::kRefused || std::abs(c2) <= kLeastBendOfTouch)
        return Result::kUnknown;
      parameters->push_back(at);
      return Result::kFound;
    }
  }
  const RootList<2> roots = SolveQuadratic(c2, c1, c0);
  Result result = Result::kNone;
  for (int n = 0; n < roots.count; ++n) {
    if (!(roots.x[n] >= from_ && roots.x[n] < to_)) continue;
    parameters->push_back(roots.x[n]);
    result = Result::kFound;
  }
  return result;
}

CurveCrossings::Result CurveCrossings::OnConic(const CurveSurface& surface, DoubleZeros doubles,
                                               std::vector<double>* parameters) const {
  const TrigPolynomial f = OnSection(*curve_, surface);
  if (std::abs(f[0]) + Amplitude(f) <= kVanishing) return Result::kUnknown;
  const std::size_t before = parameters->size();
  if (!FindTrigZeros(f, kPrecision, from_, to_, doubles, parameters)) return Result::kUnknown;
  return parameters->size() > before ? Result::kFound : Result::kNone;
}

// On rulings.
CurveCrossings::Sample CurveCrossings::SampleOn(double t,
                                                const WholeCurve::OnRuling<double>& on) const {
  const RuledQuadric& quadric = curve_->quadric;
  Sample sample{t, on, quadric.section.At(on.cosine, on.sine),
                on.dphi * quadric.section.Derivative(on.cosine, on.sine), ToBranch(on)};
  if (quadric.is_cone) return sample;
  sample.p += quadric.base + on.y * quadric.ruling;
  sample.dp += on.dy * quadric.ruling;
  return sample;
}

CurveCrossings::Sample CurveCrossings::SampleAt(double t) const {
  if (curve_->kind == WholeCurve::Kind::kRuled) return SampleOn(t, curve_->RulingAt(t));
  const CurvePoint point = curve_->At(t);
  return {t, {}, point.p, point.derivative, std::numeric_limits<double>::infinity()};
}

// No less than half the distance to the nearest complex zero of the radicand, where that is not far
// off, by its Taylor polynomial of fourth degree.
double CurveCrossings::ToBranch(const WholeCurve::OnRuling<double>& on) const {
  const auto& [f0, f1, f2, f3, f4] = radicand_;
  const double c = on.cosine, s = on.sine, c2 = (c - s) * (c + s), s2 = 2.0 * s * c;
  const double once = f1 * c + f2 * s, slope_once = f2 * c - f1 * s;
  const double twice = f3 * c2 + f4 * s2, slope_twice = f4 * c2 - f3 * s2;
  const double value = std::abs(f0 + once + twice);
  const double first = std::abs(slope_once + 2.0 * slope_twice);
  const double second = std::abs(once + 4.0 * twice) / 2.0;
  const double third = std::abs(slope_once + 8.0 * slope_twice) / 6.0;
  const double fourth = std::abs(once + 16.0 * twice) / 24.0;
  const double off = std::min({value / first, std::sqrt(value / second), std::cbrt(value / third),
                               std::sqrt(std::sqrt(value / fourth))});
  return curve_->oscillates ? off / curve_->reach : off;
}

// psi; on a cone, where the curve may go to infinity, psi y², of the size of psi in the cube.
FunctionSample CurveCrossings::Evaluate(const CurveSurface& surface, const Sample& sample) const {
  Vector3d gradient;
  FunctionSample result{sample.t, 0.0, 0.0};
  const RuledQuadric& quadric = curve_->quadric;
  if (!quadric.is_cone) {
    result.f = EvaluateSurface(*surface.surface, sample.p, &gradient);
    result.df = gradient.dot(sample.dp);
    return result;
  }
  const double y = sample.on.y, dy = sample.on.dy;
  const double scale = std::max(1.0, quadric.base.squaredNorm());
  const Vector3d p = quadric.base + sample.p / y;
  if (p.squaredNorm() <= kNearCube * kNearCube) {
    const double psi = EvaluateSurface(*surface.surface, p, &gradient);
    result.f = y * y * psi;
    result.df = 2.0 * y * dy * psi + gradient.dot(y * sample.dp - dy * sample.p);
  } else {
    const double at_apex = EvaluateSurface(*surface.surface, quadric.base, &gradient);
    const Vector3d HN = surface.half_hessian * sample.p;
    const double linear = gradient.dot(sample.p), slope = gradient.dot(sample.dp);
    result.f = y * (y * at_apex + linear) + sample.p.dot(HN);
    result.df = dy * (2.0 * y * at_apex + linear) + y * slope + 2.0 * sample.dp.dot(HN);
  }
  result.f *= scale;
  result.df *= scale;
  return result;
}

void CurveCrossings::TakeSamples() {
  samples_.clear();
  const double step = (to_ - from_) / kFirstSteps;
  const Lanes t(from_, from_ + step, from_ + 2.0 * step, from_ + 3.0 * step);
  if (curve_->kind == WholeCurve::Kind::kRuled) {
    const WholeCurve::OnRuling<Lanes> on = curve_->RulingAt(t);
    for (std::size_t n = 0; n < kFirstSteps; ++n) {
      samples_.push_back(
          SampleOn(t.x[n], {on.cosine.x[n], on.sine.x[n], on.y.x[n], on.dphi.x[n], on.dy.x[n]}));
    }
  } else {
    for (std::size_t n = 0; n < kFirstSteps; ++n) samples_.push_back(SampleAt(t.x[n]));
  }
  samples_.push_back(SampleAt(to_));
}

// How far the surface's value in the middle of two steps from a sample on is off what the ends of
// these tell.
double CurveCrossings::ErrorFrom(std::size_t n) const {
  const FunctionSample &a = values_[n], &b = values_[n + 2];
  const double middle = 0.5 * (a.f + b.f) + 0.125 * (b.t - a.t) * (a.df - b.df);
  return std::abs(middle - values_[n + 1].f);
}

// Whether two steps from a sample on tell all that the surface does between them.
bool CurveCrossings::AreDenseFrom(std::size_t n, double tolerance) const {
  const Sample &a = samples_[n], &b = samples_[n + 1], &c = samples_[n + 2];
  return ErrorFrom(n) <= tolerance &&
         c.t - a.t <= kLongestToBranch * std::min({a.to_branch, b.to_branch, c.to_branch});
}

// Halves two steps from a sample on.
void CurveCrossings::HalveFrom(std::size_t n, const CurveSurface& surface) {
  for (const std::size_t first : {n + 1, n}) {
    const double t = 0.5 * (samples_[first].t + samples_[first + 1].t);
    const auto next = static_cast<std::ptrdiff_t>(first + 1);
    const Sample& sample = *samples_.insert(samples_.begin() + next, SampleAt(t));
    values_.insert(values_.begin() + next, Evaluate(surface, sample));
  }
}

CurveCrossings::Result CurveCrossings::OnRulings(const CurveSurface& surface, DoubleZeros doubles,
                                                 std::vector<double>* parameters) {
  if (samples_.empty()) TakeSamples();
  values_.clear();
  double largest = 0.0;
  for (const Sample& sample : samples_) {
    values_.push_back(Evaluate(surface, sample));
    largest = std::max(largest, std::abs(values_.back().f));
  }
  if (!(largest > kVanishing) || !std::isfinite(largest)) return Result::kUnknown;
  for (std::size_t n = 0; n + 2 < samples_.size();) {
    if (AreDenseFrom(n, kInterpolationTolerance * largest)) {
      n += 2;
    } else if (samples_.size() > kMostSteps) {
      return Result::kUnknown;
    } else {
      HalveFrom(n, surface);
    }
  }
  // The error in the middle of a step is h⁴/384 of the fourth derivative.
  fourths_.clear();
  for (std::size_t n = 0; n + 2 < samples_.size(); n += 2) {
    const double step = samples_[n + 2].t - samples_[n].t;
    fourths_.push_back(kDerivativeMargin * 384.0 * ErrorFrom(n) / (step * step * step * step));
  }
  const auto at = [&](double t) { return Evaluate(surface, SampleAt(t)); };
  const std::size_t before = parameters->size();
  for (std::size_t n = 1; n < values_.size(); ++n) {
    // Two steps by themselves may seem smoother than they are.
    const std::size_t k = (n - 1) / 2, last = std::min(k + 1, fourths_.size() - 1);
    const double fourth = *std::max_element(
        fourths_.begin() + static_cast<std::ptrdiff_t>(k - std::min(k, std::size_t{1})),
        fourths_.begin() + static_cast<std::ptrdiff_t>(last + 1));
    if (!FindZeros(at, values_[n - 1], values_[n], fourth, kPrecision, doubles, 0, parameters))
      return Result::kUnknown;
  }
  return parameters->size() > before ? Result::kFound : Result::kNone;
}

}  // namespace volcontact
