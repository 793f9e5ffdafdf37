#include "overlap/arcs/edges/touching.h"

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix4d;
using Eigen::Vector3d;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Planes whose normal is no longer than this part of their constant term are beyond the cube.
constexpr double kBeyond = 1e-3;

// psi(p) = (p, 1)' Q (p, 1).
Matrix4d FormOf(const LocalSurface& surface) {
  const auto& c = surface.psi.c;
  Matrix4d Q = Matrix4d::Zero();
  Q.topRightCorner<3, 1>() = 0.5 * Vector3d(c[kX], c[kY], c[kZ]);
  Q.bottomLeftCorner<1, 3>() = Q.topRightCorner<3, 1>().transpose();
  Q(3, 3) = c[kOne];
  if (surface.psi.degree < 2) return Q;
  Q(0, 0) = c[kXX], Q(1, 1) = c[kYY], Q(2, 2) = c[kZZ];
  Q(0, 1) = Q(1, 0) = 0.5 * c[kXY];
  Q(0, 2) = Q(2, 0) = 0.5 * c[kXZ];
  Q(1, 2) = Q(2, 1) = 0.5 * c[kYZ];
  return Q;
}

// How far a form is from plus or minus the square of a linear one.
template <class Form>
double DistanceFromSquare(const Form& form) {
  Eigen::Index k;
  form.diagonal().cwiseAbs().maxCoeff(&k);
  const double pivot = form(k, k);
  if (pivot == 0.0) return form.cwiseAbs().maxCoeff();
  const Form rest = form - form.col(k) * form.row(k) / pivot;
  return rest.cwiseAbs().maxCoeff();
}

// How far the plane `plane`·(p, 1) = 0 is from touching the quadric along a line.
double DistanceOfPlane(const Eigen::Vector4d& plane, const Matrix4d& quadric) {
  const Vector3d normal = plane.head<3>();
  const Vector3d foot = -plane[3] / normal.squaredNorm() * normal;
  const Vector3d u = normal.unitOrthogonal(), v = normal.cross(u).normalized();
  Eigen::Matrix<double, 4, 3> on_plane;
  on_plane << u, v, foot, 0.0, 0.0, 1.0;
  return DistanceFromSquare(Matrix3d(on_plane.transpose() * quadric * on_plane));
}

// How far first is from factor second + plane for a plane that touches, or for none at all.
double DistanceByPlane(const Matrix4d& first, const Matrix4d& second) {
  const Matrix3d H = first.topLeftCorner<3, 3>(), K = second.topLeftCorner<3, 3>();
  const double factor = H.cwiseProduct(K).sum() / K.squaredNorm();
  const double shape = (H - factor * K).cwiseAbs().maxCoeff();
  const Matrix4d difference = first - factor * second;
  Eigen::Vector4d plane = 2.0 * difference.col(3);
  plane[3] = difference(3, 3);
  const double slope = plane.head<3>().norm();
  if (slope <= kBeyond * std::abs(plane[3])) return std::max(shape, slope);
  return std::max(shape, DistanceOfPlane(plane / slope, second));
}

// The minor of two rows and two columns of first − factor second, as a polynomial of the factor.
struct Minor {
  double constant, linear, square;

  Minor(const Matrix4d& A, const Matrix4d& B, int r0, int r1, int c0, int c1)
      : constant(A(r0, c0) * A(r1, c1) - A(r0, c1) * A(r1, c0)),
        linear(-(A(r0, c0) * B(r1, c1) + B(r0, c0) * A(r1, c1) - A(r0, c1) * B(r1, c0) -
                 B(r0, c1) * A(r1, c0))),
        square(B(r0, c0) * B(r1, c1) - B(r0, c1) * B(r1, c0)) {}
  double Slope(double factor) const { return linear + 2.0 * square * factor; }
  double At(double factor) const { return constant + factor * (linear + factor * square); }
};

// Calls visit(minor) for each two rows and columns.
template <class Visit>
void ForEachMinor(const Matrix4d& A, const Matrix4d& B, const Visit& visit) {
  constexpr int kPairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  for (int r = 0; r < 6; ++r) {
    for (int c = r; c < 6; ++c) {
      visit(Minor(A, B, kPairs[r][0], kPairs[r][1], kPairs[c][0], kPairs[c][1]));
    }
  }
}

// Moves a factor that is a root of some minor to that of the one which tells it best.
double PolishFactor(const Matrix4d& A, const Matrix4d& B, double factor) {
  double steepest = 0.0, step = 0.0;
  ForEachMinor(A, B, [&](const Minor& minor) {
    const double slope = minor.Slope(factor);
    if (std::abs(slope) <= steepest) return;
    steepest = std::abs(slope);
    step = minor.At(factor) / slope;
  });
  return factor - step;
}

// How far first is from factor second ± the square of a plane: all minors vanish there for one
// factor.
double DistanceBySquare(const Matrix4d& first, const Matrix4d& second) {
  Minor largest(first, second, 0, 1, 0, 1);
  const auto size = [](const Minor& minor) {
    return std::max({std::abs(minor.constant), std::abs(minor.linear), std::abs(minor.square)});
  };
  ForEachMinor(first, second, [&](const Minor& minor) {
    if (size(minor) > size(largest)) largest = minor;
  });
  const double half = -0.5 * largest.linear;
  const double discriminant = half * half - largest.constant * largest.square;
  const double root = std::sqrt(std::max(0.0, discriminant));
  const double sum = half + std::copysign(root, half);
  double least = kInfinity;
  for (double factor : {sum / largest.square, largest.constant / sum}) {
    if (!std::isfinite(factor)) continue;
    factor = PolishFactor(first, second, PolishFactor(first, second, factor));
    if (!std::isfinite(factor)) continue;
    least = std::min(least, DistanceFromSquare(Matrix4d(first - factor * second)));
  }
  return least;
}

}  // namespace

double DistanceFromTouch(const LocalSurface& first, const LocalSurface& second) {
  if (first.psi.degree > 2 || second.psi.degree > 2) return kInfinity;
  const bool first_flat = first.psi.degree < 2, second_flat = second.psi.degree < 2;
  if (first_flat && second_flat) return kInfinity;
  const Matrix4d Q = FormOf(first), S = FormOf(second);
  const auto plane = [](const LocalSurface& surface) -> Eigen::Vector4d {
    const auto& c = surface.psi.c;
    const Eigen::Vector4d all(c[kX], c[kY], c[kZ], c[kOne]);
    return all / all.head<3>().norm();
  };
  double distance;
  if (first_flat) {
    distance = DistanceOfPlane(plane(first), S);
  } else if (second_flat) {
    distance = DistanceOfPlane(plane(second), Q);
  } else {
    distance = std::min(DistanceBySquare(Q, S), DistanceByPlane(Q, S));
  }
  return std::isfinite(distance) ? distance : kInfinity;
}

double TouchingPairs::Distance(int first, int second) {
  const auto [low, high] = std::minmax(first, second);
  const std::uint64_t key = Key(low, high);
  const auto place = Place(key);
  if (place != known_.end() && place->key == key) return place->distance;
  const double distance = DistanceFromTouch(problem_->surfaces[low], problem_->surfaces[high]);
  known_.insert(place, {key, distance});
  return distance;
}

}  // namespace volcontact
