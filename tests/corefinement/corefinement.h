// The overlap of two meshes by CGAL's corefinement, for tests and benches. This header shows
// nothing of CGAL, whose templates are compiled once.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <vector>

#include "volcontact/math/pose.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact::testing {

/// Moments of a solid, computed in rational numbers and rounded once at the end.
struct ExactMoments {
  double volume = 0.0;                                 ///< [m³]
  Eigen::Vector3d centroid = Eigen::Vector3d::Zero();  ///< in the frame of A [m]
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();   ///< about the centroid, density 1 [m⁵]
};

/// The moments of the overlap of A with B at X_AB; the rigid motion is the exact one that the pose
/// denotes. Nothing if the intersection is not a manifold, which corefinement cannot represent.
std::optional<ExactMoments> CorefinedOverlap(const TriangleMesh& A, const TriangleMesh& B,
                                             const Pose& X_AB);

/// The same of each closed surface that bounds the overlap, largest first; empty where corefinement
/// cannot tell them. Those of solids without cavities bound one component each.
std::vector<ExactMoments> CorefinedPatches(const TriangleMesh& A, const TriangleMesh& B,
                                           const Pose& X_AB);

/// Whether new points are computed in exact numbers, or rounded to doubles.
enum class Constructions { kExact, kInexact };

/// A single intersection in two steps, so that the costly one can be timed alone.
class Corefinement {
 public:
  virtual ~Corefinement() = default;
  /// Intersects, once; false when the intersection is not a manifold.
  virtual bool Run() = 0;
  /// The volume of the intersection [m³].
  virtual double Volume() const = 0;
};

/// The corefinement of A with B moved by t [m], its points rounded as the constructions are.
std::unique_ptr<Corefinement> MakeCorefinement(Constructions constructions, const TriangleMesh& A,
                                               const TriangleMesh& B, const Eigen::Vector3d& t);

/// A solid with another joined to it or taken from it.
enum class Combination { kUnion, kDifference };

/// Its surface, new points rounded to doubles; nothing when it is not a manifold.
std::optional<TriangleMesh> Combined(Combination combination, const TriangleMesh& A,
                                     const TriangleMesh& B);

}  // namespace volcontact::testing
