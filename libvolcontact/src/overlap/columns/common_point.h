// Points where three surfaces meet.
#pragma once

#include <Eigen/Core>
#include <array>

#include "overlap/columns/slice_family.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

/// An equation in the coordinates of a local problem: psi = 0 for a surface of degree <= 2, or
/// ∂psi/∂z = 0.
struct PointEquation {
  int surface;
  bool slope;

  bool operator==(const PointEquation&) const = default;
};

/// Equations without repetitions, three at most.
struct PointEquations {
  std::array<PointEquation, 3> list;
  int count = 0;
  bool overfull = false;

  void Add(const PointEquation& equation);
};

/// Solves three equations by Newton's method from `point`. Two determine a curve; then the point is
/// found where the curve touches a slice of the family, or, of a line along z, that at height zero.
/// False when the equations are too few or too many, or when the iteration does not settle.
bool FindCommonPoint(const LocalProblem& problem, const SliceFamily& family,
                     const PointEquations& equations, Eigen::Vector3d* point);

}  // namespace volcontact
