#include "overlap/distance/faces/surface_gap.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Values that differ by no more than this part are equal, and formulas are taken by as much less:
// they turn a polynomial that is exact into a distance.
constexpr double kEqualValues = 1e-10, kFormulaPart = 1.0 - 1e-9;
// Steps from a point to its foot.
constexpr int kFootSteps = 3;

Polynomial<double> Quadratic(const Matrix3d& M, const Vector3d& b, double c) {
  Polynomial<double> f;
  f.degree = 2;
  f.c[kOne] = c;
  for (int i = 0; i < 3; ++i) {
    f.c[kX + i] = b[i];
    for (int j = 0; j < 3; ++j) f.c[ProductIndex(i, j)] += M(i, j);
  }
  return f;
}

double ValueAt(const Polynomial<double>& psi, const Vector3d& p, Vector3d* gradient) {
  const Matrix3d H = Hessian(psi);
  *gradient = LinearPart(psi) + H * p;
  return psi.c[kOne] + p.dot(LinearPart(psi) + 0.5 * H * p);
}

}  // namespace

QuadricAxes::QuadricAxes(const Polynomial<double>& psi, SurfaceKind kind) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(0.5 * Hessian(psi));
  values = solver.eigenvalues();
  axes = solver.eigenvectors();
  const Vector3d b = axes.transpose() * LinearPart(psi);
  Vector3d at = Vector3d::Zero();
  int least = 0;
  values.cwiseAbs().minCoeff(&least);
  if (kind == SurfaceKind::kCylinder) values[least] = 0.0;
  level = psi.c[kOne];
  for (int k = 0; k < 3; ++k) {
    if (values[k] == 0.0) continue;
    at[k] = -0.5 * b[k] / values[k];
    level -= values[k] * at[k] * at[k];
  }
  center = axes * at;
}

int QuadricAxes::Odd() const { return values[2] - values[1] <= values[1] - values[0] ? 0 : 2; }

ScaledTorus::ScaledTorus(const TorusSurface& torus, const LocalFrame& frame)
    : surface(torus),
      major(torus.major.hi / frame.half[0]),
      minor(torus.minor.hi / frame.half[0]),
      center(Round(frame.X_AC.InverseRotate(PlusScaled(torus.center, -1.0, frame.X_AC.t))) /
             frame.half[0]),
      axis(Round(frame.X_AC.InverseRotate(torus.axis))) {
  const Matrix3d one = Matrix3d::Identity(), flat = one - axis * axis.transpose();
  sum.psi = Quadratic(one, -2.0 * center, center.squaredNorm() + (major - minor) * (major + minor));
  across.psi = Quadratic(flat, -2.0 * flat * center, center.dot(flat * center));
}

std::optional<SurfaceGap> SurfaceGap::Of(const LocalSurface& surface, SurfaceKind kind,
                                         const std::optional<ScaledTorus>& torus) {
  SurfaceGap gap;
  gap.surface_ = surface;
  if (torus) {
    gap.kind_ = Kind::kTorus;
    gap.torus_ = torus;
    gap.factor_ = torus->across;
    gap.axis_ = torus->axis;
    return gap;
  }
  const Polynomial<double>& psi = surface.psi;
  if (psi.degree == 1) {
    gap.scale_ = LinearPart(psi).norm();
    return gap.scale_ > 0.0 ? std::optional(gap) : std::nullopt;
  }
  if (psi.degree != 2) return std::nullopt;
  const QuadricAxes quadric(psi, kind);
  const Vector3d& values = quadric.values;
  const int odd = quadric.Odd();
  const double k = values[1], room = kEqualValues * values.cwiseAbs().maxCoeff();
  const bool is_round = std::abs(values[2 - odd] - k) <= room;
  gap.scale_ = k;
  const double square = -quadric.level / k;
  if (is_round && square > 0.0 &&
      (kind == SurfaceKind::kCylinder || std::abs(values[odd] - k) <= room)) {
    gap.kind_ = Kind::kRound;
    gap.radius_ = std::sqrt(square);
    if (kind == SurfaceKind::kCylinder) gap.axis_ = quadric.axes.col(odd);
    return gap;
  }
  if (is_round && kind == SurfaceKind::kCone) {
    gap.kind_ = Kind::kCone;
    gap.slope_ = std::sqrt(-values[odd] / k);
    gap.cosine_ = 1.0 / std::hypot(1.0, gap.slope_);
    const Vector3d axis = quadric.axes.col(odd);
    gap.axis_ = axis;
    gap.factor_.emplace();
    gap.factor_->psi.degree = 1;
    gap.factor_->psi.c[kOne] = -axis.dot(quadric.center);
    for (int i = 0; i < 3; ++i) gap.factor_->psi.c[kX + i] = axis[i];
    return gap;
  }
  gap.kind_ = Kind::kQuadric;
  const Matrix3d H = Hessian(psi);
  const Vector3d b = LinearPart(psi);
  gap.factor_.emplace();
  gap.factor_->psi = Quadratic(H * H, 2.0 * H * b, b.squaredNorm());
  gap.least_second_ = 2.0 * values.minCoeff();
  gap.most_second_ = 2.0 * values.maxCoeff();
  return gap;
}

double SurfaceGap::Distance(bool above, double least, double most_factor, bool is_quartic) const {
  if (!(least > 0.0)) return 0.0;
  // The square grows for a set that bulges towards the points, and falls for a hollow.
  const auto from_square = [](double square, double radius, bool is_hollow) {
    const double more = is_hollow ? -square : square;
    return square / (radius + std::sqrt(std::max(0.0, radius * radius + more)));
  };
  double distance = 0.0;
  switch (kind_) {
    case Kind::kPlane:
      distance = least / scale_;
      break;
    case Kind::kRound:
      distance = from_square(least / std::abs(scale_), radius_, above == (scale_ > 0.0));
      break;
    case Kind::kCone:
      distance = cosine_ * from_square(least / std::abs(scale_), slope_ * most_factor,
                                       above == (scale_ > 0.0));
      break;
    case Kind::kTorus: {
      const bool is_hollow = IsHollow(above);
      double square = least;
      if (is_quartic) {
        const double reach = 2.0 * torus_->major * std::sqrt(std::max(0.0, most_factor));
        square = from_square(least, reach, is_hollow);
      }
      distance = from_square(square, torus_->minor, is_hollow);
      break;
    }
    case Kind::kQuadric: {
      const double bend = std::max(0.0, above ? most_second_ : -least_second_);
      const double square = std::max(0.0, most_factor);
      distance = 2.0 * least / (std::sqrt(square) + std::sqrt(square + 2.0 * bend * least));
      break;
    }
  }
  return kFormulaPart * distance;
}

Vector3d SurfaceGap::FootOf(const Vector3d& p) const {
  Vector3d gradient;
  if (kind_ == Kind::kTorus) {
    const Vector3d q = p - torus_->center;
    const Vector3d flat = q - q.dot(torus_->axis) * torus_->axis;
    if (!(flat.norm() > 0.0)) return p;
    const Vector3d middle = torus_->center + torus_->major * flat.normalized();
    if (!((p - middle).norm() > 0.0)) return p;
    return middle + torus_->minor * (p - middle).normalized();
  }
  // Along one line, the gradient at the foot found last: of cones and other quadrics levels are not
  // parallel.
  Vector3d foot = p;
  for (int step = 0; step < kFootSteps; ++step) {
    Vector3d at_p;
    const double value = ValueAt(surface_.psi, p, &at_p);
    ValueAt(surface_.psi, foot, &gradient);
    if (!(gradient.norm() > 0.0)) return p;
    // psi along p − t gradient: value − slope t + bend t².
    const double slope = at_p.dot(gradient);
    const double bend = 0.5 * gradient.dot(Hessian(surface_.psi) * gradient);
    const double root = slope * slope - 4.0 * bend * value;
    if (!(root >= 0.0)) return p;
    const double sum = slope + (slope < 0.0 ? -1.0 : 1.0) * std::sqrt(root);
    if (sum == 0.0) return p;
    foot = p - 2.0 * value / sum * gradient;
  }
  return foot;
}

}  // namespace volcontact
