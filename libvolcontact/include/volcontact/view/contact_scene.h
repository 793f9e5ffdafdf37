// The scene of one contact: two solids, what they overlap by, and the forces between them.
//
// Component volcontact::view.
#pragma once

#include <optional>
#include <string>

#include "volcontact/contact/contact_motion.h"
#include "volcontact/export.h"
#include "volcontact/forces/contact_model.h"
#include "volcontact/overlap/metrics.h"
#include "volcontact/solids/solid.h"
#include "volcontact/view/scene.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {

/// One of two bodies in contact. A plain value.
struct ContactBody {
  std::string name;
  Solid solid;
  Pose X_W;     ///< of the solid's frame
  Twist twist;  ///< of that frame's origin
};

/// The contents of the drawing. A plain value.
struct ContactView {
  ContactBody a, b;
  Metrics metrics;  ///< of their overlap, in W
  /// Along which the contact pushes, unit, from B toward A; zero where it has no direction.
  Eigen::Vector3d normal_W = Eigen::Vector3d::Zero();
  /// The pressure over the height of the overlap [N/m³], > 0; 0: none is known.
  double pressure_per_height = 0.0;
  std::optional<ContactForce> force;
  std::string metrics_json;  ///< Scene::metrics
  double deviation = 0.0;    ///< DisplayOptions::deviation
  bool cells = false;        ///< draw octree cells over the overlap
  bool arcs = false;         ///< draw the curves in which the boundaries cross
};

/// The scene of a contact. Of solids without bounds it has what is near the others. Throws
/// InvalidInput where nothing bounds what is to be drawn, and as DisplayOverlap does.
VOLCONTACT_EXPORT Scene MakeContactScene(const ContactView& view);

/// The part of the world that is to be drawn: bounded boxes and a margin around them. Throws
/// InvalidInput for no box.
VOLCONTACT_EXPORT Aabb DrawnBox(const Aabb& bounded);

/// The box of a solid's frame that holds a box of the world.
VOLCONTACT_EXPORT Aabb InFrame(const Aabb& box_W, const Pose& X_WF);

}  // namespace view
VOLCONTACT_NAMESPACE_END
