// Places on a torus, and the volume's form there, of numbers and of discs alike.
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "math/arithmetic/discs.h"
#include "math/arithmetic/vector3.h"
#include "overlap/arcs/faces/torus_strip.h"

namespace volcontact {
namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;

double CenterOf(double x) { return x; }
const Lanes& CenterOf(const Lanes& x) { return x; }
const Lanes& CenterOf(const Discs& x) { return x.center; }
double FirstOf(const Lanes& x) { return x.x[0]; }

Lanes LengthOf(const Lanes& x, const Lanes& y) { return RootOf(x * x + y * y); }

// The angle of x + i y; `moved` chooses its turn.
template <class Moved>
double AngleOf(double x, double y, const Moved& moved) {
  return moved(std::atan2(y, x));
}

template <class Moved>
Lanes AngleOf(const Lanes& x, const Lanes& y, const Moved& moved) {
  Lanes angle;
  for (std::size_t k = 0; k < Lanes::kCount; ++k) angle.x[k] = AngleOf(x.x[k], y.x[k], moved);
  return angle;
}

// Half the difference of the logarithms of x + i y and x − i y, over i. Both are of 1 + u beyond
// those of the centres, with u = along ± i across: u − u²/2, and off by no more than a third of
// |u|³/(1 − |u|).
template <class Moved>
Discs AngleOf(const Discs& x, const Discs& y, const Moved& moved) {
  const Lanes inverse = 1.0 / (x.center * x.center + y.center * y.center);
  const Discs dx = x.OffCenter(), dy = y.OffCenter();
  const Discs along = (dx * x.center + dy * y.center) * inverse;
  const Discs across = (dy * x.center - dx * y.center) * inverse;
  const Lanes part = LengthOf(along.slope, across.slope) + LengthOf(along.bend, across.bend) +
                     along.rest + across.rest;
  const Lanes third = Discs::BelowOne(part, part * part * part / (3.0 - 3.0 * part));
  return (Discs(AngleOf(x.center, y.center, moved)) + across * (1.0 - along)).OffBy(third);
}

}  // namespace

double TorusStrip::BeforeSeam(double tau) const {
  if (tau > seam_) return tau - kTwoPi;
  return tau < seam_ - kTwoPi ? tau + kTwoPi : tau;
}

double TorusStrip::TurnOfSeam() const { return seam_cosine_ > 0.0 ? kTwoPi : -kTwoPi; }

template <class T>
TorusStrip::Place<T> TorusStrip::Find(const std::array<T, 3>& p,
                                      const std::array<T, 3>& derivative) const {
  std::array<T, 3> q = {}, dq = {};
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      q[i] += inverse_(i, k) * (p[k] - base_[k]);
      dq[i] += inverse_(i, k) * derivative[k];
    }
  }
  // From the axis, in the section of the base and across it.
  const T x = (major_ + minor_ * base_cosine_) + (base_cosine_ * q[0] - base_sine_ * q[2]);
  const T &y = q[1], square = x * x + y * y;
  // Of a spindle torus, within the ball through its poles, on the lemon: there it is negative.
  const T up = minor_ * base_sine_ + (base_sine_ * q[0] + base_cosine_ * q[2]);
  const auto sign =
      WhereNegative(CenterOf(square + up * up) - (minor_ - major_) * (minor_ + major_), -1.0, 1.0);
  Place<T> place;
  const T radius = RootOf(square) * sign;
  place.from_axis = radius;
  const T beyond = WhereNegative(-x * radius, y * y / (radius + x), radius - x);  // radius − x
  const T inverse = 1.0 / radius;
  place.sine = y * inverse;
  place.versed = beyond * inverse;
  const T dx = base_cosine_ * dq[0] - base_sine_ * dq[2];
  place.phi_derivative = (x * dq[1] - y * dx) / square;
  place.tau = AngleOf(minor_ + (q[0] + beyond * base_cosine_), q[2] - beyond * base_sine_,
                      [this](double tau) { return BeforeSeam(tau); });
  return place;
}

// In the base's axes all are combinations of these and of the way that the section has been turned.
template <class T>
TorusStrip::Section<T> TorusStrip::SectionAt(const T& sine, const T& versed) const {
  const double radius = major_ + minor_ * base_cosine_;
  const std::array<T, 3> turned = {-base_cosine_ * versed, sine, base_sine_ * versed};
  Section<T> section;
  for (int i = 0; i < 3; ++i) {
    T at = 0.0, element = 0.0;
    for (int k = 0; k < 3; ++k) {
      at += axes_(i, k) * turned[k];
      element += cofactors_(i, k) * turned[k];
    }
    section.at[i] = base_[i] + radius * at;
    section.by_sine[i] = minor_ * (axes_(i, 2) - base_sine_ * at);
    section.by_versed[i] = minor_ * (axes_(i, 0) + base_cosine_ * at);
    section.normal[i] = cofactors_(i, 0) + base_cosine_ * element;
    section.rising[i] = cofactors_(i, 2) - base_sine_ * element;
  }
  return section;
}

// That of a trigonometric polynomial of third degree.
template <class T>
T TorusStrip::FluxTo(const T& tau, const Section<T>& section) const {
  const auto& [at, by_sine, by_cosine, normal, rising] = section;
  const std::array<T, 3> middle = Minus(at, by_cosine);
  T s, c;
  FindSineCosine(tau, &s, &c);
  // Of c, s, c c, s c, s s, and of these by c or s.
  const T sc = s * c, ss = s * s, of_c = s, of_s = 1.0 - c;
  const T of_cc = 0.5 * (tau + sc), of_ss = 0.5 * (tau - sc), of_sc = 0.5 * ss;
  const T of_ssc = (1.0 / 3.0) * s * ss, of_scc = (1.0 / 3.0) * (1.0 - c * (1.0 - ss));
  const T of_ccc = of_c - of_ssc, of_sss = of_s - of_scc;
  const T by_cc = Dot(by_cosine, normal), by_ss = Dot(by_sine, rising);
  const T by_sc = Dot(by_sine, normal) + Dot(by_cosine, rising);
  const T by_c = Dot(middle, normal), by_s = Dot(middle, rising);
  const double along = minor_ * base_cosine_, across = -minor_ * base_sine_;
  return (1.0 / 3.0) * (by_c * (major_ * of_c + along * of_cc + across * of_sc) +
                        by_s * (major_ * of_s + along * of_sc + across * of_ss) +
                        by_cc * (major_ * of_cc + along * of_ccc + across * of_scc) +
                        by_sc * (major_ * of_sc + along * of_scc + across * of_ssc) +
                        by_ss * (major_ * of_ss + along * of_ssc + across * of_sss));
}

template <class T>
T TorusStrip::VolumeOn(const std::array<T, 3>& p, const std::array<T, 3>& derivative,
                       bool is_seam) const {
  const Place<T> place = Find(p, derivative);
  if (is_seam && !IsOnSeam(FirstOf(CenterOf(place.from_axis)))) return 0.0;
  const T tau = is_seam ? T(TurnOfSeam()) : place.tau;
  return -place.phi_derivative * FluxTo(tau, SectionAt(place.sine, place.versed));
}

template TorusStrip::Place<double> TorusStrip::Find(const std::array<double, 3>&,
                                                    const std::array<double, 3>&) const;
template TorusStrip::Section<double> TorusStrip::SectionAt(const double&, const double&) const;
template Lanes TorusStrip::VolumeOn(const std::array<Lanes, 3>&, const std::array<Lanes, 3>&,
                                    bool) const;
template Discs TorusStrip::VolumeOn(const std::array<Discs, 3>&, const std::array<Discs, 3>&,
                                    bool) const;

}  // namespace volcontact
