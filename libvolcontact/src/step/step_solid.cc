#include "step/step_solid.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace volcontact {
namespace {

// How far points of a face may lie from the surface of its neighbour that is the same, relative to
// the size.
constexpr double kSameSurface = 1e-7;
// How far the box around a solid keeps off it, relative to half the size.
constexpr double kAroundBounds = 0.03;

// Axes that are off the frame's by less are these.
constexpr double kSameAxis = 1e-10;

// Searches for expressions take heights by the million, and std::hypot five times as long.
double Hypotenuse(double x, double y) { return std::sqrt(x * x + y * y); }

// From its first point to the farthest.
double SpanOf(const StepFace& face) {
  double span = 0.0;
  for (const Eigen::Vector3d& p : face.samples) span = std::max(span, (p - face.samples[0]).norm());
  return span;
}

bool SameSurface(const StepFace& a, const StepFace& b, double size) {
  if (a.surface != b.surface || a.inside != b.inside || a.surface == StepSurface::kOther) {
    return false;
  }
  return std::ranges::all_of(b.samples, [&](const Eigen::Vector3d& p) {
    return std::abs(a.Height(p)) <= kSameSurface * size;
  });
}

}  // namespace

double StepFace::Height(const Eigen::Vector3d& p) const {
  // Most surfaces are planes.
  if (surface == StepSurface::kPlane) return axes.col(2).dot(p - origin);
  // Not a product of matrices, which is a call.
  const Eigen::Vector3d d = p - origin,
                        q(axes.col(0).dot(d), axes.col(1).dot(d), axes.col(2).dot(d));
  const double rho = Hypotenuse(q.x(), q.y());
  switch (surface) {
    case StepSurface::kCylinder:
      return rho - radius;
    case StepSurface::kCone:
      return (rho - radius - minor * q.z()) / Hypotenuse(1.0, minor);
    case StepSurface::kSphere:
      return q.norm() - radius;
    case StepSurface::kTorus:
      return Hypotenuse(rho - radius, q.z()) - minor;
    case StepSurface::kQuadric: {
      const Eigen::Vector3d along = q.cwiseProduct(quadric.head<3>());
      const double value = q.dot(along) + quadric[3] * q.z() + quadric[4];
      return value / (2.0 * along + quadric[3] * Eigen::Vector3d::UnitZ()).norm();
    }
    default:
      return 0.0;
  }
}

Eigen::Vector3d StepFace::Up(const Eigen::Vector3d& p) const {
  const Eigen::Vector3d q = axes.transpose() * (p - origin);
  const Eigen::Vector3d out = Eigen::Vector3d(q.x(), q.y(), 0.0) / Hypotenuse(q.x(), q.y());
  switch (surface) {
    case StepSurface::kPlane:
      return axes.col(2);
    case StepSurface::kCylinder:
      return axes * out;
    case StepSurface::kCone:
      return axes * (out - minor * Eigen::Vector3d::UnitZ()) / Hypotenuse(1.0, minor);
    case StepSurface::kSphere:
      return axes * q / q.norm();
    case StepSurface::kTorus:
      return axes * (q - radius * out) / (q - radius * out).norm();
    case StepSurface::kQuadric: {
      const Eigen::Vector3d grows =
          2.0 * q.cwiseProduct(quadric.head<3>()) + quadric[3] * Eigen::Vector3d::UnitZ();
      return axes * grows / grows.norm();
    }
    default:
      return Eigen::Vector3d::Constant(std::numeric_limits<double>::quiet_NaN());
  }
}

void StepFace::SetAxis(const Eigen::Vector3d& z) {
  axes.col(2) = z.normalized();
  axes.col(0) = axes.col(2).unitOrthogonal();
  axes.col(1) = axes.col(2).cross(axes.col(0));
}

double Rounded(double length, double per_metre) {
  return std::round(length * per_metre) / per_metre;
}

std::optional<Eigen::Vector3d> AlongFrame(const Eigen::Vector3d& axis) {
  Eigen::Index along = 0;
  axis.cwiseAbs().maxCoeff(&along);
  if (!((axis.cwiseAbs() - Eigen::Vector3d::Unit(along)).norm() < kSameAxis)) return std::nullopt;
  return std::copysign(1.0, axis[along]) * Eigen::Vector3d::Unit(along);
}

StepFace Tidied(StepFace face, double per_metre) {
  face.radius = Rounded(face.radius, per_metre);
  if (face.surface == StepSurface::kTorus) face.minor = Rounded(face.minor, per_metre);
  const std::optional<Eigen::Vector3d> axis = AlongFrame(face.axes.col(2));
  if (axis) face.SetAxis(*axis);
  if (axis || face.surface == StepSurface::kSphere) {
    for (double& coordinate : face.origin) coordinate = Rounded(coordinate, per_metre);
  }
  return face;
}

Aabb AroundBounds(const Aabb& bounds) {
  const Eigen::Vector3d margin =
      Eigen::Vector3d::Constant(kAroundBounds * bounds.HalfExtents().norm());
  return {bounds.min - margin, bounds.max + margin};
}

std::vector<StepFace> JoinedFaces(std::vector<StepFace> faces, double size) {
  std::vector<int> first(faces.size());
  std::iota(first.begin(), first.end(), 0);
  const auto root = [&](int i) {
    while (first[static_cast<std::size_t>(i)] != i) i = first[static_cast<std::size_t>(i)];
    return i;
  };
  for (int i = 0; i < static_cast<int>(faces.size()); ++i) {
    for (const int k : faces[static_cast<std::size_t>(i)].neighbours) {
      const int a = std::min(root(i), root(k)), b = std::max(root(i), root(k));
      if (a != b && SameSurface(faces[static_cast<std::size_t>(a)],
                                faces[static_cast<std::size_t>(b)], size)) {
        first[static_cast<std::size_t>(b)] = a;
      }
    }
  }
  // Of faces that were recognised, the largest is known best.
  std::vector<int> largest = first;  // by root
  for (int i = 0; i < static_cast<int>(faces.size()); ++i) {
    int& best = largest[static_cast<std::size_t>(root(i))];
    if (SpanOf(faces[static_cast<std::size_t>(i)]) > SpanOf(faces[static_cast<std::size_t>(best)]))
      best = i;
  }
  std::vector<StepFace> joined;
  std::vector<int> number(faces.size(), -1);
  for (int i = 0; i < static_cast<int>(faces.size()); ++i) {
    if (root(i) != i) continue;
    number[static_cast<std::size_t>(i)] = static_cast<int>(joined.size());
    joined.push_back(faces[static_cast<std::size_t>(largest[static_cast<std::size_t>(i)])]);
    joined.back().numbers.clear();
    joined.back().samples.clear();
    joined.back().inner.clear();
    joined.back().neighbours.clear();
  }
  for (int i = 0; i < static_cast<int>(faces.size()); ++i) {
    const int at = number[static_cast<std::size_t>(root(i))];
    StepFace& face = joined[static_cast<std::size_t>(at)];
    const StepFace& part = faces[static_cast<std::size_t>(i)];
    face.numbers.push_back(i);
    face.inner.insert(face.inner.end(), part.inner.begin(), part.inner.end());
    face.samples.insert(face.samples.end(), part.samples.begin(), part.samples.end());
    for (const int k : part.neighbours) {
      const int other = number[static_cast<std::size_t>(root(k))];
      if (other != at) face.neighbours.insert(other);
    }
  }
  return joined;
}

}  // namespace volcontact
