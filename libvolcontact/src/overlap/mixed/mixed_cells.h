// Cells of an octree that may hold some of the overlap of solids with meshes in them.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "overlap/cells/cell_bounds.h"
#include "overlap/frame/local_problem.h"
#include "overlap/frame/volume_bracket.h"
#include "overlap/mesh_arcs/sections/face_polygon.h"
#include "overlap/mixed/mixed_overlap.h"

namespace volcontact {

/// One level after the other, from a frame's cube on: certified, but for the rounding of the
/// meshes' corners to it, that what the cube has of the overlap lies in the cells.
class MixedCells {
 public:
  MixedCells(const MixedOverlap& pair, const Rigid& X_AB, const LocalFrame& frame);

  /// Halves the cells where they are long. Some microseconds a cell.
  void Descend();
  const std::vector<Cell>& cells() const { return cells_; }
  /// How many cells were looked at.
  long looked_at() const { return looked_at_; }

  /// Certified bracket [m³] of the overlap within the cube, but for the same rounding. Halves the
  /// cells with the widest brackets until its width is this part of the upper bound, or so many
  /// cells were looked at. Called once, instead of Descend.
  /// None for meshes that enclose points twice, or inside out.
  std::optional<VolumeBracket> Bracket(double relative_width, long most_cells);

 private:
  // A mesh in the cube.
  struct MeshInCube {
    const MeshTree* mesh;
    MeshToCube to_cube;
    bool is_simple;  // otherwise a point behind no face near it may be inside
    std::unordered_map<std::uint32_t, FacePolygon> polygons = {};  // by face
  };
  // What the overlap is where some of the meshes, by bits, are true and the others are not.
  struct Region {
    unsigned inside;
    LocalProblem problem;
    std::vector<Truth> states = {};
    std::vector<QuadraticModel> models = {};  // of its surfaces, then of faces
  };
  // What of a mesh is near a cell.
  struct NearMesh {
    std::optional<int> winding = std::nullopt;  // of all of the cell
    std::vector<std::uint32_t> nodes = {};
    std::vector<std::uint32_t> faces = {};  // if they are few, and one of them is in the cell
  };
  struct Left {
    std::size_t region;
    Undecided undecided;
  };
  struct Candidate {
    Cell cell;
    std::vector<NearMesh> meshes;
    std::vector<Left> left;
    VolumeBracket bracket = {};  // in the cube's coordinates
  };

  void Look(const Cell& cell, const Candidate& parent);
  void Narrow(const Cell& cell, const NearMesh& parent, MeshInCube* mesh, NearMesh* near);
  void LocateInMeshes(Candidate* candidate);
  bool FindFaces(const MeshNode& node, const Cell& cell, MeshInCube* mesh,
                 std::vector<std::uint32_t>* faces, bool* has_one);
  Expression Within(const Cell& cell, const Candidate& candidate, bool for_certain,
                    const Expression& left, Region* region) const;
  void FindBracket(Candidate* candidate);

  Eigen::Vector3d half_;
  std::vector<MeshInCube> meshes_;
  std::vector<Region> regions_;
  std::vector<Candidate> level_;
  bool brackets_ = false;  // finds them
  long looked_at_ = 0;
  std::vector<Cell> cells_, halves_;
  std::vector<std::uint32_t> stack_;
};

/// The frame within another, with its axes, that holds all of the overlap which that holds, made
/// tighter by a few cells again and again. None if there is nothing in it. `cells` receives how
/// many more were looked at.
std::optional<LocalFrame> TightFrame(const MixedOverlap& pair, const Rigid& X_AB, LocalFrame frame,
                                     long* cells);

/// The part of a frame that is a box of its cube, with some room.
LocalFrame Narrowed(const LocalFrame& frame, const Cell& box);

/// A frame that holds the box of another, along a contact: z along its area vector, x along what is
/// longest across it.
LocalFrame FrameAlong(const RawMetrics& raw, const LocalFrame& box);

}  // namespace volcontact
