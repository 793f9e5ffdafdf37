#include "simbody/shape_symmetry.h"

#include <cmath>
#include <limits>
#include <string>

#include "math/minimal_rotation.h"
#include "volcontact/solids/solid_parts.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using Kind = ShapeSymmetry::Kind;

// Of unit vectors, and of points by their distances: what poses that are multiplied round.
constexpr double kRounding = 16.0 * std::numeric_limits<double>::epsilon();

Quaterniond TurnOf(const Pose& X) { return {X.q[0], X.q[1], X.q[2], X.q[3]}; }

bool AreSame(const Vector3d& a, const Vector3d& b) {
  return (a - b).norm() <= kRounding * (a.norm() + b.norm());
}

bool IsOn(const ShapeSymmetry& axis, const Vector3d& point) {
  return (point - axis.point).cross(axis.axis).norm() <=
         kRounding * (point.norm() + axis.point.norm());
}

// Rotations that two symmetries have in common. Of two centers apart, which leave an axis, none.
ShapeSymmetry Common(const ShapeSymmetry& a, const ShapeSymmetry& b) {
  if (a.kind == Kind::kCenter && b.kind == Kind::kAxis) return Common(b, a);
  if (a.kind == Kind::kNone || b.kind == Kind::kNone) return {};
  if (a.kind == Kind::kCenter) return AreSame(a.point, b.point) ? a : ShapeSymmetry();
  if (!IsOn(a, b.point)) return {};
  if (b.kind == Kind::kAxis && a.axis.cross(b.axis).norm() > kRounding) return {};
  return a;
}

ShapeSymmetry OfShape(const SolidParts& parts) {
  const std::string& shape = parts.shape;
  if (shape == "sphere") return {Kind::kCenter};
  if (shape == "cylinder" || shape == "cone" || shape == "capsule" || shape == "torus" ||
      shape == "half_space" || shape == "slab") {
    return {Kind::kAxis};
  }
  if (parts.children.empty()) return {};
  ShapeSymmetry common = SymmetryOf(parts.children[0]);
  for (const Solid& child : parts.children) common = Common(common, SymmetryOf(child));
  return common;
}

// After a rotation about a point.
void TurnFirst(const Quaterniond& turn, const Vector3d& about, BodyMove* move) {
  move->way += move->turn * (about - turn * about);
  move->turn = move->turn * turn;
}

// Turns B so that it follows a point that moves with A.
void Follow(const ShapeSymmetry& of_B, const Vector3d& point, const BodyMove& A, BodyMove* B) {
  Vector3d from = point - of_B.point, to = B->Back(A * point) - of_B.point;
  if (of_B.kind == Kind::kAxis) {
    from -= of_B.axis * of_B.axis.dot(from);
    to -= of_B.axis * of_B.axis.dot(to);
    const double angle = std::atan2(of_B.axis.dot(from.cross(to)), from.dot(to));
    TurnFirst(Quaterniond(Eigen::AngleAxisd(angle, of_B.axis)), of_B.point, B);
  } else if (!from.isZero() && !to.isZero()) {
    TurnFirst(MinimalRotation(from, to), of_B.point, B);
  }
}

// Turns A back by what it has turned against B, as far as its symmetry allows.
void TurnBack(const ShapeSymmetry& of_A, const BodyMove& B, BodyMove* A) {
  const Quaterniond turned = B.turn.conjugate() * A->turn;
  if (of_A.kind == Kind::kCenter) return TurnFirst(turned.conjugate(), of_A.point, A);
  const double angle = 2.0 * std::atan2(turned.vec().dot(of_A.axis), turned.w());
  TurnFirst(Quaterniond(Eigen::AngleAxisd(-angle, of_A.axis)), of_A.point, A);
}

}  // namespace

ShapeSymmetry SymmetryOf(const Solid& solid) {
  const SolidParts parts = PartsOf(solid);
  ShapeSymmetry symmetry = OfShape(parts);
  for (auto pose = parts.poses.rbegin(); pose != parts.poses.rend(); ++pose) {
    symmetry = PosedBy(*pose, symmetry);
  }
  return symmetry;
}

ShapeSymmetry PosedBy(const Pose& X, const ShapeSymmetry& symmetry) {
  return {symmetry.kind, X * symmetry.point, X.Rotation() * symmetry.axis};
}

BodyMove::BodyMove(const Pose& from, const Pose& to)
    : turn(TurnOf(to) * TurnOf(from).conjugate()), way(to.t - turn * from.t) {}

void MoveLess(const ShapeSymmetry& of_A, const ShapeSymmetry& of_B, const Vector3d& point,
              BodyMove* A, BodyMove* B) {
  if (of_A.kind < of_B.kind) return MoveLess(of_B, of_A, point, B, A);
  if (of_A.kind == Kind::kNone) return;
  const Vector3d on_axis =
      of_A.kind == Kind::kCenter
          ? of_A.point
          : Vector3d(of_A.point + of_A.axis * of_A.axis.dot(point - of_A.point));
  if (of_B.kind != Kind::kNone) Follow(of_B, on_axis, *A, B);
  TurnBack(of_A, *B, A);
}

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
