#include "solids/implicit/expression.h"

#include <algorithm>
#include <cstddef>
#include <deque>

#include "solids/implicit/reduce.h"

namespace volcontact {
namespace {

// Surfaces are sorted where their numbers are spread over so many times as many.
constexpr std::size_t kFewInRange = 4;

using Kind = Expression::Kind;

}  // namespace

Expression Expression::Constant(bool value) {
  Expression result;
  result.nodes_ = {{Kind::kConstant, value, 0}};
  return result;
}

Expression Expression::Below(int surface) {
  Expression result;
  result.nodes_ = {{Kind::kLiteral, false, surface}};
  return result;
}

Expression Expression::Above(int surface) { return Below(surface).Complement(); }

Expression Expression::And(const std::vector<Expression>& children) {
  return Combine(Kind::kAnd, children);
}

Expression Expression::Or(const std::vector<Expression>& children) {
  return Combine(Kind::kOr, children);
}

Expression Expression::Combine(Kind kind, const std::vector<Expression>& children) {
  const bool neutral = kind == Kind::kAnd;
  Expression result;
  result.nodes_.clear();
  int operands = 0;
  for (const Expression& child : children) {
    if (child.IsConstant()) {
      if (child.ConstantValue() != neutral) return Constant(!neutral);
      continue;
    }
    const bool same_kind = child.nodes_.back().kind == kind;
    result.nodes_.insert(result.nodes_.end(), child.nodes_.begin(),
                         child.nodes_.end() - (same_kind ? 1 : 0));
    operands += same_kind ? 2 : 1;
  }
  if (operands == 0) return Constant(neutral);
  if (operands == 1) return result;
  result.nodes_.push_back({kind, false, static_cast<int>(result.nodes_.size())});
  return result;
}

void Expression::AssignAnd(const Expression& first, const Expression& second, int offset) {
  nodes_.clear();
  int operands = 0;
  for (const Expression* operand : {&first, &second}) {
    if (operand->IsConstant()) {
      if (operand->ConstantValue()) continue;
      nodes_ = {{Kind::kConstant, false, 0}};
      return;
    }
    const std::size_t begin = nodes_.size();
    nodes_.insert(nodes_.end(), operand->nodes_.begin(), operand->nodes_.end());
    const bool is_and = nodes_.back().kind == Kind::kAnd;
    if (is_and) nodes_.pop_back();
    operands += is_and ? 2 : 1;
    if (operand == &first) continue;
    for (std::size_t n = begin; n < nodes_.size(); ++n) {
      if (nodes_[n].kind == Kind::kLiteral) nodes_[n].value += offset;
    }
  }
  if (operands == 0) nodes_.push_back({Kind::kConstant, true, 0});
  if (operands > 1) nodes_.push_back({Kind::kAnd, false, static_cast<int>(nodes_.size())});
}

Expression Expression::Complement() const {
  Expression result = *this;
  for (Node& node : result.nodes_) {
    switch (node.kind) {
      case Kind::kLiteral:
      case Kind::kConstant:
        node.flag = !node.flag;
        break;
      case Kind::kAnd:
        node.kind = Kind::kOr;
        break;
      case Kind::kOr:
        node.kind = Kind::kAnd;
        break;
    }
  }
  return result;
}

void Expression::Relabel(const std::vector<int>& surfaces, const std::vector<bool>& flip) {
  for (Node& node : nodes_) {
    if (node.kind != Kind::kLiteral) continue;
    if (flip[node.value]) node.flag = !node.flag;
    node.value = surfaces[node.value];
  }
}

Expression Expression::Relabelled(const std::vector<int>& surfaces,
                                  const std::vector<bool>& flip) const {
  Expression result = *this;
  result.Relabel(surfaces, flip);
  return result;
}

Expression Expression::Relabelled(const std::vector<int>& surfaces) const {
  return Relabelled(surfaces, std::vector<bool>(surfaces.size(), false));
}

Expression Expression::SplitSurface(int surface, bool positive, int outer, int inner) const {
  struct Operand {
    Expression expression;
    int size;  // of the subtree that it stands for
  };
  std::vector<Operand> stack;
  std::vector<Expression> children;
  for (const Node& node : nodes_) {
    if (node.kind == Kind::kAnd || node.kind == Kind::kOr) {
      children.clear();
      for (int below = node.value; below > 0;) {
        below -= stack.back().size;
        children.insert(children.begin(), std::move(stack.back().expression));
        stack.pop_back();
      }
      stack.push_back({Combine(node.kind, children), node.Size()});
      continue;
    }
    Expression leaf;
    leaf.nodes_ = {node};
    if (node.kind == Kind::kLiteral && node.value == surface) {
      leaf = And({Below(outer), Above(inner)});
      if (node.flag != positive) leaf = leaf.Complement();
    }
    stack.push_back({std::move(leaf), 1});
  }
  return stack.back().expression;
}

namespace {

// Value of the subtree whose root is nodes[root], short-circuiting from the last child to the
// first.
bool EvaluateAt(const Expression::Node* nodes, int root, const std::uint8_t* inside) {
  const Expression::Node& node = nodes[root];
  switch (node.kind) {
    case Kind::kLiteral:
      return (inside[node.value] != 0) != node.flag;
    case Kind::kConstant:
      return node.flag;
    default:
      break;
  }
  const bool decisive = node.kind == Kind::kOr;
  for (const int child : Expression::ChildrenOf(nodes, root)) {
    if (EvaluateAt(nodes, child, inside) == decisive) return decisive;
  }
  return !decisive;
}

std::uint8_t CasesAt(const Expression::Node* nodes, int root, const std::uint8_t* cases) {
  const Expression::Node& node = nodes[root];
  const std::uint8_t flipped = node.flag ? 0xff : 0;
  if (node.kind == Kind::kLiteral) return cases[node.value] ^ flipped;
  if (node.kind == Kind::kConstant) return flipped;
  std::uint8_t result = node.kind == Kind::kOr ? 0 : 0xff;
  const std::uint8_t decisive = node.kind == Kind::kOr ? 0xff : 0;
  for (const int child : Expression::ChildrenOf(nodes, root)) {
    const std::uint8_t of_child = CasesAt(nodes, child, cases);
    result = node.kind == Kind::kOr ? result | of_child : result & of_child;
    if (result == decisive) break;
  }
  return result;
}

Truth TruthAt(const Expression::Node* nodes, int root, const Truth* state) {
  return EvaluateAt(nodes, root, [&](int literal) {
    const Truth below = state[nodes[literal].value];
    return nodes[literal].flag ? Not(below) : below;
  });
}

}  // namespace

bool Expression::Evaluate(const std::uint8_t* inside) const {
  return EvaluateAt(nodes_.data(), Root(), inside);
}

std::uint8_t Expression::EvaluateCases(const std::uint8_t* cases) const {
  return CasesAt(nodes_.data(), Root(), cases);
}

Truth Expression::Evaluate(const Truth* state) const {
  return TruthAt(nodes_.data(), Root(), state);
}

void Expression::Reduce(const Truth* state, Expression* reduced) const {
  reduced->nodes_.clear();
  const auto truth_of = [state](int surface) { return state[surface]; };
  const Truth truth = ReduceAt(nodes_.data(), Root(), truth_of, &reduced->nodes_);
  if (truth != Truth::kUnknown) {
    reduced->nodes_.push_back({Kind::kConstant, truth == Truth::kTrue, 0});
  }
}

namespace {

// Appends the simplified subtree at nodes[root] to `out`, where `state` holds; returns its truth,
// appending nothing when that is known. Restores the state. `assumed`: what operands of nodes above
// have put into it.
Truth SimplifyAt(const Expression::Node* nodes, int root, std::vector<Truth>* state,
                 std::vector<int>* assumed, std::vector<Expression::Node>* out) {
  const Expression::Node node = nodes[root];
  if (node.kind == Kind::kConstant) return ToTruth(node.flag);
  if (node.kind == Kind::kLiteral) {
    const Truth truth = TruthAt(nodes, root, state->data());
    if (truth == Truth::kUnknown) out->push_back(node);
    return truth;
  }
  const bool is_and = node.kind == Kind::kAnd;
  const Truth decisive = ToTruth(!is_and);
  const std::size_t begin = out->size(), held = assumed->size();
  int operands = 0;
  Truth result = Truth::kUnknown;
  // Literals first: what they say holds for the rest.
  for (const bool literals : {true, false}) {
    for (const int child : Expression::ChildrenOf(nodes, root)) {
      const bool is_literal = nodes[child].kind == Kind::kLiteral;
      if (is_literal != literals || result == decisive) continue;
      const Truth truth = SimplifyAt(nodes, child, state, assumed, out);
      if (truth == decisive) result = decisive;
      if (truth != Truth::kUnknown) continue;
      ++operands;
      if (out->back().kind == node.kind) {
        // An operand of the same kind is merged: it brings at least two operands.
        out->pop_back();
        ++operands;
      }
      if (!literals) continue;
      (*state)[nodes[child].value] = ToTruth(is_and != nodes[child].flag);
      assumed->push_back(nodes[child].value);
    }
  }
  for (std::size_t n = held; n < assumed->size(); ++n) (*state)[(*assumed)[n]] = Truth::kUnknown;
  assumed->resize(held);
  if (result == decisive) out->resize(begin);
  if (result == decisive) return decisive;
  if (operands == 0) return Not(decisive);
  if (operands > 1) {
    out->push_back({node.kind, false, static_cast<int>(out->size() - begin)});
  }
  return Truth::kUnknown;
}

// Expressions looked at before the search for a value by cases gives up.
constexpr int kMaxCases = 256;

// Looks for the value that an expression has in all cases of its surfaces. Keeps its memory.
class CaseSearch {
 public:
  // `state`: all unknown, before and after.
  Truth Run(const Expression& expression, std::vector<Truth>* state) {
    state_ = state;
    cases_ = kMaxCases;
    return ValueOf(expression, 0);
  }

 private:
  Truth ValueOf(const Expression& expression, std::size_t depth) {
    if (expression.IsConstant()) return ToTruth(expression.ConstantValue());
    if (--cases_ < 0 || !RepeatsASurface(expression)) return Truth::kUnknown;
    if (reduced_.size() <= depth) reduced_.resize(depth + 1);
    const int surface = expression.nodes()[0].value;
    Truth value[2];
    for (const bool below : {true, false}) {
      (*state_)[surface] = ToTruth(below);
      expression.Reduce(state_->data(), &reduced_[depth]);
      (*state_)[surface] = Truth::kUnknown;
      value[below] = ValueOf(reduced_[depth], depth + 1);
      if (value[below] == Truth::kUnknown) return Truth::kUnknown;
    }
    return value[0] == value[1] ? value[0] : Truth::kUnknown;
  }

  // An expression in which no surface occurs twice takes both values.
  bool RepeatsASurface(const Expression& expression) {
    const auto literals =
        std::count_if(expression.nodes().begin(), expression.nodes().end(),
                      [](const Expression::Node& node) { return node.kind == Kind::kLiteral; });
    expression.FindSurfaces(&surfaces_);
    return surfaces_.size() < static_cast<std::size_t>(literals);
  }

  std::vector<Truth>* state_ = nullptr;
  int cases_ = 0;
  std::deque<Expression> reduced_;  // by depth; references stay
  std::vector<int> surfaces_;
};

}  // namespace

void Expression::Simplify() {
  thread_local std::vector<Truth> state;
  thread_local std::vector<int> assumed;
  thread_local std::vector<Node> simplified;
  thread_local CaseSearch cases;
  int surfaces = 0;
  for (const Node& node : nodes_) {
    if (node.kind == Kind::kLiteral) surfaces = std::max(surfaces, node.value + 1);
  }
  state.assign(static_cast<std::size_t>(surfaces), Truth::kUnknown);
  const auto become = [&](Truth value) {
    nodes_.assign(1, {Kind::kConstant, value == Truth::kTrue, 0});
  };
  // An operand that shrank to literals of its parent's kind decides more of the other operands.
  for (std::size_t size = 0; size != nodes_.size();) {
    size = nodes_.size();
    simplified.clear();
    const Truth value = SimplifyAt(nodes_.data(), Root(), &state, &assumed, &simplified);
    if (value != Truth::kUnknown) return become(value);
    nodes_ = simplified;
  }
  const Truth value = cases.Run(*this, &state);
  if (value != Truth::kUnknown) become(value);
}

Expression Expression::Simplified() const {
  Expression result = *this;
  result.Simplify();
  return result;
}

bool Expression::IsConjunction() const {
  if (nodes_.size() == 1) return nodes_[0].kind == Kind::kLiteral;
  if (nodes_.back().kind != Kind::kAnd) return false;
  return std::all_of(nodes_.begin(), nodes_.end() - 1,
                     [](const Node& node) { return node.kind == Kind::kLiteral; });
}

std::vector<int> Expression::Surfaces() const {
  std::vector<int> result;
  FindSurfaces(&result);
  return result;
}

void Expression::FindSurfaces(std::vector<int>* surfaces) const {
  surfaces->clear();
  for (const Node& node : nodes_) {
    if (node.kind == Kind::kLiteral) surfaces->push_back(node.value);
  }
  if (surfaces->empty()) return;
  const auto [least, most] = std::minmax_element(surfaces->begin(), surfaces->end());
  const int first = *least, last = *most;
  const std::size_t range = static_cast<std::size_t>(last - first) + 1;
  if (kFewInRange * surfaces->size() <= range) {
    std::sort(surfaces->begin(), surfaces->end());
    surfaces->erase(std::unique(surfaces->begin(), surfaces->end()), surfaces->end());
    return;
  }
  // By marks: there are so many cells that sorting takes a tenth of the time in them.
  thread_local std::vector<char> is_present;
  is_present.assign(range, 0);
  for (const int s : *surfaces) is_present[s - first] = 1;
  surfaces->clear();
  for (int s = first; s <= last; ++s) {
    if (is_present[s - first] != 0) surfaces->push_back(s);
  }
}

void FindSides(const Expression& expression, int count, std::vector<LiteralSides>* sides) {
  sides->assign(static_cast<std::size_t>(count), {});
  for (const Expression::Node& node : expression.nodes()) {
    if (node.kind != Expression::Kind::kLiteral) continue;
    LiteralSides& of = (*sides)[node.value];
    (node.flag ? of.above : of.below) = true;
  }
}

}  // namespace volcontact
