#include "display/edge_cuts.h"

#include <utility>

namespace volcontact {

void EdgeCuts::Restart(const std::vector<Eigen::Vector3d>* points) {
  points_ = points;
  cuts_.clear();
  wholes_.clear();
}

std::optional<std::uint32_t> EdgeCuts::Find(std::uint32_t a, std::uint32_t b,
                                            std::uint64_t number) const {
  const std::uint64_t whole = WholeOf(a, b);
  const auto cuts = cuts_.find(whole);
  if (cuts == cuts_.end()) return std::nullopt;
  const auto [first, last] = std::minmax({PlaceOn(whole, a), PlaceOn(whole, b)});
  for (const EdgeCut& cut : cuts->second) {
    const double at = PlaceOn(whole, cut.point);
    const bool is_end = cut.point == a || cut.point == b;
    if (cut.number == number && !is_end && first <= at && at <= last) return cut.point;
  }
  return std::nullopt;
}

void EdgeCuts::Add(std::uint32_t a, std::uint32_t b, std::uint64_t number, std::uint32_t point) {
  cuts_[WholeOf(a, b)].push_back({number, point});
}

// Of points at one place the order is that of their numbers.
std::optional<std::uint32_t> EdgeCuts::PointBetween(std::uint32_t a, std::uint32_t b) const {
  const std::uint64_t whole = WholeOf(a, b);
  const auto cuts = cuts_.find(whole);
  if (cuts == cuts_.end()) return std::nullopt;
  const auto order = [&](std::uint32_t v) { return std::pair(PlaceOn(whole, v), v); };
  const auto [first, last] = std::minmax({order(a), order(b)});
  for (const EdgeCut& cut : cuts->second) {
    const auto at = order(cut.point);
    if (first < at && at < last) return cut.point;
  }
  return std::nullopt;
}

void EdgeCuts::Divide(std::uint32_t a, std::uint32_t point, std::uint32_t b) {
  const std::uint64_t whole = WholeOf(a, b);
  wholes_[EdgeKey(a, point)] = wholes_[EdgeKey(point, b)] = whole;
}

// The edge that no cut has made shorter.
std::uint64_t EdgeCuts::WholeOf(std::uint32_t a, std::uint32_t b) const {
  const auto found = wholes_.find(EdgeKey(a, b));
  return found != wholes_.end() ? found->second : EdgeKey(a, b);
}

// Ascends along a whole edge.
double EdgeCuts::PlaceOn(std::uint64_t whole, std::uint32_t v) const {
  const Eigen::Vector3d& start = (*points_)[whole >> 32];
  return ((*points_)[v] - start).dot((*points_)[static_cast<std::uint32_t>(whole)] - start);
}

}  // namespace volcontact
