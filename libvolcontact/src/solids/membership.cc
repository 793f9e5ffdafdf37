#include "solids/membership.h"

#include <array>

#include "solids/bounded_number.h"
#include "solids/exact_number.h"
#include "solids/expression.h"
#include "solids/pose_chain.h"
#include "solids/primitive_surfaces.h"
#include "solids/validation.h"

namespace volcontact {
namespace {

template <class E>
using Point = std::array<E, 3>;

Truth Not(Truth truth) {
  if (truth == Truth::kUnknown) return truth;
  return truth == Truth::kTrue ? Truth::kFalse : Truth::kTrue;
}

// Whether psi <= 0, unknown where the number does not tell or the point lies on the surface.
Truth IsBelow(const BoundedNumber& psi) {
  if (psi.IsNegative()) return Truth::kTrue;
  return psi.IsPositive() ? Truth::kFalse : Truth::kUnknown;
}

Truth IsBelow(const Rational& psi) {
  const CGAL::Sign sign = CGAL::sign(psi);
  if (sign == CGAL::ZERO) return Truth::kUnknown;
  return sign == CGAL::NEGATIVE ? Truth::kTrue : Truth::kFalse;
}

template <class E>
Truth VisitPrimitive(const Shape& shape, const Point<E>& p) {
  const SurfaceValues<E> values = PrimitiveSurfaces(shape, p);
  std::array<Truth, SurfaceValues<E>::kMax> state;
  for (int s = 0; s < values.count; ++s) state[s] = IsBelow(values.psi[s]);
  return PrimitiveExpression(shape).Evaluate(state.data());
}

// The truth of a boolean shape from its children's, in Kleene's logic; children that cannot matter
// any more are not visited.
template <class Visitor>
Truth VisitChildren(const BooleanShape& shape, const Visitor& visit) {
  using Kind = BooleanShape::Kind;
  if (shape.kind == Kind::kComplement) return Not(visit(shape.children[0].node()));
  const Truth decisive = shape.kind == Kind::kUnion ? Truth::kTrue : Truth::kFalse;
  Truth result = Not(decisive);
  for (std::size_t i = 0; i < shape.children.size(); ++i) {
    Truth truth = visit(shape.children[i].node());
    if (shape.kind == Kind::kDifference && i > 0) truth = Not(truth);
    if (truth == decisive) return decisive;
    if (truth == Truth::kUnknown) result = Truth::kUnknown;
  }
  return result;
}

Truth VisitFiltered(const SolidNode& node, const Point<BoundedNumber>& p_P) {
  const Point<BoundedNumber> p_S = IntoFrame(node.poses, p_P);
  if (const auto* boolean = std::get_if<BooleanShape>(&node.shape)) {
    return VisitChildren(*boolean,
                         [&](const SolidNode& child) { return VisitFiltered(child, p_S); });
  }
  return VisitPrimitive(node.shape, p_S);
}

// Exact where the filter fails: a subtree the filter decides is never evaluated in rationals.
Truth VisitExact(const SolidNode& node, const Point<BoundedNumber>& p_P,
                 const Point<Rational>& exact_p_P) {
  const Point<Rational> exact_p_S = IntoFrame(node.poses, exact_p_P);
  const auto* boolean = std::get_if<BooleanShape>(&node.shape);
  if (boolean == nullptr) return VisitPrimitive(node.shape, exact_p_S);
  const Point<BoundedNumber> p_S = IntoFrame(node.poses, p_P);
  return VisitChildren(*boolean, [&](const SolidNode& child) {
    const Truth truth = VisitFiltered(child, p_S);
    return truth != Truth::kUnknown ? truth : VisitExact(child, p_S, exact_p_S);
  });
}

template <class E>
Point<E> MakePoint(const Eigen::Vector3d& p) {
  return {E(p.x()), E(p.y()), E(p.z())};
}

}  // namespace

Membership LocatePoint(const SolidNode& node, const Eigen::Vector3d& p, MembershipPath* path) {
  for (int i = 0; i < 3; ++i) RequireFinite("Locate", "a coordinate of the point", p[i]);
  const Point<BoundedNumber> bounded = MakePoint<BoundedNumber>(p);
  Truth truth = VisitFiltered(node, bounded);
  const bool decided = truth != Truth::kUnknown;
  if (path != nullptr) *path = decided ? MembershipPath::kFilter : MembershipPath::kExact;
  if (!decided) truth = VisitExact(node, bounded, MakePoint<Rational>(p));
  if (truth == Truth::kUnknown) return Membership::kBoundary;
  return truth == Truth::kTrue ? Membership::kInside : Membership::kOutside;
}

}  // namespace volcontact
