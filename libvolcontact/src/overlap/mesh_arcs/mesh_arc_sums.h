// The boundary of a mesh's overlap with a solid, summed in the cube.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <utility>
#include <vector>

#include "math/arithmetic/lanes.h"
#include "overlap/arcs/edges/torus_seams.h"
#include "overlap/arcs/faces/boundary_sums.h"
#include "overlap/arcs/faces/face_form.h"
#include "overlap/arcs/sums/rule_sums.h"
#include "overlap/cells/cell_bounds.h"
#include "overlap/frame/local_problem.h"
#include "overlap/mesh_arcs/face_trim.h"
#include "overlap/mesh_arcs/mesh_arc_walk.h"
#include "overlap/mesh_arcs/solid_edges.h"
#include "solids/mesh/mesh_tree.h"

namespace volcontact {

/// Why there are no sums.
enum class MeshArcFailure {
  kNone,
  kSurfaces,     ///< a surface that is neither a plane nor a quadric nor a torus
  kCoincidence,  ///< faces of the mesh lie on a plane of the solid from both sides
  kArcs,         ///< an arc was lost
  kSolidEdges,   ///< the solid's own edges were not all found, or not where they are in the mesh
  kNearlyDegenerate,  ///< a surface is too near to a degenerate one
};

/// Sums over the boundary of the overlap of a mesh and a solid: the faces of the mesh as far as
/// they lie in the solid, and the solid's faces as far as they lie in the mesh. The overlap must
/// lie in the unit cube, and off its sides. Keeps its memory.
class MeshArcSums {
 public:
  struct Input {
    const MeshTree& mesh;
    const MeshToCube& to_cube;
    /// What the solid is in the cube, simplified there, with the kinds of its surfaces.
    const LocalProblem& solid;
    const std::vector<SurfaceKind>& kinds;
    const TorusSeams& seams;  ///< of the solid's tori; their planes are surfaces of no literal
    double relative_error;    ///< of the moments
    bool mesh_in_b = false;   ///< else in A
    /// If the mesh has faces of both solids, B's share of each face; else null.
    const std::vector<float>* shares_of_B = nullptr;
    bool is_beyond = false;  ///< what is beyond the mesh is meant, whose faces are turned
    int threads = 1;         ///< the result does not depend on it
  };
  struct Result {
    MeshArcFailure failure = MeshArcFailure::kNone;
    BoundarySums all, of_mesh;  ///< of the whole boundary, and of the mesh's part of it
    BoundarySums of_mesh_of_B;  ///< as far as that is B's
    /// What the mesh's part shares with surfaces of the other body.
    BoundarySums common;
    bool is_flush = false;  ///< faces of the mesh lie on planes of the solid, of the other body
    double error = 0.0;     ///< of the quadrature, as estimated; of the volume in the cube
    bool is_clear = false;  ///< the mesh's boundary is certainly off the solid
    long faces = 0;         ///< cut by surfaces
    long edges = 0;         ///< arcs, and parts of the solid's edges
  };

  Result Run(const Input& input);

  /// By surface of the solid, what its faces add, each with the normal out of the overlap.
  const std::vector<BoundarySums>& of_surface() const { return of_surface_; }
  /// The faces that surfaces cut and the solid's own edges, with the parts of both that bound the
  /// overlap.
  const TrimmedFaces& cut() const { return walk_.found(); }
  const SolidEdges& solid_edges() const { return edges_; }
  /// Whether there may be any faces on a surface.
  bool HasFaces(int surface) const { return form_of_[surface] >= 0; }
  /// The area vectors of the faces cut and of whole faces of leaves, in the cube.
  const std::vector<Eigen::Vector3d>& areas() const { return areas_; }
  /// Nodes of the tree that are wholly inside.
  const std::vector<std::uint32_t>& whole_nodes() const { return walk_.whole_nodes(); }
  /// What was summed last.
  const Input& input() const { return *input_; }
  /// The solid's surfaces, those that take part, and whether a point of one of them is on a face of
  /// the overlap.
  const std::vector<TrimSurface>& surfaces() const { return surfaces_; }
  const std::vector<int>& active() const { return active_; }
  bool IsOnFace(int surface, const Eigen::Vector3d& p) const;
  /// Points that show about how far the overlap reaches: on its edges, its corners, and where the
  /// solid's faces are extreme along three axes, given by columns. Some microseconds.
  const std::vector<Eigen::Vector3d>& FindPoints(const Eigen::Matrix3d& axes);

 private:
  // What an arc adds to its face and to the surface's, or a part of an edge to its sheets.
  struct ArcIntegrals {
    std::array<BoundarySums, EdgeSheets::kMost> sums;
    double error = 0.0;
  };
  // Arcs that one thread sums, all of some faces, and what they add to surfaces.
  struct ArcPart {
    std::size_t begin = 0, end = 0;
    std::vector<std::pair<int, BoundarySums>> of_surface;
    double error = 0.0;
  };
  struct PartSums {
    ArcIntegrals integrals;
    bool found = false;  // all points of the part
  };
  struct Range {
    double from, to;
  };

  MeshArcFailure Prepare(const Input& input);
  MeshArcFailure Walk();
  BoundarySums SumCommon(double allowed);
  BoundarySums SumShares() const;
  void SumWholeNodes();
  MeshArcFailure MakeForms();
  bool AddFarPoles();
  bool HasSeam(int surface) const;
  std::optional<int> WindingAt(const Eigen::Vector3d& p) const;
  template <class AddAt>
  static ArcIntegrals Integrate(const Range& range, int sides, int rule, int known,
                                const AddAt& add_at, const BoundarySums* const* units,
                                RuleSums* nodes);
  template <class AddAt>
  static ArcIntegrals Refine(const Range& range, int sides, int first_rule, double allowed,
                             double before, const AddAt& add_at, const BoundarySums* const* units,
                             RuleSums* nodes);
  void SumArc(const TrimArc& arc, double allowed, ArcPart* part, RuleSums* nodes);
  std::size_t CutArcs();
  void SumArcs(double allowed);
  int FirstRule(const TrimArc& arc) const;
  PartSums SumPart(const Edges& edges, const SolidEdges::Part& part, double allowed,
                   RuleSums* nodes) const;
  bool SumParts(const Edges& edges, const std::vector<SolidEdges::Part>& parts, double allowed);
  void SumEdges(double allowed, Result* result);
  void AddTorusPoints(int surface, const Eigen::Matrix3d& axes);

  std::optional<Input> input_;  // of the last run
  std::vector<TrimSurface> surfaces_;
  std::vector<int> active_;  // the solid's surfaces
  Undecided whole_solid_;
  std::vector<Truth> states_;
  MeshArcWalk walk_;
  SolidEdges edges_;
  std::vector<FaceForm> forms_;
  std::vector<int> form_of_;
  std::vector<BoundarySums> of_surface_;
  std::vector<Eigen::Vector3d> points_, areas_;
  std::vector<BoundarySums> of_face_;
  BoundarySums whole_sums_;
  BoundarySums ones_;
  double error_ = 0.0;
  std::vector<RuleSums> nodes_;  // by worker
  std::vector<ArcPart> arc_parts_;
  std::vector<PartSums> part_sums_;
};

}  // namespace volcontact
