#include "overlap/meshes/sums/triangle_sums.h"

#include <algorithm>
#include <cmath>

#include "overlap/meshes/sums/precise_sums.h"

namespace volcontact {

void AreaVectors::Add(const double* x, const double* y, const double* z, int count) {
  values_[0].insert(values_[0].end(), x, x + count);
  values_[1].insert(values_[1].end(), y, y + count);
  values_[2].insert(values_[2].end(), z, z + count);
}

double AreaVectors::Projection(const Eigen::Vector3d& n) const {
  constexpr std::size_t kLanes = 4;
  const auto& [x, y, z] = values_;
  const auto along = [&, &x = x, &y = y, &z = z](std::size_t k) {
    return std::abs(n[0] * x[k] + n[1] * y[k] + n[2] * z[k]);
  };
  std::array<double, kLanes> sums{};
  std::size_t k = 0;
  for (; k + kLanes <= x.size(); k += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += along(k + lane);
  }
  for (; k < x.size(); ++k) sums[0] += along(k);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

template <int kCount>
void TriangleSums::AddTerms(const Terms<kCount>& terms, int count, LaneSums<kCount>* sums) {
  for (int s = 0; s < kCount; ++s) {
    for (int k = 0; k < count; k += kLanes) {
      for (int lane = 0; lane < kLanes; ++lane) (*sums)[s][lane] += terms[s][k + lane];
    }
  }
}

void TriangleSums::SumAndClear() {
  SumBlock(count_);
  count_ = 0;
}

// Triangles of no area fill the last lanes.
void TriangleSums::Finish() {
  for (; count_ % kLanes != 0; ++count_) {
    for (Block& block : corners_) block[count_] = 0.0;
  }
  SumAndClear();
}

// As SurfaceSums::AddTriangle.
void ConeSums::SumBlock(int count) {
  const auto& [px, py, pz, qx, qy, qz, rx, ry, rz] = corners_;
  Terms<kCount> terms;
  for (int k = 0; k < count; ++k) {
    const double ux = qx[k] - px[k], uy = qy[k] - py[k], uz = qz[k] - pz[k];
    const double vx = rx[k] - px[k], vy = ry[k] - py[k], vz = rz[k] - pz[k];
    const double Nx = 0.5 * (uy * vz - uz * vy);
    const double Ny = 0.5 * (uz * vx - ux * vz);
    const double Nz = 0.5 * (ux * vy - uy * vx);
    const double sx = px[k] + qx[k] + rx[k];
    const double sy = py[k] + qy[k] + ry[k];
    const double sz = pz[k] + qz[k] + rz[k];
    const double h = px[k] * Nx + py[k] * Ny + pz[k] * Nz;
    const double third = h * (1.0 / 3.0), twelfth = h * (1.0 / 12.0);
    terms[kFlux0][k] = h;
    terms[kFlux1][k] = third * sx;
    terms[kFlux1 + 1][k] = third * sy;
    terms[kFlux1 + 2][k] = third * sz;
    terms[kFlux2][k] = twelfth * (sx * sx + px[k] * px[k] + qx[k] * qx[k] + rx[k] * rx[k]);
    terms[kFlux2 + 1][k] = twelfth * (sy * sy + py[k] * py[k] + qy[k] * qy[k] + ry[k] * ry[k]);
    terms[kFlux2 + 2][k] = twelfth * (sz * sz + pz[k] * pz[k] + qz[k] * qz[k] + rz[k] * rz[k]);
    terms[kFlux2 + 3][k] = twelfth * (sx * sy + px[k] * py[k] + qx[k] * qy[k] + rx[k] * ry[k]);
    terms[kFlux2 + 4][k] = twelfth * (sx * sz + px[k] * pz[k] + qx[k] * qz[k] + rx[k] * rz[k]);
    terms[kFlux2 + 5][k] = twelfth * (sy * sz + py[k] * pz[k] + qy[k] * qz[k] + ry[k] * rz[k]);
    terms[kArea][k] = Nx;
    terms[kArea + 1][k] = Ny;
    terms[kArea + 2][k] = Nz;
    terms[kTorque][k] = (sy * Nz - sz * Ny) * (1.0 / 3.0);
    terms[kTorque + 1][k] = (sz * Nx - sx * Nz) * (1.0 / 3.0);
    terms[kTorque + 2][k] = (sx * Ny - sy * Nx) * (1.0 / 3.0);
    const double size_p = std::abs(px[k]) + std::abs(py[k]) + std::abs(pz[k]);
    const double size_q = std::abs(qx[k]) + std::abs(qy[k]) + std::abs(qz[k]);
    const double size_r = std::abs(rx[k]) + std::abs(ry[k]) + std::abs(rz[k]);
    const double size = std::max(std::max(size_p, size_q), size_r);
    const double area = std::abs(Nx) + std::abs(Ny) + std::abs(Nz);
    terms[kError][k] = kTermRounding * size * area;
    terms[kAbsoluteArea][k] = area;
  }
  AddTerms<kCount>(terms, count, &sums_);
  areas_->Add(terms[kArea].data(), terms[kArea + 1].data(), terms[kArea + 2].data(), count);
}

SurfaceSums ConeSums::Surface() const {
  SurfaceSums sums;
  sums.flux_0 = Total(sums_[kFlux0]);
  for (int i = 0; i < 3; ++i) {
    sums.flux_1[i] = Total(sums_[kFlux1 + i]);
    sums.area[i] = Total(sums_[kArea + i]);
    sums.torque[i] = Total(sums_[kTorque + i]);
  }
  for (int k = 0; k < 6; ++k) sums.flux_2[k] = Total(sums_[kFlux2 + k]);
  return sums;
}

// Over a triangle of area A linear functions f, g, h integrate as A/3 S(f), A/12 (S(f) S(g) +
// S(fg)), A/60 (S(f) S(g) S(h) + S(f) S(gh) + S(g) S(hf) + S(h) S(fg) + 2 S(fgh)), S over the
// corners.
void HeightSums::SumBlock(int count) {
  const auto& [px, py, pz, qx, qy, qz, rx, ry, rz] = corners_;
  Terms<kCount> terms;
  Block Nx, Ny;
  for (int k = 0; k < count; ++k) {
    const double ux = qx[k] - px[k], uy = qy[k] - py[k], uz = qz[k] - pz[k];
    const double vx = rx[k] - px[k], vy = ry[k] - py[k], vz = rz[k] - pz[k];
    Nx[k] = 0.5 * (uy * vz - uz * vy);
    Ny[k] = 0.5 * (uz * vx - ux * vz);
    const double W = 0.5 * (ux * vy - uy * vx);
    const double sx = px[k] + qx[k] + rx[k];
    const double sy = py[k] + qy[k] + ry[k];
    const double sz = pz[k] + qz[k] + rz[k];
    const double pxz = px[k] * pz[k], qxz = qx[k] * qz[k], rxz = rx[k] * rz[k];
    const double pyz = py[k] * pz[k], qyz = qy[k] * qz[k], ryz = ry[k] * rz[k];
    const double pzz = pz[k] * pz[k], qzz = qz[k] * qz[k], rzz = rz[k] * rz[k];
    const double xx = px[k] * px[k] + qx[k] * qx[k] + rx[k] * rx[k];
    const double xy = px[k] * py[k] + qx[k] * qy[k] + rx[k] * ry[k];
    const double yy = py[k] * py[k] + qy[k] * qy[k] + ry[k] * ry[k];
    const double xz = pxz + qxz + rxz, yz = pyz + qyz + ryz, zz = pzz + qzz + rzz;
    const double xxz = px[k] * pxz + qx[k] * qxz + rx[k] * rxz;
    const double xyz = px[k] * pyz + qx[k] * qyz + rx[k] * ryz;
    const double yyz = py[k] * pyz + qy[k] * qyz + ry[k] * ryz;
    const double xzz = px[k] * pzz + qx[k] * qzz + rx[k] * rzz;
    const double yzz = py[k] * pzz + qy[k] * qzz + ry[k] * rzz;
    const double zzz = pz[k] * pzz + qz[k] * qzz + rz[k] * rzz;
    const double third = W * (1.0 / 3.0), twelfth = W * (1.0 / 12.0), sixtieth = W * (1.0 / 60.0);
    terms[kAcross][k] = W;
    terms[kAcrossX][k] = third * sx;
    terms[kAcrossY][k] = third * sy;
    terms[kVolume][k] = third * sz;
    terms[kFirst][k] = twelfth * (sx * sz + xz);
    terms[kFirst + 1][k] = twelfth * (sy * sz + yz);
    terms[kFirst + 2][k] = 0.5 * twelfth * (sz * sz + zz);
    terms[kSecond][k] = sixtieth * (sx * (sx * sz + 2.0 * xz) + sz * xx + 2.0 * xxz);
    terms[kSecond + 1][k] = sixtieth * (sy * (sy * sz + 2.0 * yz) + sz * yy + 2.0 * yyz);
    terms[kSecond + 2][k] = (1.0 / 3.0) * sixtieth * (sz * (sz * sz + 3.0 * zz) + 2.0 * zzz);
    terms[kSecond + 3][k] = sixtieth * (sx * (sy * sz + yz) + sy * xz + sz * xy + 2.0 * xyz);
    terms[kSecond + 4][k] = 0.5 * sixtieth * (sz * (sx * sz + 2.0 * xz) + sx * zz + 2.0 * xzz);
    terms[kSecond + 5][k] = 0.5 * sixtieth * (sz * (sy * sz + 2.0 * yz) + sy * zz + 2.0 * yzz);
    // x and y may be off by the rounding of their size.
    const double size_p = std::abs(px[k]) + std::abs(py[k]);
    const double size_q = std::abs(qx[k]) + std::abs(qy[k]);
    const double size_r = std::abs(rx[k]) + std::abs(ry[k]);
    const double size = std::max(std::max(size_p, size_q), size_r);
    const double height = std::max(std::max(std::abs(pz[k]), std::abs(qz[k])), std::abs(rz[k]));
    const double across = std::abs(ux * vy) + std::abs(uy * vx);
    terms[kError][k] =
        kTermRounding * (height * across + size * (std::abs(Nx[k]) + std::abs(Ny[k])));
    terms[kAbsoluteAcross][k] = across;
  }
  AddTerms<kCount>(terms, count, &sums_);
  areas_->Add(Nx.data(), Ny.data(), terms[kAcross].data(), count);
}

VolumeMoments HeightSums::Moments() const {
  VolumeMoments moments;
  moments.volume = Total(sums_[kVolume]);
  for (int i = 0; i < 3; ++i) moments.first[i] = Total(sums_[kFirst + i]);
  for (int k = 0; k < 6; ++k) {
    const auto [i, j] = kSymmetric[k];
    moments.second(i, j) = moments.second(j, i) = Total(sums_[kSecond + k]);
  }
  return moments;
}

}  // namespace volcontact
