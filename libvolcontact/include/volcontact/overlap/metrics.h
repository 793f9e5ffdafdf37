// What a query on an overlap answers.
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/math/matrix6.h"
#include "volcontact/overlap/options.h"

VOLCONTACT_NAMESPACE_BEGIN

struct Statistics {
  long cells = 0;  ///< octree cells classified; of meshes: crossings
  /// Pieces of edges, of two meshes those of faces (boundary), panels of slices (columns); of a
  /// mesh beside a curved solid the faces cut, or the tetrahedra.
  long leaves = 0;
  double seconds = 0.0;  ///< wall time inside the library call
  int threads = 1;       ///< threads allowed
  /// Pieces of edges summed; 0 of two meshes, and where columns answered for all.
  long edges = 0;
  /// Why columns, or a mesh's tetrahedra, answered and not sums over edges; empty otherwise.
  std::string fallback;
};

/// Moments of one volume at unit density, and how they were found. W is the frame in which the
/// solids' poses were given: the world for PreparedPair::Query(X_WA, X_WB), A's frame for
/// Query(X_AB), the frame of the solid for ComputeMassProperties. A plain value: threads may read
/// one at the same time; about 1.5 kB, and memory of its own only with warnings.
struct VolumeMetrics {
  double volume = 0.0;  ///< V [m³]
  /// Certified bracket [m³]: the true volume of the solids as given in doubles lies in it. See
  /// QueryOptions::bound_volume.
  std::optional<std::array<double, 2>> volume_bounds;
  double volume_error = 0.0;                             ///< estimated absolute error [m³]
  Eigen::Vector3d centroid_W = Eigen::Vector3d::Zero();  ///< [m]
  Eigen::Matrix3d inertia_W = Eigen::Matrix3d::Zero();   ///< about the centroid [m⁵]
  bool converged = true;                                 ///< the tolerance was reached
  double tolerance = 0.0;                                ///< relative, as it was asked for
  Method method = Method::kAuto;                         ///< the method used
  Statistics stats;
  std::vector<std::string> warnings;
};

/// Metrics of the overlap of two solids A and B, or of one patch of it; W as for VolumeMetrics.
struct Metrics : VolumeMetrics {
  /// Whether an overlap was found. False when the solids do not overlap: then volume is 0 and
  /// `distance` bounds the separation; and where that is undecided.
  bool overlap = false;
  /// Effort or time ended before an overlap was found, or shown not to be there. Then volume is the
  /// middle of volume_bounds, all but these is unknown, and nothing has converged.
  bool undecided = false;
  /// Unit contact normal, from B toward A: the eigenvector of J_v nearest a (ComputeContactNormal).
  /// Zero where neither of them has a direction, as for a ball inside another; then contact_area,
  /// mean_height and gyration_radius are 0.
  Eigen::Vector3d normal_W = Eigen::Vector3d::Zero();
  /// a/|a|, the direction in which V falls fastest as A moves; zero where a is all rounding, as
  /// where one solid lies inside the other.
  Eigen::Vector3d area_normal_W = Eigen::Vector3d::Zero();
  /// a, the integral of B's outward normal over the part of B's boundary inside A [m²];
  /// moving A by d changes V by −a·d. The tolerance is on the moments; a, and the contact area,
  /// follow to ten times it, or to 2e-6 of the contact area, whichever is more.
  Eigen::Vector3d area_vector_W = Eigen::Vector3d::Zero();
  /// The integral of r × n over the same surface, r from the centroid [m³]; turning A by the small
  /// rotation vector w about the centroid changes V by −m·w.
  Eigen::Vector3d area_moment_W = Eigen::Vector3d::Zero();
  /// A_c, area of the projection along the normal [m²]; NaN, with mean_height, of an overlap of
  /// which QueryOptions::contact_area did not ask for it.
  double contact_area = 0.0;
  double mean_height = 0.0;      ///< h_v = V/A_c [m]
  double gyration_radius = 0.0;  ///< r_gyr = sqrt(n·J_v·n/V) [m] (Gonthier 2007, Eq. (4.212))
  /// The second derivative of V [m, m², m³ by blocks] by the motion of A that takes its points
  /// p_c + r to p_c + d + exp(w×) r, p_c the present centroid: first the translation d [m] along
  /// the axes of W, then the rotation vector w [rad]. Symmetric; its first three rows are those of
  /// −∂a. Where QueryOptions::hessian asked for it; nothing without overlap, where V has none
  /// (faces of A and B coincide, or touch on an edge of the overlap) and where no sum over edges is
  /// to be had (columns, meshes cut into tetrahedra, patches of two polyhedra): a warning says why.
  /// To about the tolerance, of its largest entries as the overlap's extents scale them
  /// (docs/theory.md, section 16).
  std::optional<Matrix6> hessian_W;
  /// The derivative of the centroid by the same motion [1, m by blocks]; there when the Hessian is.
  std::optional<Matrix36> centroid_derivative_W;
  /// Those of J_v about the centroid, by motion [m⁴, then m⁵]; there when the Hessian is.
  std::optional<std::array<Eigen::Matrix3d, 6>> inertia_derivative_W;
  /// Lower bound of the distance between the solids [m]: 0 where they overlap, and where none was
  /// proved; nothing where it was not asked for (QueryOptions::bound_distance) and the method that
  /// answered does not know it.
  std::optional<double> distance;
  /// With it, a point of A and one of B that are about as near to each other as any; see
  /// Separation::nearest_W. Nothing where none are known, as where a formula tells the distance.
  std::optional<std::array<Eigen::Vector3d, 2>> nearest_W;
};

/// A line through `point` [m] along the unit vector `direction`. A plain value.
struct SampleAxis {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  Eigen::Vector3d direction = Eigen::Vector3d::UnitZ();
};

/// A point of a volume with the part of it that it stands for.
struct VolumeSample {
  Eigen::Vector3d point_W = Eigen::Vector3d::Zero();  ///< [m]
  double volume = 0.0;                                ///< [m³], > 0 without meshes
};

VOLCONTACT_NAMESPACE_END
