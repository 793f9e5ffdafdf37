// Overlaps that have a formula, for estimates of volumetric and hydroelastic contacts: how deep is
// a body pressed in by a load, and how deep is its elastic foundation.
//
// After the Drake hydroelastic guide. The guide's volume of a sphere is the leading order in the
// depth; those of its cylinder and cone are exact, and its angle is the half angle of the cone. For
// two spheres use f = κ V with the volume given here: the guide's advice to put the effective
// radius into π E x², which has no radius in it, gives at least 4 times too much for two spheres of
// one modulus. Its H = R of a cylinder asks for a length of 2R at least, not R.
#pragma once

#include <limits>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Depth H [m] of the foundation of a sphere: the greatest distance from its surface, R.
VOLCONTACT_EXPORT double SphereFoundationDepth(double radius);

/// That of a cylinder: R, or half its `length` where that is less.
VOLCONTACT_EXPORT double CylinderFoundationDepth(
    double radius, double length = std::numeric_limits<double>::infinity());

/// That of a cone with the base radius R [m] and the half angle θ in (0, π/2) [rad]: the radius of
/// the circle inscribed in its section, R √((1 − sin θ)/(1 + sin θ)).
VOLCONTACT_EXPORT double ConeFoundationDepth(double radius, double half_angle);

/// A body pressed along its axis into a half-space, or two spheres into each other, and the volume
/// of the overlap at a depth. Functions throw InvalidInput that names the parameter, its value and
/// the allowed range; cost: below a microsecond. Immutable: any number of
/// threads may ask one. Some dozens of bytes.
class VOLCONTACT_EXPORT Indenter {
 public:
  /// A cylinder that stands on its flat end.
  static Indenter Cylinder(double radius, double length = std::numeric_limits<double>::infinity());
  static Indenter Sphere(double radius);
  /// Two spheres, to a depth of the lesser radius.
  static Indenter TwoSpheres(double radius_a, double radius_b);
  /// A cone of base radius R and half angle θ in (0, π/2) [rad] that stands on its apex.
  static Indenter Cone(double radius, double half_angle);

  /// The depth to which the formulas hold [m]: that of the whole body, if it is one.
  double max_depth() const { return max_depth_; }

  /// The overlap V(x) [m³] at a depth x in [0, max_depth] [m], exact.
  double Volume(double depth) const;
  /// The same to leading order in x, c x^n; never below Volume.
  double VolumeLeadingOrder(double depth) const;
  /// dV/dx [m²], the area of the disc in which the surfaces meet: k_v times it is the stiffness
  /// along the normal [N/m].
  double Area(double depth) const;

  /// The depth at which the overlap has a volume [m³], such as the load over the stiffness f/k_v;
  /// the inverse of Volume, to rounding.
  double DepthOfVolume(double volume) const;
  /// The inverse of VolumeLeadingOrder, never above DepthOfVolume.
  double DepthOfVolumeLeadingOrder(double volume) const;
  /// The greatest depth [m] of a body of `mass` [kg] that hits with `speed` [m/s] and is stopped by
  /// k_v V(x) alone, to leading order: m v²/2 = k_v c x^(n+1)/(n+1). The exact one is not less.
  double DepthOfImpactLeadingOrder(double stiffness, double mass, double speed) const;

 private:
  enum class Shape { kCylinder, kSphere, kTwoSpheres, kCone };

  Indenter(Shape shape, double radius_a, double radius_b, double max_depth, double coefficient,
           int exponent)
      : shape_(shape),
        radius_a_(radius_a),
        radius_b_(radius_b),
        max_depth_(max_depth),
        coefficient_(coefficient),
        exponent_(exponent) {}

  void CheckDepth(double depth) const;
  double DepthOfSphere(double volume) const;
  double DepthOfTwoSpheres(double volume) const;

  Shape shape_;
  double radius_a_, radius_b_;  // the second only of two spheres
  double max_depth_;
  double coefficient_;  // c and n of the leading order c x^n
  int exponent_;
};

VOLCONTACT_NAMESPACE_END
