// Surfaces in their own axes, and points half-way between two of them.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "math/arithmetic/polynomial.h"

namespace volcontact {

/// One sheet of a surface in coordinates (u, v, w) = axes' (y − origin).
struct Chart {
  enum class Kind : std::uint8_t {
    kGraph,  ///< w = curve(u, v): planes, paraboloids, one half of a hyperboloid of two sheets
    kBall,   ///< (u/a, v/b, w/c) of unit length
    kTube,   ///< (u/a)² + (v/b)² = offset + (w/c)²: cylinders, cones, hyperboloids of one sheet
    kTorus,  ///< about w, radii a and b
    kPolynomial,  ///< none of these: points are led to psi = 0
  };
  Kind kind = Kind::kGraph;
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();
  Eigen::Vector3d scale = Eigen::Vector3d::Ones();  ///< a, b, c
  double offset = 0.0;                              ///< of a tube: 1, or 0 for a cone
  /// A graph: w = level + bend[0] u² + bend[1] v², or where `side` is not zero
  /// w = side·scale[2]·sqrt(1 + bend[0] u² + bend[1] v²).
  double level = 0.0, side = 0.0;
  Eigen::Vector2d bend = Eigen::Vector2d::Zero();
  bool flat = false;  ///< a plane

  /// A point of the sheet between two that are not far apart.
  Eigen::Vector3d Between(const Eigen::Vector3d& p, const Eigen::Vector3d& q) const;
  /// w of a graph.
  double HeightAt(double u, double v) const;
  Eigen::Vector3d ToOwn(const Eigen::Vector3d& y) const { return axes.transpose() * (y - origin); }
  Eigen::Vector3d FromOwn(const Eigen::Vector3d& u) const { return origin + axes * u; }
};

/// The sheets of a polynomial of degree one or two; none where psi = 0 is no surface.
std::vector<Chart> ChartsOfQuadric(const Polynomial<double>& psi);

}  // namespace volcontact
