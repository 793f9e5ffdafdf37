#include "overlap/cells/operand_split.h"

#include <algorithm>
#include <utility>

#include "overlap/cells/near_box.h"

namespace volcontact {
namespace {

using Kind = Expression::Kind;

// Operands of a union, beyond which pairs of their boxes are too many to look at.
constexpr std::size_t kMostOperands = 512;
// An operand and the rest of more surfaces are looked at near the operand only, which is bounded by
// itself first.
constexpr std::size_t kFewAround = 10;
// Boxes this far apart, in their own units, do not meet: it is more than rounding.
constexpr double kBoxesApart = 1e-9;

// Whether a frame's box is proved to lie beside another's: along an axis of that one.
bool LiesBeside(const LocalFrame& inner, const LocalFrame& outer) {
  const Rigid X = outer.X_AC.Inverse() * inner.X_AC;
  const Eigen::Vector3d reach = X.RotationDouble().cwiseAbs() * inner.half;
  const Eigen::Vector3d gap = Round(X.t).cwiseAbs() - reach - outer.half;
  return (gap.array() > kBoxesApart * (reach + outer.half).array()).any();
}

bool FramesMeet(const LocalFrame& one, const LocalFrame& other) {
  return !LiesBeside(one, other) && !LiesBeside(other, one);
}

bool AreApart(const Aabb& a, const Aabb& b) {
  return (a.min.array() > b.max.array()).any() || (b.min.array() > a.max.array()).any();
}

}  // namespace

// Of the unions that the region is cut by, the one of most operands, and all else that cuts it.
void OperandSplit::FindUnion(const Expression& expression) {
  const auto& nodes = expression.nodes();
  const int root = expression.Root();
  rest_.clear();
  roots_.clear();
  int chosen = nodes[root].kind == Kind::kOr ? root : -1;
  const auto operands_of = [&](int node) {
    const Expression::ChildrenOf children(nodes.data(), node);
    std::size_t count = 0;
    for (auto child = children.begin(); child != children.end(); ++child) ++count;
    return count;
  };
  if (nodes[root].kind == Kind::kAnd) {
    std::size_t most = 0;
    for (const int child : Expression::ChildrenOf(nodes.data(), root)) {
      rest_.push_back(child);
      if (nodes[child].kind != Kind::kOr || operands_of(child) <= most) continue;
      most = operands_of(child);
      chosen = child;
    }
    rest_.erase(std::remove(rest_.begin(), rest_.end(), chosen), rest_.end());
  }
  if (chosen < 0) return;
  for (const int child : Expression::ChildrenOf(nodes.data(), chosen)) roots_.push_back(child);
  // In the order of the expression.
  std::reverse(rest_.begin(), rest_.end());
  std::reverse(roots_.begin(), roots_.end());
}

// Appends the subtree of an expression that ends with a node, its surfaces numbered as they come;
// without that node itself where it is an And, for an operand of an And.
void OperandSplit::Append(const SurfaceSet& set, int root, bool in_and, SurfaceSet* taken) {
  const auto& nodes = set.expression.nodes();
  const int end = in_and && nodes[root].kind == Kind::kAnd ? root : root + 1;
  for (int n = root + 1 - nodes[root].Size(); n < end; ++n) {
    Expression::Node node = nodes[n];
    if (node.kind == Kind::kLiteral) {
      int& label = labels_[node.value];
      if (label < 0) {
        label = taken->Add(set.surfaces[node.value], set.owners[node.value], set.kinds[node.value]);
      }
      node.value = label;
    }
    nodes_.push_back(node);
  }
}

// Puts together the union of some operands, `roots`, and what is given of the rest.
void OperandSplit::Take(const SurfaceSet& set, const std::vector<int>& roots,
                        const std::vector<int>& rest, SurfaceSet* taken) {
  taken->surfaces.clear();
  taken->owners.clear();
  taken->kinds.clear();
  labels_.assign(set.surfaces.size(), -1);
  nodes_.clear();
  for (const int root : rest) Append(set, root, true, taken);
  const std::size_t before = nodes_.size();
  const bool in_and = !rest.empty() && roots.size() == 1;
  for (const int root : roots) Append(set, root, in_and, taken);
  const auto close = [&](Kind kind, std::size_t from) {
    nodes_.push_back({kind, false, static_cast<int>(nodes_.size() - from)});
  };
  if (roots.size() > 1) close(Kind::kOr, before);
  if (!rest.empty()) close(Kind::kAnd, 0);
  taken->expression.Assign(nodes_);
}

// Locates a region in a box; false where it is empty.
bool OperandSplit::Locate(const Aabb& box, Region* region) {
  const Locator::Result located = locator_.Run(region->set, box, &problem_);
  cells_ += located.cells;
  region->frame = located.frame;
  return !located.empty;
}

// The region of one operand of the union, with the surfaces near it where there are many.
bool OperandSplit::LocateOperand(const SurfaceSet& set, const Aabb& box, Operand* operand) {
  one_.assign(1, operand->root);
  Region& region = operand->region;
  Take(set, one_, rest_, &region.set);
  if (region.set.surfaces.size() <= kFewAround) return Locate(box, &region);
  Take(set, one_, {}, &own_);
  const Locator::Result bounded = locator_.Fit(own_, FrameOf(box), &problem_);
  cells_ += bounded.cells;
  if (bounded.empty) return false;
  return LocateNear(Intersect(box, BoxAround(bounded.frame)), &region);
}

// Locates a region in a box with the surfaces near that.
bool OperandSplit::LocateNear(const Aabb& box, Region* region) {
  if (box.IsEmpty() || !(box.HalfExtents().minCoeff() > 0.0)) return false;
  TakeNearBox(region->set, FrameOf(box), &near_);
  std::swap(region->set, near_);
  return Locate(box, region);
}

// Puts operands of which the boxes meet into one group, in the order of their first ones.
void OperandSplit::Group() {
  for (std::size_t m = 0; m < count_; ++m) operands_[m].group = static_cast<int>(m);
  for (std::size_t m = 0; m < count_; ++m) {
    for (std::size_t n = 0; n < m; ++n) {
      const int from = operands_[m].group, to = operands_[n].group;
      if (from == to || AreApart(operands_[m].box, operands_[n].box) ||
          !FramesMeet(operands_[m].region.frame, operands_[n].region.frame))
        continue;
      for (std::size_t k = 0; k <= m; ++k) {
        if (operands_[k].group == std::max(from, to)) operands_[k].group = std::min(from, to);
      }
    }
  }
}

// The region of all operands of a group.
void OperandSplit::AddGroup(const SurfaceSet& set, int group) {
  roots_.clear();
  Aabb hull = Aabb::Nothing();
  Operand* last = nullptr;
  for (std::size_t n = 0; n < count_; ++n) {
    if (operands_[n].group != group) continue;
    last = &operands_[n];
    roots_.push_back(last->root);
    hull = Hull(hull, last->box);
  }
  if (used_ == regions_.size()) regions_.emplace_back();
  Region& region = regions_[used_];
  if (roots_.size() == 1) {
    std::swap(region, last->region);
    ++used_;
    return;
  }
  Take(set, roots_, rest_, &region.set);
  if (LocateNear(hull, &region)) ++used_;
}

bool OperandSplit::Run(const SurfaceSet& set, const Aabb& box) {
  cells_ = 0;
  count_ = used_ = 0;
  FindUnion(set.expression);
  if (roots_.size() < 2 || roots_.size() > kMostOperands) return false;
  for (const int root : roots_) {
    if (count_ == operands_.size()) operands_.emplace_back();
    Operand& operand = operands_[count_];
    operand.root = root;
    if (!LocateOperand(set, box, &operand)) continue;
    operand.box = BoxAround(operand.region.frame);
    ++count_;
  }
  Group();
  const auto is_first = [&](std::size_t n) { return operands_[n].group == static_cast<int>(n); };
  std::size_t groups = 0;
  for (std::size_t n = 0; n < count_; ++n) groups += is_first(n) ? 1 : 0;
  if (groups < 2) return false;
  for (std::size_t n = 0; n < count_; ++n) {
    if (is_first(n)) AddGroup(set, static_cast<int>(n));
  }
  return used_ > 1;
}

Aabb OperandSplit::Bounds() const {
  Aabb hull = Aabb::Nothing();
  for (std::size_t n = 0; n < used_; ++n) hull = Hull(hull, BoxAround(regions_[n].frame));
  return hull;
}

}  // namespace volcontact
