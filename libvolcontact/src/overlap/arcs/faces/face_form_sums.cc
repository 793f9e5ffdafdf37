// The integrals of a face's form.
#include <Eigen/Geometry>
#include <array>
#include <cstddef>
#include <numbers>

#include "math/arithmetic/lanes.h"
#include "math/arithmetic/vector3.h"
#include "overlap/arcs/faces/face_form.h"
#include "overlap/arcs/faces/fan.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Points of Gauss's rule of order two on [0, 1].
constexpr double kGaussPoints[2] = {0.21132486540518711775, 0.78867513459481288225};

// u · v.
template <class Row, class T>
T Along(const Row& u, const std::array<T, 3>& v) {
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

// Adds the strip of the points base + at (p − base), 0 <= at <= 1, as p and the base move.
template <class T, std::size_t N>
void AddRulings(const std::array<T, 3>& base, const std::array<T, 3>& base_derivative,
                const std::array<T, 3>& p, const std::array<T, 3>& derivative,
                std::array<T, N>* sums) {
  const std::array<T, 3> line = Minus(p, base);
  const std::array<T, 3> line_derivative = Minus(derivative, base_derivative);
  std::array<T, 3> at_p, swept;
  // The sums are cubic in the position along the ruling.
  for (const double at : kGaussPoints) {
    for (int i = 0; i < 3; ++i) {
      at_p[i] = base[i] + at * line[i];
      swept[i] = 0.5 * (base_derivative[i] + at * line_derivative[i]);
    }
    const std::array<T, 3> element = Cross(line, swept);
    BoundarySums::AddElement(at_p.data(), element.data(), sums);
  }
}

}  // namespace

template <class T, std::size_t N>
void FaceForm::EvaluateStrip(const std::array<T, 3>& p, const std::array<T, 3>& derivative,
                             std::array<T, N>* sums) const {
  if (has_apex_) return AddFan(base_, p, derivative, sums);
  std::array<T, 3> base, base_derivative, ruling, ruling_derivative;
  for (int i = 0; i < 3; ++i) {
    ruling[i] = slope_ * p[i] + direction_[i];
    ruling_derivative[i] = slope_ * derivative[i];
  }
  const T inverse = 1.0 / Along(across_, ruling), s = Along(across_, p) * inverse;
  const T ds = (Along(across_, derivative) - s * Along(across_, ruling_derivative)) * inverse;
  for (int i = 0; i < 3; ++i) {
    base[i] = p[i] - s * ruling[i];
    base_derivative[i] = derivative[i] - ds * ruling[i] - s * ruling_derivative[i];
  }
  AddRulings(base, base_derivative, p, derivative, sums);
}

void FaceForm::EvaluateSaddle(const Vector3d& p, const Vector3d& derivative,
                              BoundarySums* sums) const {
  Vector3d base, base_derivative;
  rulings_.Foot(p, derivative, &base, &base_derivative);
  AddRulings(ToArray(base), ToArray(base_derivative), ToArray(p), ToArray(derivative), &sums->s);
}

// The terms of the table in docs/theory.md: the form is H dζ − G dφ. All but that of the volume.
template <class T>
void FaceForm::AddPolarMoments(const std::array<T, 3>& q, const T& dz, const T& turn,
                               const T& z_dphi, std::array<T, BoundarySums::kSize>* sums) const {
  const T &x = q[0], &y = q[1], &z = q[2];
  const T h = 0.5 * z * dz;
  auto& s = *sums;
  s[1] += 0.25 * y * h;
  s[2] -= 0.25 * x * h;
  s[3] -= z * z * z_dphi * (1.0 / 24.0);
  const T mean = 0.2 * z * z * (1.0 / 12.0 - alpha_ * z * (1.0 / 16.0)) * z_dphi;
  const T rest = 0.1 * x * y * h;
  s[4] += rest - mean;
  s[5] += 0.05 * (y * y - x * x) * h;
  s[6] += 0.2 * y * z * h;
  s[7] -= rest + mean;
  s[8] -= 0.2 * x * z * h;
  s[9] -= 0.025 * z * z * z * z_dphi;
  s[10] += y * dz;
  s[11] -= x * dz;
  s[12] += 0.5 * turn;
  const T across = (0.25 * z - alpha_ * z * z * (1.0 / 6.0)) * z_dphi;
  const T twice = 0.5 * x * y * dz, cross = 0.25 * (y * y - x * x) * dz;
  const T tilt = 0.5 * (1.0 - 2.0 * alpha_ * z) * dz;
  s[13] += twice - across;
  s[14] += cross;
  s[15] -= y * tilt;
  s[16] += cross;
  s[17] -= twice + across;
  s[18] += x * tilt;
  s[19] += y * z * dz;
  s[20] -= x * z * dz;
  s[21] += (0.25 * z - alpha_ * z * z * (1.0 / 3.0)) * z_dphi;
}

template <class T, std::size_t N>
void FaceForm::EvaluatePolar(const std::array<T, 3>& p, const std::array<T, 3>& derivative,
                             std::array<T, N>* sums) const {
  std::array<T, 3> from_pole, q, dq;
  for (int i = 0; i < 3; ++i) from_pole[i] = p[i] - pole_[i];
  for (int i = 0; i < 3; ++i) {
    q[i] = Along(inverse_.row(i), from_pole);
    dq[i] = Along(inverse_.row(i), derivative);
  }
  const T x = q[0], y = q[1], z = q[2], dz = dq[2];
  const T turn = x * dq[1] - y * dq[0];
  const T z_dphi = turn / (1.0 - alpha_ * z);
  // The tetrahedra between the origin, P and the edge.
  const T six_volumes = -Along(origin_, Cross(q, dq));
  auto& s = *sums;
  s[0] += six_volumes * (1.0 / 6.0) - z * z_dphi * (1.0 / 12.0);
  if constexpr (N > 1) {
    AddPolarMoments(q, dz, turn, z_dphi, sums);
    std::array<T, 3> sum;
    for (int i = 0; i < 3; ++i) sum[i] = origin_[i] + 2.0 * q[i];
    int second = BoundarySums::kSecond;
    for (int i = 0; i < 3; ++i) {
      s[1 + i] += six_volumes * (1.0 / 24.0) * sum[i];
      for (int j = i; j < 3; ++j) {
        s[second++] += six_volumes * (1.0 / 120.0) *
                       (origin_[i] * origin_[j] + 2.0 * q[i] * q[j] + sum[i] * sum[j]);
      }
    }
  }
}

void FaceForm::EvaluateOne(const Vector3d& p, const Vector3d& derivative, bool is_seam,
                           BoundarySums* sums) const {
  if (is_seam) {
    torus_.EvaluateSeam(p, derivative, sums);
  } else if (shape_ == Shape::kTorus) {
    torus_.Evaluate(p, derivative, sums);
  } else {
    EvaluateSaddle(p, derivative, sums);
  }
}

// Of shapes that are evaluated at several points at once; false of the others.
template <class T, std::size_t N>
bool FaceForm::EvaluateShape(const std::array<T, 3>& p, const std::array<T, 3>& derivative,
                             std::array<T, N>* sums) const {
  if (shape_ == Shape::kStrip) {
    EvaluateStrip(p, derivative, sums);
  } else if (shape_ == Shape::kPolar) {
    EvaluatePolar(p, derivative, sums);
  } else {
    return false;
  }
  return true;
}

void FaceForm::Evaluate(const Vector3d& p, const Vector3d& derivative, bool is_seam,
                        BoundarySums* sums) const {
  if (is_seam || !EvaluateShape(ToArray(p), ToArray(derivative), &sums->s))
    EvaluateOne(p, derivative, is_seam, sums);
}

void FaceForm::Evaluate(const CurvePoints& points, bool is_seam, LaneSums* sums) const {
  const auto& [p, derivative] = points;
  if (!is_seam && EvaluateShape(p, derivative, sums)) return;
  for (std::size_t n = 0; n < Lanes::kCount; ++n) {
    BoundarySums one;
    EvaluateOne({p[0].x[n], p[1].x[n], p[2].x[n]},
                {derivative[0].x[n], derivative[1].x[n], derivative[2].x[n]}, is_seam, &one);
    for (int k = 0; k < BoundarySums::kSize; ++k) (*sums)[k].x[n] += one.s[k];
  }
}

template <class T>
T FaceForm::VolumeOn(const std::array<T, 3>& p, const std::array<T, 3>& derivative,
                     bool is_seam) const {
  if (shape_ == Shape::kTorus) return torus_.VolumeOn(p, derivative, is_seam);
  std::array<T, 1> volume;
  EvaluateShape(p, derivative, &volume);
  return units_.s[BoundarySums::kVolume] * volume[0];
}

template Lanes FaceForm::VolumeOn(const std::array<Lanes, 3>&, const std::array<Lanes, 3>&,
                                  bool) const;
template Discs FaceForm::VolumeOn(const std::array<Discs, 3>&, const std::array<Discs, 3>&,
                                  bool) const;

BoundarySums FaceForm::Complete(const BoundarySums& integrals, double far_pole) const {
  if (shape_ != Shape::kPolar) return integrals;
  BoundarySums sums = integrals;
  if (far_pole != 0.0) {
    // Once around the pole.
    const double turn = 2.0 * std::numbers::pi * far_pole * sign_, z = 1.0 / alpha_;
    auto& s = sums.s;
    s[0] += turn * z * z / 12.0;
    s[3] += turn * z * z * z / 24.0;
    const double mean = 0.2 * turn * z * z * z * (1.0 / 12.0 - 1.0 / 16.0);
    s[4] += mean;
    s[7] += mean;
    s[9] += 0.025 * turn * z * z * z * z;
    const double across = turn * z * z * (0.25 - 1.0 / 6.0);
    s[13] += across;
    s[17] += across;
    s[21] += turn * z * z * (1.0 / 3.0 - 0.25);
  }
  const double determinant = axes_.determinant();
  const double volume = determinant * sums.s[BoundarySums::kVolume];
  const Vector3d first = determinant * (axes_ * sums.First());
  const Matrix3d second = determinant * (axes_ * sums.Second() * axes_.transpose());
  const Matrix3d cofactors = determinant * inverse_.transpose();
  const Vector3d area = cofactors * sums.Area();
  const Matrix3d moment = axes_ * sums.Moment() * cofactors.transpose() + pole_ * area.transpose();
  const Matrix3d second_moved = second + pole_ * first.transpose() + first * pole_.transpose() +
                                volume * pole_ * pole_.transpose();
  BoundarySums result;
  result.s[BoundarySums::kVolume] = volume;
  int k = BoundarySums::kSecond;
  for (int i = 0; i < 3; ++i) {
    result.s[BoundarySums::kFirst + i] = first[i] + volume * pole_[i];
    result.s[BoundarySums::kArea + i] = area[i];
    for (int j = i; j < 3; ++j) result.s[k++] = second_moved(i, j);
    for (int j = 0; j < 3; ++j) result.s[BoundarySums::kMoment + 3 * i + j] = moment(i, j);
  }
  return result;
}

}  // namespace volcontact
