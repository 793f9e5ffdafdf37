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

  /// A's pose in B's frame with this rotation, at a gap of `gap` [m]. A comes from far away along
  /// the unit vector `direction`, which points away from the centre of B's box (from its origin if
  /// B is unbounded). The centre of A's box moves along this line. The pose is the first one at
  /// which Separate gives `gap` as the bound of the distance, to 1e-3 of it; the true distance may
  /// be up to a tenth more. If `gap` is negative, A goes by that much beyond the first touch. A may
  /// come from the other side of an unbounded B. Throws InvalidInput if no such pose is found,
  /// because A always meets B or passes by it. Cost: from a few to some hundred calls of Separate.
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
