#include "solids/mesh/mesh_membership.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "math/arithmetic/vector3.h"
#include "solids/exact/rational_interval.h"
#include "solids/mesh/exact_mesh_membership.h"

namespace volcontact {
namespace {

using Point = std::array<Rational, 3>;

Point ToExact(const Eigen::Vector3d& p) { return {p.x(), p.y(), p.z()}; }

// Which side of the edge a b the ray from p along x passes, seen along x. A ray through the edge is
// moved by (0, ε, ε²); 0 when the edge is parallel to the ray.
int SideOfEdge(const Point& a, const Point& b, const Point& p) {
  const Rational dy = b[1] - a[1], dz = b[2] - a[2];
  if (const int sign = Sign(dy * (p[2] - a[2]) - dz * (p[1] - a[1]))) return sign;
  if (const int sign = Sign(dz)) return -sign;
  return Sign(dy);
}

// A point in doubles, each coordinate off by no more than the error.
struct RoundedPoint {
  Eigen::Vector3d p;
  double error;
};

RoundedPoint ToRounded(const Point& p) {
  const Eigen::Vector3d rounded(ToDouble(p[0]), ToDouble(p[1]), ToDouble(p[2]));
  return {rounded, 0x1p-51 * rounded.cwiseAbs().maxCoeff()};
}

// The sign of a d − b c, or 0 if doubles do not decide: each of the four is a difference of
// doubles, rounded once, and off by the error besides.
int SignOfMinor(double a, double b, double c, double d, double error) {
  constexpr double kRounding = 0x1p-50;
  const double left = a * d, right = b * c, value = left - right;
  const double margin =
      kRounding * (std::abs(left) + std::abs(right)) +
      2.0 * error * (std::abs(a) + std::abs(b) + std::abs(c) + std::abs(d) + error);
  if (std::abs(value) <= margin) return 0;
  return value > 0.0 ? 1 : -1;
}

// The sign of the determinant of three differences of points, or 0 if doubles do not decide.
int SignOfDeterminant(const std::array<Eigen::Vector3d, 3>& rows, double error) {
  constexpr double kRounding = 0x1p-49;
  const auto& [u, v, w] = rows;
  double value = 0.0, size = 0.0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double left = u[i] * (v[j] * w[k]), right = u[i] * (v[k] * w[j]);
    value += left - right;
    size += std::abs(left) + std::abs(right);
  }
  const double length = u.lpNorm<1>() + v.lpNorm<1>() + w.lpNorm<1>() + error;
  if (std::abs(value) <= kRounding * size + 2.0 * error * length * length) return 0;
  return value > 0.0 ? 1 : -1;
}

// Whether the ray from p along x leaves through a face, 1, or enters, −1, in doubles; 0 if it
// misses the face, and none if doubles do not decide.
std::optional<int> CountCrossing(const MeshTree& mesh, std::uint32_t number,
                                 const RoundedPoint& p) {
  const auto& face = mesh.faces()[number];
  std::array<Eigen::Vector3d, 3> from_p;
  for (int i = 0; i < 3; ++i) from_p[i] = mesh.vertices()[face[i]] - p.p;
  std::array<int, 3> side;
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector3d &a = from_p[i], &b = from_p[(i + 1) % 3];
    side[i] = SignOfMinor(a[1], a[2], b[1], b[2], p.error);
  }
  const int least = std::min({side[0], side[1], side[2]});
  const int most = std::max({side[0], side[1], side[2]});
  if (least < 0 && most > 0) return 0;
  if (least == 0 || most == 0) return std::nullopt;
  // If all three have the same orientation, the volume spanned from p decides the side.
  const int volume = SignOfDeterminant(from_p, p.error);
  if (volume == 0) return std::nullopt;
  return volume == side[0] ? side[0] : 0;
}

// Whether p, in the plane of the face with normal n, lies in the closed triangle.
bool Holds(const std::array<Point, 3>& face, const Point& n, const Point& p) {
  for (int i = 0; i < 3; ++i) {
    const Point edge = Minus(face[(i + 1) % 3], face[i]);
    if (Sign(Dot(n, Cross(edge, Minus(p, face[i])))) < 0) return false;
  }
  return true;
}

std::optional<int> WindingOfExact(const MeshTree& mesh, const Point& p) {
  std::array<std::pair<double, double>, 3> range;
  for (int i = 0; i < 3; ++i) range[i] = IntervalOf(p[i]);
  const RoundedPoint rounded = ToRounded(p);
  int count = 0;
  std::vector<std::uint32_t> stack = {0u};
  while (!stack.empty()) {
    const std::uint32_t number = stack.back();
    stack.pop_back();
    const MeshNode& node = mesh.nodes()[number];
    if (range[0].first > node.max[0]) continue;
    if (range[1].first > node.max[1] || range[1].second < node.min[1]) continue;
    if (range[2].first > node.max[2] || range[2].second < node.min[2]) continue;
    if (!node.IsLeaf()) {
      stack.push_back(node.right);
      stack.push_back(number + 1);
      continue;
    }
    for (std::uint32_t f = node.begin; f < node.end; ++f) {
      if (const std::optional<int> crossing = CountCrossing(mesh, f, rounded)) {
        count += *crossing;
        continue;
      }
      std::array<Point, 3> face;
      for (int i = 0; i < 3; ++i) face[i] = ToExact(mesh.vertices()[mesh.faces()[f][i]]);
      const Point n = Cross(Minus(face[1], face[0]), Minus(face[2], face[0]));
      const int height = Sign(Dot(n, Minus(p, face[0])));
      const bool flat = Sign(n[0]) == 0 && Sign(n[1]) == 0 && Sign(n[2]) == 0;
      if (height == 0 && !flat && Holds(face, n, p)) return std::nullopt;
      const int side = SideOfEdge(face[0], face[1], p);
      if (side == 0 || SideOfEdge(face[1], face[2], p) != side ||
          SideOfEdge(face[2], face[0], p) != side) {
        continue;
      }
      // The ray leaves p towards +x: it meets the face when p lies below it along x.
      if (height * Sign(n[0]) < 0) count += Sign(n[0]);
    }
  }
  return count;
}

Truth IsOdd(const std::optional<int>& winding) {
  return winding ? ToTruth(*winding % 2 != 0) : Truth::kUnknown;
}

}  // namespace

Truth LocateInMesh(const MeshTree& mesh, const Point& p) { return IsOdd(WindingOfExact(mesh, p)); }

Truth LocateInMesh(const MeshTree& mesh, const Eigen::Vector3d& p) {
  return IsOdd(WindingInMesh(mesh, p));
}

std::optional<int> WindingInMesh(const MeshTree& mesh, const Eigen::Vector3d& p) {
  std::array<std::uint32_t, 64> stack;
  std::size_t size = 0;
  stack[size++] = 0;
  int count = 0;
  while (size > 0) {
    const std::uint32_t number = stack[--size];
    const MeshNode& node = mesh.nodes()[number];
    if (p[0] > node.max[0] || p[1] > node.max[1] || p[1] < node.min[1] || p[2] > node.max[2] ||
        p[2] < node.min[2]) {
      continue;
    }
    if (!node.IsLeaf()) {
      stack[size++] = node.right;
      stack[size++] = number + 1;
      continue;
    }
    for (std::uint32_t f = node.begin; f < node.end; ++f) {
      const std::optional<int> crossing = CountCrossing(mesh, f, {p, 0.0});
      if (!crossing) return WindingOfExact(mesh, ToExact(p));
      count += *crossing;
    }
  }
  return count;
}

}  // namespace volcontact
