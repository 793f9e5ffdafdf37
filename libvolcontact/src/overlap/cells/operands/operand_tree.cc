#include "overlap/cells/operands/operand_tree.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>

#include "math/parallel.h"
#include "overlap/cells/locate.h"

namespace volcontact {
namespace {

// Literals of one operand that are bounded together; any choice gives a box.
constexpr std::size_t kMostTogether = 12;
// Operands of a node that are listed, not grouped.
constexpr std::size_t kListed = 4;
// An operand this large beside the box of all is in the way of most questions: no group takes it.
constexpr double kLarge = 0.5;

bool Meet(const Aabb& a, const Aabb& b) {
  return (a.min.array() <= b.max.array()).all() && (b.min.array() <= a.max.array()).all();
}

double SizeOf(const Aabb& box) { return box.IsEmpty() ? 0.0 : (box.max - box.min).sum(); }

}  // namespace

// Bounds conjunctions of literals; of one thread.
class OperandTree::Bounds {
 public:
  explicit Bounds(const ImplicitSolid& solid) : solid_(solid) {}

  // A box around the part of `box` where all literals hold, or where all fail.
  Aabb Find(const std::vector<Expression::Node>& literals, bool hold, const Aabb& box) {
    if (box.IsEmpty() || !(box.HalfExtents().minCoeff() > 0.0)) return box;
    set_.surfaces.clear();
    std::vector<Expression> parts;
    for (const Expression::Node& literal : literals) {
      const int s = static_cast<int>(set_.surfaces.size());
      set_.surfaces.push_back(solid_.surfaces[literal.value]);
      parts.push_back(literal.flag == hold ? Expression::Above(s) : Expression::Below(s));
    }
    set_.owners.assign(set_.surfaces.size(), Owner::kA);
    set_.expression = Expression::And(parts);
    const Locator::Result result = locator_.Fit(set_, FrameOf(box), &problem_);
    if (result.empty) return Aabb::Nothing();
    return Intersect(box, BoxAround(result.frame));
  }

 private:
  const ImplicitSolid& solid_;
  Locator locator_;
  LocalProblem problem_;
  SurfaceSet set_;
};

// Boxes for all nodes of the expression, from the literals up, then the tree from the root down.
class OperandTree::Builder {
 public:
  Builder(const ImplicitSolid& solid, const Aabb& domain, int threads, std::vector<Node>* tree)
      : solid_(solid), nodes_(solid.expression.nodes()), domain_(domain), tree_(*tree) {
    const std::size_t count = nodes_.size();
    where_.assign(count, {domain, domain});
    BoundLiterals(threads);
    BoundConjunctions(threads);
    for (std::size_t i = 0; i < count; ++i) BoundByChildren(static_cast<int>(i));
    Add({solid.expression.Root(), domain}, false);
  }

 private:
  // Boxes around where something may be false, and where it may be true.
  using Reach = std::array<Aabb, 2>;

  bool IsCompound(int i) const {
    return nodes_[i].kind == Expression::Kind::kAnd || nodes_[i].kind == Expression::Kind::kOr;
  }

  void BoundLiterals(int threads) {
    const int surfaces = static_cast<int>(solid_.surfaces.size());
    std::vector<Reach> below(surfaces);
    std::vector<Bounds> bounds(threads, Bounds(solid_));
    ParallelFor(surfaces, threads, [&](std::size_t s, int worker) {
      const Expression::Node literal = {Expression::Kind::kLiteral, false, static_cast<int>(s)};
      for (const bool value : {false, true}) {
        below[s][value] = bounds[worker].Find({literal}, value, domain_);
      }
    });
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].kind != Expression::Kind::kLiteral) continue;
      const Reach& reach = below[nodes_[i].value];
      for (const bool value : {false, true}) where_[i][value] = reach[value != nodes_[i].flag];
    }
  }

  // An And is true, and an Or false, at most where all its literals are.
  void BoundConjunctions(int threads) {
    std::vector<Bounds> bounds(threads, Bounds(solid_));
    ParallelFor(nodes_.size(), threads, [&](std::size_t i, int worker) {
      const int root = static_cast<int>(i);
      if (!IsCompound(root) || root == solid_.expression.Root()) return;
      const bool value = nodes_[i].kind == Expression::Kind::kAnd;
      Aabb& box = where_[i][value];
      std::vector<Expression::Node> literals;
      for (const int child : Expression::ChildrenOf(nodes_.data(), root)) {
        if (nodes_[child].kind != Expression::Kind::kLiteral) continue;
        box = Intersect(box, where_[child][value]);
        literals.push_back(nodes_[child]);
      }
      // Planes first, then what is inside of surfaces.
      std::sort(literals.begin(), literals.end(), [&](const auto& a, const auto& b) {
        const auto key = [&](const Expression::Node& node) {
          return std::tuple(solid_.surfaces[node.value].degree, node.flag == value, node.value);
        };
        return key(a) < key(b);
      });
      literals.resize(std::min(literals.size(), kMostTogether));
      if (literals.size() > 1) box = bounds[worker].Find(literals, value, box);
    });
  }

  void BoundByChildren(int i) {
    if (!IsCompound(i)) return;
    const bool value = nodes_[i].kind == Expression::Kind::kAnd;
    Aabb hull = Aabb::Nothing();
    for (const int child : Expression::ChildrenOf(nodes_.data(), i)) {
      where_[i][value] = Intersect(where_[i][value], where_[child][value]);
      hull = Hull(hull, where_[child][!value]);
    }
    where_[i][!value] = hull;
  }

  // Adds a node of the expression and all below it; it has the value `outside` outside of its box.
  void Add(const Operand& operand, bool outside) {
    const Expression::Node& node = nodes_[operand.root];
    const std::size_t place = tree_.size();
    tree_.push_back({node, outside, 0, operand.box});
    if (IsCompound(operand.root)) {
      const bool neutral = node.kind == Expression::Kind::kAnd;
      std::vector<Operand> children;
      for (const int child : Expression::ChildrenOf(nodes_.data(), operand.root)) {
        const Aabb& box = where_[child][!neutral];
        if (!box.IsEmpty()) children.push_back({child, box});
      }
      std::reverse(children.begin(), children.end());
      AddOperands(node.kind, children.data(), children.data() + children.size());
    }
    tree_[place].end = static_cast<int>(tree_.size());
  }

  // Lists the operands of a node, the literals first, or puts them into groups.
  void AddOperands(Expression::Kind kind, Operand* begin, Operand* end) {
    const bool neutral = kind == Expression::Kind::kAnd;
    Aabb hull = Aabb::Nothing();
    for (const Operand* o = begin; o != end; ++o) hull = Hull(hull, o->box);
    const auto is_listed = [&](const Operand& o) { return SizeOf(o.box) >= kLarge * SizeOf(hull); };
    const auto is_literal = [&](const Operand& o) { return !IsCompound(o.root); };
    Operand* grouped = std::stable_partition(begin, end, is_listed);
    if (static_cast<std::size_t>(end - grouped) <= kListed) grouped = end;
    std::stable_partition(begin, grouped, is_literal);
    for (const Operand* o = begin; o != grouped; ++o) Add(*o, neutral);
    if (grouped != end) AddGroups(kind, grouped, end);
  }

  // Halves the operands along the direction in which their middles spread most.
  void AddGroups(Expression::Kind kind, Operand* begin, Operand* end) {
    Aabb middles = Aabb::Nothing();
    for (const Operand* o = begin; o != end; ++o) {
      middles = Hull(middles, {o->box.Center(), o->box.Center()});
    }
    int axis = 0;
    (middles.max - middles.min).maxCoeff(&axis);
    std::sort(begin, end, [axis](const Operand& a, const Operand& b) {
      return std::tuple(a.box.Center()[axis], a.root) < std::tuple(b.box.Center()[axis], b.root);
    });
    Operand* const middle = begin + (end - begin) / 2;
    for (const auto& [from, to] : {std::pair(begin, middle), std::pair(middle, end)}) {
      Aabb hull = Aabb::Nothing();
      for (const Operand* o = from; o != to; ++o) hull = Hull(hull, o->box);
      const std::size_t place = tree_.size();
      tree_.push_back({{kind, false, 0}, kind == Expression::Kind::kAnd, 0, hull});
      AddOperands(kind, from, to);
      tree_[place].end = static_cast<int>(tree_.size());
    }
  }

  const ImplicitSolid& solid_;
  const std::vector<Expression::Node>& nodes_;
  const Aabb& domain_;
  std::vector<Node>& tree_;
  std::vector<Reach> where_;  // by node of the expression
};

OperandTree::OperandTree(const ImplicitSolid& solid, const Aabb& domain, int threads)
    : domain_(domain) {
  Builder(solid, domain_, threads, &nodes_);
}

struct OperandTree::Search {
  const Aabb& box;
  int literals_left;
  std::vector<Expression::Node>* reduced;
};

// Appends what is left of nodes_[i]; returns its value, appending nothing, when that is known, or
// true when there are too many literals.
Truth OperandTree::ReduceAt(int i, Search* search) const {
  const Node& node = nodes_[i];
  if (search->literals_left < 0) return Truth::kTrue;
  if (!Meet(node.box, search->box)) return ToTruth(node.outside);
  std::vector<Expression::Node>& out = *search->reduced;
  if (node.node.kind == Expression::Kind::kConstant) return ToTruth(node.node.flag);
  if (node.node.kind == Expression::Kind::kLiteral) {
    if (--search->literals_left < 0) return Truth::kTrue;
    out.push_back(node.node);
    return Truth::kUnknown;
  }
  const Truth neutral = ToTruth(node.node.kind == Expression::Kind::kAnd);
  const std::size_t begin = out.size();
  int operands = 0;
  for (int child = i + 1; child < node.end; child = nodes_[child].end) {
    const Truth truth = ReduceAt(child, search);
    if (truth == neutral) continue;
    if (truth != Truth::kUnknown) {
      out.resize(begin);
      return truth;
    }
    ++operands;
    if (out.back().kind != node.node.kind) continue;
    // An operand of the same kind is merged: it brings at least two operands.
    out.pop_back();
    ++operands;
  }
  if (operands == 0) return neutral;
  if (operands > 1) out.push_back({node.node.kind, false, static_cast<int>(out.size() - begin)});
  return Truth::kUnknown;
}

bool OperandTree::Reduce(const Aabb& box, int max_literals,
                         std::vector<Expression::Node>* reduced) const {
  reduced->clear();
  Search search = {box, max_literals, reduced};
  const Truth truth = ReduceAt(0, &search);
  if (truth != Truth::kUnknown)
    reduced->push_back({Expression::Kind::kConstant, truth == Truth::kTrue, 0});
  return search.literals_left >= 0;
}

}  // namespace volcontact
