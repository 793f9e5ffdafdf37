#include "integration/conjunction.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace volcontact {
namespace {

using Kind = Expression::Kind;
using Eigen::Matrix3d;
using Eigen::Vector3d;

// Conjunctions that Refute expands an expression into at most, and constraints it combines.
constexpr int kMaxExpansions = 24;
constexpr int kMaxRefuted = 8;
// A step that gains less than this part of the smoothing τ ends a stage; τ starts from the size of
// the values and falls by this factor when the multipliers have settled.
constexpr int kMaxNewtonSteps = 64;
constexpr double kWorthwhileGain = 0.05, kSmoothingFactor = 0.1;
constexpr double kLeastLogMultiplier = -30.0;

int SubtreeSize(const Expression::Node& node) {
  return node.kind == Kind::kAnd || node.kind == Kind::kOr ? node.value + 1 : 1;
}

// Combines leaf(node) by And = max, Or = min over the subtree at `root`.
template <class Leaf>
double Combine(const Expression::Node* nodes, int root, const Leaf& leaf) {
  const Expression::Node& node = nodes[root];
  if (node.kind == Kind::kLiteral) return leaf(node);
  const double infinity = std::numeric_limits<double>::infinity();
  if (node.kind == Kind::kConstant) return node.flag ? -infinity : infinity;
  const bool conjunction = node.kind == Kind::kAnd;
  double result = conjunction ? -infinity : infinity;
  for (int child = root - 1; child >= root - node.value; child -= SubtreeSize(nodes[child])) {
    const double value = Combine(nodes, child, leaf);
    result = conjunction ? std::max(result, value) : std::min(result, value);
  }
  return result;
}

void CollectPromising(const Expression::Node* nodes, int root, const QuadraticModel* models,
                      Conjunction* result) {
  const Expression::Node& node = nodes[root];
  if (node.kind == Kind::kLiteral) result->push_back({node.value, node.flag ? -1.0 : 1.0});
  if (node.kind != Kind::kAnd && node.kind != Kind::kOr) return;
  const auto value_at_center = [&](const Expression::Node& leaf) {
    return leaf.flag ? -models[leaf.value].value : models[leaf.value].value;
  };
  int best = -1;
  double best_value = std::numeric_limits<double>::infinity();
  for (int child = root - 1; child >= root - node.value; child -= SubtreeSize(nodes[child])) {
    if (node.kind == Kind::kAnd) {
      CollectPromising(nodes, child, models, result);
      continue;
    }
    const double value = Combine(nodes, child, value_at_center);
    if (best < 0 || value < best_value) {
      best = child;
      best_value = value;
    }
  }
  if (best >= 0) CollectPromising(nodes, best, models, result);
}

// Σ λ_i sign_i psi_i, λ >= 0, bounded below over the cell.
class Combination {
 public:
  void Add(const QuadraticModel& model, double factor) {
    value_ += factor * model.value + (factor > 0.0 ? factor * model.rest_low
                                                   : factor * model.rest_high);
    linear_ += factor * model.linear;
    square_ += factor * model.square;
    cross_ += factor * model.cross;
  }
  double Low() const {
    double low = value_ - cross_.cwiseAbs().sum();
    for (int i = 0; i < 3; ++i) {
      const double a = std::abs(linear_[i]), q = square_[i];
      low += 2.0 * q <= a ? q - a : -0.25 * a * a / q;
    }
    return low;
  }

 private:
  double value_ = 0.0;
  Vector3d linear_ = Vector3d::Zero(), square_ = Vector3d::Zero(), cross_ = Vector3d::Zero();
};

// Refutes a conjunction by combinations of two, three and four of its constraints. Each is tried with
// the multipliers that bring the gradients nearest to cancelling.
class Refuter {
 public:
  Refuter(const Conjunction& conjunction, const QuadraticModel* models)
      : count_(std::min(static_cast<int>(conjunction.size()), kMaxRefuted)),
        conjunction_(conjunction.data()),
        models_(models) {
    for (int i = 0; i < count_; ++i) {
      gradient_[i] = conjunction_[i].sign * models[conjunction_[i].surface].linear;
      norm_[i] = gradient_[i].norm();
    }
  }

  bool Run() const {
    for (int i = 0; i < count_; ++i) {
      for (int j = 0; j < i; ++j) {
        if (Pair(i, j)) return true;
      }
    }
    for (int i = 0; i < count_; ++i) {
      for (int j = 0; j < i; ++j) {
        for (int k = 0; k < j; ++k) {
          if (Triple(i, j, k)) return true;
          for (int l = 0; l < k; ++l) {
            if (Quadruple(i, j, k, l)) return true;
          }
        }
      }
    }
    return false;
  }

 private:
  bool Pair(int i, int j) const {
    // One surface from both sides has no interior points between.
    if (conjunction_[i].surface == conjunction_[j].surface &&
        conjunction_[i].sign != conjunction_[j].sign) {
      return true;
    }
    const double dot = gradient_[i].dot(gradient_[j]);
    return dot < 0.0 && Try<2>({i, j}, {norm_[j], norm_[i]});
  }

  // g_i + μ g_j + ν g_k of least length.
  bool Triple(int i, int j, int k) const {
    const double jj = norm_[j] * norm_[j], kk = norm_[k] * norm_[k];
    const double jk = gradient_[j].dot(gradient_[k]);
    const double ij = gradient_[i].dot(gradient_[j]), ik = gradient_[i].dot(gradient_[k]);
    const double determinant = jj * kk - jk * jk;
    const double mu = jk * ik - kk * ij, nu = jk * ij - jj * ik;
    return mu > 0.0 && nu > 0.0 && Try<3>({i, j, k}, {determinant, mu, nu});
  }

  // The multipliers that cancel four gradients: the signed volumes of the other three.
  bool Quadruple(int i, int j, int k, int l) const {
    const int index[4] = {i, j, k, l};
    std::array<double, 4> factor;
    for (int m = 0; m < 4; ++m) {
      Matrix3d others;
      for (int n = 0, column = 0; n < 4; ++n) {
        if (n != m) others.col(column++) = gradient_[index[n]];
      }
      factor[m] = (m % 2 == 0 ? 1.0 : -1.0) * others.determinant();
    }
    const bool positive = std::all_of(factor.begin(), factor.end(), [](double f) { return f > 0.0; });
    const bool negative = std::all_of(factor.begin(), factor.end(), [](double f) { return f < 0.0; });
    if (!positive && !negative) return false;
    for (double& f : factor) f = std::abs(f);
    return Try<4>({i, j, k, l}, factor);
  }

  template <std::size_t n>
  bool Try(const std::array<int, n>& index, const std::array<double, n>& factor) const {
    Combination sum;
    for (std::size_t m = 0; m < n; ++m) {
      if (!(factor[m] >= 0.0)) return false;
      const Constraint& constraint = conjunction_[index[m]];
      sum.Add(models_[constraint.surface], factor[m] * constraint.sign);
    }
    return sum.Low() > 0.0;
  }

  int count_;
  const Constraint* conjunction_;
  const QuadraticModel* models_;
  std::array<Vector3d, kMaxRefuted> gradient_;
  std::array<double, kMaxRefuted> norm_;
};

// Expands an expression into conjunctions depth first and refutes each.
class Expander {
 public:
  Expander(const Expression& expression, const QuadraticModel* models)
      : nodes_(expression.nodes().data()), models_(models) {
    pending_.push_back(static_cast<int>(expression.nodes().size()) - 1);
  }

  bool Refuted() {
    if (pending_.empty()) {
      return ++expansions_ <= kMaxExpansions && Refuter(conjunction_, models_).Run();
    }
    const int root = pending_.back();
    pending_.pop_back();
    const Expression::Node& node = nodes_[root];
    const std::size_t held = pending_.size(), literals = conjunction_.size();
    bool refuted = true;
    if (node.kind == Kind::kLiteral) {
      conjunction_.push_back({node.value, node.flag ? -1.0 : 1.0});
      refuted = Refuted();
    } else if (node.kind == Kind::kAnd) {
      ForChildren(root, [&](int child) { pending_.push_back(child); });
      refuted = Refuted();
    } else if (node.kind == Kind::kOr) {
      const std::vector<int> rest = pending_;
      ForChildren(root, [&](int child) {
        if (!refuted) return;
        pending_ = rest;
        pending_.push_back(child);
        refuted = Refuted();
        conjunction_.resize(literals);
      });
      pending_ = rest;
    } else {
      refuted = !node.flag;
    }
    pending_.resize(std::min(held, pending_.size()));
    conjunction_.resize(literals);
    return refuted;
  }

 private:
  template <class Function>
  void ForChildren(int root, const Function& function) const {
    for (int child = root - 1; child >= root - nodes_[root].value;
         child -= SubtreeSize(nodes_[child])) {
      function(child);
    }
  }

  const Expression::Node* nodes_;
  const QuadraticModel* models_;
  std::vector<int> pending_;  // subtrees that must hold and are not expanded yet
  Conjunction conjunction_;
  int expansions_ = 0;
};

// τ log Σ μ_i exp(sign_i psi_i / τ) with its derivatives at t. With the multipliers μ of the minimum
// its minimum is that of the maximum for any τ (the exponential method of multipliers); with others
// it would be so only as τ -> 0, along a path that Newton's method leaves when τ is lowered fast.
class SmoothMaximum {
 public:
  SmoothMaximum(const Conjunction& conjunction, const QuadraticModel* models)
      : conjunction_(conjunction),
        models_(models),
        values_(conjunction.size()),
        log_mu_(conjunction.size(), 0.0) {}

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
      const Eigen::LLT<Matrix3d> factor(hessian + shift * Matrix3d::Identity());
      if (factor.info() == Eigen::Success) return -factor.solve(mean);
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
  std::vector<double> values_, log_mu_;
};

}  // namespace

double LowerBound(const Expression& expression, const QuadraticModel* models) {
  const auto& nodes = expression.nodes();
  return Combine(nodes.data(), static_cast<int>(nodes.size()) - 1,
                 [&](const Expression::Node& leaf) {
                   return leaf.flag ? -models[leaf.value].high : models[leaf.value].low;
                 });
}

void MostPromising(const Expression& expression, const QuadraticModel* models,
                   Conjunction* result) {
  result->clear();
  CollectPromising(expression.nodes().data(), static_cast<int>(expression.nodes().size()) - 1,
                   models, result);
}

bool Refute(const Expression& expression, const QuadraticModel* models) {
  return Expander(expression, models).Refuted();
}

bool FindInterior(const Conjunction& conjunction, const QuadraticModel* models, Vector3d* point) {
  SmoothMaximum maximum(conjunction, models);
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
    if (largest < -margin) return true;
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
  return largest < -margin;
}

}  // namespace volcontact
