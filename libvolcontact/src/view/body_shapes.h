// What stands for each body of a scenario in a picture.
#pragma once

#include <optional>
#include <vector>

#include "volcontact/display/display.h"
#include "volcontact/scenario/scenario.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {

/// A shape in the frame of a body, or of the ground.
struct BodyShape {
  int body = -1;               ///< −1: the ground
  Pose X_WB;                   ///< of a body that stays
  std::optional<Solid> solid;  ///< in the body's frame
  DisplayMesh rods;            ///< without a solid: rods from joint to joint

  Aabb Bounds() const;
};

/// The bodies' solids; where there is none the shapes of point contacts, and rods from the joint by
/// which a body hangs to those that hang on it, to its contacts and to its centre of mass. Bodies
/// of which nothing is known, and the ground without contacts, have none.
std::vector<BodyShape> ShapesOf(const scenario::Scenario& scenario);

}  // namespace view
VOLCONTACT_NAMESPACE_END
