// A solid within convex bodies, and the distance of two solids by theirs.
#pragma once

#include <vector>

#include "math/rigid.h"
#include "overlap/distance/convex_distance.h"
#include "overlap/distance/faces/nearest_pair.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

/// Convex bodies whose union contains a solid, which is the base of a difference and one operand of
/// an intersection without what is cut off. Immutable.
class ConvexCover {
 public:
  explicit ConvexCover(const Solid& solid);

  /// Whether there is one: not for meshes, complements, general quadrics and quartics, and solids
  /// of very many parts.
  bool IsKnown() const { return !bodies_.empty(); }

 private:
  friend NearestPair CoverDistance(const ConvexCover& A, const ConvexCover& B, const Rigid& X_AB,
                                   double enough);
  friend bool DoPlanesSeparate(const ConvexCover& A, const ConvexCover& B, const Rigid& X_AB);

  struct Body {
    BodyAtPose placed;      // in the solid's frame
    Eigen::Vector3d inner;  // a point within
    double radius;          // of a ball about that point, which contains the body
  };

  bool Add(const Solid& solid, const Rigid& X_SP);
  bool AddPrimitive(const Solid& solid, const Rigid& X_SP);
  bool Holds(const Body& body, const Eigen::Vector3d& p, Eigen::Vector3d* within) const;

  Solid solid_;
  std::vector<Body> bodies_;
};

/// A certified lower bound of the distance of two solids: that of their covers, with the points
/// nearest to each other if these belong to the solids. 0 if the covers meet, or one is not known.
/// If there are points, both are the distance to about 1e-6 of itself. A bound above `enough` [m]
/// is left there, without points. With 0 a few steps decide whether the covers are apart; if not,
/// the bound is 0. Cost: 1 to 20 µs for each pair of bodies that are about as near as any.
NearestPair CoverDistance(const ConvexCover& A, const ConvexCover& B, const Rigid& X_AB,
                          double enough);

/// Whether planes separate all bodies of one cover from all of the other, but for roundings of the
/// coordinates: the solids are apart or touch (two cones along a line). Bodies that touch and are
/// moved apart a little show where the plane is. Cost: 5 to 50 µs for each pair of bodies.
bool DoPlanesSeparate(const ConvexCover& A, const ConvexCover& B, const Rigid& X_AB);

}  // namespace volcontact
