// Surfaces that cut one component out of a region.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "overlap/cells/cell.h"
#include "overlap/frame/local_problem.h"
#include "overlap/frame/surface_set.h"

namespace volcontact {

/// Connected cells of a region, in the unit cube, and a box around them.
struct Component {
  explicit Component(std::vector<Cell> given);

  /// Whether a box touches one of the cells.
  bool Meets(const Cell& box) const;
  /// The point that lies farthest along a direction.
  Eigen::Vector3d Farthest(const Eigen::Vector3d& direction) const;

  std::vector<Cell> cells;
  Cell hull;
};

/// normal·y = offset; the component is below.
struct PartingPlane {
  Eigen::Vector3d normal;
  double offset;
};

/// What takes the others of several components away from one, in the coordinates of the cube.
struct PartCuts {
  Cell box;    ///< around the component; keeps off those that its hull keeps off
  Cell reach;  ///< where others are taken away: the box, or everywhere
  std::vector<PartingPlane> planes;
  std::vector<Cell> ellipsoids, holes;  ///< around others; boxes where ellipsoids do not do
};

/// The cuts around all components, in their order; those that cannot be separated are made one.
/// Fenced ones take nothing away that lies out of their box: something else has to.
std::vector<PartCuts> CutsAroundAll(bool is_fenced, std::vector<Component>* components);

/// Adds the surfaces of the cuts around one component, given in a frame's cube, to a set, of no
/// owner, and what has to hold of them to a list.
void AddCuts(const LocalFrame& frame, const PartCuts& cuts, SurfaceSet* set,
             std::vector<Expression>* conditions);

}  // namespace volcontact
