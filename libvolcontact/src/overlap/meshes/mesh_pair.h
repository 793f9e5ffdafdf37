// Queries on pairs of polyhedral solids of which at least one is a triangle mesh.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "overlap/meshes/mesh_half_space.h"
#include "overlap/meshes/mesh_overlap.h"
#include "overlap/query/metrics_builder.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

/// Scratch memory of one thread's mesh queries.
struct MeshWorkspace {
  MeshOverlap overlap;
  MeshCutter cutter;
  std::optional<MeshTree> box;  // in place of a slab or a half-space
};

/// A mesh with a mesh, a box, a slab, or a half-space. Immutable.
class MeshPair {
 public:
  /// Empty unless both solids, apart from poses, are a mesh, a box, a slab or a half-space, and one
  /// is a mesh.
  static std::optional<MeshPair> Prepare(const Solid& A, const Solid& B);

  /// Gives the builder all it needs for B's pose X_AB.
  void Query(const Rigid& X_AB, MeshWorkspace* workspace, MetricsBuilder* builder) const;

  /// The metrics of each connected component of the overlap, A's frame having the pose X_WA in the
  /// world: largest volume first, equal ones by their centroids. Throws InvalidInput as FindPatches
  /// does.
  std::vector<Metrics> QueryPatches(const Rigid& X_WA, const Rigid& X_AB,
                                    const QueryOptions& options, MeshWorkspace* workspace) const;

  /// A lower bound of the distance of separated solids [m].
  double DistanceBound(const Rigid& X_AB) const;

 private:
  static void QueryMeshes(const MeshTree& A, const MeshTree& B, const Rigid& X_AB,
                          MeshOverlap* overlap, MetricsBuilder* builder);
  // A box in place of the slab or the half-space that reaches past the mesh on all sides.
  MeshTree BoxFor(const Rigid& X_AB) const;
  void QuerySlab(const Rigid& X_AB, MeshWorkspace* workspace, MetricsBuilder* builder) const;
  void QueryHalfSpace(const Rigid& X_AB, MeshCutter* cutter, MetricsBuilder* builder) const;

  std::shared_ptr<const MeshTree> A_, B_;  // null: a half-space, or a slab
  double slab_thickness_ = 0.0;            // of the solid that is no mesh; 0 for a half-space
};

/// Moments of the solid a mesh bounds, in the mesh's frame.
RawMetrics MeshMoments(const MeshTree& mesh);

}  // namespace volcontact
