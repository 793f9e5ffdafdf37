#include "math/difference_simplex.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

namespace volcontact {

using Eigen::Vector3d;

void DifferenceSimplex::Add(const Vector3d& x, const Vector3d& y) {
  pairs_[size_++] = {x, y};
  const DifferenceSimplex all = *this;
  DifferenceSimplex face;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned chosen = 1; chosen < 1U << all.size_; ++chosen) {
    if (!face.PutOnFace(all, chosen)) continue;
    const double distance = (face.NearestX() - face.NearestY()).norm();
    if (!(distance < least)) continue;
    least = distance;
    *this = face;
  }
}

// Becomes the face of the chosen pairs, with the weights of the point of its plane, line or point
// nearest to the origin. False if that point is not between the pairs.
bool DifferenceSimplex::PutOnFace(const DifferenceSimplex& all, unsigned chosen) {
  size_ = 0;
  for (int i = 0; i < all.size_; ++i) {
    if ((chosen >> i & 1U) != 0) pairs_[size_++] = all.pairs_[i];
  }
  const Vector3d base = pairs_[0].Difference();
  std::array<Vector3d, 3> edges;
  for (int i = 1; i < size_; ++i) edges[i - 1] = pairs_[i].Difference() - base;
  if (size_ == 2) {
    weights_[1] = -base.dot(edges[0]) / edges[0].squaredNorm();
  } else if (size_ == 3) {
    const Vector3d normal = edges[0].cross(edges[1]);
    weights_[1] = normal.dot(edges[1].cross(base)) / normal.squaredNorm();
    weights_[2] = normal.dot(base.cross(edges[0])) / normal.squaredNorm();
  } else if (size_ == 4) {
    const double volume = edges[0].dot(edges[1].cross(edges[2]));
    weights_[1] = -base.dot(edges[1].cross(edges[2])) / volume;
    weights_[2] = -base.dot(edges[2].cross(edges[0])) / volume;
    weights_[3] = -base.dot(edges[0].cross(edges[1])) / volume;
  }
  weights_[0] = 1.0;
  for (int i = 1; i < size_; ++i) weights_[0] -= weights_[i];
  // Weights of a face without extent are no numbers, and not between, either.
  return std::all_of(weights_.begin(), weights_.begin() + size_,
                     [](double weight) { return weight > 0.0; });
}

Vector3d DifferenceSimplex::Mean(Vector3d Pair::*of) const {
  Vector3d mean = Vector3d::Zero();
  for (int i = 0; i < size_; ++i) mean += weights_[i] * (pairs_[i].*of);
  return mean;
}

Vector3d DifferenceSimplex::TowardOrigin() const {
  Vector3d toward = NearestY() - NearestX();
  const Vector3d base = pairs_[0].Difference();
  if (size_ == 2) {
    const Vector3d along = (pairs_[1].Difference() - base).normalized();
    for (int k = 0; k < 2; ++k) toward -= along.dot(toward) * along;
  } else if (size_ == 3) {
    const Vector3d normal = (pairs_[1].Difference() - base).cross(pairs_[2].Difference() - base);
    toward = normal.dot(toward) < 0.0 ? Vector3d(-normal) : normal;
  }
  return toward.normalized();
}

}  // namespace volcontact
