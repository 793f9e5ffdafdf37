// Geometric pairs of the point contact model: a sphere against a plane, an edge, a cylinder from
// outside or inside, and a cone (Gonthier 2007, App. A.2).
//
// A is always the sphere, centred at the origin of its frame; B is the other shape, where its frame
// puts it. The gap is x of the thesis: the signed distance of the sphere's centre from the surface
// of B, less the sphere's radius. The normal is the direction in which the gap grows. As in the
// thesis the contact point lies on the undeformed sphere, where it is deepest in B:
// p_a = centre − R n (A.2).
//
// The thesis lets edges, cylinders and cones run on without end. Here they may have ends, and these
// belong to B too: within one sphere radius of an end the sphere touches its face, or its rim.
// Where the bodies touch, and the centre is outside of B, the gap has continuous first derivatives.
// Where the centre has sunk into B, which means a depth beyond the radius, the nearest face counts.
//
// Lengths in metres, from 1e-30 to 1e30, infinite where it says so. All types are plain values, and
// any number of threads may call the functions at a time.
#pragma once

#include <limits>
#include <variant>

#include "volcontact/contact/contact_geometry.h"
#include "volcontact/export.h"
#include "volcontact/math/pose.h"

VOLCONTACT_NAMESPACE_BEGIN

/// B is the half-space z <= 0 (A.3).
struct SpherePlane {
  double sphere_radius = 0.0;  ///< R > 0 [m]
};

/// B is the wedge of two plane faces that meet in the edge x = z = 0 (App. A.2.2). Face 1 is z = 0,
/// x <= 0, with normal z, so that B lies in z <= 0; face 2 falls off from the edge. Over the edge
/// the normal turns with the sphere, (A.10) divided by |(I − E)p|. Where the centre lies exactly on
/// the edge the normal bisects those of the faces, as in the thesis; inside B, where both faces are
/// equally near, face 2 counts. With a finite length the wedge ends in plane faces y = ±length/2;
/// inside B, where such a face and one of the two are equally near, the latter counts.
struct SphereEdge {
  double sphere_radius = 0.0;  ///< R > 0 [m]
  double angle = 0.0;          ///< inside B between its faces, in (0, π]; π is a plane [rad]
  double length = std::numeric_limits<double>::infinity();  ///< of the edge, > 0 or infinite [m]
};

/// B is the cylinder of the given radius about z, |z| <= height/2, touched from outside (A.14),
/// (A.15) with r > 0. Where the centre lies exactly on the axis, for which the thesis gives no
/// normal, and the wall is nearest, the normal is x of B's frame. Inside B, where a wall and an end
/// are equally near, the wall counts; half way between the ends, the upper one.
struct SphereCylinder {
  double sphere_radius = 0.0;                               ///< R > 0 [m]
  double radius = 0.0;                                      ///< r > 0 [m]
  double height = std::numeric_limits<double>::infinity();  ///< > 0 or infinite [m]
};

/// B is a plate |z| <= height/2 without bounds in x and y, with a cylindrical bore of the given
/// radius about z, touched from inside (A.14), (A.15) with r <= 0. At the ends the sphere leaves
/// over the rim, and may come to rest on the plate. The sphere must be smaller than the bore: a
/// larger one meets the rim along a circle, which is no point contact. So a sphere centred on the
/// axis never touches. Inside B the wall counts where it and a face of the plate are equally near;
/// half way between the faces, the upper one.
struct SphereBore {
  double sphere_radius = 0.0;                               ///< R, 0 < R < radius [m]
  double radius = 0.0;                                      ///< of the bore, > 0 [m]
  double height = std::numeric_limits<double>::infinity();  ///< of the plate, > 0 or infinite [m]
};

/// B is the cone, or truncated cone, between z = 0 with `radius` and z = height with `radius_top`,
/// with both of its ends (App. A.2.4, where the cone has no base); touched from outside, which is
/// all the thesis has. The normal is perpendicular to the wall (A.24), or points to the centre from
/// the apex (A.22) or from a rim. Where the centre lies exactly on the axis inside B and the wall
/// is nearest, the normal is the wall's on the side of x of B's frame: the thesis takes the axis,
/// along which the depth (A.20) does not separate the bodies. Where the wall and an end are equally
/// near, the wall counts; half way between the ends, the upper one.
struct SphereCone {
  double sphere_radius = 0.0;  ///< R > 0 [m]
  double radius = 0.0;         ///< at z = 0, >= 0 [m]
  double height = 0.0;         ///< > 0 [m]
  double radius_top = 0.0;     ///< at z = height, >= 0; not both radii 0 [m]
};

using PointPair = std::variant<SpherePlane, SphereEdge, SphereCylinder, SphereBore, SphereCone>;

/// The result of FindContact.
struct PointContact {
  /// With depth = −gap where touching, which is where the gap is negative.
  ContactGeometry geometry;
  /// Signed distance of the two surfaces [m], continuous through contact: an event function. Moving
  /// A by d changes it by n·d.
  double gap = 0.0;
};

/// Throws InvalidInput naming the pair, the parameter, its value and its range.
VOLCONTACT_EXPORT void Validate(const PointPair& pair);

/// The contact of the sphere A and the shape B, for the given world poses of their frames. Throws
/// InvalidInput for what Validate refuses, and for invalid poses. The gap errs by some 1e-15 of the
/// larger of the lengths involved: the radii, and the distance of the two frames.
VOLCONTACT_EXPORT PointContact FindContact(const PointPair& pair, const Pose& X_WA,
                                           const Pose& X_WB);

VOLCONTACT_NAMESPACE_END
