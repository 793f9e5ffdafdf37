#include "overlap/closed_forms/crossing_circle.h"

#include <cmath>
#include <numbers>

#include "math/cross_matrix.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using std::numbers::pi;

// ∮ N_B N_A' / sin along the circle, N = (n, r × n) with r = ρ e_r and n = n_r e_r + n_z e_z. The
// integrals of e_r e_r', e_φ e_φ' and e_r e_φ' over the angle are π times these matrices.
Matrix6 AreaAlong(const CrossingCircle& circle) {
  const auto& [a_r, a_z] = circle.of_A;
  const auto& [b_r, b_z] = circle.of_B;
  Matrix3d across = Matrix3d::Zero(), turned = Matrix3d::Zero();
  across(0, 0) = across(1, 1) = turned(0, 1) = 1.0;
  turned(1, 0) = -1.0;
  const double rho = circle.radius, factor = pi * circle.radius_over_sine;
  Matrix6 result;
  result << a_r * b_r * across, -rho * b_r * a_z * turned, rho * b_z * a_r * turned,
      rho * rho * a_z * b_z * across;
  result(2, 2) = 2.0 * a_z * b_z;
  return factor * result;
}

// What the moments change by as a plane of A moves: only its disc sweeps.
void SweepPlane(const CrossingCircle& circle, VolumeDerivatives* result) {
  const double second = 0.25 * pi * std::pow(circle.radius, 4);
  result->first(1, 3) = -second;
  result->first(0, 4) = second;
  result->second[2].diagonal() << -second, -second, 0.0;
}

// As a sphere of A moves: what is on its side of the disc goes along, and the disc sweeps. Turning
// about the circle's centre moves the sphere's centre, and nothing else.
void MoveSphere(const CrossingCircle& circle, VolumeDerivatives* result) {
  result->first.leftCols<3>() = circle.volume_A * Matrix3d::Identity();
  for (int k = 0; k < 3; ++k) {
    result->second[k].col(2) += circle.first_A * Vector3d::Unit(k);
    result->second[k].row(2) += circle.first_A * Vector3d::Unit(k).transpose();
  }
  const double second = 0.25 * pi * std::pow(circle.radius, 4);
  result->second[2].diagonal() -= Vector3d(second, second, 0.0);
  const Matrix3d move = -CrossMatrix(*circle.center_A * Vector3d::UnitZ());
  result->first.rightCols<3>() = result->first.leftCols<3>() * move;
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < 3; ++j) result->second[3 + k] += move(j, k) * result->second[j];
  }
}

}  // namespace

RawDerivatives DerivativesOf(const CrossingCircle& circle, const Rigid& X_AC) {
  RawDerivatives result;
  result.known = true;
  result.X_AC = X_AC;
  result.X_AC.t = X_AC * Vector3dd{0.0, 0.0, circle.z};
  VolumeDerivatives& values = result.values;
  values.volume[2] = -pi * circle.radius * circle.radius;
  values.area = AreaAlong(circle);
  if (circle.center_A) {
    MoveSphere(circle, &values);
  } else {
    SweepPlane(circle, &values);
  }
  return result;
}

}  // namespace volcontact
