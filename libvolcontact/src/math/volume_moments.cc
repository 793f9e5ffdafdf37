#include "volcontact/math/volume_moments.h"

VOLCONTACT_NAMESPACE_BEGIN

VolumeMoments& VolumeMoments::operator+=(const VolumeMoments& other) {
  volume += other.volume;
  first += other.first;
  second += other.second;
  return *this;
}

VolumeMoments& VolumeMoments::operator*=(double factor) {
  volume *= factor;
  first *= factor;
  second *= factor;
  return *this;
}

Eigen::Matrix3d VolumeMoments::CentralSecond() const {
  return second - first * (first / volume).transpose();
}

Eigen::Matrix3d VolumeMoments::CentralInertia() const { return InertiaFromSecond(CentralSecond()); }

VolumeMoments VolumeMoments::Transformed(const Eigen::Matrix3d& R, const Eigen::Vector3d& p) const {
  VolumeMoments result;
  const Eigen::Vector3d rotated = R * first;
  result.volume = volume;
  result.first = rotated + volume * p;
  result.second = R * second * R.transpose() + rotated * p.transpose() + p * rotated.transpose() +
                  volume * p * p.transpose();
  return result;
}

Eigen::Matrix3d InertiaFromSecond(const Eigen::Matrix3d& second) {
  return second.trace() * Eigen::Matrix3d::Identity() - second;
}

Eigen::Matrix3d SecondFromInertia(const Eigen::Matrix3d& inertia) {
  return 0.5 * inertia.trace() * Eigen::Matrix3d::Identity() - inertia;
}

VOLCONTACT_NAMESPACE_END
