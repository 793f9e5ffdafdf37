// How high a triangulated overlap is along a normal.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

#include "volcontact/display/display.h"

namespace volcontact {

/// The triangles of a closed mesh that look against a unit normal, in a grid across it. The mesh
/// must outlive it.
class ColumnHeights {
 public:
  ColumnHeights(const DisplayMesh& mesh, const Eigen::Vector3d& normal);

  /// How far below a point the first of these triangles is; 0 where there is none [m].
  double Below(const Eigen::Vector3d& p) const;

 private:
  struct Facet {
    std::array<Eigen::Vector2d, 3> corners;  // across the normal
    Eigen::Vector3d height;                  // of the corners, along it
    double slack = 0.0;                      // of a point's areas with the edges
  };

  Eigen::Vector2d Across(const Eigen::Vector3d& p) const { return {u_.dot(p), v_.dot(p)}; }
  std::array<int, 2> CellOf(const Eigen::Vector2d& x) const;

  Eigen::Vector3d normal_, u_, v_;
  Eigen::Vector2d low_ = Eigen::Vector2d::Zero(), cell_ = Eigen::Vector2d::Ones();
  int cells_ = 1;  // along each side
  double slack_ = 0.0;
  std::vector<Facet> facets_;
  std::vector<std::vector<std::uint32_t>> in_cell_;
};

}  // namespace volcontact
