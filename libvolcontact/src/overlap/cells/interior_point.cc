#include "overlap/cells/interior_point.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "math/small_systems.h"
#include "overlap/cells/combination.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// A step that gains less than this part of the smoothing τ ends a stage; τ starts from the size of
// the values and falls by this factor when the multipliers have settled.
constexpr int kMaxNewtonSteps = 64;
constexpr double kWorthwhileGain = 0.05, kSmoothingFactor = 0.1;
constexpr double kLeastLogMultiplier = -30.0;

// τ log Σ μ_i exp(sign_i psi_i / τ) with its derivatives at t. With the multipliers μ of the
// minimum its minimum is that of the maximum for any τ (the exponential method of multipliers);
// with others it would be so only as τ -> 0, along a path that Newton's method leaves when τ is
// lowered fast.
class SmoothMaximum {
 public:
  struct Scratch {
    std::vector<double> values, log_mu;
  };

  SmoothMaximum(const Conjunction& conjunction, const QuadraticModel* models, Scratch* scratch)
      : conjunction_(conjunction),
        models_(models),
        values_(scratch->values),
        log_mu_(scratch->log_mu) {
    values_.resize(conjunction.size());
    log_mu_.assign(conjunction.size(), 0.0);
  }

  double Maximum(const Vector3d& t) {
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < conjunction_.size(); ++i) {
      const QuadraticModel& m = models_[conjunction_[i].surface];
      values_[i] = conjunction_[i].sign *
                   (m.value + t.dot(m.linear + m.square.cwiseProduct(t)) +
                    m.cross[0] * t[0] * t[1] + m.cross[1] * t[0] * t[2] + m.cross[2] * t[1] * t[2]);
      largest = std::max(largest, values_[i]);
    }
    return largest;
  }

  double Value(const Vector3d& t, double tau) {
    Maximum(t);
    const double largest = LargestExponent(tau);
    double sum = 0.0;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      sum += std::exp(values_[i] / tau + log_mu_[i] - largest);
    }
    return tau * (largest + std::log(sum));
  }

  // Takes the weights at t as the multipliers; returns the largest change of one that matters, as a
  // logarithm.
  double UpdateMultipliers(const Vector3d& t, double tau) {
    Maximum(t);
    const double largest = LargestExponent(tau);
    double change = 0.0;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const double updated = std::max(values_[i] / tau + log_mu_[i] - largest, kLeastLogMultiplier);
      if (updated > 0.5 * kLeastLogMultiplier) {
        change = std::max(change, std::abs(updated - log_mu_[i]));
      }
      log_mu_[i] = updated;
    }
    return change;
  }

  // Whether the combination by the present multipliers is positive in the whole cell.
  bool Refutes(const Vector3d& t) const {
    Combination sum;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const double sign = conjunction_[i].sign;
      sum.Add(models_[conjunction_[i].surface], sign * std::exp(log_mu_[i]));
    }
    return std::max(sum.Low(), sum.LowNear(t)) > 0.0;
  }

  // Newton step at t, with a Hessian shifted until it is positive definite.
  Vector3d Step(const Vector3d& t, double tau) {
    Maximum(t);
    const double largest = LargestExponent(tau);
    Vector3d mean = Vector3d::Zero();
    Matrix3d hessian = Matrix3d::Zero(), spread = Matrix3d::Zero();
    double sum = 0.0;
    for (std::size_t i = 0; i < conjunction_.size(); ++i) {
      const QuadraticModel& m = models_[conjunction_[i].surface];
      const double weight = std::exp(values_[i] / tau + log_mu_[i] - largest);
      const double sign = conjunction_[i].sign;
      Matrix3d second;
      second << 2.0 * m.square[0], m.cross[0], m.cross[1], m.cross[0], 2.0 * m.square[1],
          m.cross[2], m.cross[1], m.cross[2], 2.0 * m.square[2];
      const Vector3d gradient = sign * (m.linear + second * t);
      sum += weight;
      mean += weight * gradient;
      hessian += weight * sign * second;
      spread += weight * gradient * gradient.transpose();
    }
    mean /= sum;
    hessian = hessian / sum + (spread / sum - mean * mean.transpose()) / tau;
    double shift = 1e-12 * hessian.cwiseAbs().maxCoeff() + 1e-300;
    for (int attempt = 0; attempt < 8; ++attempt, shift *= 100.0) {
      const std::optional<Matrix3d> lower = CholeskyFactor(hessian + shift * Matrix3d::Identity());
      if (lower) return -SolveCholesky(*lower, mean);
    }
    return -mean / (hessian.cwiseAbs().maxCoeff() + 1e-300);
  }

 private:
  double LargestExponent(double tau) const {
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < values_.size(); ++i) {
      largest = std::max(largest, values_[i] / tau + log_mu_[i]);
    }
    return largest;
  }

  const Conjunction& conjunction_;
  const QuadraticModel* models_;
  std::vector<double>&values_, &log_mu_;
};

}  // namespace

Descent FindInterior(const Conjunction& conjunction, const QuadraticModel* models,
                     Vector3d* point) {
  thread_local SmoothMaximum::Scratch scratch;
  SmoothMaximum maximum(conjunction, models, &scratch);
  // Below this depth the caller's certificate fails anyway.
  double margin = 0.0;
  for (const Constraint& constraint : conjunction) {
    const QuadraticModel& m = models[constraint.surface];
    margin = std::max(margin, m.rest_high - m.rest_low);
  }
  Vector3d& t = *point;
  double largest = maximum.Maximum(t);
  double tau = std::abs(largest);
  for (int step = 0; step < kMaxNewtonSteps && tau > 0.0; ++step) {
    if (largest < -margin) return Descent::kInterior;
    const Vector3d move = maximum.Step(t, tau);
    const double before = maximum.Value(t, tau);
    double gain = 0.0;
    for (double length = 1.0; length > 1e-3 && gain <= 0.0; length *= 0.25) {
      const Vector3d next = (t + length * move).cwiseMax(-1.0).cwiseMin(1.0);
      gain = before - maximum.Value(next, tau);
      if (gain > 0.0) t = next;
    }
    largest = maximum.Maximum(t);
    // Worth another step at this level while a step gains as much as the smoothing blurs.
    if (gain > kWorthwhileGain * tau) continue;
    if (maximum.UpdateMultipliers(t, tau) < 1.0) tau *= kSmoothingFactor;
    if (tau < 0.01 * margin) break;
  }
  if (largest < -margin) return Descent::kInterior;
  return maximum.Refutes(t) ? Descent::kRefuted : Descent::kNeither;
}

}  // namespace volcontact
