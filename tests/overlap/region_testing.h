// Regions for the tests of the octree utilities.
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "overlap/frame/local_problem.h"
#include "solids/implicit/implicit_solid.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing {

inline Pose PoseAt(double x, double y, double z, double a = 0.0, double b = 0.0, double c = 0.0) {
  const double norm = std::sqrt(1.0 + a * a + b * b + c * c);
  return {{x, y, z}, {1.0 / norm, a / norm, b / norm, c / norm}};
}

inline SurfaceSet RegionOf(const Solid& A, const Solid& B, const Pose& X_AB = Pose()) {
  const ImplicitSolid a = Compile(A), b = Compile(B);
  SurfaceSet set;
  OverlapSurfaces(a, b, OverlapExpression(a, b), Rigid(X_AB), &set);
  return set;
}

inline LocalFrame FrameAt(const Pose& X_AC, const Eigen::Vector3d& half) {
  LocalFrame frame;
  frame.X_AC = Rigid(X_AC);
  frame.half = half;
  return frame;
}

inline LocalProblem ProblemOf(const SurfaceSet& set, const LocalFrame& frame) {
  LocalProblem problem;
  Localize(set, frame, &problem);
  return problem;
}

/// Membership of a point of the scaled cube, up to the rounding of doubles.
inline bool Contains(const LocalProblem& problem, const Eigen::Vector3d& y) {
  std::vector<std::uint8_t> inside(problem.surfaces.size());
  for (std::size_t s = 0; s < inside.size(); ++s) {
    inside[s] = problem.surfaces[s].psi(y.x(), y.y(), y.z()) <= 0.0 ? 1 : 0;
  }
  return problem.expression.Evaluate(inside.data());
}

/// A random combination of `count` spheres and boxes, all near the cube [-1, 1]^3.
inline Solid RandomSolid(std::mt19937* random, int count) {
  const auto number = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(*random);
  };
  const auto primitive = [&]() -> Solid {
    const Pose pose = PoseAt(number(-0.7, 0.7), number(-0.7, 0.7), number(-0.7, 0.7),
                             number(-1.0, 1.0), number(-1.0, 1.0), number(-1.0, 1.0));
    if (number(0.0, 1.0) < 0.5) return Sphere(number(0.3, 0.9)).Posed(pose);
    return Box({number(0.4, 1.5), number(0.4, 1.5), number(0.4, 1.5)}).Posed(pose);
  };
  Solid solid = primitive();
  for (int k = 1; k < count; ++k) {
    const double choice = number(0.0, 3.0);
    if (choice < 1.0)
      solid = Union({solid, primitive()});
    else if (choice < 2.0)
      solid = Difference(solid, {primitive()});
    else
      solid = Intersection({solid, primitive()});
  }
  return solid;
}

}  // namespace volcontact::testing
