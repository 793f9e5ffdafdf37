// The points at which surfaces cut the edges of a sheet's triangles.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace volcontact {

/// One key for both directions of an edge.
inline std::uint64_t EdgeKey(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint64_t>(std::min(a, b)) << 32 | std::max(a, b);
}

/// Keeps the points of an edge together when cuts have divided it. So two triangles beside it
/// agree, even if one of them needs other cuts, or meets them in another order.
class EdgeCuts {
 public:
  /// Forgets all, and takes these points of a sheet from now on; they must outlive *this.
  void Restart(const std::vector<Eigen::Vector3d>* points);
  /// The point of the cut with this number between the ends of an edge, if it has one.
  std::optional<std::uint32_t> Find(std::uint32_t a, std::uint32_t b, std::uint64_t number) const;
  /// Adds the point of a cut between the ends of an edge.
  void Add(std::uint32_t a, std::uint32_t b, std::uint64_t number, std::uint32_t point);
  /// A point of any cut between the ends of an edge, if it has one.
  std::optional<std::uint32_t> PointBetween(std::uint32_t a, std::uint32_t b) const;
  /// Makes (a, point) and (point, b) parts of the edge (a, b).
  void Divide(std::uint32_t a, std::uint32_t point, std::uint32_t b);

 private:
  struct EdgeCut {
    std::uint64_t number;
    std::uint32_t point;
  };

  std::uint64_t WholeOf(std::uint32_t a, std::uint32_t b) const;
  double PlaceOn(std::uint64_t whole, std::uint32_t v) const;

  const std::vector<Eigen::Vector3d>* points_ = nullptr;
  std::unordered_map<std::uint64_t, std::vector<EdgeCut>> cuts_;  // by whole edge
  std::unordered_map<std::uint64_t, std::uint64_t> wholes_;       // by part of an edge
};

}  // namespace volcontact
