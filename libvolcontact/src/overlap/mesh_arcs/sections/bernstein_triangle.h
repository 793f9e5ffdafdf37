// A polynomial of fourth degree over a triangle.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "math/arithmetic/polynomial.h"

namespace volcontact {

/// A polynomial of degree four, or less, over a triangle, by its Bernstein coefficients: it lies
/// between the least and the largest of them, and so do its derivatives with theirs.
class BernsteinTriangle {
 public:
  static constexpr int kDegree = 4, kSize = 15;
  using Edge = std::array<double, kDegree + 1>;

  /// The restriction of f to the triangle.
  BernsteinTriangle(const Polynomial<double>& f, const Eigen::Vector3d& a, const Eigen::Vector3d& b,
                    const Eigen::Vector3d& c);

  const std::array<Eigen::Vector3d, 3>& corners() const { return corners_; }
  double Least() const;
  double Largest() const;
  /// The coefficients along the edge from corner k to the next.
  Edge OnEdge(int k) const;
  /// A vector in (s, t), of points corner 0 + s (corner 1 − corner 0) + t (corner 2 − corner 0),
  /// along which the polynomial grows everywhere, and whose angle with the gradient has a cosine of
  /// no less than `least_cosine`; false where there may be none.
  bool FindWayUp(double least_cosine, Eigen::Vector2d* way) const;
  /// The two halves that the middle of the longest edge makes.
  std::array<BernsteinTriangle, 2> Halves() const;

 private:
  BernsteinTriangle() = default;

  // The index of λ0^(4 − j − k) λ1^j λ2^k.
  static constexpr int Index(int j, int k) { return k * (2 * kDegree + 3 - k) / 2 + j; }
  int LongestEdge() const;
  BernsteinTriangle Turned(int first) const;

  std::array<double, kSize> b_;
  std::array<Eigen::Vector3d, 3> corners_;
};

/// Adds the zeros in [0, 1] of a polynomial given by Bernstein's coefficients, in ascending order:
/// an odd number where the ends have different signs, 0 counting as negative, else an even one.
/// Between zeros the polynomial may be as small as `noise`.
void AddBernsteinZeros(const BernsteinTriangle::Edge& b, double noise, std::vector<double>* zeros);

}  // namespace volcontact
