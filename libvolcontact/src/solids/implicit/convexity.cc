#include "solids/implicit/convexity.h"

#include <optional>
#include <variant>

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

}  // namespace

bool IsConvexByConstruction(const SolidNode& node) { return Visit(node, false); }

}  // namespace volcontact
