#include "step/step_recognition.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <array>
#include <cmath>

namespace volcontact {
namespace {

using Points = std::vector<StepPointNormal>;
using Matrix = Eigen::MatrixXd;

// Five unknowns and more: fewer points fit anything.
constexpr std::size_t kFewestPoints = 12;
// Steps of Newton from what the normals tell, and their differences, relative to the size.
constexpr int kSteps = 4;
constexpr double kDifference = 1e-6;
// Fits leave less of lengths [m].
constexpr double kStepsPerMetre = 1e12;
// Radii beyond so many sizes are those of planes that are not quite flat.
constexpr double kMostCurved = 1e4;

Eigen::Index RowsOf(const Points& points) { return static_cast<Eigen::Index>(points.size()); }

Eigen::Vector3d MiddleOf(const Points& points) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const StepPointNormal& each : points) sum += each.p;
  return sum / static_cast<double>(points.size());
}

double SizeOf(const Points& points) {
  const Eigen::Vector3d middle = MiddleOf(points);
  double size = 0.0;
  for (const StepPointNormal& each : points) size = std::max(size, (each.p - middle).norm());
  return size;
}

// The direction in which the normals, less their mean where `centred`, vary least.
Eigen::Vector3d LeastDirection(const Points& points, bool centred) {
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (const StepPointNormal& each : points) mean += each.n / static_cast<double>(points.size());
  if (!centred) mean.setZero();
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  for (const StepPointNormal& each : points) sum += (each.n - mean) * (each.n - mean).transpose();
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(sum).eigenvectors().col(0);
}

std::optional<StepFace> Plane(const Points& points) {
  StepFace face;
  face.surface = StepSurface::kPlane;
  face.origin = MiddleOf(points);
  face.SetAxis(points.front().n);
  return face;
}

// The centre c and the signed radius r of p = c + r n, in as many coordinates as `onto` has rows.
Eigen::VectorXd CentreAndRadius(const Points& points, const Matrix& onto) {
  const Eigen::Index d = onto.rows();
  Matrix A = Matrix::Zero(d * RowsOf(points), d + 1);
  Eigen::VectorXd b(d * RowsOf(points));
  Eigen::Index row = 0;
  for (const StepPointNormal& each : points) {
    A.block(row, 0, d, d).setIdentity();
    A.block(row, d, d, 1) = onto * each.n;
    b.segment(row, d) = onto * each.p;
    row += d;
  }
  return A.colPivHouseholderQr().solve(b);
}

std::optional<StepFace> SphereAround(const Points& points) {
  const Eigen::VectorXd x = CentreAndRadius(points, Eigen::Matrix3d::Identity());
  StepFace face;
  face.surface = StepSurface::kSphere;
  face.origin = x.head<3>();
  face.radius = std::abs(x[3]);
  return face;
}

std::optional<StepFace> CylinderAlong(const Points& points) {
  StepFace face;
  face.surface = StepSurface::kCylinder;
  face.SetAxis(LeastDirection(points, false));
  const Matrix across = face.axes.leftCols<2>().transpose();
  const Eigen::VectorXd x = CentreAndRadius(points, across);
  const double along = face.axes.col(2).dot(MiddleOf(points));
  face.origin = face.axes * Eigen::Vector3d(x[0], x[1], along);
  face.radius = std::abs(x[2]);
  return face;
}

// Tangent planes of a cone meet in its apex.
std::optional<StepFace> ConeAround(const Points& points) {
  Matrix A(RowsOf(points), 3);
  Eigen::VectorXd b(RowsOf(points));
  double slope = 0.0;
  Eigen::Vector3d axis = LeastDirection(points, true);
  for (Eigen::Index i = 0; i < RowsOf(points); ++i) {
    const StepPointNormal& each = points[static_cast<std::size_t>(i)];
    A.row(i) = each.n.transpose();
    b[i] = each.n.dot(each.p);
    slope += each.n.dot(axis) / static_cast<double>(points.size());
  }
  const Eigen::Vector3d apex = A.colPivHouseholderQr().solve(b);
  const double height = axis.dot(MiddleOf(points) - apex);
  if (height < 0.0) axis = -axis;
  const double sine = std::min(std::abs(slope), 1.0);
  StepFace face;
  face.surface = StepSurface::kCone;
  face.SetAxis(axis);
  face.minor = sine / std::sqrt(1.0 - sine * sine);
  face.origin = apex + std::abs(height) * face.axes.col(2);
  face.radius = std::abs(height) * face.minor;
  return face;
}

// Lines that meet an axis are a linear condition on its six coordinates.
std::optional<StepFace> TorusAround(const Points& points) {
  const Eigen::Vector3d middle = MiddleOf(points);
  const double size = SizeOf(points);
  Matrix A(RowsOf(points), 6);
  for (Eigen::Index i = 0; i < RowsOf(points); ++i) {
    const StepPointNormal& each = points[static_cast<std::size_t>(i)];
    const Eigen::Vector3d moment = ((each.p - middle) / size).cross(each.n);
    A.row(i) << moment.transpose(), each.n.transpose();
  }
  const Eigen::VectorXd line = Eigen::JacobiSVD<Matrix>(A, Eigen::ComputeThinV).matrixV().col(5);
  const Eigen::Vector3d direction = line.head<3>(), moment = line.tail<3>();
  if (!(direction.norm() > kDifference)) return std::nullopt;
  const Eigen::Vector3d axis = direction.normalized();
  const Eigen::Vector3d foot =
      middle + size * axis.cross(Eigen::Vector3d(moment / direction.norm()));
  StepFace face;
  face.surface = StepSurface::kTorus;
  face.SetAxis(axis);
  Points meridian;  // distance from the axis and height along it
  for (const StepPointNormal& each : points) {
    const Eigen::Vector3d q = each.p - foot, out = q - axis.dot(q) * axis;
    const double rho = out.norm();
    if (!(rho > 0.0)) continue;
    meridian.push_back({{rho, axis.dot(q), 0.0}, {each.n.dot(out) / rho, axis.dot(each.n), 0.0}});
  }
  if (meridian.size() < kFewestPoints) return std::nullopt;
  const Eigen::VectorXd x = CentreAndRadius(meridian, Eigen::Matrix<double, 2, 3>::Identity());
  face.origin = foot + x[1] * axis;
  face.radius = x[0];
  face.minor = std::abs(x[2]);
  return face;
}

// Moved along and turned about its axes, with other radii.
StepFace Changed(const StepFace& face, const Eigen::Matrix<double, 7, 1>& by, double size) {
  StepFace changed = face;
  changed.origin += size * (face.axes * by.head<3>());
  changed.SetAxis(face.axes * Eigen::Vector3d(by[3], by[4], 1.0));
  changed.radius += size * by[5];
  changed.minor += by[6] * (face.surface == StepSurface::kTorus ? size : 1.0);
  return changed;
}

Eigen::VectorXd HeightsOf(const StepFace& face, const Points& points) {
  Eigen::VectorXd heights(RowsOf(points));
  for (Eigen::Index i = 0; i < heights.size(); ++i) {
    heights[i] = face.Height(points[static_cast<std::size_t>(i)].p);
  }
  return heights;
}

// Least squares of the distances: normals of splines that are nearly a cylinder tell less.
StepFace Refined(StepFace face, const Points& points, double size) {
  using Change = Eigen::Matrix<double, 7, 1>;
  for (int step = 0; step < kSteps; ++step) {
    Matrix J(RowsOf(points), 7);
    for (int k = 0; k < 7; ++k) {
      const Change by = kDifference * Change::Unit(k);
      J.col(k) = (HeightsOf(Changed(face, by, size), points) -
                  HeightsOf(Changed(face, -by, size), points)) /
                 (2.0 * kDifference);
    }
    Eigen::CompleteOrthogonalDecomposition<Matrix> solver;
    solver.setThreshold(kDifference);
    solver.compute(J);
    const Change by = solver.solve(-HeightsOf(face, points));
    const StepFace next = Changed(face, by, size);
    if (!(HeightsOf(next, points).norm() < HeightsOf(face, points).norm())) break;
    face = next;
  }
  return face;
}

bool IsSound(const StepFace& face, double size) {
  const bool round = face.surface != StepSurface::kPlane;
  const bool may_be_negative =
      face.surface == StepSurface::kCone || face.surface == StepSurface::kTorus;
  if (round && !(face.radius > 0.0 || may_be_negative)) return false;
  if (face.surface == StepSurface::kTorus && !(face.minor > std::max(0.0, -face.radius)))
    return false;
  return face.radius < kMostCurved * size && face.minor < kMostCurved;
}

}  // namespace

std::optional<StepFace> RecognisedSurface(const std::vector<StepPointNormal>& points,
                                          double tolerance) {
  if (points.size() < kFewestPoints) return std::nullopt;
  const double size = SizeOf(points);
  if (!(size > tolerance)) return std::nullopt;
  using Guess = std::optional<StepFace> (*)(const Points&);
  for (const Guess guess :
       std::array<Guess, 5>{Plane, SphereAround, CylinderAlong, ConeAround, TorusAround}) {
    const std::optional<StepFace> first = guess(points);
    if (!first) continue;
    const StepFace face = Tidied(Refined(*first, points, size), kStepsPerMetre);
    const Eigen::VectorXd heights = HeightsOf(face, points);
    if (heights.allFinite() && heights.cwiseAbs().maxCoeff() <= tolerance && IsSound(face, size)) {
      return face;
    }
  }
  return std::nullopt;
}

}  // namespace volcontact
