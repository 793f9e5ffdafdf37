// Pairs of solids with triangle meshes among their leaves, beside curved primitives.
//
// With 1_T the indicator of the part of a mesh M, and E(true), E(false) the rest of the expression
// with M's leaf put in, the overlap is E(false) + 1_M (E(true) − E(false)). M is cut down to the
// box of the overlap, and its indicator is the signed sum of those of tetrahedra from one point O
// over the triangles of the boundary that is left. So all comes down to regions of polynomial
// surfaces and planes, which the octree integrates; whole tetrahedra are summed at once. The number
// of tetrahedra is that of the faces near the overlap.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "overlap/columns/column_method.h"
#include "overlap/meshes/mesh_overlap.h"
#include "overlap/query/metrics_builder.h"
#include "solids/implicit/implicit_solid.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

/// Scratch memory of one thread.
struct MeshCsgWorkspace {
  MeshOverlap overlap;
  ColumnMethod columns;
  LocalProblem problem;
};

/// Immutable.
class MeshCsg {
 public:
  /// Empty when there is no mesh among the leaves. Throws InvalidInput for more meshes than
  /// kMaxMeshes.
  static std::optional<MeshCsg> Prepare(const Solid& A, const Solid& B);
  static constexpr int kMaxMeshes = 4;

  /// Gives the builder the metrics of A ∩ B, or of A when `single`, for B's pose X_AB.
  void Query(const Rigid& X_AB, const QueryOptions& options, MeshCsgWorkspace* workspace,
             MetricsBuilder* builder) const;

 private:
  struct Leaf {
    std::shared_ptr<const MeshTree> mesh;
    Rigid X_SM;  // in the frame of its solid
    bool in_b = false;
  };
  // The expression with every mesh decided.
  struct Variant {
    ImplicitSolid A, B;
    Expression unmerged;
    bool is_empty = false, is_convex = false;
  };
  class Run;

  std::vector<Leaf> leaves_;
  std::vector<Variant> variants_;  // bit i of the index: inside mesh i
  Aabb bounds_a_, bounds_b_;
};

}  // namespace volcontact
