#include "solids/implicit/convexity.h"

#include <algorithm>
#include <optional>
#include <variant>

#include "math/rigid.h"
#include "solids/implicit/quadratic_form.h"

namespace volcontact {
namespace {

// A sublevel set of a quadratic function is convex where the function is.
bool IsConvexPrimitive(const Shape& shape, bool complemented) {
  if (std::holds_alternative<HalfSpaceShape>(shape)) return true;
  if (const std::optional<QuadraticForm> form = QuadraticFormOf(shape)) {
    return IsPositiveSemidefinite(complemented ? (-*form).A : form->A);
  }
  return !complemented && !std::holds_alternative<TorusShape>(shape) &&
         !std::holds_alternative<PolynomialShape>(shape) &&
         !std::holds_alternative<MeshShape>(shape);
}

// The solid or, with `complemented`, what is outside of it.
bool Visit(const SolidNode& node, bool complemented) {
  using Kind = BooleanShape::Kind;
  const auto* boolean = std::get_if<BooleanShape>(&node.shape);
  if (boolean == nullptr) return IsConvexPrimitive(node.shape, complemented);
  if (boolean->kind == Kind::kComplement) {
    return Visit(boolean->children[0].node(), !complemented);
  }
  // A complemented union is an intersection of complements, and the other way round.
  const bool intersects = (boolean->kind == Kind::kUnion) == complemented;
  if (!intersects && boolean->children.size() != 1) return false;
  for (std::size_t i = 0; i < boolean->children.size(); ++i) {
    const bool cut = boolean->kind == Kind::kDifference && i > 0;
    if (!Visit(boolean->children[i].node(), complemented != cut)) return false;
  }
  return true;
}

// A point of a connected primitive, in its own frame.
std::optional<Eigen::Vector3d> PointWithin(const Shape& shape) {
  if (std::holds_alternative<HalfSpaceShape>(shape)) return -Eigen::Vector3d::UnitZ();
  if (const auto* cone = std::get_if<ConeShape>(&shape))
    return 0.5 * cone->height * Eigen::Vector3d::UnitZ();
  if (const auto* torus = std::get_if<TorusShape>(&shape))
    return torus->major_radius * Eigen::Vector3d::UnitX();
  const bool may_be_anything = std::holds_alternative<QuadricShape>(shape) ||
                               std::holds_alternative<PolynomialShape>(shape) ||
                               std::holds_alternative<MeshShape>(shape);
  if (may_be_anything) return std::nullopt;
  return Eigen::Vector3d::Zero();
}

bool AddPoints(const SolidNode& node, Rigid X_WS, std::vector<Eigen::Vector3d>* points) {
  for (const Pose& pose : node.poses) X_WS = X_WS * Rigid(pose);
  if (const auto* boolean = std::get_if<BooleanShape>(&node.shape)) {
    return boolean->kind == BooleanShape::Kind::kUnion &&
           std::all_of(boolean->children.begin(), boolean->children.end(),
                       [&](const Solid& child) { return AddPoints(child.node(), X_WS, points); });
  }
  const std::optional<Eigen::Vector3d> point = PointWithin(node.shape);
  if (point) points->push_back(Round(X_WS * ToDoubleDouble(*point)));
  return point.has_value();
}

}  // namespace

bool IsConvexByConstruction(const SolidNode& node) { return Visit(node, false); }

std::vector<Eigen::Vector3d> PointsOfParts(const SolidNode& node) {
  std::vector<Eigen::Vector3d> points;
  if (!AddPoints(node, Rigid(), &points)) points.clear();
  return points;
}

}  // namespace volcontact
