#include "volcontact/solids/solid.h"

#include <utility>

#include "solids/tree/solid_node.h"
#include "solids/tree/validation.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

std::shared_ptr<const SolidNode> EmptyNode() {
  static const auto node = std::make_shared<const SolidNode>(
      SolidNode{BooleanShape{BooleanShape::Kind::kUnion, {}}, {}});
  return node;
}

bool IsIdentity(const Pose& pose) {
  return pose.t.isZero(0.0) && pose.q[1] == 0.0 && pose.q[2] == 0.0 && pose.q[3] == 0.0;
}

}  // namespace

Solid::Solid() : node_(EmptyNode()) {}

Solid::Solid(std::shared_ptr<const SolidNode> node)
    : node_(node != nullptr ? std::move(node) : EmptyNode()) {}

Solid Solid::Posed(const Pose& X_PS) const { return PosedByAll(*this, {X_PS}); }

Solid PosedByAll(const Solid& solid, const std::vector<Pose>& poses) {
  SolidNode moved;
  moved.poses.reserve(poses.size() + solid.node().poses.size());
  for (const Pose& pose : poses) {
    ValidatePose(pose, "Posed");
    RequireTranslation(pose.t);
    if (!IsIdentity(pose)) moved.poses.push_back(pose);
  }
  if (moved.poses.empty()) return solid;
  moved.shape = solid.node().shape;
  moved.poses.insert(moved.poses.end(), solid.node().poses.begin(), solid.node().poses.end());
  return Solid(std::make_shared<const SolidNode>(std::move(moved)));
}

VOLCONTACT_NAMESPACE_END
