#include "overlap/arcs/faces/face_form.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "math/adjugate.h"
#include "math/small_systems.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// An apex no farther from the origin than this, along the axis and in all, is the base of its cone;
// the cube ends at √3.
constexpr double kNearApex = 1.8, kFarApex = 30.0;
// The poles of an ellipsoid are chosen with care where its centre is no farther off than this.
constexpr double kNearCenter = 4.0;
// Ways and angles of points that are tried as poles of a hyperboloid of two sheets, and how far off
// the edges, in the cube, the opposite point is enough.
constexpr std::array<double, 4> kWaysTried = {0.3, 0.8, 1.5, 2.4};
constexpr int kAroundTried = 8;
constexpr double kClearOfEdges = 0.2;
// Below this part of its terms, a number has lost all digits.
constexpr double kLost = 1e-11;
// Coefficients in a frame are those of a solid's frame, moved in double-double: below this part of
// the largest they are roundings.
constexpr double kNoDigits = 0x1p-96;
// The psi of a point on a surface, by rounding.
constexpr double kOnSurface = 1e-14;

Matrix3d HalfHessian(const LocalSurface& surface) { return 0.5 * Hessian(surface.psi); }

// Scales that make the diagonal of H ones, where it is not a rounding: coefficients of a thin frame
// differ by many powers of ten, and each has its own digits.
Vector3d Equilibration(const Matrix3d& H) {
  Vector3d scale;
  const double most = H.cwiseAbs().maxCoeff();
  for (int i = 0; i < 3; ++i) {
    const double row = std::max(std::abs(H(i, i)), H.row(i).squaredNorm() / most);
    scale[i] = row > 0.0 ? 1.0 / std::sqrt(std::max(row, kNoDigits * most)) : 1.0;
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

Vector3d Mean(std::span<const Vector3d> points) {
  Vector3d sum = Vector3d::Zero();
  for (const Vector3d& p : points) sum += p;
  return sum / std::max<double>(1.0, static_cast<double>(points.size()));
}

// The point that is nearest to the mean of all.
Vector3d Middle(std::span<const Vector3d> points) {
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
Vector3d FarthestFromOpposite(std::span<const Vector3d> directions) {
  const Vector3d axis(0.36, 0.48, 0.8);
  Vector3d best = axis;
  double best_cosine = -2.0;
  const auto consider = [&](const Vector3d& u) {
    double least = 1.0;
    for (auto v = directions.begin(); v != directions.end() && least > best_cosine; ++v) {
      least = std::min(least, u.dot(*v));
    }
    if (least <= best_cosine) return;
    best_cosine = least;
    best = u;
  };
  // Off planes of symmetry, in which surfaces touch.
  const Matrix3d off = Eigen::AngleAxisd(0.1, axis).toRotationMatrix();
  const Vector3d mean = Mean(directions);
  if (mean.norm() > kLost) consider(off * mean.normalized());
  // Off the axes, along which the edges of aligned parts lie.
  const Matrix3d turn = Eigen::AngleAxisd(0.7, axis).toRotationMatrix();
  for (int k = 0; k < 27; ++k) {
    const Vector3d u(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
    if (k != 13) consider(turn * u.normalized());
  }
  return best;
}

// A quadric with a centre.
struct CentralQuadric {
  Matrix3d H;
  Vector3d center;
  double at_center;  // psi there
};

std::optional<CentralQuadric> CentralQuadricOf(const LocalSurface& surface) {
  const Matrix3d H = HalfHessian(surface);
  const PivotedMatrix pivoted(H);
  if (!pivoted.IsInvertible()) return std::nullopt;
  const Vector3d center = -0.5 * pivoted.Solve(LinearPart(surface.psi));
  Vector3d gradient;
  return CentralQuadric{H, center, EvaluateSurface(surface, center, &gradient)};
}

// Of an ellipsoid in or near the cube, a point far from being opposite to any edge; else nothing.
bool FindEllipsoidPole(const CentralQuadric& quadric, std::span<const Vector3d> edges,
                       Vector3d* pole) {
  const auto& [H, center, at_center] = quadric;
  if (!(center.norm() < kNearCenter)) return false;
  const std::optional<Matrix3d> lower = CholeskyFactor(H / -at_center);
  if (!lower) return false;
  const Matrix3d to_sphere = lower->transpose();
  thread_local std::vector<Vector3d> directions;
  directions.clear();
  for (const Vector3d& p : edges) directions.push_back((to_sphere * (p - center)).normalized());
  *pole = center + SolveTransposed(*lower, FarthestFromOpposite(directions));
  return true;
}

// How far the edges keep off the point opposite to a pole.
double ClearanceOf(const Vector3d& pole, const Vector3d& center, std::span<const Vector3d> edges) {
  double least = kClearOfEdges;
  for (const Vector3d& p : edges) least = std::min(least, (p + pole - 2.0 * center).norm());
  return least;
}

// A pole of a quadric that is no ellipsoid near the cube: in the middle of the edges. Of a
// hyperboloid of two sheets the opposite point, at which the form is singular, may be on an edge
// of the other sheet. Then other points are tried on both sheets, at some ways from the vertex.
Vector3d PoleNear(const Vector3d& middle, const CentralQuadric& quadric,
                  std::span<const Vector3d> edges) {
  const auto& [H, center, at_center] = quadric;
  Vector3d best = middle;
  double most = ClearanceOf(middle, center, edges), nearest = 0.0;
  if (most == kClearOfEdges) return middle;
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(H);
  const Vector3d squares = -at_center * solver.eigenvalues().cwiseInverse();
  int axis, least;
  squares.maxCoeff(&axis);
  squares.minCoeff(&least);
  const int third = 3 - axis - least;
  if (!(squares[axis] > 0.0 && squares[third] < 0.0)) return middle;
  const Matrix3d half_axes = solver.eigenvectors() * squares.cwiseAbs().cwiseSqrt().asDiagonal();
  for (const double way : kWaysTried) {
    for (int k = 0; k < kAroundTried; ++k) {
      // Off planes of symmetry.
      const double angle = 0.37 + 2.0 * std::numbers::pi * k / kAroundTried;
      const Vector3d across =
          std::cos(angle) * half_axes.col(least) + std::sin(angle) * half_axes.col(third);
      for (const double sheet : {-1.0, 1.0}) {
        const Vector3d pole =
            center + sheet * std::cosh(way) * half_axes.col(axis) + std::sinh(way) * across;
        const double clear = ClearanceOf(pole, center, edges), off = (pole - middle).norm();
        // The nearest to the middle of those that are clear: far from it digits are lost.
        if (clear < most || (clear == most && off >= nearest)) continue;
        most = clear;
        nearest = off;
        best = pole;
      }
    }
  }
  return best;
}

}  // namespace

FaceForm::FaceForm(const LocalSurface& surface, SurfaceKind kind, std::span<const Vector3d> edges) {
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
                   std::span<const Vector3d> edges)
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
      PivotedMatrix(equilibrated).Solve(scale.cwiseProduct(-0.5 * LinearPart(surface.psi))));
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

void FaceForm::MakeSaddle(const LocalSurface& surface, std::span<const Vector3d> edges) {
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

void FaceForm::MakePolar(const LocalSurface& surface, std::span<const Vector3d> edges) {
  shape_ = Shape::kPolar;
  const std::optional<CentralQuadric> quadric = CentralQuadricOf(surface);
  if (!quadric || !FindEllipsoidPole(*quadric, edges, &pole_)) {
    const Vector3d middle = Middle(edges);
    pole_ = quadric ? PoleNear(middle, *quadric, edges) : middle;
  }
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

bool FaceForm::FarPole(Vector3d* p) const {
  if (shape_ != Shape::kPolar || alpha_ == 0.0) return false;
  *p = pole_ + axes_.col(2) / alpha_;
  return (p->cwiseAbs().array() <= 1.0).all();
}

}  // namespace volcontact
