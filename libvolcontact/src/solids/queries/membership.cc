#include "solids/queries/membership.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "math/arithmetic/polynomial.h"
#include "solids/exact/bounded_number.h"
#include "solids/exact/exact_motion.h"
#include "solids/exact/exact_number.h"
#include "solids/exact/pose_chain.h"
#include "solids/implicit/expression.h"
#include "solids/implicit/polynomial_ring.h"
#include "solids/implicit/primitive_surfaces.h"
#include "solids/mesh/exact_mesh_membership.h"
#include "solids/tree/validation.h"

namespace volcontact {
namespace {

template <class E>
using Point = std::array<E, 3>;

// Whether psi <= 0; unknown if the number does not decide, or if the point lies on the surface.
Truth IsBelow(const BoundedNumber& psi) {
  if (psi.IsNegative()) return Truth::kTrue;
  return psi.IsPositive() ? Truth::kFalse : Truth::kUnknown;
}

Truth IsBelow(const Rational& psi) {
  const int sign = Sign(psi);
  if (sign == 0) return Truth::kUnknown;
  return sign < 0 ? Truth::kTrue : Truth::kFalse;
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
  if (std::holds_alternative<MeshShape>(node.shape)) return Truth::kUnknown;
  const Point<BoundedNumber> p_S = IntoFrame(node.poses, p_P);
  if (const auto* boolean = std::get_if<BooleanShape>(&node.shape)) {
    return VisitChildren(*boolean,
                         [&](const SolidNode& child) { return VisitFiltered(child, p_S); });
  }
  return VisitPrimitive(node.shape, p_S);
}

// Exact membership where the filter fails.
//
// What is known of p becomes an expression over the surfaces that pass through p: each way of
// standing beside these surfaces is an assignment of their literals. Surfaces that are the same up
// to a factor count once, so that a point on a face shared by two parts of a union lies inside. If
// all assignments agree, so do all points near p.
class ExactVisitor {
 public:
  Truth Decide(const SolidNode& node, const Point<BoundedNumber>& p,
               const Point<Rational>& exact_p) {
    const Expression expression = Visit(node, {}, p, exact_p);
    if (expression.IsConstant()) return ToTruth(expression.ConstantValue());
    if (touching_.size() < 2) return Truth::kUnknown;
    return DecideByAssignments(MergeSurfaces(expression));
  }

 private:
  // Beyond this number of different surfaces through one point the answer is left open.
  static constexpr int kMaxTouching = 12;

  // A surface through p.
  struct Touching {
    const Shape* shape;
    int surface;
    std::vector<Pose> poses;
  };

  // A subtree that the filter decides is never evaluated in rationals.
  Expression Visit(const SolidNode& node, std::vector<Pose> poses, const Point<BoundedNumber>& p_P,
                   const Point<Rational>& exact_p_P) {
    const Truth truth = VisitFiltered(node, p_P);
    if (truth != Truth::kUnknown) return Expression::Constant(truth == Truth::kTrue);
    poses.insert(poses.end(), node.poses.begin(), node.poses.end());
    const Point<Rational> exact_p_S = IntoFrame(node.poses, exact_p_P);
    const auto* boolean = std::get_if<BooleanShape>(&node.shape);
    if (boolean == nullptr) return VisitLeaf(node.shape, poses, exact_p_S);

    const Point<BoundedNumber> p_S = IntoFrame(node.poses, p_P);
    std::vector<Expression> children;
    for (const Solid& child : boolean->children) {
      children.push_back(Visit(child.node(), poses, p_S, exact_p_S));
    }
    return Combine(boolean->kind, std::move(children));
  }

  Expression VisitLeaf(const Shape& shape, const std::vector<Pose>& poses,
                       const Point<Rational>& p) {
    if (const auto* mesh = std::get_if<MeshShape>(&shape)) return VisitMesh(*mesh, shape, poses, p);
    const SurfaceValues<Rational> values = PrimitiveSurfaces(shape, p);
    std::vector<Truth> state(values.count);
    for (int s = 0; s < values.count; ++s) state[s] = IsBelow(values.psi[s]);
    Expression reduced;
    PrimitiveExpression(shape).Reduce(state.data(), &reduced);
    if (reduced.IsConstant()) return reduced;
    std::vector<int> number(values.count);
    for (const int s : reduced.Surfaces()) {
      number[s] = static_cast<int>(touching_.size());
      touching_.push_back({&shape, s, poses});
    }
    return reduced.Relabelled(number);
  }

  // A mesh through p is one surface that no other coincides with.
  Expression VisitMesh(const MeshShape& mesh, const Shape& shape, const std::vector<Pose>& poses,
                       const Point<Rational>& p) {
    const Truth truth = LocateInMesh(*mesh.mesh, p);
    if (truth != Truth::kUnknown) return Expression::Constant(truth == Truth::kTrue);
    touching_.push_back({&shape, 0, poses});
    return Expression::Below(static_cast<int>(touching_.size()) - 1);
  }

  // The polynomial of a surface in the outermost frame, its last coefficient ±1.
  static Polynomial<Rational> PolynomialOf(const Touching& touching) {
    const auto coordinates = PolynomialElement<Rational>::Coordinates();
    auto local = PrimitiveSurfaces(*touching.shape, coordinates).psi[touching.surface].f;
    Trim(&local);
    const ExactMotion motion(touching.poses);
    Polynomial<Rational> f = Substitute(local, motion.inverse_R, motion.inverse_t);
    int last = f.size() - 1;
    while (last > 0 && internal::IsZero(f.c[last])) --last;
    const Rational factor = Magnitude(f.c[last]);
    for (int m = 0; m < f.size(); ++m) f.c[m] = f.c[m] / factor;
    return f;
  }

  // Numbers surfaces that are equal, or each other's negative, alike.
  Expression MergeSurfaces(const Expression& expression) {
    std::vector<Polynomial<Rational>> distinct;
    std::vector<int> number(touching_.size());
    std::vector<bool> flip(touching_.size());
    for (std::size_t n = 0; n < touching_.size(); ++n) {
      if (std::holds_alternative<MeshShape>(*touching_[n].shape)) {
        number[n] = static_cast<int>(distinct.size());
        distinct.emplace_back();
        continue;
      }
      const Polynomial<Rational> f = PolynomialOf(touching_[n]);
      const auto same = std::find_if(distinct.begin(), distinct.end(), [&](const auto& g) {
        return g.degree == f.degree && (g.c == f.c || g.c == (-f).c);
      });
      number[n] = static_cast<int>(same - distinct.begin());
      flip[n] = same != distinct.end() && same->c != f.c;
      if (same == distinct.end()) distinct.push_back(f);
    }
    return expression.Relabelled(number, flip).Simplified();
  }

  static Truth DecideByAssignments(const Expression& expression) {
    const std::vector<int> surfaces = expression.Surfaces();
    const int count = static_cast<int>(surfaces.size());
    if (count == 0) return ToTruth(expression.ConstantValue());
    if (count > kMaxTouching) return Truth::kUnknown;
    std::vector<std::uint8_t> inside(surfaces.back() + 1);
    const bool first = expression.Evaluate(inside.data());
    for (unsigned bits = 1; bits < 1u << count; ++bits) {
      for (int s = 0; s < count; ++s) inside[surfaces[s]] = (bits >> s) & 1u;
      if (expression.Evaluate(inside.data()) != first) return Truth::kUnknown;
    }
    return ToTruth(first);
  }

  std::vector<Touching> touching_;
};

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
  if (!decided) truth = ExactVisitor().Decide(node, bounded, MakePoint<Rational>(p));
  if (truth == Truth::kUnknown) return Membership::kBoundary;
  return truth == Truth::kTrue ? Membership::kInside : Membership::kOutside;
}

}  // namespace volcontact
