// Metrics of the interference volume of two solids, and mass properties of one.
#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "volcontact/math/pose.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

/// How the integrals are computed.
enum class Method {
  kAuto,        ///< closed form if there is one, else patch if both solids are convex, else octree
  kClosedForm,  ///< analytic formulas; only some pairs of primitives have one
  kPatch,   ///< polar quadrature over the contact patch; both solids convex, the octree if it fails
  kOctree,  ///< adaptive octree with column quadrature; any solids
  kMesh,    ///< exact sums over the crossings of triangle meshes
  kVoxel,   ///< counting voxels of fixed size (Gonthier 2007, App. A.3.2); for comparison
};

/// The command line's name of a method, "closed_form" for kClosedForm, and so on.
std::string MethodName(Method method);

struct QueryOptions {
  /// Relative tolerance on the volume, the centroid (by the size of the overlap) and the inertia;
  /// in (1e-14, 1).
  double tolerance = 1e-6;
  Method method = Method::kAuto;
  /// Edge of a voxel [m], > 0; needed by Method::kVoxel and read by nothing else.
  double voxel_size = 0.0;
  /// Worker threads at most, >= 1. The result does not depend on it, to the last bit.
  int threads = 1;
  /// Effort a query may spend, in octree cells and columns, before it reports "not converged". The
  /// patch quadrature gives up much earlier and leaves the pair to the octree.
  long max_cells = 2'000'000;
  /// Supply volume bounds also with Method::kPatch, from an octree.
  bool certify = false;
  /// Bound the distance where the solids do not overlap, which then takes most of the time. Without
  /// it Metrics::distance is set only where it comes for free, and is 0 otherwise.
  bool bound_distance = true;
  /// Normal found for this contact in the previous step, in the world frame, or zero when there is
  /// none; blended into the start of the eigenvector iteration (Gonthier 2007, Eq. (A.31)).
  Eigen::Vector3d previous_normal_W = Eigen::Vector3d::Zero();
};

struct Statistics {
  long cells = 0;        ///< octree cells classified
  long leaves = 0;       ///< panels of slices (octree) or half-slices (patch) that were integrated
  double seconds = 0.0;  ///< wall time inside the library call
  int threads = 1;       ///< threads allowed
};

/// Metrics of one volume in the world frame W at unit density.
struct Metrics {
  /// False when the solids do not overlap; then volume is 0 and `distance` bounds the separation.
  bool overlap = false;
  double volume = 0.0;  ///< V [m³]
  /// Certified bracket [m³]: the true volume of the solids as given in doubles lies in it.
  std::optional<std::array<double, 2>> volume_bounds;
  double volume_error = 0.0;                             ///< estimated absolute error [m³]
  Eigen::Vector3d centroid_W = Eigen::Vector3d::Zero();  ///< [m]
  Eigen::Matrix3d inertia_W = Eigen::Matrix3d::Zero();   ///< about the centroid [m⁵]
  Eigen::Vector3d normal_W = Eigen::Vector3d::Zero();    ///< unit contact normal, from B toward A
  /// a, the integral of B's outward normal over the part of B's boundary inside A [m²];
  /// moving A by d changes V by −a·d. The tolerance is on the moments; a, and the contact area,
  /// follow to ten times it, or to 2e-6 of the contact area, whichever is more.
  Eigen::Vector3d area_vector_W = Eigen::Vector3d::Zero();
  /// The integral of r × n over the same surface, r from the centroid [m³]; turning A by the small
  /// rotation vector w about the centroid changes V by −m·w.
  Eigen::Vector3d area_moment_W = Eigen::Vector3d::Zero();
  double contact_area = 0.0;     ///< A_c, area of the projection along the normal [m²]
  double mean_height = 0.0;      ///< h_v = V/A_c [m]
  double gyration_radius = 0.0;  ///< r_gyr = sqrt(n·J_v·n/V) [m] (Gonthier 2007, Eq. (4.212))
  double distance = 0.0;         ///< lower bound of the separation when there is no overlap [m]
  bool converged = true;         ///< the tolerance was reached
  double tolerance = 0.0;
  Method method = Method::kAuto;  ///< the method used
  Statistics stats;
  std::vector<std::string> warnings;
};

/// A point of a volume with the part of it that it stands for.
struct VolumeSample {
  Eigen::Vector3d point_W = Eigen::Vector3d::Zero();  ///< [m]
  double volume = 0.0;                                ///< [m³], > 0
};

/// Two solids made ready for many queries. Preparation compiles both; a query then allocates
/// nothing in the steady state. Immutable: any number of threads may query one pair at the same
/// time.
class PreparedPair {
 public:
  /// Throws InvalidInput when a solid cannot be compiled.
  PreparedPair(const Solid& A, const Solid& B);
  ~PreparedPair();
  PreparedPair(PreparedPair&&) noexcept;
  PreparedPair& operator=(PreparedPair&&) noexcept;

  /// Metrics of A ∩ B for the given world poses of the solids' frames. Throws InvalidInput for an
  /// invalid pose or option, for a forced method that does not apply to the pair, and when the
  /// overlap is unbounded. Non-convergence is reported, not thrown.
  Metrics Query(const Pose& X_WA, const Pose& X_WB, const QueryOptions& options = {}) const;

  /// The same with A's frame as the world frame.
  Metrics Query(const Pose& X_AB, const QueryOptions& options = {}) const;

  /// The contact patches: the metrics of each connected component of A ∩ B, for the given world
  /// poses. Largest volume first, equal ones by their centroids; none without overlap. Their
  /// moments and area vectors add up to those of Query, to rounding. Components that meet in a
  /// vertex or an edge alone are two; those that only a sheet of flush faces connects may come as
  /// one, and faces that are flush but for the rounding of their poses may make a patch of that
  /// thickness. For a mesh with a mesh, box, slab or half-space the cost grows with the faces
  /// inside the other solid, one by one, 1 to 3 µs each (Query takes most of them in groups), and
  /// memory is allocated. Where both solids are convex there is one patch at most, that of Query.
  /// Throws InvalidInput for other pairs, for meshes that do not hang together (faces without area
  /// beside a crossing), and as Query does.
  std::vector<Metrics> QueryPatches(const Pose& X_WA, const Pose& X_WB,
                                    const QueryOptions& options = {}) const;

  /// Queries many poses X_AB, spread over options.threads threads; results in the order of the
  /// poses and equal to those of single queries, bit by bit.
  std::vector<Metrics> QueryBatch(const std::vector<Pose>& poses_AB,
                                  const QueryOptions& options = {}) const;

  /// A quadrature of the overlap: ∫ f dV ≈ Σ f(point)·volume, to about options.tolerance for smooth
  /// f, and to 1e-3 for the direction of a velocity that vanishes in the overlap. For integrals
  /// over the pressure of a contact, which is proportional to the volume's height along the normal.
  /// Empty without overlap. Throws InvalidInput as Query does, and for meshes, of which it has no
  /// samples. Cost: about twice that of the octree method.
  std::vector<VolumeSample> SampleVolume(const Pose& X_WA, const Pose& X_WB,
                                         const QueryOptions& options = {}) const;

  /// True when the interiors of A and B meet; stops at the first proof. When neither proof
  /// is found with a bounded effort (a tangency), false.
  bool Overlaps(const Pose& X_WA, const Pose& X_WB) const;

  /// A lower bound of the distance between separated solids [m], as a rule within a tenth of the
  /// true distance for bounded solids, but less, down to 0, where walls run parallel along a curve
  /// (a peg in its hole); 0 when they overlap.
  double DistanceBound(const Pose& X_WA, const Pose& X_WB) const;

  /// A function of the pose for simulators that locate events, continuous through first contact:
  /// the distance bound when separated, minus the cube root of the volume when overlapping
  /// (Gonthier 2007, App. A.3.2) [m].
  double EventFunction(const Pose& X_WA, const Pose& X_WB) const;

 private:
  struct Impl;
  std::unique_ptr<const Impl> impl_;
};

/// Metrics of A ∩ B, both in the world frame; prepares the pair and queries it once.
Metrics Query(const Solid& A, const Solid& B, const QueryOptions& options = {});

/// Mass properties of one solid at unit density. The fields of Metrics that describe contact
/// (normal, area vector and moment, contact area) stay zero. Throws InvalidInput for an unbounded
/// solid.
struct MassProperties {
  Metrics metrics;
  Eigen::Vector3d principal_moments = Eigen::Vector3d::Zero();   ///< ascending [m⁵]
  Eigen::Matrix3d principal_axes = Eigen::Matrix3d::Identity();  ///< columns, right-handed
};
MassProperties ComputeMassProperties(const Solid& A, const QueryOptions& options = {});

}  // namespace volcontact
