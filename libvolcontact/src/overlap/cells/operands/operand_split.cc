#include "overlap/cells/operands/operand_split.h"

#include <algorithm>
#include <utility>

#include "overlap/cells/near_box.h"

namespace volcontact {
namespace {

using NodeKind = Expression::Kind;

// Operands of a union, beyond which pairs of their boxes are too many to look at.
constexpr std::size_t kMostOperands = 512;
// Operands with the rest of more surfaces are looked at with what is near them only.
constexpr std::size_t kFewAround = 10;
bool DoBoxesMeet(const Aabb& a, const Aabb& b) {
  return (a.min.array() <= b.max.array()).all() && (b.min.array() <= a.max.array()).all();
}

}  // namespace

// Finds the union with the most operands that cuts the region, and everything else that cuts it.
void OperandSplit::FindUnion(const Expression& expression) {
  const auto& nodes = expression.nodes();
  const int root = expression.Root();
  rest_.clear();
  roots_.clear();
  int chosen = nodes[root].kind == NodeKind::kOr ? root : -1;
  const auto operands_of = [&](int node) {
    const Expression::ChildrenOf children(nodes.data(), node);
    std::size_t count = 0;
    for (auto child = children.begin(); child != children.end(); ++child) ++count;
    return count;
  };
  if (nodes[root].kind == NodeKind::kAnd) {
    std::size_t most = 0;
    for (const int child : Expression::ChildrenOf(nodes.data(), root)) {
      rest_.push_back(child);
      if (nodes[child].kind != NodeKind::kOr || operands_of(child) <= most) continue;
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
  const int end = in_and && nodes[root].kind == NodeKind::kAnd ? root : root + 1;
  for (int n = root + 1 - nodes[root].Size(); n < end; ++n) {
    Expression::Node node = nodes[n];
    if (node.kind == NodeKind::kLiteral) {
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
  taken->has_common = false;
  taken->surfaces.clear();
  taken->owners.clear();
  taken->kinds.clear();
  labels_.assign(set.surfaces.size(), -1);
  nodes_.clear();
  for (const int root : rest) Append(set, root, true, taken);
  const std::size_t before = nodes_.size();
  const bool in_and = !rest.empty() && roots.size() == 1;
  for (const int root : roots) Append(set, root, in_and, taken);
  const auto close = [&](NodeKind kind, std::size_t from) {
    nodes_.push_back({kind, false, static_cast<int>(nodes_.size() - from)});
  };
  if (roots.size() > 1) close(NodeKind::kOr, before);
  if (!rest.empty()) close(NodeKind::kAnd, 0);
  taken->expression.Assign(nodes_);
}

// Shrinks a box around an operand within it, by itself or with the rest; false where nothing is
// left.
bool OperandSplit::Bound(const SurfaceSet& set, const std::vector<int>& rest, Operand* operand) {
  one_.assign(1, operand->root);
  Take(set, one_, rest, &own_);
  if (own_.surfaces.size() > kFewAround) {
    TakeNearBox(own_, FrameOf(operand->box), &near_);
    std::swap(own_, near_);
  }
  const Locator::Result bounded = locator_.Fit(own_, FrameOf(operand->box), &problem_);
  cells_ += bounded.cells;
  if (bounded.empty) return false;
  operand->box = Intersect(operand->box, BoxAround(bounded.frame));
  return !operand->box.IsEmpty() && operand->box.HalfExtents().minCoeff() > 0.0;
}

// Puts operands of which the boxes meet into one group, named by its first one. Returns how many
// groups there are.
std::size_t OperandSplit::Group() {
  const int count = static_cast<int>(operands_.size());
  joined_.Reset(count);
  for (int m = 0; m < count; ++m) {
    for (int n = 0; n < m; ++n) {
      if (DoBoxesMeet(operands_[m].box, operands_[n].box)) joined_.Join(m, n);
    }
  }
  std::size_t groups = 0;
  for (int m = 0; m < count; ++m) {
    operands_[m].group = static_cast<std::size_t>(joined_.Find(m));
    if (joined_.Find(m) == m) ++groups;
  }
  return groups;
}

// Locates the region of all operands of a group, if it is not empty.
void OperandSplit::AddGroup(const SurfaceSet& set, std::size_t group) {
  roots_.clear();
  Aabb box = Aabb::Nothing();
  for (const Operand& operand : operands_) {
    if (operand.group != group) continue;
    roots_.push_back(operand.root);
    box = Hull(box, operand.box);
  }
  if (used_ == regions_.size()) regions_.emplace_back();
  Region& region = regions_[used_];
  Take(set, roots_, rest_, &region.set);
  if (region.set.surfaces.size() > kFewAround) {
    TakeNearBox(region.set, FrameOf(box), &near_);
    std::swap(region.set, near_);
  }
  const Locator::Result located = locator_.Run(region.set, box, &problem_);
  cells_ += located.cells;
  region.frame = located.frame;
  if (!located.empty) ++used_;
}

bool OperandSplit::Run(const SurfaceSet& set, const Aabb& box) {
  cells_ = 0;
  used_ = 0;
  // Whose a common face is depends on all that A and B ask for.
  if (set.has_common) return false;
  FindUnion(set.expression);
  if (roots_.size() < 2 || roots_.size() > kMostOperands) return false;
  operands_.clear();
  for (const int root : roots_) operands_.push_back({root, 0, box});
  const auto bound_all = [&](const std::vector<int>& rest, const auto& is_wanted) {
    std::erase_if(operands_, [&](Operand& operand) {
      return is_wanted(operand) && !Bound(set, rest, &operand);
    });
  };
  bound_all({}, [](const Operand&) { return true; });
  // Those that are apart by themselves need no closer look.
  if (Group() < operands_.size() && !rest_.empty()) {
    sizes_.assign(roots_.size(), 0);
    for (const Operand& operand : operands_) ++sizes_[operand.group];
    bound_all(rest_, [&](const Operand& operand) { return sizes_[operand.group] > 1; });
  }
  if (Group() < 2) return false;
  for (std::size_t n = 0; n < operands_.size(); ++n) {
    if (operands_[n].group == n) AddGroup(set, n);
  }
  return used_ > 1;
}

Aabb OperandSplit::Bounds() const {
  Aabb hull = Aabb::Nothing();
  for (std::size_t n = 0; n < used_; ++n) hull = Hull(hull, BoxAround(regions_[n].frame));
  return hull;
}

}  // namespace volcontact
