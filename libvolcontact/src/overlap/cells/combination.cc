#include "overlap/cells/combination.h"

#include <cmath>
#include <limits>

#include "math/small_systems.h"

namespace volcontact {

using Eigen::Matrix3d;
using Eigen::Vector3d;

void Combination::Add(const QuadraticModel& model, double factor) {
  value_ += factor * model.value + factor * (factor > 0.0 ? model.rest_low : model.rest_high);
  linear_ += factor * model.linear;
  square_ += factor * model.square;
  cross_ += factor * model.cross;
}

double Combination::Low() const {
  double low = value_ - cross_.cwiseAbs().sum();
  for (int i = 0; i < 3; ++i) {
    const double a = std::abs(linear_[i]), q = square_[i];
    low += 2.0 * q <= a ? q - a : -0.25 * a * a / q;
  }
  return low;
}

// A Cholesky factorisation that succeeds proves that the smallest eigenvalue is above −2^-46 of the
// trace (Rump, "Verification of positive definiteness", BIT 46, 2006).
double Combination::LowNear(const Vector3d& t0) const {
  Matrix3d second;
  second << 2.0 * square_[0], cross_[0], cross_[1], cross_[0], 2.0 * square_[1], cross_[2],
      cross_[1], cross_[2], 2.0 * square_[2];
  const double tiny = 0x1p-46 * second.trace();
  if (!(tiny >= 0.0) || !CholeskyFactor(second + tiny * Matrix3d::Identity())) {
    return -std::numeric_limits<double>::infinity();
  }
  const Vector3d slope = linear_ + second * t0;
  const double value = value_ + 0.5 * t0.dot(linear_ + slope);
  const double terms = std::abs(value_) + linear_.cwiseAbs().sum() + second.cwiseAbs().sum();
  const Vector3d reach = Vector3d::Ones() + t0.cwiseAbs();
  return value - slope.cwiseAbs().dot(reach) - 2.0 * tiny * reach.squaredNorm() - 0x1p-48 * terms;
}

}  // namespace volcontact
