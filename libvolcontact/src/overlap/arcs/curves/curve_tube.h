// An enclosure of the curve of two surfaces in a cell.
#pragma once

#include <Eigen/Core>

#include "overlap/cells/cell_bounds.h"

namespace volcontact {

/// Bound of the change of a model's derivatives along the cell's axes over the cell, by axis.
Eigen::Vector3d DerivativeChange(const QuadraticModel& model);

/// Bound of all terms of a model but its value and the linear ones over the cell.
double NonlinearPart(const QuadraticModel& model);

/// Whether a model has terms of no higher degree.
bool IsLinear(const QuadraticModel& model);

/// Takes off a model what has a linear one for a factor, so that the axis along which that is
/// steepest occurs in linear terms only: where the plane vanishes nothing changes, and what a
/// quadric bends off it is gone. The plane must vanish somewhere in the cell.
QuadraticModel ReducedOnPlane(const QuadraticModel& plane, const QuadraticModel& model);

/// Adds a multiple of one model to another.
void AddMultiple(double factor, const QuadraticModel& model, QuadraticModel* sum);

/// Counts the rest, in which rounding is, among what may change the slopes, too: of a model from
/// which others have been taken off no more than that may be left.
void CountRounding(QuadraticModel* model);

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
/// They are those of any two members of the surfaces' pencil, and, where one is a plane, of all
/// that equals the other on it: the members are chosen that bend least, so that neither surfaces
/// that nearly coincide nor frames in which a surface is much steeper along one axis cost small
/// cells.
class CurveTube {
 public:
  enum class State {
    kNone,   ///< there are none
    kGraph,  ///< at most one for each t_axis, within `radius` of the line center + t_axis slope
    kSplit,  ///< not known
  };

  CurveTube(const QuadraticModel& one, const QuadraticModel& other);

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
