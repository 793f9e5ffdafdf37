// Columns of a slice: where a line along z enters and leaves the region.
#include <algorithm>

#include "math/arithmetic/univariate.h"
#include "overlap/columns/slice.h"

namespace volcontact {
namespace {

// Nodes of an expression that cost as much to evaluate as one look at a surface.
constexpr long kNodesOfLook = 64;

std::uint64_t Mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ull + (hash << 6) + (hash >> 2);
  hash *= 0xff51afd7ed558ccdull;
  return hash ^ (hash >> 32);
}

// A column polynomial a z² + b z + c of a literal psi <= 0 restricts an interval [entry, exit].
// Returns false where it leaves two intervals. Concave parts must come after the convex ones.
bool ClipByConcave(double r0, double r1, int surface, ColumnEnd* entry, ColumnEnd* exit) {
  if (r0 >= exit->z || r1 <= entry->z) return true;
  if (r0 <= entry->z) {
    *entry = {r1, surface, 1};
    return true;
  }
  if (r1 >= exit->z) {
    *exit = {r0, surface, 0};
    return true;
  }
  return false;
}

}  // namespace

std::uint64_t Column::Signature() const {
  std::uint64_t hash = 0;
  for (const ColumnEnd& end : ends) {
    hash = Mix(hash, 8u * static_cast<std::uint64_t>(end.surface + 2) +
                         static_cast<std::uint64_t>(end.ordinal) + 1);
  }
  return hash;
}

void Slice::SetProblem(const LocalProblem& problem) {
  problem_ = &problem;
  surfaces_.resize(problem.surfaces.size());
  inside_.resize(problem.surfaces.size());
  negated_.assign(problem.surfaces.size(), 0);
  active_.clear();
  curves_needed_ = false;
  curves_.resize(problem.surfaces.size());
  states_.resize(problem.surfaces.size());
  conjunction_ = problem.expression.IsConjunction();
  for (const Expression::Node& node : problem.expression.nodes()) {
    if (node.kind != Expression::Kind::kLiteral) continue;
    if (std::find(active_.begin(), active_.end(), node.value) == active_.end()) {
      active_.push_back(node.value);
    } else {
      conjunction_ = false;
    }
    negated_[node.value] = node.flag;
  }
  for (const int s : active_) curves_needed_ |= problem.surfaces[s].psi.degree > 2;
  conjunction_ &= !curves_needed_;
  std::sort(active_.begin(), active_.end());
}

void Slice::MoveTo(const Eigen::Vector2d& base, const Eigen::Vector2d& direction) {
  for (const int s : active_) Restrict(problem_->surfaces[s], base, direction, &surfaces_[s]);
  if (conjunction_) PrepareConjunction();
  facing_here_ = {facing_.head<2>().dot(direction),
                  facing_.y() * direction.x() - facing_.x() * direction.y(), facing_.z()};
}

void Slice::Force(int surface, bool inside) {
  SliceSurface& s = surfaces_[surface];
  s.a = s.b0 = s.b1 = s.c1 = s.c2 = 0.0;
  s.c0 = inside ? -1.0 : 1.0;
  if (conjunction_) PrepareConjunction();
}

void Slice::PrepareConjunction() {
  straight_.clear();
  convex_.clear();
  concave_.clear();
  for (const int s : active_) {
    const SliceSurface& f = surfaces_[s];
    const double sign = negated_[s] ? -1.0 : 1.0;
    const HalfSlice half = {
        sign * f.a, sign * f.b0, sign * f.b1, sign * f.c0, sign * f.c1, sign * f.c2, s};
    (half.a == 0.0 ? straight_ : half.a > 0.0 ? convex_ : concave_).push_back(half);
  }
}

// The column of a conjunction, one interval at most; entry->z >= exit->z when empty. Returns false
// when a concave surface cuts it in two.
bool Slice::FindInterval(double v, ColumnEnd* entry, ColumnEnd* exit) {
  *entry = {-1.0, ColumnEnd::kBoxEnd, 0};
  *exit = {1.0, ColumnEnd::kBoxEnd, 0};
  const auto empty = [&] { return exit->z = entry->z, true; };
  for (const HalfSlice& half : straight_) {
    const double b = half.b0 + half.b1 * v, c = half.c0 + (half.c1 + half.c2 * v) * v;
    if (b == 0.0) {
      if (c > 0.0) return empty();
      continue;
    }
    const double root = -c / b;
    if (b > 0.0) {
      if (root < exit->z) *exit = {root, half.surface, 0};
    } else if (root > entry->z) {
      *entry = {root, half.surface, 0};
    }
  }
  for (const HalfSlice& half : convex_) {
    const RootList<2> roots =
        SolveQuadratic(half.a, half.b0 + half.b1 * v, half.c0 + (half.c1 + half.c2 * v) * v);
    if (roots.count < 2) return empty();
    if (roots.x[0] > entry->z) *entry = {roots.x[0], half.surface, 0};
    if (roots.x[1] < exit->z) *exit = {roots.x[1], half.surface, 1};
  }
  for (const HalfSlice& half : concave_) {
    const RootList<2> roots =
        SolveQuadratic(half.a, half.b0 + half.b1 * v, half.c0 + (half.c1 + half.c2 * v) * v);
    if (roots.count < 2) continue;
    if (!ClipByConcave(roots.x[0], roots.x[1], half.surface, entry, exit)) {
      return !(entry->z < exit->z);
    }
  }
  return true;
}

// All crossings of the column with the surfaces, ascending, and the surfaces' states at the bottom.
void Slice::FindCrossings(double v) {
  crossings_.clear();
  for (const int s : active_) {
    const SliceSurface& surface = surfaces_[s];
    if (surface.degree > 2) {
      const std::array<double, 5> c = surface.ColumnPolynomial(v);
      inside_[s] = Horner(c.data(), surface.degree, -1.0) <= 0.0;
      const auto roots = SignChanges(c.data(), surface.degree, -1.0, 1.0);
      for (int n = 0; n < roots.count; ++n) {
        crossings_.push_back({roots.x[n], s, (inside_[s] ^ n) & 1});
      }
      continue;
    }
    const double a = surface.a, b = surface.B(v), c = surface.C(v);
    if (surface.wall || (a == 0.0 && b == 0.0)) {
      inside_[s] = c <= 0.0;
      continue;
    }
    // The state far below follows from the leading term; every root crossed on the way up flips it.
    const RootList<2> roots = SolveQuadratic(a, b, c);
    inside_[s] = a != 0.0 ? a < 0.0 : b > 0.0;
    for (int n = 0; n < roots.count; ++n) {
      if (roots.x[n] <= -1.0) {
        inside_[s] ^= 1;
      } else if (roots.x[n] < 1.0) {
        crossings_.push_back({roots.x[n], s, n});
      }
    }
  }
  for (std::size_t i = 1; i < crossings_.size(); ++i) {
    const Crossing crossing = crossings_[i];
    std::size_t j = i;
    for (; j > 0 && crossings_[j - 1].z > crossing.z; --j) crossings_[j] = crossings_[j - 1];
    crossings_[j] = crossing;
  }
}

// Walks up the crossings and keeps those at which the region is entered or left.
void Slice::CollectEnds(Column* column) {
  column->ends.clear();
  effort_ +=
      static_cast<long>(crossings_.size() * problem_->expression.nodes().size()) / kNodesOfLook;
  bool state = problem_->expression.Evaluate(inside_.data());
  if (state) column->ends.push_back({-1.0, ColumnEnd::kBoxEnd, 0});
  for (const Crossing& crossing : crossings_) {
    inside_[crossing.surface] ^= 1;
    const bool next = problem_->expression.Evaluate(inside_.data());
    if (next == state) continue;
    state = next;
    if (!state && !(crossing.z > column->ends.back().z)) {
      column->ends.pop_back();  // an interval without length
    } else {
      column->ends.push_back({crossing.z, crossing.surface, crossing.ordinal});
    }
  }
  if (state) column->ends.push_back({1.0, ColumnEnd::kBoxEnd, 1});
}

void Slice::FindColumn(double v, Column* column) {
  effort_ += static_cast<long>(active_.size());
  if (conjunction_) {
    ColumnEnd entry, exit;
    if (FindInterval(v, &entry, &exit)) {
      column->ends.clear();
      if (entry.z < exit.z) {
        column->ends.push_back(entry);
        column->ends.push_back(exit);
      }
      return;
    }
  }
  FindCrossings(v);
  CollectEnds(column);
}

std::uint64_t Slice::SignatureAt(double v) {
  FindColumn(v, &column_);
  return column_.Signature();
}

}  // namespace volcontact
