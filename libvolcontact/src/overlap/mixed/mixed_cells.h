// Cells of an octree that may hold some of the overlap of solids with meshes in them.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "overlap/cells/cell_bounds.h"
#include "overlap/frame/local_problem.h"
#include "overlap/mesh_arcs/face_polygon.h"
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

 private:
  // A mesh in the cube.
  struct MeshInCube {
    const MeshTree* mesh;
    MeshToCube to_cube;
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
    Truth place = Truth::kUnknown;  // of all of the cell
    std::vector<std::uint32_t> nodes = {};
    std::vector<std::uint32_t> faces = {};  // where they are few; else none
  };
  struct Left {
    std::size_t region;
    Undecided undecided;
  };
  struct Candidate {
    Cell cell;
    std::vector<NearMesh> meshes;
    std::vector<Left> left;
  };

  void Look(const Cell& cell, const Candidate& parent);
  void Narrow(const Cell& cell, const NearMesh& parent, MeshInCube* mesh, NearMesh* near);
  void LocateInMeshes(Candidate* candidate);
  bool FindFaces(const MeshNode& node, const Cell& cell, MeshInCube* mesh,
                 std::vector<std::uint32_t>* faces);
  bool IsRefuted(const Cell& cell, const Candidate& candidate, const Expression& left,
                 Region* region);

  Eigen::Vector3d half_;
  std::vector<MeshInCube> meshes_;
  std::vector<Region> regions_;
  std::vector<Candidate> level_;
  std::vector<Cell> cells_, halves_;
  std::vector<std::uint32_t> stack_;
};

}  // namespace volcontact
