// Queries on the interference volume of two solids.
#pragma once

#include <memory>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/math/pose.h"
#include "volcontact/overlap/metrics.h"
#include "volcontact/overlap/options.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN

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

VOLCONTACT_NAMESPACE_END
