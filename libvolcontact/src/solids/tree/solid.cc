#include "volcontact/solids/solid.h"

#include <cmath>
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

Solid Solid::Posed(const Pose& X_PS) const {
  ValidatePose(X_PS, "Posed");
  RequireTranslation(X_PS.t);
  if (IsIdentity(X_PS)) return *this;
  SolidNode moved;
  moved.shape = node_->shape;
  moved.poses.reserve(node_->poses.size() + 1);
  moved.poses.push_back(X_PS);
  moved.poses.insert(moved.poses.end(), node_->poses.begin(), node_->poses.end());
  return Solid(std::make_shared<const SolidNode>(std::move(moved)));
}

VOLCONTACT_NAMESPACE_END
