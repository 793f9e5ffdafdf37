#include "overlap/cells/conjunction.h"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "overlap/cells/combination.h"

namespace volcontact {
namespace {

using Kind = Expression::Kind;

// Conjunctions that Refute expands an expression into at most, and constraints it combines.
constexpr int kMaxExpansions = 24;
constexpr int kMaxRefuted = 8;
// Combines leaf(node) by And = max, Or = min over the subtree at `root`.
template <class Leaf>
double Combine(const Expression::Node* nodes, int root, const Leaf& leaf) {
  const Expression::Node& node = nodes[root];
  if (node.kind == Kind::kLiteral) return leaf(node);
  const double infinity = std::numeric_limits<double>::infinity();
  if (node.kind == Kind::kConstant) return node.flag ? -infinity : infinity;
  const bool conjunction = node.kind == Kind::kAnd;
  double result = conjunction ? -infinity : infinity;
  for (const int child : Expression::ChildrenOf(nodes, root)) {
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
  for (const int child : Expression::ChildrenOf(nodes, root)) {
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

// Refutes a conjunction by combinations of two, three and four of its constraints. Each is tried
// with the multipliers that bring the gradients nearest to cancelling.
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
      Eigen::Matrix3d others;
      for (int n = 0, column = 0; n < 4; ++n) {
        if (n != m) others.col(column++) = gradient_[index[n]];
      }
      factor[m] = (m % 2 == 0 ? 1.0 : -1.0) * others.determinant();
    }
    const bool positive =
        std::all_of(factor.begin(), factor.end(), [](double f) { return f > 0.0; });
    const bool negative =
        std::all_of(factor.begin(), factor.end(), [](double f) { return f < 0.0; });
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
  std::array<Eigen::Vector3d, kMaxRefuted> gradient_;
  std::array<double, kMaxRefuted> norm_;
};

// Expands an expression into conjunctions depth first and refutes each.
class Expander {
 public:
  bool Run(const Expression& expression, const QuadraticModel* models) {
    nodes_ = expression.nodes().data();
    models_ = models;
    pending_.assign(1, expression.Root());
    rest_.clear();
    conjunction_.clear();
    expansions_ = 0;
    return Refuted();
  }

 private:
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
      for (const int child : Expression::ChildrenOf(nodes_, root)) pending_.push_back(child);
      refuted = Refuted();
    } else if (node.kind == Kind::kOr) {
      // Each operand uses up what else must hold.
      const auto rest = static_cast<std::ptrdiff_t>(rest_.size());
      rest_.insert(rest_.end(), pending_.begin(), pending_.end());
      for (const int child : Expression::ChildrenOf(nodes_, root)) {
        pending_.assign(rest_.begin() + rest, rest_.end());
        pending_.push_back(child);
        refuted = Refuted();
        conjunction_.resize(literals);
        if (!refuted) break;
      }
      pending_.assign(rest_.begin() + rest, rest_.end());
      rest_.resize(static_cast<std::size_t>(rest));
    } else {
      refuted = !node.flag;
    }
    pending_.resize(std::min(held, pending_.size()));
    conjunction_.resize(literals);
    return refuted;
  }

  const Expression::Node* nodes_ = nullptr;
  const QuadraticModel* models_ = nullptr;
  std::vector<int> pending_;  // subtrees that must hold and are not expanded yet
  std::vector<int> rest_;     // what else was pending at the Ors that are being expanded
  Conjunction conjunction_;
  int expansions_ = 0;
};

}  // namespace

double LowerBound(const Expression& expression, const QuadraticModel* models) {
  return Combine(expression.nodes().data(), expression.Root(), [&](const Expression::Node& leaf) {
    return leaf.flag ? -models[leaf.value].high : models[leaf.value].low;
  });
}

void MostPromising(const Expression& expression, const QuadraticModel* models,
                   Conjunction* result) {
  result->clear();
  CollectPromising(expression.nodes().data(), expression.Root(), models, result);
}

bool Refute(const Expression& expression, const QuadraticModel* models) {
  thread_local Expander expander;
  return expander.Run(expression, models);
}

}  // namespace volcontact
