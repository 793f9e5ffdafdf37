// Synthetic experiments from the closed formulas of the papers, independent of the library.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

#include "volcontact/identify/damping_fit.h"
#include "volcontact/identify/friction_data.h"
#include "volcontact/identify/stiffness_fit.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::identify {

inline constexpr double kBallRadius = 9.52e-3, kBallStiffness = 7.59e13;

/// Normal noise by the polar method, the same on every platform.
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : random_(seed) {}

  double operator()(double sigma) {
    double u, v, square;
    do {
      u = 2.0 * Uniform() - 1.0;
      v = 2.0 * Uniform() - 1.0;
      square = u * u + v * v;
    } while (square >= 1.0 || square == 0.0);
    return sigma * u * std::sqrt(-2.0 * std::log(square) / square);
  }
  Eigen::VectorXd Vector(Eigen::Index n, double sigma) {
    return Eigen::VectorXd::NullaryExpr(n, [&](Eigen::Index) { return (*this)(sigma); });
  }

 private:
  double Uniform() { return static_cast<double>(random_() >> 11) * 0x1.0p-53; }
  std::mt19937_64 random_;
};

/// Boos 2011, Eq. (3.11).
inline double CapVolume(double depth, double radius = kBallRadius) {
  return depth > 0.0 ? std::numbers::pi / 3.0 * depth * depth * (3.0 * radius - depth) : 0.0;
}

/// 400 positions, the last at 20 N, around a contact point of 3 µm.
inline PressData BallPress() {
  constexpr double kTouch = 3e-6;
  PressData data;
  const double depth = std::sqrt(20.0 / (kBallStiffness * std::numbers::pi * kBallRadius));
  data.position = Eigen::VectorXd::LinSpaced(400, 0.0, kTouch + depth);
  data.force =
      data.position.unaryExpr([](double p) { return kBallStiffness * CapVolume(p - kTouch); });
  return data;
}

inline Press BallOnPlane(double tolerance = 1e-9) {
  PressPath path;
  path.X_WA.t.z() = kBallRadius;
  return Press(Sphere(kBallRadius), HalfSpace(), path, tolerance);
}

/// A driven impact at v0 that slows to two thirds in contact, with the damping D = −a v0.
inline ImpactData BallImpact(double v0, double damping) {
  constexpr double kTouch = 2e-6;
  const double period = 2.2e-6 / v0;
  ImpactData data;
  data.label = data.place = "impact";
  const Eigen::VectorXd t = Eigen::VectorXd::LinSpaced(140, -0.3 * period, period);
  data.position = t.unaryExpr(
      [&](double s) { return kTouch + v0 * (s - (s > 0.0 ? s * s / (6.0 * period) : 0.0)); });
  data.velocity =
      t.unaryExpr([&](double s) { return v0 * (1.0 - (s > 0.0 ? s / (3.0 * period) : 0.0)); });
  data.force = Eigen::VectorXd(t.size());
  for (Eigen::Index i = 0; i < t.size(); ++i) {
    data.force[i] = kBallStiffness * CapVolume(data.position[i] - kTouch) *
                    (1.0 + damping / v0 * data.velocity[i]);
  }
  return data;
}

/// A motion with its coefficient still to be set.
inline FrictionRun Motion(const Eigen::VectorXd& time, const Eigen::VectorXd& travel,
                          const Eigen::VectorXd& speed) {
  FrictionRun run;
  run.place = "run";
  run.time = time;
  run.travel = travel;
  run.speed = speed;
  run.average_speed = speed.cwiseAbs();
  run.share = Eigen::VectorXd::Ones(speed.size());
  run.coefficient = Eigen::VectorXd::Zero(speed.size());
  return run;
}

/// Slow acceleration from rest: μ = min(σ0 d + σ1 v, μ_S), far below the Stribeck velocity.
inline FrictionRun SlowPull(double mu_s, double sigma0, double sigma1, double acceleration = 4e-5) {
  const double end = std::sqrt(2.0 * 2.0 * mu_s / sigma0 / acceleration);
  const Eigen::VectorXd t = Eigen::VectorXd::LinSpaced(400, 0.0, end);
  FrictionRun run = Motion(t, 0.5 * acceleration * t.cwiseAbs2(), acceleration * t);
  run.coefficient = (sigma0 * run.travel + sigma1 * run.speed).cwiseMin(mu_s);
  return run;
}

/// Sliding at constant speeds: μ = μ_C + σ2 v (Boos 2011, Eq. (5.9)).
inline std::vector<FrictionRun> SteadyPulls(double mu_c, double sigma2, int count = 40) {
  std::vector<FrictionRun> runs;
  for (int i = 0; i < count; ++i) {
    const double v = 5e-4 + 2e-3 * i / (count - 1);
    const Eigen::VectorXd t = Eigen::VectorXd::LinSpaced(25, 0.0, 1.0);
    runs.push_back(Motion(t, v * t, Eigen::VectorXd::Constant(25, v)));
    runs.back().coefficient.setConstant(mu_c + sigma2 * v);
  }
  return runs;
}

}  // namespace volcontact::identify
