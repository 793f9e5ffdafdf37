// A plane beside a triangle mesh.
#pragma once

#include <Eigen/Core>

#include "math/arithmetic/vector_double_double.h"
#include "solids/mesh/mesh_tree.h"

namespace volcontact {

/// The half-space n·p + d <= 0 in the mesh's frame, |n| = 1.
struct MeshPlane {
  Vector3dd n;
  DoubleDouble d;

  /// Its height over the plane, with the digits of double-doubles relative to |p| and d.
  DoubleDouble HeightOf(const Vector3dd& p_M) const;
  /// The same, rounded; a third of the cost.
  double HeightOf(const Eigen::Vector3d& p_M) const {
    DoubleDouble sum = d;
    for (int i = 0; i < 3; ++i) {
      const DoubleDouble product = TwoProduct(n[i].hi, p_M[i]);
      const DoubleDouble next = TwoSum(sum.hi, product.hi);
      sum = {next.hi, sum.lo + (next.lo + (product.lo + n[i].lo * p_M[i]))};
    }
    return sum.hi + sum.lo;
  }
};

/// A point and its height above a plane.
struct PointAtHeight {
  Eigen::Vector3d p;
  double height;
};

/// Where an edge that starts below a plane and ends above crosses it: the same for both of its
/// faces.
inline Eigen::Vector3d OnEdge(const PointAtHeight& below, const PointAtHeight& above) {
  const double t = below.height / (below.height - above.height);
  return t < 0.5 ? Eigen::Vector3d(below.p + t * (above.p - below.p))
                 : Eigen::Vector3d(above.p + (1.0 - t) * (below.p - above.p));
}

/// The size of the coordinates of all that a cut deals with.
double SizeOf(const MeshTree& mesh, const MeshPlane& plane);

}  // namespace volcontact
