// Where the edges of one body pierce the faces of the other.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace volcontact {

/// A point at which an edge of one body enters or leaves the other through a face. There ends an
/// edge of the region along the curve of that face and each face beside the body's edge.
struct Piercing {
  int first, second;      ///< surfaces of the curve that ends, ascending
  int across;             ///< the surface that ends it: the second one of the body's edge
  Eigen::Vector3d point;  ///< [scaled coordinates]
  bool is_sure;           ///< false if it is not certain which curve ends
};

/// The piercings of a region, by the two surfaces whose curve ends there.
class Piercings {
 public:
  void Clear() { all_.clear(); }
  /// Adds one. The two surfaces of its curve may come in any order.
  void Add(Piercing piercing);
  /// To be called after all have been added, and before Of.
  void Sort();
  /// Those on the curves of two surfaces, first < second. Cost: logarithmic in all.
  std::span<const Piercing> Of(int first, int second) const;

 private:
  std::vector<Piercing> all_;
};

}  // namespace volcontact
