// The answer of a query on an overlap.
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
  long cells = 0;  ///< octree cells classified; for meshes: crossings
  /// Pieces that were integrated: pieces of edges or faces (boundary), panels of slices (columns).
  /// For a mesh beside a curved solid: the faces that are cut, or the columns.
  long leaves = 0;
  double seconds = 0.0;  ///< wall time inside the library call
  int threads = 1;       ///< threads allowed
  /// Pieces of edges that were summed; 0 for two meshes, and if columns answered for all.
  long edges = 0;
  /// Why columns answered instead of sums over edges; else empty.
  std::string fallback;
};

/// Moments of one volume at unit density, and how they were found. W is the frame of the solids'
/// poses: the world for PreparedPair::Query(X_WA, X_WB), A's frame for QueryRelative(X_AB), the
/// frame of the solid for ComputeMassProperties. A plain value: threads may read one at the same
/// time. About 1.5 kB, and more memory only with warnings.
struct VolumeMetrics {
  double volume = 0.0;  ///< V [m³]
  /// Bracket [m³]: the true volume of the solids as given in doubles lies in it. See
  /// QueryOptions::bound_volume.
  std::optional<std::array<double, 2>> volume_bounds;
  double volume_error = 0.0;                             ///< estimated absolute error [m³]
  Eigen::Vector3d centroid_W = Eigen::Vector3d::Zero();  ///< [m]
  Eigen::Matrix3d inertia_W = Eigen::Matrix3d::Zero();   ///< about the centroid [m⁵]
  bool converged = true;                                 ///< the tolerance was reached
  double tolerance = 0.0;                                ///< relative, as requested
  Method method = Method::kAuto;                         ///< the method used
  Statistics stats;
  std::vector<std::string> warnings;
};

/// Metrics of the overlap of two solids A and B, or of one patch of it; W as for VolumeMetrics.
struct Metrics : VolumeMetrics {
  /// Whether an overlap was found. False if the solids do not overlap: then volume is 0, and
  /// `distance` bounds the distance. Also false if that is undecided.
  bool overlap = false;
  /// Effort or time ended before an overlap, or its absence, was proved. Then volume is the middle
  /// of volume_bounds, all other values are unknown, and nothing has converged.
  bool undecided = false;
  /// Unit contact normal, from B toward A: the eigenvector of J_v nearest a (ComputeContactNormal).
  /// Zero if neither has a direction, as for a ball inside another ball; then contact_area,
  /// mean_height and gyration_radius are 0.
  Eigen::Vector3d normal_W = Eigen::Vector3d::Zero();
  /// a/|a|, the direction of A's motion in which V falls fastest. Zero if a is zero to rounding, as
  /// for one solid inside the other.
  Eigen::Vector3d area_normal_W = Eigen::Vector3d::Zero();
  /// a, the integral of B's outward normal over the part of B's boundary inside A [m²]. A
  /// translation d of A changes V by −a·d. The tolerance is on the moments. The error of a, and of
  /// the contact area, is at most ten times the tolerance, or 2e-6 of the contact area, whichever
  /// is more.
  Eigen::Vector3d area_vector_W = Eigen::Vector3d::Zero();
  /// The integral of r × n over the same surface, r from the centroid [m³]. A small rotation w of A
  /// about the centroid changes V by −m·w.
  Eigen::Vector3d area_moment_W = Eigen::Vector3d::Zero();
  /// A_c, area of the projection along the normal [m²]. NaN, with mean_height, if
  /// QueryOptions::contact_area is false and there is an overlap.
  double contact_area = 0.0;
  double mean_height = 0.0;      ///< h_v = V/A_c [m]
  double gyration_radius = 0.0;  ///< r_gyr = sqrt(n·J_v·n/V) [m] (Gonthier 2007, Eq. (4.212))
  /// The second derivative of V [m, m², m³ by blocks] by the motion of A that takes its points p_c
  /// + r to p_c + d + exp(w×) r, with p_c the present centroid: first the translation d [m] along
  /// the axes of W, then the rotation vector w [rad]. Symmetric; its first three rows are those of
  /// −∂a. Present if QueryOptions::hessian is set, with three exceptions, of which a warning gives
  /// the reason. There is no overlap. V has no second derivative (faces of A and B coincide, or
  /// touch on an edge of the overlap). There is no sum over edges (columns, patches of two
  /// polyhedra). The error is about the tolerance times the largest
  /// entries, scaled by the overlap's extents (docs/theory.md, section 16).
  std::optional<Matrix6> hessian_W;
  /// The derivative of the centroid by the same motion [1, m by blocks]; present with the Hessian.
  std::optional<Matrix36> centroid_derivative_W;
  /// The derivatives of J_v about the centroid, by motion [m⁴, then m⁵]; present with the Hessian.
  std::optional<std::array<Eigen::Matrix3d, 6>> inertia_derivative_W;
  /// Lower bound of the distance between the solids [m]. 0 if they overlap, and if none was proved.
  /// Empty if it was not requested (QueryOptions::bound_distance) and the method does not know it.
  std::optional<double> distance;
  /// A point of A and a point of B that are about as near as any; see Separation::nearest_W. Empty
  /// if none are known, for example if a formula gives the distance.
  std::optional<std::array<Eigen::Vector3d, 2>> nearest_W;
};

/// A line through `point` [m] along the unit vector `direction`. A plain value.
struct SampleAxis {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  Eigen::Vector3d direction = Eigen::Vector3d::UnitZ();
};

/// A point of a volume, with the part of the volume that it represents.
struct VolumeSample {
  Eigen::Vector3d point_W = Eigen::Vector3d::Zero();  ///< [m]
  double volume = 0.0;                                ///< [m³], > 0 but for two polyhedra
};

VOLCONTACT_NAMESPACE_END
