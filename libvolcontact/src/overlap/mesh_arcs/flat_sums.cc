#include "overlap/mesh_arcs/flat_sums.h"

#include <Eigen/LU>

namespace volcontact {

using Eigen::Matrix3d;
using Eigen::Vector3d;

void AddTriangle(const Vector3d& p, const Vector3d& q, const Vector3d& r, BoundarySums* sums) {
  const Vector3d N = 0.5 * (q - p).cross(r - p), sum = p + q + r;
  const double h = p.dot(N);
  auto& s = sums->s;
  s[BoundarySums::kVolume] += h / 3.0;
  int second = BoundarySums::kSecond;
  for (int i = 0; i < 3; ++i) {
    s[BoundarySums::kFirst + i] += h * sum[i] / 12.0;
    s[BoundarySums::kArea + i] += N[i];
    for (int j = i; j < 3; ++j) {
      s[second++] += h / 60.0 * (sum[i] * sum[j] + p[i] * p[j] + q[i] * q[j] + r[i] * r[j]);
    }
    for (int j = 0; j < 3; ++j) s[BoundarySums::kMoment + 3 * i + j] += sum[i] * N[j] / 3.0;
  }
}

BoundarySums Mapped(const BoundarySums& sums, const Matrix3d& L) {
  const double determinant = L.determinant();
  const Matrix3d cofactors = determinant * L.inverse().transpose();
  const Vector3d first = determinant * (L * sums.First());
  const Matrix3d second = determinant * (L * sums.Second() * L.transpose());
  const Vector3d area = cofactors * sums.Area();
  const Matrix3d moment = L * sums.Moment() * cofactors.transpose();
  BoundarySums result;
  result.s[BoundarySums::kVolume] = determinant * sums.s[BoundarySums::kVolume];
  int k = BoundarySums::kSecond;
  for (int i = 0; i < 3; ++i) {
    result.s[BoundarySums::kFirst + i] = first[i];
    result.s[BoundarySums::kArea + i] = area[i];
    for (int j = i; j < 3; ++j) result.s[k++] = second(i, j);
    for (int j = 0; j < 3; ++j) result.s[BoundarySums::kMoment + 3 * i + j] = moment(i, j);
  }
  return result;
}

BoundarySums ToBoundarySums(const FaceSums& faces, const Vector3d& d) {
  FaceSums shifted;
  shifted.AddShifted(faces, d);
  const auto pair = [](int i, int j) { return i == j ? i : i + j + 2; };
  BoundarySums sums;
  sums.s[BoundarySums::kVolume] = shifted.first.trace() / 3.0;
  int k = BoundarySums::kSecond;
  for (int i = 0; i < 3; ++i) {
    double first = 0.0;
    for (int j = 0; j < 3; ++j) first += shifted.second(pair(i, j), j);
    sums.s[BoundarySums::kFirst + i] = 0.25 * first;
    sums.s[BoundarySums::kArea + i] = shifted.area[i];
    for (int j = i; j < 3; ++j) sums.s[k++] = 0.2 * shifted.flux_2[pair(i, j)];
    for (int j = 0; j < 3; ++j) sums.s[BoundarySums::kMoment + 3 * i + j] = shifted.first(i, j);
  }
  return sums;
}

}  // namespace volcontact
