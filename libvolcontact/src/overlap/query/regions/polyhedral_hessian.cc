#include "overlap/query/regions/polyhedral_hessian.h"

#include <Eigen/Geometry>

namespace volcontact {
namespace {

// Straight pieces are summed exactly, whatever is asked.
constexpr double kAnyError = 1e-12;

BoundarySums FluxesOf(const VolumeMoments& moments) {
  BoundarySums sums;
  sums.s[BoundarySums::kVolume] = moments.volume;
  for (int i = 0, k = BoundarySums::kSecond; i < 3; ++i) {
    sums.s[BoundarySums::kFirst + i] = moments.first[i];
    for (int j = i; j < 3; ++j) sums.s[k++] = moments.second(i, j);
  }
  return sums;
}

BoundarySums ShareOf(const SurfaceSums& sums, const Eigen::Matrix3d& moment) {
  VolumeMoments moments;
  SetMoments(sums, sums.flux_0 / 3.0, &moments);
  BoundarySums share = FluxesOf(moments);
  for (int i = 0; i < 3; ++i) {
    share.s[BoundarySums::kArea + i] = sums.area[i];
    for (int j = 0; j < 3; ++j) share.s[BoundarySums::kMoment + 3 * i + j] = moment(i, j);
  }
  return share;
}

}  // namespace

SurfaceSums SumsOverCones(const VolumeMoments& cones, const Eigen::Vector3d& area) {
  SurfaceSums sums;
  sums.area = area;
  sums.flux_0 = 3.0 * cones.volume;
  sums.flux_1 = 4.0 * cones.first;
  for (int k = 0; k < 6; ++k) {
    const auto [i, j] = kSymmetric[k];
    sums.flux_2[k] = 5.0 * cones.second(i, j);
  }
  return sums;
}

RawDerivatives FlatHessian::Run(const Rigid& X_AC, const VolumeMoments& moments,
                                const SurfaceSums& of_B, const Eigen::Matrix3d& moment) {
  straight_.clear();
  for (const auto& [p, q, of_A_face, of_B_face] : crossings_) {
    // The rim of B's part in A runs along n_B × n_A.
    const bool is_along = (q - p).dot(of_B_face.cross(of_A_face)) > 0.0;
    straight_.push_back({is_along ? 1.0 : -1.0, true});
  }
  const auto place_on = [this](std::size_t n, double u, VolumeHessian::Place* place) {
    const FlatCrossing& crossing = crossings_[n];
    place->point.p = crossing.p + u * (crossing.q - crossing.p);
    place->point.derivative = crossing.q - crossing.p;
    place->of_A = crossing.of_A;
    place->of_B = crossing.of_B;
    return true;
  };
  LocalFrame frame;
  frame.X_AC = X_AC;
  return sums_.RunAlong(frame, straight_, place_on, FluxesOf(moments), ShareOf(of_B, moment),
                        kAnyError);
}

}  // namespace volcontact
