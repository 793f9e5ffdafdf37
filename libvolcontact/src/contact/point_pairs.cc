#include "volcontact/contact/point_pairs.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string_view>

#include "solids/tree/validation.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

void RequireLengthOrInfinity(std::string_view pair, std::string_view parameter, double value) {
  if (value != std::numeric_limits<double>::infinity()) RequireLength(pair, parameter, value);
}

struct Validator {
  void operator()(const SpherePlane& pair) const {
    RequireLength("SpherePlane", "sphere_radius", pair.sphere_radius);
  }
  void operator()(const SphereEdge& pair) const {
    RequireLength("SphereEdge", "sphere_radius", pair.sphere_radius);
    RequireLengthOrInfinity("SphereEdge", "length", pair.length);
    if (pair.angle > 0.0 && pair.angle <= std::numbers::pi) return;
    throw InvalidInput(fmt::format(
        "SphereEdge: angle is {} rad; it must be positive, up to π = {}, which makes a plane",
        pair.angle, std::numbers::pi));
  }
  void operator()(const SphereCylinder& pair) const {
    RequireLength("SphereCylinder", "sphere_radius", pair.sphere_radius);
    RequireLength("SphereCylinder", "radius", pair.radius);
    RequireLengthOrInfinity("SphereCylinder", "height", pair.height);
  }
  void operator()(const SphereBore& pair) const {
    RequireLength("SphereBore", "sphere_radius", pair.sphere_radius);
    RequireLength("SphereBore", "radius", pair.radius);
    RequireLengthOrInfinity("SphereBore", "height", pair.height);
    if (pair.sphere_radius < pair.radius) return;
    throw InvalidInput(fmt::format(
        "SphereBore: sphere_radius is {} m; it must be less than the radius of the bore, {} m, or "
        "the sphere meets the bore along a circle",
        pair.sphere_radius, pair.radius));
  }
  void operator()(const SphereCone& pair) const {
    RequireLength("SphereCone", "sphere_radius", pair.sphere_radius);
    RequireLengthOrZero("SphereCone", "radius", pair.radius);
    RequireLengthOrZero("SphereCone", "radius_top", pair.radius_top);
    RequireLength("SphereCone", "height", pair.height);
    if (pair.radius > 0.0 || pair.radius_top > 0.0) return;
    throw InvalidInput("SphereCone: radius and radius_top are 0 m; one must be positive");
  }
};

// Signed distance of a point from a set, negative inside, and its gradient, a unit vector.
struct Signed {
  double distance;
  Vector3d gradient;
};

// The distance from the points that lie in two sets, of which each restricts other coordinates than
// the other: so the coordinates of the nearest point are found separately.
Signed Both(const Signed& a, const Signed& b) {
  if (!(a.distance > 0.0 && b.distance > 0.0)) return a.distance >= b.distance ? a : b;
  const double distance = std::hypot(a.distance, b.distance);
  return {distance, (a.distance / distance) * a.gradient + (b.distance / distance) * b.gradient};
}

// The set |x_axis| <= extent/2; the extent may be infinite.
Signed Between(const Vector3d& p, int axis, double extent) {
  const double sign = p[axis] < 0.0 ? -1.0 : 1.0;
  return {std::abs(p[axis]) - 0.5 * extent, sign * Vector3d::Unit(axis)};
}

// Distance from the axis z, and the direction away from it: x on the axis itself.
Signed FromAxis(const Vector3d& p) {
  const double distance = std::hypot(p.x(), p.y());
  if (!(distance > 0.0)) return {0.0, Vector3d::UnitX()};
  return {distance, Vector3d(p.x() / distance, p.y() / distance, 0.0)};
}

// The endless wedge of Gonthier's App. A.2.2, with his cases.
Signed FromWedge(const Vector3d& p, double angle) {
  const Vector3d n1 = Vector3d::UnitZ(), n2(std::sin(angle), 0.0, -std::cos(angle));
  const double d1 = p.dot(n1), d2 = p.dot(n2);
  if (d1 < 0.0 && d2 < 0.0) return d1 > d2 ? Signed{d1, n1} : Signed{d2, n2};
  // Tangents of the faces, away from the edge. Behind a sharp edge a point has passed the foot of
  // either face, so the tangents alone, which the text compares, do not separate them.
  const Vector3d t1 = -Vector3d::UnitX(), t2(n2.z(), 0.0, -n2.x());
  if (d1 >= 0.0 && p.dot(t1) > 0.0) return {d1, n1};
  if (d2 >= 0.0 && p.dot(t2) > 0.0) return {d2, n2};
  const double distance = std::hypot(p.x(), p.z());
  // (n1 + n2)/|n1 + n2|, by half the angle, which stays sound for faces back to back.
  if (!(distance > 0.0)) return {0.0, {std::cos(0.5 * angle), 0.0, std::sin(0.5 * angle)}};
  return {distance, {p.x() / distance, 0.0, p.z() / distance}};
}

// The cone's trapezium in the half plane of (distance from the axis, z) through the point.
struct ConeProfile {
  Vector2d bottom, top, tangent, normal;  // of the wall
  double length;

  explicit ConeProfile(const SphereCone& cone)
      : bottom(cone.radius, 0.0), top(cone.radius_top, cone.height) {
    length = (top - bottom).norm();
    tangent = (top - bottom) / length;
    normal = {tangent.y(), -tangent.x()};
  }
};

struct PlanarSigned {
  double distance;
  Vector2d gradient;
};

PlanarSigned FromProfile(const Vector2d& q, const ConeProfile& cone) {
  const Vector2d up = Vector2d::UnitY();
  PlanarSigned wall = {cone.normal.dot(q - cone.bottom), cone.normal};
  const bool upper = 2.0 * q.y() >= cone.top.y();
  PlanarSigned end = upper ? PlanarSigned{q.y() - cone.top.y(), up} : PlanarSigned{-q.y(), -up};
  if (wall.distance <= 0.0 && end.distance <= 0.0) {
    return wall.distance >= end.distance ? wall : end;
  }
  const double along = cone.tangent.dot(q - cone.bottom);
  if (wall.distance > 0.0 && along >= 0.0 && along <= cone.length) return wall;
  const double end_radius = upper ? cone.top.x() : cone.bottom.x();
  if (end.distance > 0.0 && q.x() <= end_radius) return end;
  const Vector2d from_rim = q - (2.0 * along > cone.length ? cone.top : cone.bottom);
  const double distance = std::hypot(from_rim.x(), from_rim.y());
  // On the rim itself, where rounding puts the point outside of the wall.
  if (!(distance > 0.0)) return {0.0, cone.normal};
  return {distance, from_rim / distance};
}

// Distance of the point p, in B's frame, from B.
struct DistanceFrom {
  const Vector3d& p;

  Signed operator()(const SpherePlane&) const { return {p.z(), Vector3d::UnitZ()}; }
  Signed operator()(const SphereEdge& edge) const {
    return Both(FromWedge(p, edge.angle), Between(p, 1, edge.length));
  }
  Signed operator()(const SphereCylinder& cylinder) const {
    const Signed axis = FromAxis(p);
    return Both({axis.distance - cylinder.radius, axis.gradient}, Between(p, 2, cylinder.height));
  }
  Signed operator()(const SphereBore& bore) const {
    const Signed axis = FromAxis(p);
    return Both({bore.radius - axis.distance, -axis.gradient}, Between(p, 2, bore.height));
  }
  Signed operator()(const SphereCone& cone) const {
    const Signed axis = FromAxis(p);
    const PlanarSigned nearest = FromProfile({axis.distance, p.z()}, ConeProfile(cone));
    return {nearest.distance,
            nearest.gradient.x() * axis.gradient + nearest.gradient.y() * Vector3d::UnitZ()};
  }
};

}  // namespace

void Validate(const PointPair& pair) { std::visit(Validator(), pair); }

PointContact FindContact(const PointPair& pair, const Pose& X_WA, const Pose& X_WB) {
  Validate(pair);
  ValidatePose(X_WA, "pose of A");
  ValidatePose(X_WB, "pose of B");
  const Eigen::Matrix3d R_WB = X_WB.Rotation();
  // Subtracted before they are rotated, so that the gap keeps its digits far from the origin.
  const Vector3d p_BA = R_WB.transpose() * (X_WA.t - X_WB.t);
  const Signed center = std::visit(DistanceFrom{p_BA}, pair);
  const double radius = std::visit([](const auto& shape) { return shape.sphere_radius; }, pair);
  PointContact contact;
  contact.gap = center.distance - radius;
  contact.geometry.touching = contact.gap < 0.0;
  if (!contact.geometry.touching) return contact;
  contact.geometry.depth = -contact.gap;
  contact.geometry.normal_W = R_WB * center.gradient;
  contact.geometry.point_W = X_WA.t - radius * contact.geometry.normal_W;
  return contact;
}

VOLCONTACT_NAMESPACE_END
