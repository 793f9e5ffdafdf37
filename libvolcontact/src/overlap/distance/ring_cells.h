// A torus as a tree of cells for a pair search (pair_search.h).
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "math/rigid.h"
#include "overlap/distance/faces/nearest_pair.h"
#include "solids/mesh/mesh_tree.h"
#include "solids/tree/solid_node.h"

namespace volcontact {

/// A solid torus in its own frame: arcs of its circle with a ball about each point, and halves of
/// these. A cell stands for the hull of its arc's balls: off only where the torus bends inwards.
class RingCells {
 public:
  explicit RingCells(const TorusShape& torus);

  std::optional<int> root() const { return 0; }
  const std::vector<int>& Children(int index, double allowed);
  const Eigen::Vector3d& Center(int index) const { return cells_[index].center; }
  double Size(int index) const;
  double Bend(int index) const;
  double Support(int index, const Eigen::Vector3d& u) const;
  Eigen::Vector3d Nearest(int index, const Eigen::Vector3d& p) const;
  std::optional<Eigen::Vector3d> Pull(int index, const Eigen::Vector3d& p) const {
    return Nearest(index, p);
  }
  template <class Visit>
  void VisitNormals(int, const Visit&) const {}

 private:
  struct Arc {
    double middle, half;  // angles
    Eigen::Vector3d center;
    std::vector<int> children = {};
  };

  Eigen::Vector3d At(double angle) const;
  int Add(double middle, double half);

  double major_, minor_;
  std::vector<Arc> cells_;
};

/// The distance of a mesh's surface and a solid torus, the mesh at X_TM, with nearest points in the
/// torus's frame, the mesh's first: bounded within 10 %, or to where it is not less than `enough`
/// [m]. 0 where they meet. First that of the torus's hull, some 20 µs; where this is not the
/// torus's, some 0.2 ms.
NearestPair MeshTorusDistance(const MeshTree& mesh, const TorusShape& torus, const Rigid& X_TM,
                              double enough);

}  // namespace volcontact
