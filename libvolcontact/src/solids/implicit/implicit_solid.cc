#include "solids/implicit/implicit_solid.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "solids/implicit/convexity.h"
#include "solids/implicit/expand_shared.h"
#include "solids/implicit/polynomial_ring.h"
#include "solids/implicit/primitive_surfaces.h"
#include "solids/implicit/surface_kind.h"
#include "solids/implicit/surface_lookup.h"
#include "solids/tree/solid_node.h"

namespace volcontact {
namespace {

// The largest coefficient of degree d, in magnitude.
double LargestOfDegree(const SurfacePolynomial& f, int d) {
  double largest = 0.0;
  for (int m = FirstOfDegree(d); m < kMonomialCount[d]; ++m) {
    largest = std::max(largest, std::abs(f.c[m].hi));
  }
  return largest;
}

// Coefficients of one surface got in two ways differ by the roundings of pose composition and
// substitution, at most some hundred of 2^-104 = 5e-32 each for degree four. Two surfaces that are
// meant to differ differ by far more: a gap of 1e-26 of the scale is below any overlap of which
// doubles can hold the position.
constexpr double kCoincidence = 1e-26;

// Coincide over the box |x| <= scale.
bool Match(const SurfacePolynomial& f, const SurfacePolynomial& g, double scale, bool* opposite) {
  if (f.degree != g.degree) return false;
  const auto smaller = [](const DoubleDouble& a, const DoubleDouble& b) {
    return std::abs(a.hi) < std::abs(b.hi);
  };
  const auto largest =
      std::max_element(f.c.begin() + FirstOfDegree(f.degree), f.c.begin() + f.size(), smaller);
  const DoubleDouble& counterpart = g.c[largest - f.c.begin()];
  const DoubleDouble factor = counterpart / *largest;
  if (factor.hi == 0.0) return false;

  double tolerance = kCoincidence * std::abs(counterpart.hi);
  for (int d = f.degree; d >= 0; --d, tolerance *= scale) {
    for (int m = FirstOfDegree(d); m < kMonomialCount[d]; ++m) {
      if (!(std::abs((g.c[m] - factor * f.c[m]).hi) <= tolerance)) return false;
    }
  }
  *opposite = factor.hi < 0.0;
  return true;
}

// Collects the distinct surfaces of a tree and the expression over them.
class Compiler {
 public:
  explicit Compiler(ImplicitSolid* out) : out_(out) {}

  // The expression of a node whose enclosing frame has pose X_WP. `length` bounds the translations
  // that led to X_WP.
  Expression Visit(const SolidNode& node, const Rigid& X_WP, double length) {
    Rigid X_WS = X_WP;
    for (const Pose& pose : node.poses) {
      X_WS = X_WS * Rigid(pose);
      length = std::max(length, pose.t.cwiseAbs().maxCoeff());
    }
    if (const auto* boolean = std::get_if<BooleanShape>(&node.shape)) {
      return VisitBoolean(*boolean, X_WS, length);
    }
    return VisitPrimitive(node.shape, X_WS, length);
  }

 private:
  Expression VisitBoolean(const BooleanShape& shape, const Rigid& X_WS, double length) {
    std::vector<Expression> children;
    children.reserve(shape.children.size());
    for (const Solid& child : shape.children) {
      children.push_back(Visit(child.node(), X_WS, length));
    }
    // Each part that is cut off for itself: of all of them together too many may end at one plane.
    if (shape.kind == BooleanShape::Kind::kDifference) {
      for (std::size_t i = 1; i < children.size(); ++i)
        children[i] = ExpandShared(children[i].Complement()).Complement();
    }
    return Combine(shape.kind, std::move(children));
  }

  Expression VisitPrimitive(const Shape& shape, const Rigid& X_WS, double length) {
    if (std::holds_alternative<MeshShape>(shape)) {
      throw std::logic_error("a triangle mesh has no polynomial surfaces");
    }
    static const auto kCoordinates = PolynomialElement<DoubleDouble>::Coordinates();
    auto local = PrimitiveSurfaces(shape, kCoordinates);
    for (int s = 0; s < local.count; ++s) Trim(&local.psi[s].f);
    // Only a quadric may turn out to be constant; it has one surface.
    const SurfacePolynomial& first = local.psi[0].f;
    if (first.degree == 0) return Expression::Constant(first.c[kOne] <= DoubleDouble(0.0));

    const Rigid X_SW = X_WS.Inverse();
    std::vector<int> index(local.count);
    std::vector<bool> flip(local.count);
    for (int s = 0; s < local.count; ++s) {
      const auto [number, opposite] = FindOrAdd(Substitute(local.psi[s].f, X_SW.R, X_SW.t), length);
      index[s] = number;
      flip[s] = opposite;
    }
    return PrimitiveExpression(shape).Relabelled(index, flip);
  }

  std::pair<int, bool> FindOrAdd(const SurfacePolynomial& psi, double length) {
    out_->length = std::max(out_->length, length);
    const double scale = std::max(length, RootLength(psi));
    const int count = static_cast<int>(out_->surfaces.size());
    int found = count;
    bool opposite = false;
    lookup_.ForCandidates(psi, scale, [&](int s) {
      bool flips = false;
      if (s > found || !Match(out_->surfaces[s], psi, std::max(scale, scales_[s]), &flips)) return;
      found = s;
      opposite = flips;
    });
    if (found < count) return {found, opposite};
    lookup_.Add(psi, scale, count);
    out_->surfaces.push_back(psi);
    scales_.push_back(scale);
    return {count, false};
  }

  ImplicitSolid* out_;
  std::vector<double> scales_;  // of the surfaces, for Match
  SurfaceLookup lookup_;        // of the surfaces
};

void DropUnusedSurfaces(ImplicitSolid* solid) {
  const std::vector<int> used = solid->expression.Surfaces();
  if (used.size() == solid->surfaces.size()) return;
  std::vector<int> number(solid->surfaces.size());
  for (std::size_t n = 0; n < used.size(); ++n) {
    number[used[n]] = static_cast<int>(n);
    solid->surfaces[n] = solid->surfaces[used[n]];
  }
  solid->surfaces.resize(used.size());
  solid->expression = solid->expression.Relabelled(number);
}

}  // namespace

// Cauchy's bound on the roots, less a factor: at this distance from the origin the leading terms
// have the size of the largest others.
double RootLength(const SurfacePolynomial& f) {
  const double leading = LargestOfDegree(f, f.degree);
  double length = 0.0;
  for (int d = 0; d < f.degree; ++d) {
    length = std::max(length, std::pow(LargestOfDegree(f, d) / leading, 1.0 / (f.degree - d)));
  }
  return length;
}

bool Coincide(const SurfacePolynomial& f, const SurfacePolynomial& g, bool* opposite,
              double length) {
  return Match(f, g, std::max({length, RootLength(f), RootLength(g)}), opposite);
}

ImplicitSolid Compile(const Solid& solid) {
  ImplicitSolid result;
  result.expression = Compiler(&result).Visit(solid.node(), Rigid(), 0.0).Simplified();
  result.expression = ExpandShared(result.expression);
  DropUnusedSurfaces(&result);
  for (const SurfacePolynomial& psi : result.surfaces)
    result.kinds.push_back(KindOf(psi, result.length));
  result.convex = IsConvexByConstruction(solid.node());
  result.parts = PointsOfParts(solid.node());
  return result;
}

}  // namespace volcontact
