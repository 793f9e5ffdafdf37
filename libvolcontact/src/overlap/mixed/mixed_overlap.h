// The room `mixed`: meshes beside curved primitives, by sums over arcs (overlap/mesh_arcs) or by
// columns through all of them.
//
// The overlap of solids with triangle meshes among their leaves, beside curved primitives. With 1_T
// the indicator of the part of a mesh M, and E(true), E(false) the rest of the expression with M's
// leaf put in, the overlap is E(false) + 1_M (E(true) − E(false)), and where M is cut out E(true) +
// (1 − 1_M) (E(false) − E(true)), of which mostly one term is left; for several meshes such terms
// for each, and for what several of one solid have in common, which is a mesh, too. Beside planes,
// quadrics and tori each term has sums over arcs. For other surfaces, and if these sums fail,
// columns answer (mixed_columns.h), in a frame that cells have found (mixed_cells.h).
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "overlap/arcs/arc_method.h"
#include "overlap/columns/column_method.h"
#include "overlap/frame/raw_answer.h"
#include "overlap/mesh_arcs/mesh_arc_method.h"
#include "overlap/mixed/mesh_meeting.h"
#include "overlap/mixed/mixed_columns.h"
#include "solids/implicit/implicit_solid.h"
#include "volcontact/overlap/metrics.h"
#include "volcontact/overlap/overlap_proof.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

/// One of the regions of planes and curved surfaces, within a mesh or not, whose integrals add up
/// to those of the overlap.
struct MixedTerm {
  double sign;
  unsigned inside;  ///< the expression: that of mesh i put in as true, by bits
  int mask = -1;    ///< in which it is, by number; -1 for none
  RawMetrics raw = {};
  RawDerivatives derivatives = {};
  bool is_apart = false;      ///< certainly empty
  bool is_unproved = false;   ///< nothing was found of it, but that it is empty is not proved
  bool is_clear = false;      ///< the mask's boundary is certainly off the region
  bool has_no_faces = false;  ///< no part of it was found in the region
};

/// What is within a mesh, or beyond one that is cut out, or what several of these have in common.
struct MixedMask {
  std::shared_ptr<const MeshTree> mesh;
  Rigid X_SM;  // in the frame of its solid
  bool in_b = false;
  bool is_beyond = false;  ///< what is beyond the mesh, whose faces are turned
  unsigned members = 0;    ///< the meshes, by bits
  std::shared_ptr<const std::vector<float>> shares_of_B = nullptr;  ///< of meshes of both solids
};

/// Scratch memory of one thread.
struct MixedWorkspace {
  SurfaceSet set;
  MeshArcMethod arcs;
  ArcMethod without_mesh;
  std::vector<MixedTerm> terms;  // of the last sum over arcs
  std::vector<MixedMask> masks;  // of the same
  MeshMeeting meeting;
  ColumnMethod columns;
  MixedColumns lines;
};

/// Immutable.
class MixedOverlap {
 public:
  /// A mesh of the pair.
  struct Leaf {
    std::shared_ptr<const MeshTree> mesh;
    std::shared_ptr<const Solid> parts;  // what it was joined from, or null
    Rigid X_SM;                          // in the frame of its solid
    bool in_b = false;
    bool is_cut_out = false;  ///< the overlap holds less where the mesh is
    /// Whether no point is enclosed more than once, and none inside out. Found at the first call:
    /// about 2 µs for each face.
    bool IsSimple() const;

    struct Late {
      std::once_flag is_known;
      bool is_simple = false;
    };
    std::shared_ptr<Late> late = std::make_shared<Late>();
  };
  /// What the pair is with every mesh decided.
  struct Variant {
    ImplicitSolid A, B;
    Expression unmerged;
    bool is_empty = false, is_convex = false;
  };

  /// Whether there is a mesh among the leaves.
  static bool Applies(const Solid& A, const Solid& B);
  static constexpr int kMaxMeshes = 4;

  /// Throws InvalidInput for more meshes than kMaxMeshes.
  MixedOverlap(const Solid& A, const Solid& B);

  /// The integrals over A ∩ B for B's pose X_AB, of which `box`, bounded or empty, holds all; in A.
  /// By sums over arcs; by columns if these fail, or for Method::kColumns. Allocates memory.
  RawAnswer Query(const Rigid& X_AB, const Aabb& box, const QueryOptions& options,
                  MixedWorkspace* workspace) const;
  /// The same by sums over arcs alone. If these do not do, the answer says why in its fallback.
  RawAnswer QueryByArcs(const Rigid& X_AB, const Aabb& box, const QueryOptions& options,
                        MixedWorkspace* workspace) const;
  /// The same by columns, with the reason for that.
  RawAnswer QueryByColumns(const Rigid& X_AB, const Aabb& box, const QueryOptions& options,
                           std::string why, MixedWorkspace* workspace) const;

  /// Whether the solids' interiors meet: by a point certainly inside both, or since the mesh's
  /// boundary certainly misses the rest.
  OverlapProof Prove(const Rigid& X_AB, const Aabb& box, MixedWorkspace* workspace) const;

  /// Whether solids with surfaces apart from each other are certainly apart, too: no part of one
  /// lies in the other. By sums over arcs, which find each such part; by cells if they fail.
  bool AreApart(const Rigid& X_AB, const Aabb& box, MixedWorkspace* workspace) const;

  /// A quadrature of A ∩ B, which lies in the box, as PairSolver::Samples, with the moments that a
  /// query has.
  std::vector<VolumeSample> Sample(const Rigid& X_AB, const Aabb& box,
                                   const std::optional<SampleAxis>& axis_A,
                                   const QueryOptions& options, MixedWorkspace* workspace) const;

  /// The same pair with A cut by the region of some surfaces, given in A.
  MixedOverlap CutBy(const SurfaceSet& cut) const;

  const std::vector<Leaf>& leaves() const { return leaves_; }
  /// Bit i of the index: inside mesh i.
  const std::vector<Variant>& variants() const { return variants_; }
  /// In A, of a leaf or a mask.
  template <class Placed>
  static Rigid PoseOf(const Placed& mesh, const Rigid& X_AB) {
    return mesh.in_b ? X_AB * mesh.X_SM : mesh.X_SM;
  }

 private:
  void AddLeaves(const Solid& solid, const Rigid& X_WP, bool in_b, bool is_cut_out);
  void FindMasks();
  bool AddMask(unsigned members, const Rigid* X_AB, std::vector<MixedMask>* masks) const;
  bool IsOfBoth(unsigned members) const;
  void FindEqualVariants();
  unsigned MeshesIn(const Rigid& X_AB, const Aabb& box) const;
  void ListTerms(unsigned meshes, MixedWorkspace* workspace) const;
  RawAnswer SumArcs(const Rigid& X_AB, const Aabb& box, const QueryOptions& options,
                    MixedWorkspace* workspace) const;
  RawAnswer QueryByTerms(const Rigid& X_AB, const Aabb& box, const QueryOptions& options,
                         MixedWorkspace* workspace) const;
  std::string SumTerms(const Rigid& X_AB, const Aabb& box, const QueryOptions& options,
                       MixedWorkspace* workspace, RawAnswer* answer) const;
  std::string FindTerm(const Rigid& X_AB, const Aabb& box, const QueryOptions& options,
                       MixedTerm* term, MixedWorkspace* workspace, RawAnswer* answer) const;
  std::string FindTermWithoutMesh(const Aabb& box, const QueryOptions& options, MixedTerm* term,
                                  MixedWorkspace* workspace, RawAnswer* answer) const;
  std::optional<OverlapProof> ProveByTerms(const Rigid& X_AB, const Aabb& box,
                                           MixedWorkspace* workspace) const;
  void BoundByCells(const Rigid& X_AB, const LocalFrame& frame, const QueryOptions& options,
                    RawAnswer* answer) const;
  std::optional<LocalFrame> FrameOfContact(const Rigid& X_AB, const Aabb& box, int threads,
                                           MixedWorkspace* workspace, long* cells) const;
  bool IsClearOf(const MixedTerm& term, const Rigid& X_AB, const Aabb& box,
                 MixedWorkspace* workspace) const;
  bool IsCommonPoint(const Rigid& X_AB, const Aabb& box, const Eigen::Vector3d& p_A,
                     MixedWorkspace* workspace) const;
  OverlapProof ProveByCells(const Rigid& X_AB, const Aabb& box, MixedWorkspace* workspace) const;

  std::vector<Leaf> leaves_;
  std::vector<Variant> variants_;
  std::vector<unsigned> first_equal_;  // of each variant, the first one that is the same
  std::vector<MixedMask> masks_;       // of meshes of one solid
  unsigned usual_ = 0;         // the meshes that are true where no mask is: those that are cut out
  bool has_all_masks_ = true;  // what meshes of one solid have in common is known
};

}  // namespace volcontact
