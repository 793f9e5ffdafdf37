#include "overlap/arcs/faces/torus_strip.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "overlap/charts/torus_base.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using std::numbers::pi;

// Strips no longer than this are integrated by Gauss's rules of 4, 8 and 12 nodes. Integrands are
// trigonometric polynomials of degree 5 in θ, of which a rule of n nodes has an error of 2^(2n+1)
// n!⁴/((2n+1) (2n)!³) (5 length / 2)^2n, less than rounding.
constexpr double kShortStrip = 0.02, kMiddleStrip = 0.45, kLongStrip = 1.3;
// So many equal steps of a turn tell all of such polynomials.
constexpr int kTurnDegree = 5, kTurnNodes = 12;
constexpr std::size_t kLongest = kTurnNodes / Lanes::kCount;

struct GaussLanes {
  std::size_t count;
  std::array<Lanes, kLongest> nodes, weights;
};
const GaussLanes kGauss4 = {1,
                            {Lanes(-0.861136311594052575, -0.339981043584856265,
                                   0.339981043584856265, 0.861136311594052575)},
                            {Lanes(0.347854845137453857, 0.652145154862546143, 0.652145154862546143,
                                   0.347854845137453857)}};
const GaussLanes kGauss8 = {
    2,
    {Lanes(-0.960289856497536232, -0.796666477413626740, -0.525532409916328986,
           -0.183434642495649805),
     Lanes(0.183434642495649805, 0.525532409916328986, 0.796666477413626740, 0.960289856497536232)},
    {Lanes(0.101228536290376259, 0.222381034453374471, 0.313706645877887287, 0.362683783378361983),
     Lanes(0.362683783378361983, 0.313706645877887287, 0.222381034453374471,
           0.101228536290376259)}};
const GaussLanes kGauss12 = {
    3,
    {Lanes(-0.981560634246719251, -0.904117256370474857, -0.769902674194304687,
           -0.587317954286617447),
     Lanes(-0.367831498998180194, -0.125233408511468916, 0.125233408511468916,
           0.367831498998180194),
     Lanes(0.587317954286617447, 0.769902674194304687, 0.904117256370474857, 0.981560634246719251)},
    {Lanes(0.0471753363865118272, 0.106939325995318431, 0.160078328543346226, 0.203167426723065922),
     Lanes(0.233492536538354809, 0.249147045813402785, 0.249147045813402785, 0.233492536538354809),
     Lanes(0.203167426723065922, 0.160078328543346226, 0.106939325995318431,
           0.0471753363865118272)}};

// Sines and cosines of the multiples of a step, by the degree.
struct TurnTable {
  std::array<std::array<Lanes, kLongest>, kTurnDegree + 1> sine, cosine;

  TurnTable() {
    for (int m = 0; m <= kTurnDegree; ++m) {
      for (int k = 0; k < kTurnNodes; ++k) {
        const double angle = 2.0 * pi / kTurnNodes * (m * k % kTurnNodes);
        sine[m][k / Lanes::kCount].x[k % Lanes::kCount] = std::sin(angle);
        cosine[m][k / Lanes::kCount].x[k % Lanes::kCount] = std::cos(angle);
      }
    }
  }
};
const TurnTable kTurn;

// sin x and 1 − cos x up to kLongStrip: by Taylor's series, which keep all digits of small ones.
struct ShortAngles {
  Lanes sine, versed;

  explicit ShortAngles(const Lanes& x) {
    constexpr int kTerms = 10;
    const Lanes xx = x * x;
    sine = versed = 1.0;
    for (int n = kTerms; n >= 1; --n) {
      sine = 1.0 - xx * (1.0 / (2.0 * n * (2.0 * n + 1.0))) * sine;
      versed = 1.0 - xx * (1.0 / ((2.0 * n + 1.0) * (2.0 * n + 2.0))) * versed;
    }
    sine = sine * x;
    versed = 0.5 * xx * versed;
  }
};

}  // namespace

TorusStrip::TorusStrip(const SeamedTorus& seamed, const LocalFrame& frame, const Vector3d& near)
    : sign_(seamed.torus.positive_inside ? -1.0 : 1.0),
      major_(seamed.torus.major.hi),
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

// Adds the elements of four angles.
void TorusStrip::AddElements(const Section<double>& section, const Lanes& sine, const Lanes& versed,
                             const Lanes& weight, LaneSums* sums) const {
  const Lanes radius =
      major_ + minor_ * base_cosine_ - minor_ * (base_cosine_ * versed + base_sine_ * sine);
  const Lanes scale = weight * radius, cosine = 1.0 - versed;
  std::array<Lanes, 3> p, e;
  for (int i = 0; i < 3; ++i) {
    p[i] = section.at[i] + (section.by_sine[i] * sine - section.by_versed[i] * versed);
    e[i] = scale * (section.normal[i] * cosine + section.rising[i] * sine);
  }
  BoundarySums::AddElement(p.data(), e.data(), sums);
}

void TorusStrip::AddLanes(const LaneSums& lanes, BoundarySums* sums) {
  for (int k = 0; k < BoundarySums::kSize; ++k) sums->s[k] += lanes[k].Sum();
}

// The integral over θ from the base to tau, long: the weights are integrals of the trigonometric
// polynomials that are 1 at one node and 0 at the others.
void TorusStrip::AddTurn(const Section<double>& section, double tau, double factor,
                         BoundarySums* sums) const {
  std::array<double, kTurnDegree + 1> sine, versed;
  const double sine1 = std::sin(tau), cosine1 = std::cos(tau);
  double cosine = 1.0;
  sine[0] = 0.0;
  for (int m = 1; m <= kTurnDegree; ++m) {
    sine[m] = sine[m - 1] * cosine1 + cosine * sine1;
    cosine = cosine * cosine1 - sine[m - 1] * sine1;
    versed[m] = 1.0 - cosine;
  }
  LaneSums lanes = {};
  factor /= kTurnNodes;
  for (std::size_t k = 0; k < kLongest; ++k) {
    Lanes weight = tau;
    for (int m = 1; m <= kTurnDegree; ++m) {
      weight += (2.0 / m) * (sine[m] * kTurn.cosine[m][k] + versed[m] * kTurn.sine[m][k]);
    }
    AddElements(section, kTurn.sine[1][k], 1.0 - kTurn.cosine[1][k], factor * weight, &lanes);
  }
  AddLanes(lanes, sums);
}

void TorusStrip::Evaluate(const Vector3d& p, const Vector3d& derivative, BoundarySums* sums) const {
  const Place<double> place = Find(ToArray(p), ToArray(derivative));
  const Section<double> section = SectionAt(place.sine, place.versed);
  const double length = std::abs(place.tau);
  if (length > kLongStrip) return AddTurn(section, place.tau, -place.phi_derivative, sums);
  const GaussLanes& rule = length <= kShortStrip    ? kGauss4
                           : length <= kMiddleStrip ? kGauss8
                                                    : kGauss12;
  const double half = 0.5 * place.tau, factor = -half * place.phi_derivative;
  LaneSums lanes = {};
  for (std::size_t k = 0; k < rule.count; ++k) {
    const ShortAngles angles(half + half * rule.nodes[k]);
    AddElements(section, angles.sine, angles.versed, factor * rule.weights[k], &lanes);
  }
  AddLanes(lanes, sums);
}

void TorusStrip::EvaluateSeam(const Vector3d& p, const Vector3d& derivative,
                              BoundarySums* sums) const {
  const Place<double> place = Find(ToArray(p), ToArray(derivative));
  if (!IsOnSeam(place.from_axis)) return;
  AddTurn(SectionAt(place.sine, place.versed), TurnOfSeam(), -place.phi_derivative, sums);
}

TorusStrip::Pole TorusStrip::PoleAt(int k) const {
  const double up = std::sqrt((minor_ - major_) * (minor_ + major_)), side = k < 2 ? 1.0 : -1.0;
  const double theta = std::atan2(side * up, -major_) - std::atan2(base_sine_, base_cosine_);
  return {BeforeSeam(theta), k % 2 == 0 ? side : -side};
}

Vector3d TorusStrip::PointBeside(const Pole& pole, double phi, double distance) const {
  const double tau = pole.theta + pole.turn * distance / minor_;
  const Section<double> section = SectionAt(std::sin(phi), 1.0 - std::cos(phi));
  Vector3d p;
  for (int i = 0; i < 3; ++i) {
    p[i] = section.at[i] + std::sin(tau) * section.by_sine[i] -
           (1.0 - std::cos(tau)) * section.by_versed[i];
  }
  return p;
}

// The integral of the form around the pole: of a trigonometric polynomial in φ, by equal steps.
void TorusStrip::AddPole(const Pole& pole, double weight, BoundarySums* sums) const {
  const double step = 2.0 * pi / kTurnNodes;
  for (int k = 0; k < kTurnNodes; ++k) {
    const Section<double> section = SectionAt(std::sin(step * k), 1.0 - std::cos(step * k));
    AddTurn(section, pole.theta, -sign_ * weight * pole.turn * step, sums);
  }
}

}  // namespace volcontact
