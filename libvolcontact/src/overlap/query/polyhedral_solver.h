// Pairs of polyhedral solids of which at least one is a triangle mesh.
#pragma once

#include <memory>
#include <vector>

#include "overlap/meshes/mesh_overlap.h"
#include "overlap/meshes/sums/mesh_half_space.h"
#include "overlap/query/pair_solver.h"
#include "solids/mesh/mesh_tree.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

/// A mesh with a mesh, a box, a slab, or a half-space: exact sums over what crosses. Only
/// Method::kBoundary and kAuto apply.
class PolyhedralSolver final : public PairSolver {
 public:
  /// Whether both solids, apart from poses, are a mesh, a box, a slab or a half-space, and one is a
  /// mesh.
  static bool Applies(const Solid& A, const Solid& B);

  /// For a pair to which it applies.
  PolyhedralSolver(const Solid& A, const Solid& B);

  /// The contact area looks at the workspace.
  RawAnswer Query(const Rigid& X_AB, const QueryOptions& options,
                  Workspace* workspace) const override;
  /// Throws InvalidInput as FindPatches does.
  void Patches(const Rigid& X_AB, const QueryOptions& options, Workspace* workspace,
               const TakeAnswer& take) const override;
  std::vector<VolumeSample> Samples(const Rigid& X_AB, const std::optional<SampleAxis>& axis_A,
                                    const QueryOptions& options,
                                    Workspace* workspace) const override;
  NearestPair Separate(const Rigid& X_AB, bool are_apart, Workspace* workspace) const override;
  OverlapProof ProveOverlap(const Rigid& X_AB, Workspace* workspace) const override;

 private:
  const MeshTree& mesh() const { return A_.tree ? *A_.tree : *B_.tree; }
  double slab_thickness() const { return A_.tree ? B_.slab_thickness : A_.slab_thickness; }
  // A box in place of the slab or the half-space that reaches past the mesh on all sides.
  Aabb BoxFor(const Rigid& X_AB) const;
  // The sums over both meshes, a box standing in for what is none.
  MeshOverlapResult Overlay(const Rigid& X_AB, double precision, int threads,
                            Workspace* workspace) const;
  // The mesh cut by the half-space's plane.
  bool IsCut() const { return !(A_.tree && B_.tree) && slab_thickness() == 0.0; }
  MeshCut Cut(const Rigid& X_AB, double precision, MeshCutter* cutter) const;
  RawAnswer QueryMeshes(const Rigid& X_AB, const QueryOptions& options, Workspace* workspace) const;
  RawAnswer QueryHalfSpace(const Rigid& X_AB, const QueryOptions& options,
                           Workspace* workspace) const;
  // Both take the overlap that was found last.
  RawDerivatives DifferentiateMeshes(const RawMetrics& raw, Workspace* workspace) const;
  RawDerivatives DifferentiateHalfSpace(const RawMetrics& raw, const Rigid& X_AB,
                                        const MeshCut& cut, Workspace* workspace) const;
  // Between the surfaces, which is no distance where one solid lies in the other.
  NearestPair SurfaceGap(const Rigid& X_AB) const;

  // A solid of the pair.
  struct Side {
    explicit Side(const Solid& solid);

    std::shared_ptr<const MeshTree> tree;  // null: a half-space, or a slab
    double slab_thickness = 0.0;           // [m]; 0 for a half-space
  };

  Side A_, B_;
};

}  // namespace volcontact
