// Exact orientation of points of two meshes, B moved by an infinitesimal translation.
//
// Decided in stages: doubles with a proven bound, double-doubles with a proven bound, exact
// numbers. What is exactly zero is decided as if B were translated by (ε, ε², ε³): the sign of the
// first nonzero derivative. A translation keeps both meshes closed, so that the combinatorics of
// the perturbed pair are those of two solids in general position; the metrics are continuous in it,
// so that they do not depend on it.
#pragma once

#include <Eigen/Core>
#include <array>

#include "math/rigid.h"

namespace volcontact {

/// A vertex of A or B in frame A.
struct MeshPoint {
  Eigen::Vector3d local;  ///< p − O rounded, from an origin O near the overlap
  Eigen::Vector3d body;   ///< the vertex in its mesh's frame M
  const Rigid* X_AM;      ///< null for a mesh of frame A
  bool moves;             ///< belongs to B

  /// The point by definition: the double-double value of X_AM * body.
  Vector3dd Exact() const {
    return X_AM == nullptr ? ToDoubleDouble(body) : *X_AM * ToDoubleDouble(body);
  }
};

/// The vertices of a face, counterclockwise from outside.
using MeshCorners = std::array<const MeshPoint*, 3>;

/// Bound of |local − (p − O)| of a component is kLocalError·(M + rounding_scale) with M the largest
/// component of local.
inline constexpr double kLocalError = 0x1p-49;

/// A face with what the test of a point against its plane needs.
struct MeshFacePlane {
  MeshCorners corners;
  Eigen::Vector3d normal;  ///< of local coordinates, twice the area vector
  double size;             ///< largest component of an edge
  double reach;            ///< largest component of a corner

  MeshFacePlane() = default;
  explicit MeshFacePlane(const MeshCorners& q);
};

class MeshPredicates {
 public:
  /// `rounding_scale` [m] covers the rounding that |local| does not show.
  explicit MeshPredicates(double rounding_scale) : scale_(rounding_scale) {}

  double rounding_scale() const { return scale_; }

  /// +1 when p lies on the outer side of the face q0 q1 q2 of the other mesh, else −1; 0 when
  /// the face has no area.
  int SideOfFace(const MeshCorners& q, const MeshPoint& p) const;

  /// The same, faster for many points.
  int SideOfFace(const MeshFacePlane& q, const MeshPoint& p) const;

  /// The sign of (p1 − p0)·((q0 − p0) × (q1 − p0)) for edges of different meshes: which side of the
  /// line q0 q1 the line p0 p1 passes. 0 when the lines are parallel and meet nowhere else.
  int SideOfLine(const MeshPoint& p0, const MeshPoint& p1, const MeshPoint& q0,
                 const MeshPoint& q1) const;

 private:
  double scale_;
};

/// Whether a face has no area, exactly.
bool HasNoArea(const MeshCorners& q);

/// (b − a)·((c − a) × (d − a)) of local coordinates.
double OrientLocal(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                   const Eigen::Vector3d& d);

/// The same in double-double, and a bound of its error.
DoubleDouble OrientPrecise(const Vector3dd& a, const Vector3dd& b, const Vector3dd& c,
                           const Vector3dd& d, double* error);

/// Where the segment from p0 to p1, which crosses the plane of q, does so: the exact part of its
/// length, rounded to 2^-98. False when the volumes it is the ratio of are beyond doubles.
bool ExactCrossing(const std::array<Vector3dd, 3>& q, const Vector3dd& p0, const Vector3dd& p1,
                   DoubleDouble* t);

}  // namespace volcontact
