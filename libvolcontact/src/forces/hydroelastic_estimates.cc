#include "volcontact/forces/hydroelastic_estimates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "forces/require.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

using std::numbers::pi;

void RequireLength(double length) {
  if (length > 0.0) return;  // may be infinite
  throw InvalidInput(fmt::format("length is {} m; it must be positive", length));
}

void RequireHalfAngle(double half_angle) {
  if (half_angle > 0.0 && half_angle < 0.5 * pi) return;
  throw InvalidInput(fmt::format(
      "half_angle is {} rad; it must lie between 0 and pi/2, both excluded", half_angle));
}

}  // namespace

double SphereFoundationDepth(double radius) {
  RequirePositive("radius", radius, "m");
  return radius;
}

double CylinderFoundationDepth(double radius, double length) {
  RequirePositive("radius", radius, "m");
  RequireLength(length);
  return std::min(radius, 0.5 * length);
}

double ConeFoundationDepth(double radius, double half_angle) {
  RequirePositive("radius", radius, "m");
  RequireHalfAngle(half_angle);
  // The guide's root is cos θ/(1 + sin θ), which keeps its digits for a flat cone.
  return radius * std::cos(half_angle) / (1.0 + std::sin(half_angle));
}

Indenter Indenter::Cylinder(double radius, double length) {
  RequirePositive("radius", radius, "m");
  RequireLength(length);
  return {Shape::kCylinder, radius, 0.0, length, pi * radius * radius, 1};
}

Indenter Indenter::Sphere(double radius) {
  RequirePositive("radius", radius, "m");
  return {Shape::kSphere, radius, 0.0, 2.0 * radius, pi * radius, 2};
}

Indenter Indenter::TwoSpheres(double radius_a, double radius_b) {
  RequirePositive("radius_a", radius_a, "m");
  RequirePositive("radius_b", radius_b, "m");
  const double effective = radius_a * radius_b / (radius_a + radius_b);
  return {Shape::kTwoSpheres, radius_a, radius_b, std::min(radius_a, radius_b), pi * effective, 2};
}

Indenter Indenter::Cone(double radius, double half_angle) {
  RequirePositive("radius", radius, "m");
  RequireHalfAngle(half_angle);
  const double tangent = std::tan(half_angle);
  return {Shape::kCone, radius, 0.0, radius / tangent, pi / 3.0 * tangent * tangent, 3};
}

void Indenter::CheckDepth(double depth) const {
  if (depth >= 0.0 && depth <= max_depth_) return;
  throw InvalidInput(fmt::format("depth is {} m; it must lie in [0, {}] m", depth, max_depth_));
}

double Indenter::Volume(double depth) const {
  CheckDepth(depth);
  const double x = depth;
  switch (shape_) {
    case Shape::kSphere:
      return pi * x * x * (radius_a_ - x / 3.0);  // Boos 2011, Eq. (3.11)
    case Shape::kTwoSpheres: {
      // Two caps on the plane of the circle in which the spheres meet.
      const double sum = radius_a_ + radius_b_;
      return pi * x * x * (12.0 * radius_a_ * radius_b_ - 4.0 * sum * x + x * x) /
             (12.0 * (sum - x));
    }
    case Shape::kCylinder:
    case Shape::kCone:
      break;
  }
  return VolumeLeadingOrder(x);
}

double Indenter::VolumeLeadingOrder(double depth) const {
  CheckDepth(depth);
  return coefficient_ * std::pow(depth, exponent_);
}

double Indenter::Area(double depth) const {
  CheckDepth(depth);
  const double x = depth;
  switch (shape_) {
    case Shape::kSphere:
      return pi * x * (2.0 * radius_a_ - x);
    case Shape::kTwoSpheres: {
      const double sum = radius_a_ + radius_b_;
      const double distance = sum - x;
      return pi * x * (2.0 * sum - x) * (2.0 * radius_a_ - x) * (2.0 * radius_b_ - x) /
             (4.0 * distance * distance);
    }
    case Shape::kCylinder:
    case Shape::kCone:
      break;
  }
  return exponent_ * coefficient_ * std::pow(x, exponent_ - 1);
}

double Indenter::DepthOfVolume(double volume) const {
  const double leading = DepthOfVolumeLeadingOrder(volume);
  if (shape_ == Shape::kSphere) return DepthOfSphere(volume);
  return shape_ == Shape::kTwoSpheres ? DepthOfTwoSpheres(volume) : leading;
}

double Indenter::DepthOfVolumeLeadingOrder(double volume) const {
  const double most = std::isinf(max_depth_) ? max_depth_ : Volume(max_depth_);
  if (!(volume >= 0.0 && volume <= most && std::isfinite(volume))) {
    throw InvalidInput(
        fmt::format("volume is {} m^3; it must lie in [0, {}] m^3, the volume of the body; if it "
                    "is load over stiffness, take a greater stiffness",
                    volume, most));
  }
  return std::min(max_depth_, std::pow(volume / coefficient_, 1.0 / exponent_));
}

// The root s = x/R in [0, 2] of s²(3 − s) = c. With s = 1 + 2 cos φ it is cos 3φ = 1 − c/2; written
// with half the angle so that no digits are lost as c goes to 0.
double Indenter::DepthOfSphere(double volume) const {
  const double R = radius_a_;
  const double c = std::min(4.0, 3.0 * volume / (pi * R * R * R));
  const double angle = std::asin(0.5 * std::sqrt(c)) / 3.0;
  const double sine = std::sin(angle);
  return R * (2.0 * sine * sine + std::numbers::sqrt3 * std::sin(2.0 * angle));
}

// Newton's iteration. The volume is convex in the depth until the lesser sphere's equator is in, so
// that the iterates come down monotonically from the second on; roundings end it.
double Indenter::DepthOfTwoSpheres(double volume) const {
  constexpr int kMostIterations = 60;
  double x = std::pow(volume / coefficient_, 1.0 / exponent_);
  for (int i = 0; i < kMostIterations && x > 0.0; ++i) {
    x = std::min(x, max_depth_);
    const double next = x - (Volume(x) - volume) / Area(x);
    if (i > 0 && next >= x) break;
    x = next;
  }
  return x;
}

double Indenter::DepthOfImpactLeadingOrder(double stiffness, double mass, double speed) const {
  RequirePositive("stiffness", stiffness, "N/m^3");
  RequirePositive("mass", mass, "kg");
  RequireNotNegative("speed", speed, "m/s");
  const double scale = 0.5 * (exponent_ + 1) * mass / (stiffness * coefficient_);
  const double depth = std::pow(scale * speed * speed, 1.0 / (exponent_ + 1));
  if (depth <= max_depth_) return depth;
  throw InvalidInput(
      fmt::format("speed is {} m/s; it would press the body in by {} m, more than its {} m; take a "
                  "greater stiffness",
                  speed, depth, max_depth_));
}

VOLCONTACT_NAMESPACE_END
