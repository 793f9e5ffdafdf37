#include "solids/queries/solid_bounds.h"

#include <cmath>
#include <limits>
#include <optional>
#include <variant>
#include <vector>

#include "math/arithmetic/vector3.h"
#include "math/rigid.h"
#include "solids/exact/exact_motion.h"
#include "solids/exact/rational_interval.h"
#include "solids/implicit/polynomial_bounds.h"
#include "solids/implicit/primitive_surfaces.h"
#include "solids/implicit/quadratic_form.h"
#include "solids/mesh/mesh_tree.h"

namespace volcontact {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kUnitRoundoff = 0x1p-53;
// The margins of BoundBySupport, which says what they cover, in units of the roundoff.
constexpr double kNearMargin = 32.0 * kUnitRoundoff;
constexpr double kFarMargin = 1000.0;  // of its square

// The frame of a shape: the poses that lead to it from the outside in, multiplied, and the sum of
// the magnitudes of their translations.
struct Frame {
  std::vector<Pose> poses;
  Rigid X_WS;
  double travel = 0.0;

  Frame Then(const std::vector<Pose>& inner) const {
    Frame result = *this;
    for (const Pose& pose : inner) {
      result.poses.push_back(pose);
      result.X_WS = result.X_WS * Rigid(pose);
      result.travel += pose.t.cwiseAbs().sum();
    }
    return result;
  }
};

// Support values of a primitive in its frame: h(d) and h(−d) for a unit vector d, and the sum of
// the magnitudes that were added.
struct Support {
  double above = kInfinity;
  double below = kInfinity;
  double magnitude = 0.0;

  Support() = default;
  explicit Support(double symmetric) : above(symmetric), below(symmetric), magnitude(symmetric) {}
};

// Bounded primitives only; see BoundBySupport for the others.
struct SupportOf {
  const Eigen::Vector3d& d;

  double AxisDistance() const { return std::hypot(d.x(), d.y()); }

  Support operator()(const SphereShape& s) const { return Support(s.radius); }
  Support operator()(const EllipsoidShape& s) const {
    return Support(
        std::hypot(s.semi_axes[0] * d.x(), s.semi_axes[1] * d.y(), s.semi_axes[2] * d.z()));
  }
  Support operator()(const BoxShape& s) const {
    return Support(0.5 * (s.size[0] * std::abs(d.x()) + s.size[1] * std::abs(d.y()) +
                          s.size[2] * std::abs(d.z())));
  }
  Support operator()(const CylinderShape& s) const {
    return Support(s.radius * AxisDistance() + 0.5 * s.height * std::abs(d.z()));
  }
  Support operator()(const ConeShape& s) const {
    const double base = s.radius * AxisDistance(), top = s.radius_top * AxisDistance();
    Support support;
    support.above = std::max(base, top + s.height * d.z());
    support.below = std::max(base, top - s.height * d.z());
    support.magnitude = base + top + s.height * std::abs(d.z());
    return support;
  }
  Support operator()(const CapsuleShape& s) const {
    return Support(s.radius + 0.5 * s.height * std::abs(d.z()));
  }
  Support operator()(const TorusShape& s) const {
    return Support(s.major_radius * AxisDistance() + s.minor_radius);
  }
  Support operator()(const MeshShape& s) const {
    Support support(0.0);
    support.above = support.below = -kInfinity;
    for (const Eigen::Vector3d& p : s.mesh->vertices()) {
      support.above = std::max(support.above, d.dot(p));
      support.below = std::max(support.below, -d.dot(p));
      support.magnitude = std::max(support.magnitude, p.cwiseAbs().sum());
    }
    return support;
  }
  template <class AnyShape>
  Support operator()(const AnyShape&) const {
    return Support();
  }
};

// The extents of a posed, bounded primitive from its support function h in the directions of the
// axes; in the primitive's frame these are the rows d of R.
//
// Margin. Let u = 2^-53, T the travel, n the number of poses and D = h(x) + h(y) + h(z), which no
// h(d) exceeds. An entry of a pose's R errs by less than 50u², a product of poses adds less than
// 20u² for each entry of R (its rows and columns are unit vectors) and 20u²T to t. So the rows of R
// err by less than 300n u² and t by less than 300n u² T: far_margin covers both. Rounding R to
// doubles changes each term of h by a relative u, evaluating h (at most ten operations) by less
// than 20u of the sum of magnitudes M, rounding t and adding it costs 3u(|t| + M): near_margin
// covers these.
Aabb BoundBySupport(const Shape& shape, const Frame& frame) {
  double diameter = 0.0;
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d axis = Eigen::Vector3d::Unit(k);
    diameter += std::visit(SupportOf{axis}, shape).magnitude;
  }
  const double poses = static_cast<double>(frame.poses.size());
  const double far_margin =
      kFarMargin * poses * kUnitRoundoff * kUnitRoundoff * (frame.travel + diameter);
  const Eigen::Matrix3d R = frame.X_WS.RotationDouble();
  Aabb box;
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector3d d = R.row(i);
    const Support support = std::visit(SupportOf{d}, shape);
    const double t = frame.X_WS.t[i].hi;
    const double near_margin = kNearMargin * (std::abs(t) + support.magnitude);
    box.max[i] = t + support.above + (near_margin + far_margin);
    box.min[i] = t - support.below - (near_margin + far_margin);
  }
  return box;
}

double RoundDown(const Rational& x) { return IntervalOf(x).first; }
double RoundUp(const Rational& x) { return IntervalOf(x).second; }

// The bounds of z <= 0, or of z >= 0: only along an axis that is exactly normal to the plane.
Aabb BoundHalfSpace(const ExactMotion& X, bool complemented) {
  Aabb box;
  for (int i = 0; i < 3; ++i) {
    if (X.R[i][0] != 0 || X.R[i][1] != 0) continue;
    const bool below = (X.R[i][2] > 0) != complemented;
    (below ? box.max[i] : box.min[i]) = below ? RoundUp(X.t[i]) : RoundDown(X.t[i]);
  }
  return box;
}

Aabb BoundSlab(const SlabShape& slab, const ExactMotion& X) {
  const Rational half = Rational(slab.thickness) * Rational(0.5);
  Aabb box;
  for (int i = 0; i < 3; ++i) {
    if (X.R[i][0] != 0 || X.R[i][1] != 0) continue;
    box.min[i] = RoundDown(X.t[i] - half);
    box.max[i] = RoundUp(X.t[i] + half);
  }
  return box;
}

// Bounded along each axis that is exactly normal to the cylinder's.
Aabb BoundInfiniteCylinder(const CylinderShape& cylinder, const ExactMotion& X) {
  Aabb box;
  for (int i = 0; i < 3; ++i) {
    if (X.R[i][2] != 0) continue;
    box.min[i] = RoundDown(X.t[i] - Rational(cylinder.radius));
    box.max[i] = RoundUp(X.t[i] + Rational(cylinder.radius));
  }
  return box;
}

std::array<Rational, 3> Times(const std::array<std::array<Rational, 3>, 3>& A,
                              const std::array<Rational, 3>& x) {
  return {Dot(A[0], x), Dot(A[1], x), Dot(A[2], x)};
}

// x'Ax + 2b'x + c <= 0 with A positive definite is the ellipsoid (x − m)'A(x − m) <= k with m =
// −A⁻¹b and k = −b'm − c; its support function is d'm + sqrt(k d'A⁻¹d). All exact but the root.
Aabb BoundQuadric(const QuadraticForm& form, const ExactMotion& X) {
  if (!IsPositiveDefinite(form.A)) return Aabb::Everything();
  const auto inverse = InverseOf(form.A);
  std::array<Rational, 3> center = Times(inverse, form.b);
  for (Rational& coordinate : center) coordinate = -coordinate;
  const Rational k = -Dot(form.b, center) - form.c;
  if (k < 0) return Aabb::Nothing();
  Aabb box;
  for (int i = 0; i < 3; ++i) {
    const Rational middle = Dot(X.R[i], center) + X.t[i];
    const Rational square = k * Dot(X.R[i], Times(inverse, X.R[i]));
    const double extent = std::nextafter(std::sqrt(RoundUp(square)), kInfinity);
    box.min[i] = std::nextafter(RoundDown(middle) - extent, -kInfinity);
    box.max[i] = std::nextafter(RoundUp(middle) + extent, kInfinity);
  }
  return box;
}

// The primitive or, with `complemented`, what is outside of it.
Aabb BoundPrimitive(const Shape& shape, const Frame& frame, bool complemented) {
  if (std::holds_alternative<HalfSpaceShape>(shape)) {
    return BoundHalfSpace(ExactMotion(frame.poses), complemented);
  }
  if (const std::optional<QuadraticForm> form = QuadraticFormOf(shape)) {
    return BoundQuadric(complemented ? -*form : *form, ExactMotion(frame.poses));
  }
  if (const auto* polynomial = std::get_if<PolynomialShape>(&shape)) {
    const std::optional<BoxShape> cube = EnclosingCube(*polynomial, complemented);
    return cube ? BoundBySupport(*cube, frame) : Aabb::Everything();
  }
  if (complemented) return Aabb::Everything();
  if (const auto* slab = std::get_if<SlabShape>(&shape)) {
    return BoundSlab(*slab, ExactMotion(frame.poses));
  }
  const auto* cylinder = std::get_if<CylinderShape>(&shape);
  if (cylinder != nullptr && !std::isfinite(cylinder->height)) {
    return BoundInfiniteCylinder(*cylinder, ExactMotion(frame.poses));
  }
  return BoundBySupport(shape, frame);
}

// Complements are pushed down to the primitives, where a few are bounded.
Aabb Visit(const SolidNode& node, const Frame& outer, bool complemented) {
  using Kind = BooleanShape::Kind;
  const Frame frame = outer.Then(node.poses);
  const auto* boolean = std::get_if<BooleanShape>(&node.shape);
  if (boolean == nullptr) return BoundPrimitive(node.shape, frame, complemented);
  if (boolean->kind == Kind::kComplement) {
    return Visit(boolean->children[0].node(), frame, !complemented);
  }
  const bool unites = (boolean->kind == Kind::kUnion) != complemented;
  Aabb box = unites ? Aabb::Nothing() : Aabb::Everything();
  for (std::size_t i = 0; i < boolean->children.size(); ++i) {
    const bool cut = boolean->kind == Kind::kDifference && i > 0;
    const Aabb child = Visit(boolean->children[i].node(), frame, complemented != cut);
    box = unites ? Hull(box, child) : Intersect(box, child);
  }
  return box.IsEmpty() ? Aabb::Nothing() : box;
}

}  // namespace

Aabb BoundSolid(const SolidNode& node) { return Visit(node, Frame(), false); }

}  // namespace volcontact
