// Bristle friction against straight transcriptions of Gonthier (2007), Eqs. (3.28)–(3.42) and
// (4.211)–(4.243), with dir_ε as corrected and sgn(ω_n) made continuous in the same way.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/random_solids.h"
#include "volcontact/forces/friction.h"

namespace volcontact::testing::bristle_equations_test {
namespace {

using Eigen::Vector3d;

// (u/|u|)(3r/2 − r³/2), r = |u|/u_ε.
Vector3d Dir(const Vector3d& u, double epsilon) {
  const double length = u.norm(), r = length / epsilon;
  if (length == 0.0) return Vector3d::Zero();
  return u / length * (r >= 1.0 ? 1.0 : 1.5 * r - 0.5 * r * r * r);
}

Vector3d Sat(const Vector3d& u, double limit) {
  return u.norm() <= limit ? u : Vector3d(u / u.norm() * limit);
}

double Sat(double u, double limit) { return std::abs(u) <= limit ? u : std::copysign(limit, u); }

struct Transcribed {
  Vector3d z_rate, force;
  double twist_rate = 0.0, torque = 0.0, dwell_rate = 0.0;
};

Transcribed Volumetric(const BristleFriction& p, double v_eps, double f_n, const Vector3d& v,
                       double w, double r_gyr, const Vector3d& z, double theta, double s_dw) {
  Transcribed out;
  const double v_avg = std::sqrt(v.dot(v) + r_gyr * w * r_gyr * w);             // (4.212)
  const double s = std::exp(-v_avg * v_avg / (p.v_stribeck * p.v_stribeck));    // (4.221)
  const double C_v = v.norm() / (v_avg > v_eps ? v_avg : v_eps);                // (4.224)
  const double C_w = r_gyr * std::abs(w) / (v_avg > v_eps ? v_avg : v_eps);     // (4.236)
  const double C_vs = s + (1.0 - s) * C_v, C_ws = s + (1.0 - s) * C_w;          // (4.223, 4.235)
  const double tau_br = p.sigma1 / p.sigma0;                                    // (4.226)
  out.dwell_rate = s >= s_dw ? (s - s_dw) / p.tau_dwell : (s - s_dw) / tau_br;  // (3.36)
  const double mu_max = p.mu_c + (p.mu_s - p.mu_c) * s_dw;                      // (3.37)

  const Vector3d z_sl = p.mu_c * Dir(v, v_eps) * C_vs / p.sigma1 - p.sigma0 / p.sigma1 * z;
  out.z_rate = s * v + (1.0 - s) * z_sl;  // (4.227)
  Vector3d br = p.sigma0 * z + p.sigma1 * out.z_rate;
  if (br.norm() > mu_max * C_vs) {
    out.z_rate = Sat(br, mu_max * C_vs) / p.sigma1 - p.sigma0 / p.sigma1 * z;  // (4.229)
  }
  out.force = -f_n * (Sat(br, mu_max * C_vs) + p.sigma2 * v);  // (4.230)

  const double sign = Dir(Vector3d(r_gyr * w, 0.0, 0.0), v_eps).x();
  const double theta_sl = p.mu_c * C_ws / (p.sigma1 * r_gyr) * sign - p.sigma0 / p.sigma1 * theta;
  out.twist_rate = s * w + (1.0 - s) * theta_sl;  // (4.239)
  const double spin_br = p.sigma0 * theta + p.sigma1 * out.twist_rate;
  const double limit = mu_max * C_ws / r_gyr;
  if (std::abs(spin_br) > limit) {
    out.twist_rate = Sat(spin_br, limit) / p.sigma1 - p.sigma0 / p.sigma1 * theta;  // (4.242)
  }
  out.torque = -r_gyr * r_gyr * f_n * (Sat(spin_br, limit) + p.sigma2 * w);  // (4.243)
  return out;
}

Transcribed Point(const BristleFriction& p, double v_eps, double f_n, const Vector3d& v,
                  const Vector3d& z, double s_dw) {
  Transcribed out;
  const double s = std::exp(-v.dot(v) / (p.v_stribeck * p.v_stribeck));  // (3.30)
  const double tau_br = p.sigma1 / p.sigma0;
  out.dwell_rate = s >= s_dw ? (s - s_dw) / p.tau_dwell : (s - s_dw) / tau_br;  // (3.36)
  const double mu_max = p.mu_c + (p.mu_s - p.mu_c) * s_dw;                      // (3.37)
  out.z_rate =
      s * v + (1.0 - s) * (p.mu_c * Dir(v, v_eps) / p.sigma1 - p.sigma0 / p.sigma1 * z);  // (3.35)
  const Vector3d br = p.sigma0 * z + p.sigma1 * out.z_rate;
  if (br.norm() > mu_max) out.z_rate = Sat(br, mu_max) / p.sigma1 - p.sigma0 / p.sigma1 * z;
  out.force = -f_n * (Sat(br, mu_max) + p.sigma2 * v);  // (3.42)
  return out;
}

struct Sample {
  explicit Sample(Random* random) {
    const auto log_uniform = [&](double low, double high) {
      return std::exp(random->Uniform(std::log(low), std::log(high)));
    };
    p.mu_c = random->Uniform(0.01, 1.0);
    p.mu_s = p.mu_c * random->Uniform(1.0, 2.0);
    p.sigma0 = log_uniform(1e2, 1e6);
    p.sigma1 = log_uniform(0.05, 20.0) * 2.0 * std::sqrt(p.sigma0 / 9.81);
    p.sigma2 = random->Uniform(0.0, 0.5);
    p.v_stribeck = log_uniform(1e-4, 1e-1);
    p.tau_dwell = log_uniform(1e-2, 10.0);
    v_epsilon = p.v_stribeck * log_uniform(1e-4, 0.1);
    p.v_epsilon = v_epsilon;
    input.normal_force = log_uniform(1e-3, 1e5);
    input.gyration_radius = log_uniform(1e-4, 1.0);
    const double speed = p.v_stribeck * log_uniform(1e-5, 30.0);
    input.velocity_W = speed * Vector3d(random->Uniform(-1, 1), random->Uniform(-1, 1), 0.0);
    input.spin =
        random->Uniform(-1, 1) * p.v_stribeck * log_uniform(1e-5, 30.0) / input.gyration_radius;
    const double length = p.mu_s / p.sigma0 * log_uniform(1e-3, 1.5);
    state.deflection_W = length * Vector3d(random->Uniform(-1, 1), random->Uniform(-1, 1), 0.0);
    state.twist = random->Uniform(-1, 1) * length / input.gyration_radius;
    state.dwell = random->Uniform(0.0, 1.0);
  }

  BristleFriction p;
  double v_epsilon = 0.0;
  FrictionInput input;
  FrictionState state;
};

void ExpectEqual(const FrictionForce& f, const Transcribed& truth, const Sample& sample) {
  const double force = sample.input.normal_force, radius = sample.input.gyration_radius;
  const double unit = sample.p.mu_s + sample.p.sigma0 * sample.state.deflection_W.norm() +
                      (sample.p.sigma1 + sample.p.sigma2) * sample.input.velocity_W.norm();
  const double spin_unit =
      sample.p.mu_s + radius * sample.p.sigma0 * std::abs(sample.state.twist) +
      radius * (sample.p.sigma1 + sample.p.sigma2) * std::abs(sample.input.spin);
  EXPECT_LE((f.force_W - truth.force).norm(), 1e-13 * unit * force);
  EXPECT_LE((f.deflection_rate_W - truth.z_rate).norm(), 1e-13 * unit / sample.p.sigma1);
  EXPECT_NEAR(f.torque, truth.torque, 1e-13 * spin_unit * force * radius);
  if (radius > 0.0) {
    EXPECT_NEAR(f.twist_rate, truth.twist_rate, 1e-13 * spin_unit / (sample.p.sigma1 * radius));
  }
  EXPECT_NEAR(f.dwell_rate, truth.dwell_rate, 1e-12 * std::abs(truth.dwell_rate));
}

TEST(BristleEquations, VolumetricAsTranscribed) {
  Random random(41);
  for (int i = 0; i < 20000; ++i) {
    const Sample t(&random);
    ExpectEqual(
        EvaluateFriction(t.p, t.input, t.state),
        Volumetric(t.p, t.v_epsilon, t.input.normal_force, t.input.velocity_W, t.input.spin,
                   t.input.gyration_radius, t.state.deflection_W, t.state.twist, t.state.dwell),
        t);
    if (HasFailure()) break;
  }
}

TEST(BristleEquations, PointAsTranscribed) {
  Random random(42);
  for (int i = 0; i < 20000; ++i) {
    Sample t(&random);
    t.input.gyration_radius = 0.0;
    ExpectEqual(EvaluateFriction(t.p, t.input, t.state),
                Point(t.p, t.v_epsilon, t.input.normal_force, t.input.velocity_W,
                      t.state.deflection_W, t.state.dwell),
                t);
    if (HasFailure()) break;
  }
}

// As r_gyr goes to zero the volumetric model becomes that of Section 3.2. Below v_ε the two scale
// by C_v = v/v_ε and by one, but only the part 1 − s of it.
TEST(BristleEquations, SmallPatchIsAPoint) {
  Random random(43);
  for (int i = 0; i < 20000; ++i) {
    Sample t(&random);
    const double speed = t.input.velocity_W.norm();
    t.input.gyration_radius = 1e-9 * speed / std::max(1.0, std::abs(t.input.spin));
    const FrictionForce f = EvaluateFriction(t.p, t.input, t.state);
    const Transcribed point = Point(t.p, t.v_epsilon, t.input.normal_force, t.input.velocity_W,
                                    t.state.deflection_W, t.state.dwell);
    const double unit =
        t.p.mu_s + t.p.sigma0 * t.state.deflection_W.norm() + (t.p.sigma1 + t.p.sigma2) * speed;
    const double ratio = speed / t.p.v_stribeck;
    const double below = speed < t.v_epsilon ? 2.0 * ratio * ratio * unit : 0.0;
    ASSERT_LE((f.force_W - point.force).norm(), (1e-12 * unit + below) * t.input.normal_force);
  }
}

TEST(BristleEquations, DefaultVEpsilonIsAHundredthOfVStribeck) {
  Random random(44);
  for (int i = 0; i < 1000; ++i) {
    Sample t(&random);
    t.p.v_epsilon = 0.01 * t.p.v_stribeck;
    const FrictionForce given = EvaluateFriction(t.p, t.input, t.state);
    t.p.v_epsilon = 0.0;
    const FrictionForce standard = EvaluateFriction(t.p, t.input, t.state);
    ASSERT_EQ(given.force_W, standard.force_W);
    ASSERT_EQ(given.torque, standard.torque);
  }
}

// Without a time constant, s_dw = s.
TEST(BristleEquations, DwellAtOnce) {
  Random random(45);
  for (int i = 0; i < 1000; ++i) {
    Sample t(&random);
    const double average =
        std::hypot(t.input.velocity_W.norm(), t.input.gyration_radius * t.input.spin);
    const double ratio = average / t.p.v_stribeck;
    FrictionState state = t.state;
    state.dwell = std::exp(-ratio * ratio);
    const FrictionForce given = EvaluateFriction(t.p, t.input, state);
    t.p.tau_dwell = 0.0;
    const FrictionForce at_once = EvaluateFriction(t.p, t.input, t.state);
    ASSERT_LE((given.force_W - at_once.force_W).norm(), 1e-13 * (1e-300 + given.force_W.norm()));
    ASSERT_EQ(at_once.dwell_rate, 0.0);
  }
}

TEST(SmoothDirection, IsTheCorrectedEquation) {
  Random random(46);
  for (int i = 0; i < 1000; ++i) {
    const Vector3d u = random.UniformVector(-2.0, 2.0);
    EXPECT_LE((SmoothDirection(u, 1.0) - Dir(u, 1.0)).norm(), 1e-15);
  }
  EXPECT_EQ(SmoothDirection(Vector3d::Zero(), 1.0), Vector3d::Zero());
  const Vector3d u(0.6, 0.0, 0.8);
  EXPECT_LE((SmoothDirection(u, 1.0 + 1e-12) - u).norm(), 1e-15);
}

}  // namespace
}  // namespace volcontact::testing::bristle_equations_test
