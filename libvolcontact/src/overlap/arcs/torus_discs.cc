// The volume's form on a torus at complex places.
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "math/discs.h"
#include "math/vector3.h"
#include "overlap/arcs/torus_strip.h"

namespace volcontact {
namespace {

using Vector3Discs = std::array<Discs, 3>;

constexpr double kTwoPi = 2.0 * std::numbers::pi;

// The angle of x + i y, whose centres have the angles `at`. It is that of 1 + u beyond, half the
// difference of two logarithms, each of which is u and no more than −log(1 − |u|) − |u|.
Discs AngleOn(const Discs& x, const Discs& y, const Lanes& at) {
  const Lanes power = x.center * x.center + y.center * y.center;
  Discs angle(at, (x.center * y.slope - y.center * x.slope) / power,
              std::numeric_limits<double>::infinity());
  for (std::size_t k = 0; k < Lanes::kCount; ++k) {
    const double size = std::sqrt(power.x[k]), rest = (x.rest.x[k] + y.rest.x[k]) / size;
    const double part = std::hypot(x.slope.x[k], y.slope.x[k]) / size + rest;
    if (part < 1.0) angle.rest.x[k] = rest - std::log1p(-part) - part;
  }
  return angle;
}

}  // namespace

// As Find, on discs.
TorusStrip::PlaceOn TorusStrip::FindOn(const Vector3Discs& p,
                                       const Vector3Discs& derivative) const {
  Vector3Discs q, dq;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      q[i] += inverse_(i, k) * (p[k] - base_[k]);
      dq[i] += inverse_(i, k) * derivative[k];
    }
  }
  const Discs x = (major_ + minor_ * base_cosine_) + (base_cosine_ * q[0] - base_sine_ * q[2]);
  const Discs& y = q[1];
  PlaceOn place;
  Lanes sign = 1.0, tau;
  for (std::size_t k = 0; k < Lanes::kCount; ++k) {
    const auto center = [k](const Vector3Discs& v) -> Eigen::Vector3d {
      return {v[0].center.x[k], v[1].center.x[k], v[2].center.x[k]};
    };
    const Place at = Find(center(p), center(derivative));
    if (at.is_on_lemon) sign.x[k] = -1.0;
    tau.x[k] = at.tau;
    place.are_outside[k] = at.is_outside;
  }
  const Discs radius = Discs(sign) * RootOf(x * x + y * y);
  const Discs beyond = WhereNegative(x, y * y / (radius + x), radius - x);
  place.sine = y / radius;
  place.versed = beyond / radius;
  place.phi_derivative =
      (x * dq[1] - y * (base_cosine_ * dq[0] - base_sine_ * dq[2])) / (radius * radius);
  place.tau = AngleOn(minor_ + (q[0] + beyond * base_cosine_), q[2] - beyond * base_sine_, tau);
  return place;
}

// The integral over θ from the base to tau of a third of the flux, by dφ: that of a trigonometric
// polynomial of third degree.
Discs TorusStrip::FluxOn(const PlaceOn& place, const Discs& tau) const {
  const double radius = major_ + minor_ * base_cosine_;
  const Vector3Discs turned = {-base_cosine_ * place.versed, place.sine, base_sine_ * place.versed};
  Vector3Discs middle, by_sine, by_cosine, normal, rising;
  for (int i = 0; i < 3; ++i) {
    Discs at, element;
    for (int k = 0; k < 3; ++k) {
      at += axes_(i, k) * turned[k];
      element += cofactors_(i, k) * turned[k];
    }
    by_sine[i] = minor_ * (axes_(i, 2) - base_sine_ * at);
    by_cosine[i] = minor_ * (axes_(i, 0) + base_cosine_ * at);
    middle[i] = base_[i] + radius * at - by_cosine[i];
    normal[i] = cofactors_(i, 0) + base_cosine_ * element;
    rising[i] = cofactors_(i, 2) - base_sine_ * element;
  }
  Discs s, c;
  FindSineCosine(tau, &s, &c);
  // Of c, s, c c, s c, s s, and of these by c or s.
  const Discs of_c = s, of_s = 1.0 - c, of_cc = 0.5 * (tau + s * c), of_ss = 0.5 * (tau - s * c);
  const Discs of_sc = 0.5 * s * s, of_ssc = (1.0 / 3.0) * s * s * s;
  const Discs of_scc = (1.0 / 3.0) * (1.0 - c * c * c), of_ccc = of_c - of_ssc;
  const Discs of_sss = of_s - of_scc;
  const Discs cc = Dot(by_cosine, normal), ss = Dot(by_sine, rising);
  const Discs sc = Dot(by_sine, normal) + Dot(by_cosine, rising);
  const Discs c1 = Dot(middle, normal), s1 = Dot(middle, rising);
  const double along = minor_ * base_cosine_, across = -minor_ * base_sine_;
  return (1.0 / 3.0) *
         (major_ * (c1 * of_c + s1 * of_s + cc * of_cc + sc * of_sc + ss * of_ss) +
          along * (c1 * of_cc + s1 * of_sc + cc * of_ccc + sc * of_scc + ss * of_ssc) +
          across * (c1 * of_sc + s1 * of_ss + cc * of_scc + sc * of_ssc + ss * of_sss));
}

Discs TorusStrip::VolumeOn(const Vector3Discs& p, const Vector3Discs& derivative,
                           bool is_seam) const {
  const PlaceOn place = FindOn(p, derivative);
  if (!is_seam) return -place.phi_derivative * FluxOn(place, place.tau);
  const bool is_jump = place.are_outside[0] == (seam_cosine_ > 0.0);
  if (!is_jump) return 0.0;
  return -place.phi_derivative * FluxOn(place, seam_cosine_ > 0.0 ? kTwoPi : -kTwoPi);
}

}  // namespace volcontact
