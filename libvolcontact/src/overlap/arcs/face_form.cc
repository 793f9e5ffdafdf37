#include "overlap/arcs/face_form.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "math/adjugate.h"
#include "math/lanes.h"
#include "math/vector3.h"
#include "overlap/arcs/fan.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Points of Gauss's rule of order two on [0, 1].
constexpr double kGaussPoints[2] = {0.21132486540518711775, 0.78867513459481288225};
// An apex no farther from the origin than this, along the axis and in all, is the base of its cone;
// the cube ends at √3.
constexpr double kNearApex = 1.8, kFarApex = 30.0;
// The poles of an ellipsoid are chosen with care where its centre is no farther off than this.
constexpr double kNearCenter = 4.0;
// Below this part of its terms a number is all rounding.
constexpr double kLost = 1e-11;
// The psi of a point on a surface, by rounding.
constexpr double kOnSurface = 1e-14;

std::array<double, 3> ToArray(const Vector3d& v) { return {v[0], v[1], v[2]}; }

// u · v.
template <class Row, class T>
T Along(const Row& u, const std::array<T, 3>& v) {
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

Matrix3d HalfHessian(const LocalSurface& surface) { return 0.5 * Hessian(surface.psi); }

// Scales that make the diagonal of H ones, where it is not zero: coefficients of a thin frame
// differ by many powers of ten, and each has its own digits.
Vector3d Equilibration(const Matrix3d& H) {
  Vector3d scale;
  for (int i = 0; i < 3; ++i) {
    const double row =
        std::max(std::abs(H(i, i)), H.row(i).squaredNorm() / H.cwiseAbs().maxCoeff());
    scale[i] = row > 0.0 ? 1.0 / std::sqrt(row) : 1.0;
  }
  return scale;
}

// Brings a point that is nearly on the surface onto it; false when it was not near.
bool Polish(const LocalSurface& surface, Vector3d* p) {
  constexpr int kSteps = 3;
  Vector3d gradient;
  for (int step = 0; step < kSteps; ++step) {
    const double psi = EvaluateSurface(surface, *p, &gradient);
    *p -= psi / gradient.squaredNorm() * gradient;
  }
  // Coefficients are no larger than one.
  return std::abs(EvaluateSurface(surface, *p, &gradient)) <= kOnSurface;
}

Vector3d Mean(const std::vector<Vector3d>& points) {
  Vector3d sum = Vector3d::Zero();
  for (const Vector3d& p : points) sum += p;
  return sum / std::max<double>(1.0, static_cast<double>(points.size()));
}

// The point that is nearest to the mean of all.
Vector3d Middle(const std::vector<Vector3d>& points) {
  const Vector3d mean = Mean(points);
  Vector3d best = mean;
  double least = std::numeric_limits<double>::infinity();
  for (const Vector3d& p : points) {
    const double distance = (p - mean).squaredNorm();
    if (distance >= least) continue;
    least = distance;
    best = p;
  }
  return best;
}

// The unit vector among some that keeps farthest from being opposite to any of the given ones.
Vector3d FarthestFromOpposite(const std::vector<Vector3d>& directions) {
  Vector3d best = Vector3d(0.36, 0.48, 0.8);
  double best_cosine = -2.0;
  const auto consider = [&](const Vector3d& u) {
    double least = 1.0;
    for (const Vector3d& v : directions) least = std::min(least, u.dot(v));
    if (least <= best_cosine) return;
    best_cosine = least;
    best = u;
  };
  const Vector3d mean = Mean(directions);
  if (mean.norm() > kLost) consider(mean.normalized());
  // Off the axes, along which the edges of aligned parts lie.
  const Matrix3d turn = Eigen::AngleAxisd(0.7, best).toRotationMatrix();
  for (int k = 0; k < 27; ++k) {
    const Vector3d u(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
    if (k != 13) consider(turn * u.normalized());
  }
  return best;
}

// Of an ellipsoid in or near the cube, a point far from being opposite to any edge; else nothing.
bool FindEllipsoidPole(const LocalSurface& surface, const std::vector<Vector3d>& edges,
                       Vector3d* pole) {
  const Matrix3d H = HalfHessian(surface);
  const Eigen::FullPivLU<Matrix3d> lu(H);
  if (!lu.isInvertible()) return false;
  const Vector3d center = -0.5 * lu.solve(LinearPart(surface.psi));
  if (!(center.norm() < kNearCenter)) return false;
  Vector3d gradient;
  const double at_center = EvaluateSurface(surface, center, &gradient);
  const Eigen::LLT<Matrix3d> cholesky(H / -at_center);
  if (cholesky.info() != Eigen::Success) return false;
  const Matrix3d to_sphere = cholesky.matrixU();
  thread_local std::vector<Vector3d> directions;
  directions.clear();
  for (const Vector3d& p : edges) directions.push_back((to_sphere * (p - center)).normalized());
  *pole = center + to_sphere.triangularView<Eigen::Upper>().solve(FarthestFromOpposite(directions));
  return true;
}

// Adds the strip of the points base + at (p − base), 0 <= at <= 1, as p and the base move.
template <class T>
void AddRulings(const std::array<T, 3>& base, const std::array<T, 3>& base_derivative,
                const std::array<T, 3>& p, const std::array<T, 3>& derivative,
                std::array<T, BoundarySums::kSize>* sums) {
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

FaceForm::FaceForm(const LocalSurface& surface, SurfaceKind kind,
                   const std::vector<Vector3d>& edges) {
  units_.s.fill(1.0);
  switch (kind) {
    case SurfaceKind::kPlane:
      MakePlane(surface);
      break;
    case SurfaceKind::kCylinder:
      MakeCylinder(surface);
      break;
    case SurfaceKind::kCone:
      MakeCone(surface);
      break;
    case SurfaceKind::kElliptic:
      MakePolar(surface, edges);
      break;
    case SurfaceKind::kSaddle:
      MakeSaddle(surface, edges);
      break;
    case SurfaceKind::kTorus:
    case SurfaceKind::kOther:
      usable_ = false;
      break;
  }
}

FaceForm::FaceForm(const SeamedTorus& torus, const LocalFrame& frame,
                   const std::vector<Vector3d>& edges)
    : shape_(Shape::kTorus), torus_(torus, frame, Middle(edges)) {
  units_.s.fill(1.0);
  usable_ = torus_.IsUsable();
}

void FaceForm::MakePlane(const LocalSurface& surface) {
  const Vector3d normal = LinearPart(surface.psi);
  has_apex_ = true;
  base_ = -surface.psi.c[kOne] / normal.squaredNorm() * normal;
}

void FaceForm::MakeCylinder(const LocalSurface& surface) {
  const Matrix3d H = HalfHessian(surface);
  const Vector3d scale = Equilibration(H);
  const Matrix3d kernel = Adjugate(scale.asDiagonal() * H * scale.asDiagonal());
  int column;
  kernel.cwiseAbs().diagonal().maxCoeff(&column);
  direction_ = scale.cwiseProduct(kernel.col(column)).normalized();
  across_ = direction_;
  usable_ = direction_.allFinite();
}

void FaceForm::MakeCone(const LocalSurface& surface) {
  const Matrix3d H = HalfHessian(surface);
  const Vector3d scale = Equilibration(H);
  const Matrix3d equilibrated = scale.asDiagonal() * H * scale.asDiagonal();
  const Vector3d apex = scale.cwiseProduct(
      equilibrated.fullPivLu().solve(scale.cwiseProduct(-0.5 * LinearPart(surface.psi))));
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(H);
  // The eigenvalue whose sign the others do not have: no ruling is at right angles to its vector.
  const bool one_negative = solver.eigenvalues()[1] > 0.0;
  across_ = solver.eigenvectors().col(one_negative ? 0 : 2);
  usable_ = apex.allFinite();
  has_apex_ = std::abs(across_.dot(apex)) < kNearApex && apex.norm() < kFarApex;
  base_ = apex;
  slope_ = 1.0 / std::max(1.0, apex.norm());
  direction_ = -slope_ * apex;
}

void FaceForm::MakeSaddle(const LocalSurface& surface, const std::vector<Vector3d>& edges) {
  rulings_ = SaddleRulings(surface, edges);
  if (rulings_.IsUsable()) {
    shape_ = Shape::kSaddle;
    return;
  }
  // What is a saddle in double-double only.
  MakeCone(surface);
  Vector3d gradient;
  usable_ &= std::abs(EvaluateSurface(surface, base_, &gradient)) <= kOnSurface;
}

void FaceForm::MakePolar(const LocalSurface& surface, const std::vector<Vector3d>& edges) {
  shape_ = Shape::kPolar;
  if (!FindEllipsoidPole(surface, edges, &pole_)) pole_ = Middle(edges);
  usable_ = Polish(surface, &pole_);
  const Matrix3d H = HalfHessian(surface), adjugate = Adjugate(H);
  Vector3d normal;
  EvaluateSurface(surface, pole_, &normal);
  Vector3d along = adjugate * normal;
  const double product = normal.dot(along);
  along *= -1.0 / product;
  const Vector3d u = normal.unitOrthogonal(), v = normal.cross(u).normalized();
  double uu = u.dot(H * u), uv = u.dot(H * v), vv = v.dot(H * v);
  if (uu + vv < 0.0) {
    sign_ = -1.0;
    along = -along;
    uu = -uu, uv = -uv, vv = -vv;
  }
  alpha_ = sign_ * along.dot(H * along);
  const double angle = 0.5 * std::atan2(2.0 * uv, uu - vv);
  const Vector3d x = std::cos(angle) * u + std::sin(angle) * v;
  const Vector3d y = std::cos(angle) * v - std::sin(angle) * u;
  const double xx = sign_ * x.dot(H * x), yy = sign_ * y.dot(H * y);
  axes_.col(0) = x / std::sqrt(xx);
  axes_.col(1) = y / std::sqrt(yy);
  axes_.col(2) = along;
  if (axes_.determinant() < 0.0) axes_.col(1) *= -1.0;
  inverse_ = axes_.inverse();
  origin_ = -(inverse_ * pole_);
  usable_ &= inverse_.allFinite() && axes_.allFinite() && xx > kLost * std::abs(yy) &&
             yy > kLost * std::abs(xx);

  const double determinant = axes_.determinant();
  const Vector3d length = axes_.colwise().norm();
  const Vector3d area = determinant * inverse_.rowwise().norm();
  units_.s[BoundarySums::kVolume] = determinant;
  int second = BoundarySums::kSecond;
  for (int i = 0; i < 3; ++i) {
    units_.s[BoundarySums::kFirst + i] = determinant * length[i];
    units_.s[BoundarySums::kArea + i] = area[i];
    for (int j = i; j < 3; ++j) units_.s[second++] = determinant * length[i] * length[j];
    for (int j = 0; j < 3; ++j) units_.s[BoundarySums::kMoment + 3 * i + j] = length[i] * area[j];
  }
}

template <class T>
void FaceForm::EvaluateStrip(const std::array<T, 3>& p, const std::array<T, 3>& derivative,
                             std::array<T, BoundarySums::kSize>* sums) const {
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

// The terms are those of the table in docs/theory.md: the form is H dζ − G dφ.
template <class T>
void FaceForm::EvaluatePolar(const std::array<T, 3>& p, const std::array<T, 3>& derivative,
                             std::array<T, BoundarySums::kSize>* sums) const {
  std::array<T, 3> from_pole, q, dq;
  for (int i = 0; i < 3; ++i) from_pole[i] = p[i] - pole_[i];
  for (int i = 0; i < 3; ++i) {
    q[i] = Along(inverse_.row(i), from_pole);
    dq[i] = Along(inverse_.row(i), derivative);
  }
  const T x = q[0], y = q[1], z = q[2], dz = dq[2];
  const T turn = x * dq[1] - y * dq[0];
  const T z_dphi = turn / (1.0 - alpha_ * z);
  const T h = 0.5 * z * dz;
  auto& s = *sums;
  s[0] -= z * z_dphi * (1.0 / 12.0);
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

  // The tetrahedra between the origin, P and the edge.
  const T six_volumes = -Along(origin_, Cross(q, dq));
  std::array<T, 3> sum;
  for (int i = 0; i < 3; ++i) sum[i] = origin_[i] + 2.0 * q[i];
  s[0] += six_volumes * (1.0 / 6.0);
  int second = BoundarySums::kSecond;
  for (int i = 0; i < 3; ++i) {
    s[1 + i] += six_volumes * (1.0 / 24.0) * sum[i];
    for (int j = i; j < 3; ++j) {
      s[second++] += six_volumes * (1.0 / 120.0) *
                     (origin_[i] * origin_[j] + 2.0 * q[i] * q[j] + sum[i] * sum[j]);
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
template <class T>
bool FaceForm::EvaluateShape(const std::array<T, 3>& p, const std::array<T, 3>& derivative,
                             std::array<T, BoundarySums::kSize>* sums) const {
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

bool FaceForm::FarPole(Vector3d* p) const {
  if (shape_ != Shape::kPolar || alpha_ == 0.0) return false;
  *p = pole_ + axes_.col(2) / alpha_;
  return (p->cwiseAbs().array() <= 1.0).all();
}

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
