// Intersections of a mesh with straight lines.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

#include "overlap/mesh_arcs/sections/face_polygon.h"
#include "solids/mesh/mesh_tree.h"

namespace volcontact {

/// Where lines of one direction go through a closed mesh, in the coordinates of a cube. Faces that
/// share an edge see a line beside it alike, so that crossings come in pairs.
class MeshLines {
 public:
  /// The mesh must outlive the use; `along` in the cube, of any length. `is_beyond`: of what is
  /// beyond the mesh.
  void Begin(const MeshTree& mesh, bool is_beyond, const MeshToCube& to_cube,
             const Eigen::Vector3d& along);

  /// A place along a line, and by how much the number of times that the mesh encloses it grows
  /// there.
  struct Crossing {
    double t;
    int change;
  };
  /// All places at which p + t along/|along| crosses the mesh, in no order. False as below.
  bool FindCrossings(const Eigen::Vector3d& p, std::vector<Crossing>* crossings) const;
  /// The intervals of t, in order, in which p + t along/|along| is in the mesh; the first and last
  /// without end where it is beyond. False when the line
  /// runs through a corner or along a face: one a little beside it will do. Costs a few
  /// microseconds.
  bool FindIntervals(const Eigen::Vector3d& p, std::vector<std::array<double, 2>>* intervals) const;
  /// The same of the first of a few lines, each a step beside the last, for which that is known.
  void FindIntervalsBeside(Eigen::Vector3d p, const Eigen::Vector3d& step,
                           std::vector<std::array<double, 2>>* intervals) const;

 private:
  // The line in the mesh's axes, from the cube's origin, seen along it.
  struct Line {
    Eigen::Vector3d p;
    double x, y;
  };

  void Visit(std::uint32_t number, const Line& line, std::vector<Crossing>* crossings) const;
  // On which side all three edges of a face pass the line; 0 if the line misses it.
  int SideOf(const MeshTree::Face& face, const Line& line) const;
  int SideOf(std::uint32_t from, std::uint32_t to, const Line& line) const;

  const MeshTree* mesh_ = nullptr;
  bool is_beyond_ = false;
  Eigen::Matrix3d to_mesh_ = Eigen::Matrix3d::Identity();
  Eigen::Vector3d origin_ = Eigen::Vector3d::Zero();  // of the cube, in M
  Eigen::Vector3d along_ = Eigen::Vector3d::Zero();   // what the unit vector in the cube is in M
  Eigen::Vector3d across_[2] = {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
};

/// What two lists of intervals, each in order, have in common, but for such that are no longer than
/// a touch.
void IntersectIntervals(const std::vector<std::array<double, 2>>& first,
                        const std::vector<std::array<double, 2>>& second, double touch,
                        std::vector<std::array<double, 2>>* common);

}  // namespace volcontact
