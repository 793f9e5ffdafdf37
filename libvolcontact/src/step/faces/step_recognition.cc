#include "step/faces/step_recognition.h"

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
constexpr double kStepsPerMetre = 1e13;
// Of the size: how far points of any other quadric may be off it, and of the largest factor, after
// its fit, which ones are none.
constexpr double kSameQuadric = 1e-8, kNoFactor = 1e-9;
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

// Ten factors of which the squares sum to one, and the polynomial is least at the points: of x²,
// y², z², 2yz, 2xz, 2xy, 2x, 2y, 2z, 1.
Eigen::VectorXd QuadricThrough(const Points& points, const Eigen::Vector3d& middle, double size) {
  Matrix A(RowsOf(points), 10);
  for (Eigen::Index i = 0; i < RowsOf(points); ++i) {
    const Eigen::Vector3d q = (points[static_cast<std::size_t>(i)].p - middle) / size;
    A.row(i) << q.cwiseAbs2().transpose(), 2.0 * q.y() * q.z(), 2.0 * q.x() * q.z(),
        2.0 * q.x() * q.y(), 2.0 * q.transpose(), 1.0;
  }
  return Eigen::JacobiSVD<Matrix>(A, Eigen::ComputeThinV).matrixV().col(9);
}

// Its axes and the factors of its squares along these, of the size of one at most. The last axis
// has no square, or is that of revolution where there is one.
struct FittedAxes {
  Eigen::Matrix3d axes;
  Eigen::Vector3d squares;
};

FittedAxes AxesOf(const Eigen::VectorXd& factors) {
  Eigen::Matrix3d squares;
  squares << factors[0], factors[5], factors[4], factors[5], factors[1], factors[3], factors[4],
      factors[3], factors[2];
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(squares);
  Eigen::Vector3d values = solver.eigenvalues();
  const double none = kNoFactor * values.cwiseAbs().maxCoeff();
  for (double& value : values) value = std::abs(value) <= none ? 0.0 : value;
  int last = values[1] - values[0] > values[2] - values[1] ? 0 : 2;
  for (int i = 0; i < 3; ++i) last = values[i] == 0.0 ? i : last;
  const int x = (last + 1) % 3, y = (last + 2) % 3;
  FittedAxes result;
  result.squares << values[x], values[y], values[last];
  const auto axis = [&](int i) -> Eigen::Vector3d {
    const Eigen::Vector3d v = solver.eigenvectors().col(i);
    return AlongFrame(v).value_or(v);
  };
  const bool is_turned = std::abs(values[x] - values[y]) <= none;
  if (is_turned) result.squares[0] = result.squares[1] = 0.5 * (values[x] + values[y]);
  const Eigen::Vector3d along = axis(last);
  const Eigen::Vector3d out = is_turned ? along.unitOrthogonal() : axis(x);
  result.axes << out, along.cross(out).normalized(), along;
  return result;
}

// Semi-axes have no rounding of the fit.
double SquareFactor(double square, double constant, double size) {
  if (square == 0.0) return 0.0;
  const double rounded = Rounded(size * std::sqrt(std::abs(constant / square)), kStepsPerMetre);
  return std::copysign(1.0, -square * constant) / (rounded * rounded);
}

std::optional<StepFace> QuadricAround(const Points& points) {
  const Eigen::Vector3d middle = MiddleOf(points);
  const double size = SizeOf(points);
  const Eigen::VectorXd factors = QuadricThrough(points, middle, size);
  const auto [axes, squares] = AxesOf(factors);
  const double none = kNoFactor * squares.cwiseAbs().maxCoeff();
  if (squares[0] == 0.0 || squares[1] == 0.0) return std::nullopt;
  const Eigen::Vector3d linear = axes.transpose() * factors.segment<3>(6);
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  for (int i = 0; i < 3; ++i) centre[i] = squares[i] == 0.0 ? 0.0 : -linear[i] / squares[i];
  const double constant = factors[9] + linear.dot(centre);
  StepFace face;
  face.surface = StepSurface::kQuadric;
  face.axes = axes;
  if (squares[2] == 0.0 && std::abs(linear[2]) > none) {
    centre[2] = -0.5 * constant / linear[2];
    face.quadric << squares / (2.0 * linear[2] * size), 1.0, 0.0;
  } else if (std::abs(constant) <= none) {
    face.quadric << squares / squares.cwiseAbs().maxCoeff(), 0.0, 0.0;
  } else {
    for (int i = 0; i < 3; ++i) face.quadric[i] = SquareFactor(squares[i], constant, size);
    face.quadric[4] = -1.0;
  }
  face.origin = middle + size * (axes * centre);
  if ((axes.cwiseAbs().rowwise().maxCoeff().array() == 1.0).all()) {
    for (double& at : face.origin) at = Rounded(at, kStepsPerMetre);
  }
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
  const auto fits = [&](const StepFace& face, double most) {
    const Eigen::VectorXd heights = HeightsOf(face, points);
    return heights.allFinite() && heights.cwiseAbs().maxCoeff() <= most;
  };
  const double closely = std::min(tolerance, kSameQuadric * size);
  std::optional<StepFace> nearly;
  using Guess = std::optional<StepFace> (*)(const Points&);
  for (const Guess guess :
       std::array<Guess, 5>{Plane, SphereAround, CylinderAlong, ConeAround, TorusAround}) {
    const std::optional<StepFace> first = guess(points);
    if (!first) continue;
    const StepFace face = Tidied(Refined(*first, points, size), kStepsPerMetre);
    if (!IsSound(face, size)) continue;
    if (fits(face, closely)) return face;
    if (!nearly && fits(face, tolerance)) nearly = face;
  }
  const std::optional<StepFace> quadric = QuadricAround(points);
  return quadric && fits(*quadric, closely) ? quadric : nearly;
}

}  // namespace volcontact
