// Convex primitives for distance computations: nearest points, and supporting planes.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "solids/tree/solid_node.h"

namespace volcontact {

/// A ball, capsule, ellipsoid, cylinder, cone, layer (a half-space or a slab), box, or the hull of
/// a torus, in its own frame. A plain value. All lengths in m.
class ConvexBody {
 public:
  /// Nothing for other shapes, and for boxes: beside a mesh their edges are those of a mesh.
  static std::optional<ConvexBody> Of(const Shape& shape);
  /// The box about the origin with these half extents.
  static ConvexBody BoxOf(const Eigen::Vector3d& half);
  /// The hull of a torus: the points no farther than the minor radius from the circle's disc.
  static ConvexBody HullOf(const TorusShape& torus);

  /// The point of the body nearest to a point p outside of it.
  struct Foot {
    double distance = 0.0;  ///< 0 where p is inside; then the rest has no meaning
    Eigen::Vector3d point = Eigen::Vector3d::Zero();
    /// Unit, outwards: the direction from the foot to p, to full precision however near p is, but
    /// over a rim, where it is as good as p's coordinates allow.
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();
  };
  Foot FootOf(const Eigen::Vector3d& p) const;

  /// The largest n·x of the body, infinite where there is none. To some roundings of the body's
  /// size, for every n.
  double Support(const Eigen::Vector3d& n) const;
  /// A point of the body that has it; nothing where the support is infinite.
  std::optional<Eigen::Vector3d> SupportPoint(const Eigen::Vector3d& n) const;

  bool IsLayer() const { return kind_ == Kind::kLayer; }

 private:
  enum class Kind { kSpine, kLayer, kTube, kDisc, kFrustum, kEllipsoid, kBox };

  Foot FootOnEllipsoid(const Eigen::Vector3d& p) const;
  Foot FootOnFrustum(const Eigen::Vector3d& p) const;

  Kind kind_ = Kind::kSpine;
  // Along z: of a spine (a segment, with a ball of radius low_ about each of its points), a layer
  // (where one may be infinite), a frustum. Radii there: of the tube both, of a spine low_; of a
  // disc, with a ball of radius low_ about each of its points, high_.
  double bottom_ = 0.0, top_ = 0.0;
  double low_ = 0.0, high_ = 0.0;
  Eigen::Vector3d semi_axes_ = Eigen::Vector3d::Zero();  // of a box the half extents
};

}  // namespace volcontact
