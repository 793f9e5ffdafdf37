// An enclosure of the curve of two surfaces in a cell.
#pragma once

#include <Eigen/Core>

#include "overlap/cells/cell_bounds.h"

namespace volcontact {

/// Bound of the change of a model's derivatives along the cell's axes over the cell, by axis, for
/// degrees up to two.
Eigen::Vector3d DerivativeChange(const QuadraticModel& model);

/// Bounds of the cross product of two models' gradients over the cell: the value at the centre, and
/// the largest change from it.
struct TangentBounds {
  Eigen::Vector3d center = Eigen::Vector3d::Zero(), change = Eigen::Vector3d::Zero();

  TangentBounds() = default;
  TangentBounds(const QuadraticModel& first, const QuadraticModel& second);
  /// Whether the component has the sign over the cell that it has at the centre.
  bool IsDefinite(int axis) const { return std::abs(center[axis]) > change[axis]; }
};

/// What is known of the common points of two surfaces in a cell, in its coordinates t in [-1, 1]^3.
class CurveTube {
 public:
  enum class State {
    kNone,   ///< there are none
    kGraph,  ///< at most one for each t_axis, within `radius` of the line center + t_axis slope
    kSplit,  ///< not known
  };

  CurveTube(const QuadraticModel& first, const QuadraticModel& any_second);

  State state() const { return state_; }
  /// The axis along which the curve is a graph, and the two axes u = 0, 1 across it.
  int axis() const { return axis_; }
  int across(int u) const { return (axis_ + 1 + u) % 3; }
  const TangentBounds& tangent() const { return tangent_; }
  const Eigen::Vector2d& center() const { return center_; }
  const Eigen::Vector2d& slope() const { return slope_; }
  const Eigen::Vector2d& radius() const { return radius_; }

 private:
  State state_ = State::kSplit;
  int axis_ = 0;
  TangentBounds tangent_;
  Eigen::Vector2d center_, slope_, radius_;
};

}  // namespace volcontact
