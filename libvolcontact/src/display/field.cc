#include "display/field.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <variant>

#include "overlap/cells/bound_region.h"
#include "overlap/frame/surface_set.h"
#include "solids/implicit/polynomial_ring.h"
#include "solids/implicit/primitive_surfaces.h"
#include "solids/implicit/surface_kind.h"
#include "solids/tree/solid_node.h"

namespace volcontact {
namespace {

// Sheets go beyond the box by this part of it, so that none ends on the solid.
constexpr double kBeyondBox = 0.01;
// The least thickness of a flat box, as a part of its length.
constexpr double kThinnest = 1e-3;
// Coefficients below this part of the largest are rounding.
constexpr double kNegligible = 1e-15;

SurfacePolynomial SideOfBox(int axis, double place, double sign) {
  SurfacePolynomial psi;
  psi.degree = 1;
  psi.c[kOne] = DoubleDouble(-sign * place);
  psi.c[kX + axis] = DoubleDouble(sign);
  return psi;
}

}  // namespace

DisplayField::DisplayField(const Solid& a, const Solid* b, const Rigid& X_AB) {
  of_a_ = Visit(a.node(), Rigid(), 0.0, false);
  expression_ = of_a_.Simplified();
  if (b == nullptr) return;
  is_pair_ = true;
  double length = 0.0;
  for (const DoubleDouble& t : X_AB.t) length = std::max(length, std::abs(t.hi));
  of_b_ = Visit(b->node(), X_AB, length, true);
  expression_ = Expression::And({of_a_, of_b_}).Simplified();
}

DisplayField::DisplayField(PolyhedralOverlap overlap_A) : is_pair_(true) {
  expression_ = AddMesh(std::move(overlap_A.mesh), Rigid(), false);
  surfaces_[0].owners = std::move(overlap_A.owners);
}

Expression DisplayField::Visit(const SolidNode& node, const Rigid& X_AP, double length, bool in_b) {
  Rigid X_AS = X_AP;
  for (const Pose& pose : node.poses) {
    X_AS = X_AS * Rigid(pose);
    length = std::max(length, pose.t.cwiseAbs().maxCoeff());
  }
  if (const auto* mesh = std::get_if<MeshShape>(&node.shape))
    return AddMesh(mesh->mesh, X_AS, in_b);
  const auto* boolean = std::get_if<BooleanShape>(&node.shape);
  if (boolean == nullptr) return VisitPrimitive(node.shape, X_AS, length, in_b);
  std::vector<Expression> children;
  for (const Solid& child : boolean->children) {
    children.push_back(Visit(child.node(), X_AS, length, in_b));
  }
  return Combine(boolean->kind, std::move(children));
}

Expression DisplayField::AddMesh(std::shared_ptr<const MeshTree> mesh, const Rigid& X_AS,
                                 bool in_b) {
  FieldSurface surface;
  surface.mesh = std::move(mesh);
  surface.X_AM = X_AS;
  (in_b ? surface.in_b : surface.in_a) = true;
  surfaces_.push_back(std::move(surface));
  lengths_.push_back(0.0);
  return Expression::Below(static_cast<int>(surfaces_.size()) - 1);
}

Expression DisplayField::VisitPrimitive(const Shape& shape, const Rigid& X_AS, double length,
                                        bool in_b) {
  static const auto kCoordinates = PolynomialElement<DoubleDouble>::Coordinates();
  auto local = PrimitiveSurfaces(shape, kCoordinates);
  for (int s = 0; s < local.count; ++s) Trim(&local.psi[s].f);
  const SurfacePolynomial& first = local.psi[0].f;
  if (first.degree == 0) return Expression::Constant(first.c[kOne] <= DoubleDouble(0.0));
  const Rigid X_SA = X_AS.Inverse();
  std::vector<int> index(local.count);
  std::vector<bool> flip(local.count);
  for (int s = 0; s < local.count; ++s) {
    bool opposite = false;
    index[s] = FindOrAdd(Substitute(local.psi[s].f, X_SA.R, X_SA.t), length, in_b, &opposite);
    flip[s] = opposite;
  }
  return PrimitiveExpression(shape).Relabelled(index, flip);
}

int DisplayField::FindOrAdd(const SurfacePolynomial& psi, double length, bool in_b,
                            bool* opposite) {
  for (std::size_t i = 0; i < surfaces_.size(); ++i) {
    FieldSurface& other = surfaces_[i];
    if (other.mesh != nullptr || other.exact.degree != psi.degree) continue;
    if (!Coincide(other.exact, psi, opposite, std::max(length, lengths_[i]))) continue;
    (in_b ? other.in_b : other.in_a) = true;
    return static_cast<int>(i);
  }
  FieldSurface surface;
  surface.exact = psi;
  surface.kind = KindOf(psi, length);
  (in_b ? surface.in_b : surface.in_a) = true;
  surfaces_.push_back(std::move(surface));
  lengths_.push_back(length);
  *opposite = false;
  return static_cast<int>(surfaces_.size()) - 1;
}

Aabb DisplayField::Bounds(const Aabb& hint) const {
  SurfaceSet set;
  for (const FieldSurface& surface : surfaces_) {
    if (surface.mesh != nullptr) return hint;
    set.Add(surface.exact, Owner::kA, surface.kind);
  }
  set.expression = expression_;
  const std::optional<Aabb> box = BoundRegion(set, hint);
  return box ? *box : hint;
}

void DisplayField::Localize(const Aabb& box, const Aabb& clip) {
  center_ = box.Center();
  size_ = box.HalfExtents().maxCoeff();
  half_ = (1.0 + kBeyondBox) * (box.HalfExtents() / size_).cwiseMax(kThinnest);
  std::vector<Expression> sides = {expression_};
  for (int axis = 0; axis < 3; ++axis) {
    for (const double sign : {-1.0, 1.0}) {
      const double place = sign < 0.0 ? clip.min[axis] : clip.max[axis];
      if (!std::isfinite(place)) continue;
      FieldSurface side;
      side.exact = SideOfBox(axis, place, sign);
      side.kind = SurfaceKind::kPlane;
      side.is_side = true;
      sides.push_back(Expression::Below(static_cast<int>(surfaces_.size())));
      surfaces_.push_back(std::move(side));
    }
  }
  if (sides.size() > 1) expression_ = Expression::And(sides);
  for (FieldSurface& surface : surfaces_) {
    if (surface.mesh != nullptr) {
      LocalizeMesh(&surface);
    } else {
      LocalizePolynomial(&surface);
    }
  }
}

void DisplayField::LocalizeMesh(FieldSurface* surface) const {
  const Rigid X_MA = surface->X_AM.Inverse();
  surface->M_from_scaled = size_ * X_MA.RotationDouble();
  surface->origin_M = Round(X_MA * ToDoubleDouble(center_));
  surface->vertices.resize(surface->mesh->vertices().size());
  for (std::size_t i = 0; i < surface->vertices.size(); ++i) {
    const Vector3dd p_A = surface->X_AM * ToDoubleDouble(surface->mesh->vertices()[i]);
    for (int k = 0; k < 3; ++k) {
      surface->vertices[i][k] = (p_A[k] - DoubleDouble(center_[k])).hi / size_;
    }
  }
}

void DisplayField::LocalizePolynomial(FieldSurface* surface) const {
  const DoubleDouble s(size_), zero(0.0);
  const SurfacePolynomial local =
      Substitute(surface->exact, {Vector3dd{s, zero, zero}, {zero, s, zero}, {zero, zero, s}},
                 ToDoubleDouble(center_));
  double largest = 0.0;
  for (int m = 1; m < local.size(); ++m) largest = std::max(largest, std::abs(local.c[m].hi));
  if (!(largest > 0.0)) largest = 1.0;
  Polynomial<double>& psi = surface->psi;
  psi.degree = local.degree;
  for (int m = 0; m < local.size(); ++m) psi.c[m] = local.c[m].hi / largest;
  for (int m = 1; m < psi.size(); ++m) {
    if (std::abs(psi.c[m]) < kNegligible) psi.c[m] = 0.0;
    const auto& e = kMonomialExponents[m];
    surface->gradient_bound += (e[0] + e[1] + e[2]) * std::abs(psi.c[m]);
  }
  Trim(&psi);
}

}  // namespace volcontact
