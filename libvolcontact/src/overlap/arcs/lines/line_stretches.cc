#include "overlap/arcs/lines/line_stretches.h"

#include <algorithm>

namespace volcontact {

void LineStretches::Begin(std::size_t surfaces) {
  crossings_.clear();
  lines_.resize(surfaces);
}

void LineStretches::AddLiteral(const Expression::Node& literal) {
  const auto [is_below, first] = lines_[literal.value];
  bool holds = is_below != literal.flag;
  int from = 0;
  for (int n = first; n >= 0; n = next_[n]) {
    if (holds) ranges_.push_back({from, n + 1});
    holds = !holds;
    from = n + 1;
  }
  if (holds) ranges_.push_back({from, Count()});
}

// Leaves of the ranges from `begin` on what those before `middle` have in common with the others.
void LineStretches::Intersect(std::size_t begin, std::size_t middle) {
  present_.clear();
  for (std::size_t a = begin, b = middle; a < middle && b < ranges_.size();) {
    const Range &one = ranges_[a], &other = ranges_[b];
    const Range common = {std::max(one.from, other.from), std::min(one.end, other.end)};
    if (common.from < common.end) present_.push_back(common);
    (one.end < other.end ? a : b) += 1;
  }
  ranges_.resize(begin);
  ranges_.insert(ranges_.end(), present_.begin(), present_.end());
}

// Puts the ranges from `begin` on in order, and those that meet together.
void LineStretches::Unite(std::size_t begin) {
  if (ranges_.size() <= begin + 1) return;
  std::sort(ranges_.begin() + static_cast<std::ptrdiff_t>(begin), ranges_.end(),
            [](const Range& a, const Range& b) { return a.from < b.from; });
  std::size_t last = begin;
  for (std::size_t n = begin + 1; n < ranges_.size(); ++n) {
    if (ranges_[n].from <= ranges_[last].end) {
      ranges_[last].end = std::max(ranges_[last].end, ranges_[n].end);
    } else {
      ranges_[++last] = ranges_[n];
    }
  }
  ranges_.resize(last + 1);
}

// Adds the ranges of a subtree.
void LineStretches::Visit(const Expression::Node* nodes, int root) {
  const Expression::Node& node = nodes[root];
  if (node.kind == Expression::Kind::kLiteral) return AddLiteral(node);
  const std::size_t begin = ranges_.size();
  if (node.kind == Expression::Kind::kConstant) {
    if (node.flag) ranges_.push_back({0, Count()});
    return;
  }
  const bool is_and = node.kind == Expression::Kind::kAnd;
  if (is_and) ranges_.push_back({0, Count()});
  for (const int child : Expression::ChildrenOf(nodes, root)) {
    const std::size_t middle = ranges_.size();
    Visit(nodes, child);
    if (!is_and) continue;
    Intersect(begin, middle);
    if (ranges_.size() == begin) return;
  }
  if (!is_and) Unite(begin);
}

void LineStretches::Find(const Expression& expression) {
  std::sort(crossings_.begin(), crossings_.end(),
            [](const Crossing& first, const Crossing& second) { return first.t < second.t; });
  next_.resize(crossings_.size());
  for (int n = static_cast<int>(crossings_.size()) - 1; n >= 0; --n) {
    int& first = lines_[crossings_[n].surface].first;
    next_[n] = first;
    first = n;
  }
  ranges_.clear();
  Visit(expression.nodes().data(), expression.Root());
}

}  // namespace volcontact
