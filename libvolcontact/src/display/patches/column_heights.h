// How high a triangulated overlap is along a normal.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "volcontact/display/display.h"

namespace volcontact {

/// The triangles of a closed mesh that look against a unit normal, in a tree of boxes across it:
/// patches may be small and far apart. The mesh must outlive it.
class ColumnHeights {
 public:
  ColumnHeights(const DisplayMesh& mesh, const Eigen::Vector3d& normal);

  /// How far below a point the first of these triangles is; 0 where there is none [m]. Cost: grows
  /// with the logarithm of their number, and with how many lie above each other.
  double Below(const Eigen::Vector3d& p) const;

 private:
  struct Facet {
    std::array<Eigen::Vector2d, 3> corners;  // across the normal
    Eigen::Vector3d height;                  // of the corners, along it
    double slack = 0.0;                      // of a point's areas with the edges
    Eigen::AlignedBox2d Box() const;
  };
  // A node for some consecutive facets; its first child is the next node.
  struct Node {
    Eigen::AlignedBox2d box;
    std::uint32_t first = 0, last = 0;  // facets, of a leaf
    std::uint32_t second = 0;           // the second child; 0: a leaf
  };

  Eigen::Vector2d Across(const Eigen::Vector3d& p) const { return {u_.dot(p), v_.dot(p)}; }
  void Build(std::uint32_t first, std::uint32_t last);
  // The height of a facet at a point across the normal; nothing beside it.
  std::optional<double> HeightOf(const Facet& facet, const Eigen::Vector2d& x) const;

  Eigen::Vector3d normal_, u_, v_;
  double slack_ = 0.0;
  std::vector<Facet> facets_;
  std::vector<Node> nodes_;
};

}  // namespace volcontact
