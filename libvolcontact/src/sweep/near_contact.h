// Poses of A beside B, about as far from it as is asked for.
#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <optional>

#include "volcontact/export.h"
#include "volcontact/math/aabb.h"
#include "volcontact/overlap/prepared_pair.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// Moves A straight towards B. Any threads may use one at once.
class NearContact {
 public:
  /// The boxes are those of A and B in their frames. Throws InvalidInput where A is unbounded.
  NearContact(std::shared_ptr<const PreparedPair> pair, const Aabb& A, const Aabb& B);

  /// A's pose in B's frame with this rotation, come from far along the unit vector `direction`,
  /// which points away from the middle of B's box (of an unbounded B, its origin) and leads there
  /// the middle of A's: the first for which Separate bounds the distance by `gap` [m], to 1e-3 of
  /// it; the true distance is then as a rule up to a tenth more. With a gap below 0, beyond the
  /// first touch by as much along the direction. From an unbounded B A may come the other way.
  /// Throws InvalidInput where no such pose is found: where A is never free of B, or passes by it.
  /// Cost: some to some hundred calls of Separate.
  Pose Place(const std::array<double, 4>& q, const Eigen::Vector3d& direction, double gap) const;

 private:
  // A's pose with its middle at this distance.
  struct Approach {
    std::array<double, 4> q;
    Eigen::Vector3d shift, direction;  // from A's middle to its origin, outwards

    Pose At(double distance) const;
  };

  Separation SeparateAt(const Approach& approach, double distance) const;
  // A distance with a bound above the target; nothing where there seems to be none.
  std::optional<double> Outside(const Approach& approach, double target) const;

  std::shared_ptr<const PreparedPair> pair_;
  Eigen::Vector3d middle_A_, middle_B_;
  double size_A_, size_B_;  // halves of the boxes' diagonals, 0 for an unbounded one
};

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
