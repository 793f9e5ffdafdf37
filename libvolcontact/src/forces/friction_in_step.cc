#include "forces/friction_in_step.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <variant>

#include "forces/law_limits.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Vector1 = Eigen::Matrix<double, 1, 1>;

// Bristles that stick less than this slide: a double has no more digits.
constexpr double kNoSticking = 1e-16;

// SmoothDirection(v) over v, by the speed [s/m].
double DirectionOverSpeed(double speed, double epsilon) {
  if (speed >= epsilon) return 1.0 / speed;
  const double r = speed / epsilon;
  return (1.5 - 0.5 * r * r) / epsilon;
}

// ∫ |SmoothDirection| dv from 0 [m/s].
double DirectionPotential(double speed, double epsilon) {
  if (speed >= epsilon) return speed - 0.375 * epsilon;
  const double r = speed / epsilon;
  return epsilon * r * r * (0.75 - 0.125 * r * r);
}

// Its derivative by v.
template <int N>
Eigen::Matrix<double, N, N> DirectionSlope(const Eigen::Matrix<double, N, 1>& v, double epsilon) {
  using Square = Eigen::Matrix<double, N, N>;
  const double speed = v.norm(), over = DirectionOverSpeed(speed, epsilon);
  if (speed >= epsilon) {
    return over * (Square::Identity() - v * v.transpose() / (speed * speed));
  }
  return over * Square::Identity() - v * v.transpose() / (epsilon * epsilon * epsilon);
}

// A spring's and damper's load q = slope v + bent, whole up to a limit, and of what is beyond only
// a part: what a return map makes of it.
template <int N>
struct LimitedLoad {
  using Vector = Eigen::Matrix<double, N, 1>;
  using Square = Eigen::Matrix<double, N, N>;

  LimitedLoad(const Vector& v, const Vector& bent, double slope, double limit, double tail) {
    const Vector q = slope * v + bent;
    const double size = q.norm();
    if (!(size > limit)) {
      load = q;
      by_load = Square::Identity();
      if (slope > 0.0) potential = 0.5 * size * size / slope;
      return;
    }
    const double beyond = size - limit, carried = limit + tail * beyond;
    const Vector along = q / size;
    load = carried * along;
    by_load = tail * along * along.transpose() +
              carried / size * (Square::Identity() - along * along.transpose());
    potential = (limit * size - 0.5 * limit * limit + 0.5 * tail * beyond * beyond) / slope;
  }

  Vector load = Vector::Zero();
  Square by_load = Square::Zero();  // derivative by q
  double potential = 0.0;
};

struct BristleLimits {
  double s, epsilon;
  double sliding_share, spinning_share;  // of what slides
  double force_share, spin_share;        // of all
};

BristleLimits LimitsOf(const BristleFriction& law, const ContactGeometry& geometry,
                       const Vector3d& sliding) {
  BristleLimits at;
  at.epsilon = law.v_epsilon > 0.0 ? law.v_epsilon : kUsualEpsilon * law.v_stribeck;
  const double speed = sliding.head<2>().norm(), r = geometry.gyration_radius;
  const double rim = r * std::abs(sliding[2]), average = std::hypot(speed, rim);
  const double scale = std::max(average, at.epsilon), ratio = average / law.v_stribeck;
  at.s = std::exp(-ratio * ratio);
  if (at.s < kNoSticking) at.s = 0.0;
  at.sliding_share = r > 0.0 ? speed / scale : 1.0;
  at.spinning_share = rim / scale;
  at.force_share = at.s + (1.0 - at.s) * at.sliding_share;
  at.spin_share = at.s + (1.0 - at.s) * at.spinning_share;
  return at;
}

double DwellAfter(const BristleFriction& law, double dwell, double s, double step) {
  if (!(law.tau_dwell > 0.0)) return s;
  const double tau = s >= dwell ? law.tau_dwell : law.sigma1 / law.sigma0;
  return s + (dwell - s) * std::exp(-step / tau);
}

// The law's load σ0 z + σ1 ż with ż = s v + (1 − s)/σ1 (sliding − σ0 z), where z is that at the
// end of the step, solved for the load: what sticks, and what slides along v. Both are limited each
// for itself, which together is the law's limit where they are parallel.
void LagBristles(const BristleFriction& law, const FrictionAlongTangents& start,
                 const ContactGeometry& geometry, const Vector3d& sliding, double step,
                 StepLag* lag) {
  const BristleLimits at = LimitsOf(law, geometry, sliding);
  const double s = at.s, theta = step * law.sigma0 / law.sigma1;
  const double whole = (1.0 + theta * (1.0 - s)) / (1.0 + theta);
  const double slides = (1.0 - s) * law.mu_c / whole, sticks = law.sigma1 * s / whole;
  lag->sticking = s;
  lag->epsilon = at.epsilon;
  lag->dwell = DwellAfter(law, start.dwell, s, step);
  const double most = law.mu_c + (law.mu_s - law.mu_c) * std::clamp(lag->dwell, 0.0, 1.0);
  const double held = s * law.sigma0 / ((1.0 + theta) * whole);
  lag->viscous = law.sigma2;
  lag->slope = sticks;
  lag->slide = slides;
  lag->bent = held * start.bent;
  lag->limit = std::max(most * at.force_share - slides * at.sliding_share, 0.0);
  const double r = geometry.gyration_radius;
  if (!(r > 0.0)) return;
  lag->spin_slope = sticks;
  lag->twist = held * start.twist;
  lag->spin_limit = std::max(most * at.spin_share - slides * at.spinning_share, 0.0) / r;
}

void LagClutch(const ClutchFriction& law, const FrictionAlongTangents& start, double depth,
               double step, StepLag* lag) {
  if (!(lag->normal_force > 0.0)) return;
  const double root = std::sqrt(std::max(depth, 0.0)) / lag->normal_force;
  lag->slope = root * (law.stiffness * step + law.damping);
  lag->bent = root * law.stiffness * start.bent;
  lag->limit = law.mu;
  const double viscosity = law.viscosity / lag->normal_force;
  lag->tail = viscosity > 0.0 ? viscosity / (viscosity + lag->slope) : 0.0;
}

SlidingForce Springs(const StepLag& lag, double radius, const Vector3d& sliding) {
  SlidingForce result;
  const Vector2d v = sliding.head<2>();
  const double f = lag.normal_force, scale = f * radius * radius;
  if (lag.slope > 0.0) {
    const LimitedLoad<2> load(v, lag.bent, lag.slope, lag.limit, lag.tail);
    result.load.head<2>() = f * load.load;
    result.slope.topLeftCorner<2, 2>() = f * lag.slope * load.by_load;
    result.potential = f * load.potential;
  }
  if (lag.spin_slope > 0.0) {
    const LimitedLoad<1> load(Vector1(sliding[2]), Vector1(lag.twist), lag.spin_slope,
                              lag.spin_limit, 0.0);
    result.load[2] = scale * load.load[0];
    result.slope(2, 2) = scale * lag.spin_slope * load.by_load(0, 0);
    result.potential += scale * load.potential;
  }
  return result;
}

// What bristles that slide add, which shares with spin as the velocities do (its potential is the
// average velocity), and viscous friction.
void AddSliding(const StepLag& lag, double radius, const Vector3d& sliding, SlidingForce* to) {
  if (lag.slide == 0.0 && lag.viscous == 0.0) return;
  const double f = lag.normal_force;
  const Vector3d lengths(1.0, 1.0, radius), u = lengths.cwiseProduct(sliding);
  const Vector3d load = (lag.slide * DirectionOverSpeed(u.norm(), lag.epsilon) + lag.viscous) * u;
  const Matrix3d slope =
      lag.slide * DirectionSlope<3>(u, lag.epsilon) + lag.viscous * Matrix3d::Identity();
  to->load += f * lengths.cwiseProduct(load);
  to->slope += f * lengths.asDiagonal() * slope * lengths.asDiagonal();
  to->potential += f * (lag.slide * DirectionPotential(u.norm(), lag.epsilon) +
                        0.5 * lag.viscous * u.squaredNorm());
}

SlidingForce Smooth(double mu, double epsilon, const StepLag& lag, const Vector3d& sliding) {
  SlidingForce result;
  const Vector2d v = sliding.head<2>();
  const double f = mu * lag.normal_force;
  result.load.head<2>() = f * DirectionOverSpeed(v.norm(), epsilon) * v;
  result.slope.topLeftCorner<2, 2>() = f * DirectionSlope<2>(v, epsilon);
  result.potential = f * DirectionPotential(v.norm(), epsilon);
  return result;
}

SlidingForce OverPatch(const PatchCoulombFriction& law, const StepLag& lag,
                       const Vector3d& normal_W, const Vector3d& sliding,
                       const std::vector<PressureSample>& pressure,
                       const Eigen::Matrix<double, 3, 2>& tangents) {
  SlidingForce result;
  for (const PressureSample& sample : pressure) {
    Eigen::Matrix<double, 2, 3> map;
    map << Eigen::Matrix2d::Identity(), tangents.transpose() * normal_W.cross(sample.offset_W);
    const Vector2d v = map * sliding;
    const double f = law.mu * lag.normal_force * sample.share;
    result.load += f * DirectionOverSpeed(v.norm(), law.v_epsilon) * map.transpose() * v;
    result.slope += f * map.transpose() * DirectionSlope<2>(v, law.v_epsilon) * map;
    result.potential += f * DirectionPotential(v.norm(), law.v_epsilon);
  }
  return result;
}

}  // namespace

void LagFriction(const FrictionLaw& law, const FrictionAlongTangents& start,
                 const ContactGeometry& geometry, const Vector3d& sliding, double step,
                 StepLag* lag) {
  if (const auto* bristles = std::get_if<BristleFriction>(&law)) {
    LagBristles(*bristles, start, geometry, sliding, step, lag);
  } else if (const auto* clutch = std::get_if<ClutchFriction>(&law)) {
    LagClutch(*clutch, start, geometry.depth, step, lag);
  }
}

SlidingForce FrictionInStep(const FrictionLaw& law, const StepLag& lag,
                            const ContactGeometry& geometry, const Vector3d& sliding,
                            const std::vector<PressureSample>* pressure,
                            const Eigen::Matrix<double, 3, 2>& tangents) {
  if (const auto* smooth = std::get_if<CoulombFriction>(&law)) {
    return Smooth(smooth->mu, smooth->v_epsilon, lag, sliding);
  }
  if (const auto* patch = std::get_if<PatchCoulombFriction>(&law)) {
    return OverPatch(*patch, lag, geometry.normal_W, sliding, *pressure, tangents);
  }
  SlidingForce result = Springs(lag, geometry.gyration_radius, sliding);
  AddSliding(lag, geometry.gyration_radius, sliding, &result);
  return result;
}

Matrix3d FrictionByState(const FrictionLaw& law, const StepLag& lag,
                         const ContactGeometry& geometry, const Vector3d& sliding, double step) {
  Matrix3d result = Matrix3d::Zero();
  const double f = lag.normal_force, r = geometry.gyration_radius;
  double by_deflection = 0.0, by_twist = 0.0;  // of the loads
  if (const auto* bristles = std::get_if<BristleFriction>(&law)) {
    const double theta = step * bristles->sigma0 / bristles->sigma1;
    by_deflection = by_twist =
        lag.sticking * bristles->sigma0 / (1.0 + theta * (1.0 - lag.sticking));
  } else if (const auto* clutch = std::get_if<ClutchFriction>(&law); clutch != nullptr && f > 0.0) {
    by_deflection = clutch->stiffness * std::sqrt(std::max(geometry.depth, 0.0)) / f;
  }
  if (lag.slope > 0.0) {
    const LimitedLoad<2> load(sliding.head<2>(), lag.bent, lag.slope, lag.limit, lag.tail);
    result.topLeftCorner<2, 2>() = f * by_deflection * load.by_load;
  }
  if (lag.spin_slope > 0.0) {
    const LimitedLoad<1> load(Vector1(sliding[2]), Vector1(lag.twist), lag.spin_slope,
                              lag.spin_limit, 0.0);
    result(2, 2) = f * r * r * by_twist * load.by_load(0, 0);
  }
  return result;
}

FrictionAlongTangents FrictionAfter(const FrictionLaw& law, const FrictionAlongTangents& start,
                                    const StepLag& lag, const ContactGeometry& geometry,
                                    const Vector3d& sliding, const Vector3d& load, double step) {
  FrictionAlongTangents after = start;
  const double f = lag.normal_force, r = geometry.gyration_radius;
  if (!(f > 0.0)) return after;
  if (const auto* bristles = std::get_if<BristleFriction>(&law)) {
    const double theta = step * bristles->sigma0 / bristles->sigma1;
    const double moved = step / bristles->sigma1;
    const Vector2d bending = load.head<2>() / f - bristles->sigma2 * sliding.head<2>();
    after.bent = (start.bent + moved * bending) / (1.0 + theta);
    after.dwell = lag.dwell;
    if (r > 0.0) {
      const double torque = load[2] / (f * r * r) - bristles->sigma2 * sliding[2];
      after.twist = (start.twist + moved * torque) / (1.0 + theta);
    }
  } else if (const auto* clutch = std::get_if<ClutchFriction>(&law)) {
    const double root = std::sqrt(std::max(geometry.depth, 0.0));
    const Vector2d trial = lag.slope * sliding.head<2>() + lag.bent;
    const double beyond = std::max(trial.norm() - lag.limit, 0.0) * f;
    Vector2d slip = Vector2d::Zero();
    if (beyond > 0.0) {
      const double share = root * (clutch->stiffness * step + clutch->damping) + clutch->viscosity;
      slip = beyond / share * trial.normalized();
    }
    after.bent = start.bent + step * (sliding.head<2>() - slip);
  }
  return after;
}

double HeldByFriction(const StepLag& lag, const ContactGeometry& geometry) {
  return Springs(lag, geometry.gyration_radius, Vector3d::Zero()).potential;
}

}  // namespace volcontact
