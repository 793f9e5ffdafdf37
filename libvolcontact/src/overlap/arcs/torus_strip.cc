#include "overlap/arcs/torus_strip.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <array>
#include <cmath>
#include <numbers>

#include "math/gauss_rules.h"
#include "overlap/charts/torus_base.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using std::numbers::pi;

// Strips no longer than this are integrated by the rules of 7 and of 15 nodes, to rounding.
constexpr double kShortStrip = 0.35, kLongStrip = 1.3;
constexpr int kShortRule = 2, kLongRule = 3;
// In θ all integrands are trigonometric polynomials of this degree at most, and so many equal steps
// of a turn tell all of them.
constexpr int kTurnDegree = 5, kTurnNodes = 2 * kTurnDegree + 1;

// Sines and cosines of the multiples of a step.
struct TurnTable {
  std::array<double, kTurnNodes> sine, cosine;

  TurnTable() {
    for (int k = 0; k < kTurnNodes; ++k) {
      sine[k] = std::sin(2.0 * pi / kTurnNodes * k);
      cosine[k] = std::cos(2.0 * pi / kTurnNodes * k);
    }
  }
};
const TurnTable kTurn;

// sin x and 1 − cos x for small x.
struct SmallAngle {
  double sine, versed;

  explicit SmallAngle(double x) {
    const double xx = x * x;
    sine = x * (1.0 -
                xx / 6.0 *
                    (1.0 - xx / 20.0 * (1.0 - xx / 42.0 * (1.0 - xx / 72.0 * (1.0 - xx / 110.0)))));
    versed =
        0.5 * xx *
        (1.0 - xx / 12.0 *
                   (1.0 - xx / 30.0 * (1.0 - xx / 56.0 * (1.0 - xx / 90.0 * (1.0 - xx / 132.0)))));
  }
};

}  // namespace

TorusStrip::TorusStrip(const SeamedTorus& seamed, const LocalFrame& frame, const Vector3d& near)
    : major_(seamed.torus.major.hi),
      minor_(seamed.torus.minor.hi),
      seam_cosine_(std::cos(seamed.seam)) {
  const TorusBase base(seamed.torus, frame, near);
  base_sine_ = base.sine.hi;
  base_cosine_ = base.cosine.hi;
  for (int i = 0; i < 3; ++i) {
    const double h = frame.half[i];
    const Vector3d along(base.normal[i].hi, base.around[i].hi, base.rising[i].hi);
    base_[i] = base.point[i].hi / h;
    axes_.row(i) = along.transpose() / h;
    inverse_.col(i) = h * along;
  }
  cofactors_ = minor_ * axes_.determinant() * inverse_.transpose();
  seam_ = seamed.seam - base.angle;
  while (seam_ <= 0.0) seam_ += 2.0 * pi;
  usable_ = axes_.allFinite() && base_.allFinite();
}

TorusStrip::Place TorusStrip::Find(const Vector3d& p, const Vector3d& derivative) const {
  const Vector3d q = inverse_ * (p - base_), dq = inverse_ * derivative;
  // From the axis, in the section of the base and across it.
  const double x = (major_ + minor_ * base_cosine_) + (base_cosine_ * q[0] - base_sine_ * q[2]);
  const double y = q[1];
  const double radius = std::hypot(x, y);
  const double beyond = x > 0.0 ? y * y / (radius + x) : radius - x;  // radius − x
  Place place;
  place.sine = y / radius;
  place.cosine = x / radius;
  place.versed = beyond / radius;
  const double dx = base_cosine_ * dq[0] - base_sine_ * dq[2];
  place.phi_derivative = (x * dq[1] - y * dx) / (radius * radius);
  place.tau = std::atan2(q[2] - beyond * base_sine_, minor_ + (q[0] + beyond * base_cosine_));
  if (place.tau > seam_) place.tau -= 2.0 * pi;
  if (place.tau < seam_ - 2.0 * pi) place.tau += 2.0 * pi;
  place.is_outside = radius > major_;
  return place;
}

// The element of area at the angle θ from the base, in the section of a place, by dφ dθ.
void TorusStrip::AddElement(const Place& place, double sine, double versed, double weight,
                            BoundarySums* sums) const {
  const double cosine = 1.0 - versed;
  const double outward = base_cosine_ * cosine - base_sine_ * sine;  // cos θ
  const double radius = major_ + minor_ * outward;
  const double back = place.versed * radius, turned = place.versed * outward;
  const Vector3d q(-base_cosine_ * back - minor_ * versed, radius * place.sine,
                   base_sine_ * back + minor_ * sine);
  const Vector3d normal(cosine - base_cosine_ * turned, outward * place.sine,
                        sine + base_sine_ * turned);
  sums->AddElement(base_ + axes_ * q, weight * radius * (cofactors_ * normal));
}

// The integral over θ from the base to tau, long: the weights are integrals of the trigonometric
// polynomials that are 1 at one node and 0 at the others.
void TorusStrip::AddTurn(const Place& place, double tau, BoundarySums* sums) const {
  std::array<double, kTurnDegree + 1> sine, cosine;
  const double sine1 = std::sin(tau), cosine1 = std::cos(tau);
  sine[0] = 0.0, cosine[0] = 1.0;
  for (int m = 1; m <= kTurnDegree; ++m) {
    sine[m] = sine[m - 1] * cosine1 + cosine[m - 1] * sine1;
    cosine[m] = cosine[m - 1] * cosine1 - sine[m - 1] * sine1;
  }
  for (int k = 0; k < kTurnNodes; ++k) {
    double weight = tau;
    for (int m = 1; m <= kTurnDegree; ++m) {
      const int n = m * k % kTurnNodes;
      weight += 2.0 / m * (sine[m] * kTurn.cosine[n] - cosine[m] * kTurn.sine[n] + kTurn.sine[n]);
    }
    AddElement(place, kTurn.sine[k], 1.0 - kTurn.cosine[k],
               -place.phi_derivative / kTurnNodes * weight, sums);
  }
}

void TorusStrip::Evaluate(const Vector3d& p, const Vector3d& derivative, BoundarySums* sums) const {
  const Place place = Find(p, derivative);
  const double length = std::abs(place.tau);
  if (length > kLongStrip) {
    AddTurn(place, place.tau, sums);
    return;
  }
  const bool is_short = length <= kShortStrip;
  const int rule = is_short ? kShortRule : kLongRule;
  const double half = 0.5 * place.tau, factor = -half * place.phi_derivative;
  const double sine = std::sin(half), cosine = std::cos(half);
  for (int n = 0; n < kPattersonSizes[rule]; ++n) {
    const double from_middle = half * kPattersonNodes[n];
    const double weight = factor * kPattersonWeights[rule][n];
    if (is_short) {
      const SmallAngle angle(half + from_middle);
      AddElement(place, angle.sine, angle.versed, weight, sums);
    } else {
      const double s = std::sin(from_middle), c = std::cos(from_middle);
      AddElement(place, sine * c + cosine * s, 1.0 - (cosine * c - sine * s), weight, sums);
    }
  }
}

void TorusStrip::EvaluateSeam(const Vector3d& p, const Vector3d& derivative,
                              BoundarySums* sums) const {
  const Place place = Find(p, derivative);
  if (place.is_outside != (seam_cosine_ > 0.0)) return;
  AddTurn(place, seam_cosine_ > 0.0 ? 2.0 * pi : -2.0 * pi, sums);
}

}  // namespace volcontact
