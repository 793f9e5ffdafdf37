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

/// How far two solids are from each other. A plain value.
struct Separation {
  /// A certified lower bound of the distance [m]; see PreparedPair::DistanceBound.
  double distance_bound = 0.0;
  /// A point of A and one of B, but for rounding, that are about as near as any: their distance is
  /// not less than the solids', and as a rule not more than that by a tenth. Nothing where none
  /// were found, and for solids that touch or overlap.
  std::optional<std::array<Eigen::Vector3d, 2>> nearest_W;
};

/// World poses of the frames of two solids.
struct PosePair {
  Pose X_WA, X_WB;
};

/// Two solids made ready for many queries: what can be known without their poses is found once,
/// and so is what kind of pair they are.
///
/// Threads: immutable, so any number of threads may call all const members of one pair at the same
/// time. Memory: a pair holds its solids compiled, some 10 kB for primitives and in proportion to
/// the surfaces for CSG; meshes are shared with the solids, not copied. Scratch memory belongs to
/// the calling thread and serves all pairs: it grows to what the largest query needs and stays
/// until the thread ends, so that a query of a kind that was made before allocates nothing, nor
/// does the test for an overlap. Exceptions are the text of answers (warnings, reasons), a mesh
/// beside curved primitives or slabs, unbounded solids, bounding distances, patches and samples;
/// and where one query has several threads, which share the work differently each time, what one
/// of them has not done before. Cost of a query: about 1 µs
/// for closed forms, 30 to 400 µs for two convex solids, a few to some hundred milliseconds for
/// CSG, 40 µs and up for meshes with the faces that cross (docs/benchmarks.md).
class VOLCONTACT_EXPORT PreparedPair {
 public:
  /// Throws InvalidInput when a solid cannot be compiled. Cost: some 10 µs for primitives, in
  /// proportion to the surfaces for CSG; meshes were prepared when they were made solids.
  PreparedPair(const Solid& A, const Solid& B);
  ~PreparedPair();
  PreparedPair(PreparedPair&&) noexcept;  ///< Queries of what was moved from throw InvalidInput.
  PreparedPair& operator=(PreparedPair&&) noexcept;

  /// Metrics of A ∩ B for the given world poses of the solids' frames. Throws InvalidInput for an
  /// invalid pose or option, for a forced method that does not apply to the pair, and when the
  /// overlap is unbounded. Non-convergence is reported, not thrown.
  Metrics Query(const Pose& X_WA, const Pose& X_WB, const QueryOptions& options = {}) const;

  /// The same for B's pose in A's frame: whatever is named _W in the answer, and
  /// options.previous_normal_W, is in A's frame then.
  Metrics Query(const Pose& X_AB, const QueryOptions& options = {}) const;

  /// The contact patches: the metrics of each connected component of A ∩ B, for the given world
  /// poses. Largest volume first, equal ones by their centroids; none without overlap. Their
  /// moments and area vectors add up to those of Query, to its tolerance (of meshes to rounding).
  ///
  /// Of a mesh with a mesh, box, slab or half-space: components that meet in a vertex or an edge
  /// alone are two; those that only a sheet of flush faces connects may come as one, and faces that
  /// are flush but for the rounding of their poses may make a patch of that thickness. The cost
  /// grows with the faces inside the other solid, one by one, 1 to 3 µs each (Query takes most of
  /// them in groups).
  ///
  /// Of solids without meshes: components that planes, or an ellipsoid or a box around one, can
  /// tell apart with a gap of some twentieth of what is around; others (links of a chain, parts
  /// about to touch) come as one. Each costs a query of its own, 0.1 ms to be told apart where it
  /// is convex, and 1 to 5 ms otherwise. Where both solids are convex there is one patch at most,
  /// that of Query; so it is wherever there is one.
  ///
  /// Of a mesh beside any other solid, or as a part of one: as of solids without meshes; each costs
  /// a query of its own, and 3 to 20 ms to be told apart.
  ///
  /// Allocates memory. Throws InvalidInput for two meshes that do not hang together (faces without
  /// area beside a crossing), for kClosedForm and kVoxel of solids that are not both convex,
  /// and as Query does.
  std::vector<Metrics> QueryPatches(const Pose& X_WA, const Pose& X_WB,
                                    const QueryOptions& options = {}) const;

  /// Queries many poses X_AB, spread over options.threads threads; results in the order of the
  /// poses and equal to those of Query(X_AB), bit by bit, so in A's frame, too. Where
  /// options.max_seconds ended it there are fewer: those of the poses that were begun before.
  std::vector<Metrics> QueryBatch(const std::vector<Pose>& poses_AB,
                                  const QueryOptions& options = {}) const;

  /// The same for world poses of both solids: results are those of Query(X_WA, X_WB).
  std::vector<Metrics> QueryWorldBatch(const std::vector<PosePair>& poses_W,
                                       const QueryOptions& options = {}) const;

  /// What takes the metrics of a batch, each with its place in it.
  using TakeMetrics = std::function<void(std::size_t index, const Metrics& metrics)>;

  /// Queries `count` pairs of world poses, spread over options.threads threads, and hands each
  /// answer to `take` as it comes, on the thread that found it: in any order, and several at the
  /// same time where there are several threads. Equal to those of Query(X_WA, X_WB), bit by bit.
  /// For batches that keep only a part of each answer, which takes 1.5 kB. Throws InvalidInput that
  /// names the place of the poses or the query that fails, and what `take` throws; some of the
  /// others may have been taken by then. Returns `count`, or after options.max_seconds how many,
  /// from the first, have all been taken.
  std::size_t QueryEach(std::size_t count, const Pose* X_WA, const Pose* X_WB,
                        const QueryOptions& options, const TakeMetrics& take) const;

  /// A quadrature of the overlap, in the world frame: ∫ f dV ≈ Σ f(point)·volume, to about
  /// options.tolerance for smooth f, and to 1e-3 for the direction of a velocity that vanishes in
  /// the overlap. For integrals over the pressure of a contact, which is proportional to the
  /// volume's height along the normal. Empty without overlap. With meshes some
  /// volumes are negative, and what they take away others have too much. Throws InvalidInput as
  /// Query does. Cost: about twice that of the octree method; of a mesh with a mesh, box, slab or
  /// half-space some microseconds a face in it, of a mesh beside other solids some 0.1 to 1 ms.
  std::vector<VolumeSample> SampleVolume(const Pose& X_WA, const Pose& X_WB,
                                         const QueryOptions& options = {}) const;

  /// The same for functions that are smooth in every half-plane that begins at a line, given in the
  /// world, and do not change along it, as the velocity's direction about an axis of rotation: by
  /// columns along the line in such half-planes, one sample each, to about options.tolerance as
  /// well. The line may miss the overlap; it should pass within some of its widths, as cost and
  /// error grow beyond. Throws InvalidInput as SampleVolume, and for a direction that is no unit
  /// vector. Cost: about a third of that.
  std::vector<VolumeSample> SampleVolumeAbout(const SampleAxis& axis_W, const Pose& X_WA,
                                              const Pose& X_WB,
                                              const QueryOptions& options = {}) const;

  /// Whether the interiors of A and B meet; stops at the first proof. kUndecided when a bounded
  /// effort proves neither: a touch, or an overlap or a gap that is thin beside the rounding of the
  /// poses. For a mesh beside curved solids a proof holds but for 1e-13 of the coordinates, to
  /// which its faces are rounded, and thin overlaps may stay undecided. Throws InvalidInput as
  /// Query does. Cost: that of Query for closed forms and meshes, without normal and distance; a
  /// few cells for other pairs, at most 100,000 (some 100 ms); for a mesh beside curved solids that
  /// of a loose Query.
  OverlapProof Overlaps(const Pose& X_WA, const Pose& X_WB) const;

  /// A lower bound of the distance between separated solids [m], within a tenth of the true
  /// distance as a rule: where one solid at least is bounded and, if there are meshes in them, each
  /// is a union of meshes, of solids without, and of combinations with one mesh; less, down to 0,
  /// where the effort is spent, as where the nearest points are both on edges, and much nearer to
  /// each other than these are long. 0 when they overlap, touch (or are nearer than 1e-12 of their
  /// size), or nothing was proved; infinite when one of them is proved empty. Throws InvalidInput
  /// for an invalid pose. Cost: 10 to 100 µs for a mesh and a convex primitive, 0.1 to 10 ms for
  /// two meshes, 0.02 to 0.5 ms for curved solids, up to some 60 ms where their charts do not tell;
  /// allocates memory.
  double DistanceBound(const Pose& X_WA, const Pose& X_WB) const;

  /// That bound with the points found nearest to each other. Cost: the same.
  Separation Separate(const Pose& X_WA, const Pose& X_WB) const;

  /// A function of the pose for simulators that locate events, continuous through first contact:
  /// the distance bound when separated, minus the cube root of the volume when overlapping
  /// (Gonthier 2007, App. A.3.2) [m]. Throws InvalidInput and costs as Query with default options.
  double EventFunction(const Pose& X_WA, const Pose& X_WB) const;

 private:
  struct VOLCONTACT_LOCAL Impl;
  std::unique_ptr<const Impl> impl_;
};

/// Metrics of A ∩ B, both given in the frame that the answer calls W; prepares the pair and queries
/// it once.
VOLCONTACT_EXPORT Metrics Query(const Solid& A, const Solid& B, const QueryOptions& options = {});

VOLCONTACT_NAMESPACE_END
