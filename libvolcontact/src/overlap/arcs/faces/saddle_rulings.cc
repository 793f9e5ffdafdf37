#include "overlap/arcs/faces/saddle_rulings.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "math/small_systems.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Strips longer than this, in cubes, lose digits.
constexpr double kLongestStrip = 30.0;
// The two rulings of a point become one as a saddle becomes a cone; this near they are lost.
constexpr double kLeastTwist = 1e-5;
// So much longer is a ruling than its part across the plane at most.
constexpr double kFlattest = 30.0;

}  // namespace

SaddleRulings::SaddleRulings(const LocalSurface& surface, std::span<const Vector3d> edges)
    : hessian_(Hessian(surface.psi)), slope_(LinearPart(surface.psi)) {
  if (edges.empty()) return;
  SaddleRulings best;
  double shortest = kLongestStrip;
  const auto consider = [&](const Vector3d& across, const Vector3d& on_plane, bool may_turn) {
    across_ = across.normalized();
    on_plane_ = on_plane;
    for (const double family : {1.0, -1.0}) {
      family_ = family;
      const double longest = LongestStrip(edges, may_turn);
      // Negated: not a number is no length.
      if (!(longest < shortest)) continue;
      shortest = longest;
      best = *this;
    }
  };
  // Across the axis of a hyperboloid, which no ruling is at right angles to: through the waist
  // where that is near, or through the middle of the edges.
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(hessian_);
  const Vector3d axis = solver.eigenvectors().col(solver.eigenvalues()[1] > 0.0 ? 0 : 2);
  Vector3d middle = Vector3d::Zero();
  for (const Vector3d& p : edges) middle += p / static_cast<double>(edges.size());
  consider(axis, PivotedMatrix(hessian_).Solve(-slope_), true);
  consider(axis, middle, true);
  // Through a ruling of the other family, which every one of this family meets.
  for (const Vector3d& p : {edges.front(), edges[edges.size() / 2]}) {
    across_ = hessian_ * p + slope_;
    across_ = across_.unitOrthogonal();
    on_plane_ = p;
    for (const double family : {1.0, -1.0}) {
      family_ = family;
      const Ruling ruling = At(p);
      consider(ruling.direction.cross(ruling.gradient), p, false);
    }
  }
  *this = best;
  usable_ = shortest < kLongestStrip;
}

// Directions d = u + μ w in the tangent plane, w across the plane's normal, along which the surface
// does not bend: a quadratic in μ. Its root of one sign belongs to one family all over the surface.
SaddleRulings::Ruling SaddleRulings::At(const Vector3d& p) const {
  Ruling ruling;
  ruling.gradient = hessian_ * p + slope_;
  const Vector3d& g = ruling.gradient;
  const Vector3d w = g.cross(across_);
  const Vector3d u = w.cross(g) / w.squaredNorm();
  const Vector3d bent = hessian_ * u, bent_w = hessian_ * w;
  const double a = u.dot(bent), b = w.dot(bent), c = w.dot(bent_w);
  const double root = family_ * std::sqrt(std::max(0.0, b * b - a * c));
  const double mu = b * root > 0.0 ? -a / (b + root) : (root - b) / c;
  ruling.direction = u + mu * w;
  ruling.bend = root;
  ruling.twist = std::abs(root) / (std::abs(b) + std::sqrt(std::abs(a * c)));
  return ruling;
}

double SaddleRulings::LongestStrip(std::span<const Vector3d> edges, bool may_turn) const {
  const Vector3d first = At(edges.front()).direction;
  double longest = 0.0;
  for (const Vector3d& p : edges) {
    const Ruling ruling = At(p);
    const Vector3d& direction = ruling.direction;
    // All cross the plane one way: where one turns round between two edges one is parallel to it.
    // Negated: not a number is no direction.
    const double norm = direction.norm();
    if (!(norm < kFlattest) || !(ruling.twist > kLeastTwist) ||
        (!may_turn && !(direction.dot(first) > 0.0))) {
      return std::numeric_limits<double>::infinity();
    }
    longest = std::max(longest, std::abs(across_.dot(p - on_plane_)) * norm);
  }
  return longest;
}

void SaddleRulings::Foot(const Vector3d& p, const Vector3d& derivative, Vector3d* foot,
                         Vector3d* foot_derivative) const {
  const Ruling ruling = At(p);
  const Vector3d& d = ruling.direction;
  // d' from d·Hd = 0, g·d = 0 and across·d = 1, with g' = H p'.
  const Vector3d bent = hessian_ * d;
  const Vector3d turn = -bent.dot(derivative) / ruling.bend * across_.cross(bent);
  const double s = across_.dot(p - on_plane_);
  *foot = p - s * d;
  *foot_derivative = derivative - across_.dot(derivative) * d - s * turn;
}

}  // namespace volcontact
