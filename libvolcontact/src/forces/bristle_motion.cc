#include "forces/bristle_motion.h"

#include <algorithm>
#include <cmath>

#include "forces/law_limits.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

Vector3d Saturated(const Vector3d& u, double limit) {
  const double length = u.norm();
  return length > limit ? Vector3d(u * (limit / length)) : u;
}

}  // namespace

// With ż as the law has it before it is limited, s v + (1 − s)/σ1 (sliding − σ0 z), the load
// σ0 z + σ1 ż is s σ0 z and what does not depend on z.
BristleMotion::BristleMotion(const BristleFriction& law, const FrictionInput& input)
    : sigma0_(law.sigma0),
      sigma1_(law.sigma1),
      tau_dwell_(law.tau_dwell),
      mu_c_(law.mu_c),
      mu_rise_(law.mu_s - law.mu_c),
      spins_(input.gyration_radius > 0.0) {
  const Vector3d& v = input.velocity_W;
  const double r = input.gyration_radius, w = input.spin;
  const double epsilon = law.v_epsilon > 0.0 ? law.v_epsilon : kUsualEpsilon * law.v_stribeck;
  const double surface_speed = r * std::abs(w), speed = v.norm();
  const double average = std::hypot(speed, surface_speed), scale = std::max(average, epsilon);
  const double ratio = average / law.v_stribeck;
  const double s = std::exp(-ratio * ratio);
  sticking_ = s;
  // A point contact has no spin to share with.
  force_share_ = spins_ ? s + (1.0 - s) * speed / scale : 1.0;
  drive_W_ = sigma1_ * s * v + (1.0 - s) * mu_c_ * force_share_ * SmoothDirection(v, epsilon);
  if (!spins_) return;
  const double spin_share = s + (1.0 - s) * surface_speed / scale;
  spin_limit_ = spin_share / r;
  // The sign of ω_n, made continuous like a direction.
  const double sign = SmoothDirection({r * w, 0.0, 0.0}, epsilon).x();
  spin_drive_ = sigma1_ * s * w + (1.0 - s) * mu_c_ * spin_limit_ * sign;
}

// Steps of a solver may overshoot.
double BristleMotion::MuMax(const FrictionState& state) const {
  const double dwell = tau_dwell_ > 0.0 ? std::clamp(state.dwell, 0.0, 1.0) : sticking_;
  return mu_c_ + mu_rise_ * dwell;
}

Vector3d BristleMotion::Load(const FrictionState& state) const {
  return Saturated(drive_W_ + sticking_ * sigma0_ * state.deflection_W,
                   MuMax(state) * force_share_);
}

double BristleMotion::SpinLoad(const FrictionState& state) const {
  if (!spins_) return 0.0;
  const double limit = MuMax(state) * spin_limit_;
  return std::clamp(spin_drive_ + sticking_ * sigma0_ * state.twist, -limit, limit);
}

double BristleMotion::DwellRate(const FrictionState& state) const {
  if (!(tau_dwell_ > 0.0)) return 0.0;
  const double tau = sticking_ >= state.dwell ? tau_dwell_ : sigma1_ / sigma0_;
  return (sticking_ - state.dwell) / tau;
}

}  // namespace volcontact
