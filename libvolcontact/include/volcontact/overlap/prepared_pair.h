// Queries on the overlap of two solids.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/math/pose.h"
#include "volcontact/overlap/metrics.h"
#include "volcontact/overlap/options.h"
#include "volcontact/overlap/overlap_proof.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Distance between two solids. A plain value.
struct Separation {
  /// A certified lower bound of the distance [m]; see PreparedPair::DistanceBound.
  double distance_bound = 0.0;
  /// A point of A and a point of B (to rounding) that are about as near as any. Their distance is
  /// at least the distance of the solids, and usually at most a tenth more. Empty if none were
  /// found, and for solids that touch or overlap.
  std::optional<std::array<Eigen::Vector3d, 2>> nearest_W;
};

/// World poses of the frames of two solids.
struct PosePair {
  Pose X_WA, X_WB;
};

/// Two solids, prepared for many queries. Everything that does not depend on their poses is
/// computed once, including the kind of the pair.
///
/// Threads: immutable, so any number of threads may call const members of one pair at the same
/// time.
///
/// Memory: a pair holds its compiled solids, about 10 kB for primitives and in proportion to the
/// surfaces for CSG. Meshes are shared with the solids, not copied. Scratch memory belongs to the
/// calling thread and serves all pairs. It grows to the need of the largest query and stays until
/// the thread ends. So a repeated query of one kind allocates nothing, nor does the test for an
/// overlap. Exceptions: the text of answers (warnings, reasons), a mesh beside curved primitives or
/// slabs, unbounded solids, distance bounds, patches, samples, and work that a thread does for the
/// first time in a query with several threads.
///
/// Cost of a query: about 1 µs for closed forms, 30 to 400 µs for two convex solids, a few to some
/// hundred milliseconds for CSG, 40 µs and more for meshes, in proportion to the faces that cross
/// (docs/benchmarks.md).
class VOLCONTACT_EXPORT PreparedPair {
 public:
  /// Throws InvalidInput if a solid cannot be compiled. Cost: about 10 µs for primitives, in
  /// proportion to the surfaces for CSG. Meshes were prepared when they became solids.
  PreparedPair(const Solid& A, const Solid& B);
  ~PreparedPair();
  PreparedPair(PreparedPair&&) noexcept;  ///< Queries of a moved-from pair throw InvalidInput.
  PreparedPair& operator=(PreparedPair&&) noexcept;

  /// Metrics of A ∩ B for the given world poses of the solids' frames. Throws InvalidInput for an
  /// invalid pose or option, for a forced method that does not apply to the pair, and when the
  /// overlap is unbounded. Non-convergence is reported, not thrown.
  Metrics Query(const Pose& X_WA, const Pose& X_WB, const QueryOptions& options = {}) const;

  /// The same for B's pose in A's frame. All results named _W, and options.previous_normal_W, are
  /// then in A's frame.
  Metrics QueryRelative(const Pose& X_AB, const QueryOptions& options = {}) const;
  [[deprecated("use QueryRelative")]] Metrics Query(const Pose& X_AB,
                                                    const QueryOptions& options = {}) const {
    return QueryRelative(X_AB, options);
  }

  /// The contact patches: the metrics of each connected component of A ∩ B at the given world
  /// poses. The largest volume comes first, equal volumes are ordered by their centroids. Empty
  /// without overlap. Moments and area vectors add up to those of Query, to its tolerance (for
  /// meshes to rounding).
  ///
  /// A mesh with a mesh, box, slab or half-space: components that meet only in a vertex or an edge
  /// are two patches. Components that only a sheet of flush faces connects may come as one. Faces
  /// that are flush to the rounding of their poses may make a patch of that thickness. The cost
  /// grows with the number of faces inside the other solid, 1 to 3 µs each. (Query takes most of
  /// them in groups.)
  ///
  /// Solids without meshes: planes, or an ellipsoid or a box around one component, separate
  /// components if the gap is about a twentieth of their surroundings. Others (links of a chain,
  /// parts about to touch) come as one. Each patch costs one query, and for the separation 0.1 ms
  /// if it is convex, else 1 to 5 ms. Two convex solids have at most one patch, that of Query; the
  /// same holds for any single patch.
  ///
  /// A mesh beside any other solid, or as a part of one: as for solids without meshes. Each patch
  /// costs one query, and 3 to 20 ms for the separation.
  ///
  /// Allocates memory. Throws as Query does, and InvalidInput for two meshes that are not connected
  /// (faces without area beside a crossing), and for kClosedForm and kVoxel with solids that are
  /// not both convex.
  std::vector<Metrics> QueryPatches(const Pose& X_WA, const Pose& X_WB,
                                    const QueryOptions& options = {}) const;

  /// Queries many pairs of world poses on options.threads threads. Results are in the order of the
  /// poses and equal those of Query to the last bit. If options.max_seconds ended the call, there
  /// are fewer results: those of the poses that were begun before.
  std::vector<Metrics> QueryBatch(const std::vector<PosePair>& poses_W,
                                  const QueryOptions& options = {}) const;
  [[deprecated("use QueryBatch")]] std::vector<Metrics> QueryWorldBatch(
      const std::vector<PosePair>& poses_W, const QueryOptions& options = {}) const {
    return QueryBatch(poses_W, options);
  }

  /// The same for poses X_AB of B in A's frame: results are those of QueryRelative, in A's frame.
  std::vector<Metrics> QueryRelativeBatch(const std::vector<Pose>& poses_AB,
                                          const QueryOptions& options = {}) const;

  /// Receives the metrics of a batch, each with its index.
  using TakeMetrics = std::function<void(std::size_t index, const Metrics& metrics)>;

  /// Queries `count` pairs of world poses on options.threads threads. Passes each answer to `take`
  /// on the thread that found it, in any order, and from several threads at the same time. Answers
  /// equal those of Query(X_WA, X_WB) to the last bit. Use it for batches that keep only a part of
  /// each answer (1.5 kB). Throws InvalidInput that names the index of the failing pose or query,
  /// and any exception of `take`; some of the other answers may have been passed by then. Returns
  /// `count`, or, after options.max_seconds, the number of answers from the first on that have all
  /// been passed.
  std::size_t QueryEach(std::size_t count, const Pose* X_WA, const Pose* X_WB,
                        const QueryOptions& options, const TakeMetrics& take) const;

  /// A quadrature of the overlap in the world frame: ∫ f dV ≈ Σ f(point)·volume. The error is about
  /// options.tolerance for smooth f, and 1e-3 for the direction of a velocity that vanishes in the
  /// overlap. It serves integrals over the pressure of a contact, which is proportional to the
  /// volume's height along the normal. Empty without overlap. With two polyhedra some volumes are
  /// negative, and others are too large by the same amount. With a mesh beside other solids the sum
  /// is exact for polynomials of second degree. Throws InvalidInput as Query does.
  /// Cost: about twice that of kBoundary; for a mesh with a mesh, box, slab or half-space a few
  /// microseconds for each face in it; for a mesh beside other solids 2 to 20 ms.
  std::vector<VolumeSample> SampleVolume(const Pose& X_WA, const Pose& X_WB,
                                         const QueryOptions& options = {}) const;

  /// The same for functions that are smooth in each half-plane bounded by a line in the world, and
  /// constant along the line. An example is the direction of the velocity about an axis of
  /// rotation. It uses columns along the line in such half-planes, with one sample each; the error
  /// is about options.tolerance. The line may miss the overlap, but should pass within a few of its
  /// widths, because cost and error grow beyond. Throws InvalidInput as SampleVolume does, and for
  /// a direction that is not a unit vector. Cost: about a third of SampleVolume.
  std::vector<VolumeSample> SampleVolumeAbout(const SampleAxis& axis_W, const Pose& X_WA,
                                              const Pose& X_WB,
                                              const QueryOptions& options = {}) const;

  /// Whether the interiors of A and B meet; stops at the first proof. kUndecided if a bounded
  /// effort proves neither: at a touch, or if an overlap or a gap is thin against the rounding of
  /// the poses. For a mesh beside curved solids a proof holds up to 1e-13 of the coordinates, to
  /// which its faces are rounded, and thin overlaps may stay undecided. Throws InvalidInput as
  /// Query does. Cost: that of Query without normal and distance for closed forms and meshes; a few
  /// cells for other pairs, at most 100,000 (about 100 ms); that of a loose Query for a mesh beside
  /// curved solids.
  OverlapProof Overlaps(const Pose& X_WA, const Pose& X_WB) const;

  /// A lower bound of the distance between separated solids [m], usually within a tenth of the true
  /// distance. This needs at least one bounded solid, and meshes only in unions of meshes, of
  /// solids without meshes, and of combinations with one mesh. The bound is smaller, down to 0, if
  /// the effort is spent, for example if both nearest points lie on edges that are much longer than
  /// their distance. It is 0 if the solids overlap, touch, or are nearer than 1e-12 of their size,
  /// and if nothing was proved. It is infinite if one solid is proved empty. Throws InvalidInput
  /// for an invalid pose. Cost: 10 to 100 µs for a mesh and a convex primitive, 0.1 to 10 ms for
  /// two meshes, 0.02 to 0.5 ms for curved solids, up to about 60 ms if their charts do not decide.
  /// Allocates memory.
  double DistanceBound(const Pose& X_WA, const Pose& X_WB) const;

  /// The same bound with the nearest points that were found. Cost: the same.
  Separation Separate(const Pose& X_WA, const Pose& X_WB) const;

  /// A function of the pose for simulators that locate events [m]. It is continuous through first
  /// contact: the distance bound if the solids are separated, minus the cube root of the volume if
  /// they overlap (Gonthier 2007, App. A.3.2). Throws InvalidInput and costs as Query does with
  /// default options.
  double EventFunction(const Pose& X_WA, const Pose& X_WB) const;

 private:
  struct VOLCONTACT_LOCAL Impl;
  std::unique_ptr<const Impl> impl_;
};

/// Metrics of A ∩ B, with both solids given in the frame that the answer calls W. Prepares the pair
/// and queries it once.
VOLCONTACT_EXPORT Metrics Query(const Solid& A, const Solid& B, const QueryOptions& options = {});

VOLCONTACT_NAMESPACE_END
