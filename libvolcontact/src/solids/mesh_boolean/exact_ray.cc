#include "solids/mesh_boolean/exact_ray.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <random>

#include "volcontact/math/error.h"

namespace volcontact {
namespace {

// Of coordinates rounded to doubles, and of determinants of them, with a margin.
constexpr double kRayRounding = 0x1p-48;
// A ray in a direction of no meaning meets an edge by a rare accident.
constexpr int kMostRays = 32;

Rational Determinant(const RationalPoint& a, const RationalPoint& b, const RationalPoint& c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

RationalPoint Minus(const RationalPoint& a, const RationalPoint& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

// Whether the ray meets the box widened by the margin.
bool Meets(const MeshNode& node, const Eigen::Vector3d& p, const Eigen::Vector3d& d,
           double margin) {
  double from = 0.0, to = INFINITY;
  for (int i = 0; i < 3; ++i) {
    const double low = (node.min[i] - margin - p[i]) / d[i];
    const double high = (node.max[i] + margin - p[i]) / d[i];
    from = std::max(from, std::min(low, high));
    to = std::min(to, std::max(low, high));
  }
  return from <= to;
}

}  // namespace

ExactRay::ExactRay(const MeshTree& mesh)
    : mesh_(mesh),
      margin_(kRayRounding * std::max(mesh.bounds().min.cwiseAbs().maxCoeff(),
                                      mesh.bounds().max.cwiseAbs().maxCoeff())) {}

bool ExactRay::IsInside(const RationalPoint& p) const {
  const Eigen::Vector3d rounded = Rounded(p);
  const Aabb& box = mesh_.bounds();
  for (int i = 0; i < 3; ++i) {
    if (rounded[i] < box.min[i] - margin_ || rounded[i] > box.max[i] + margin_) return false;
  }
  std::mt19937 random;
  for (int n = 0; n < kMostRays; ++n) {
    // No component is small, so that boxes are left in the same order in all of them.
    Eigen::Vector3d direction;
    for (double& x : direction) {
      const auto bits = static_cast<std::int32_t>(random());
      x = (bits < 0 ? -1.0 : 1.0) + 0.5 * std::ldexp(bits, -31);
    }
    if (const std::optional<bool> is_odd = IsOdd(p, direction)) return *is_odd;
  }
  throw InvalidInput("mesh: a point of another mesh cannot be told to lie inside or outside");
}

// Nothing where the ray meets an edge.
std::optional<bool> ExactRay::IsOdd(const RationalPoint& p,
                                    const Eigen::Vector3d& direction) const {
  const Eigen::Vector3d rounded = Rounded(p);
  bool is_odd = false;
  std::vector<std::uint32_t> stack = {0};
  while (!stack.empty()) {
    const std::uint32_t at = stack.back();
    stack.pop_back();
    const MeshNode& node = mesh_.nodes()[at];
    if (!Meets(node, rounded, direction, margin_)) continue;
    if (!node.IsLeaf()) {
      stack.push_back(at + 1);
      stack.push_back(node.right);
      continue;
    }
    for (std::uint32_t face = node.begin; face < node.end; ++face) {
      const std::optional<bool> crosses = Crosses(p, rounded, direction, face);
      if (!crosses) return std::nullopt;
      is_odd ^= *crosses;
    }
  }
  return is_odd;
}

std::optional<bool> ExactRay::Crosses(const RationalPoint& p, const Eigen::Vector3d& rounded,
                                      const Eigen::Vector3d& direction, std::uint32_t face) const {
  std::array<Eigen::Vector3d, 3> corners;
  for (int i = 0; i < 3; ++i) corners[i] = mesh_.vertices()[mesh_.faces()[face][i]];
  std::array<Eigen::Vector3d, 3> from;
  double size = rounded.cwiseAbs().maxCoeff();
  for (int i = 0; i < 3; ++i) {
    from[i] = corners[i] - rounded;
    size = std::max(size, corners[i].cwiseAbs().maxCoeff());
  }
  // Signs of the volumes of (d, a, b), and of (a, b, c).
  const auto sign = [&](const Eigen::Vector3d& a, const Eigen::Vector3d& b,
                        const Eigen::Vector3d& c, const auto& exactly) {
    const double value = a.dot(b.cross(c));
    const double error =
        kRayRounding * size * (a.norm() * b.norm() + b.norm() * c.norm() + c.norm() * a.norm());
    if (std::abs(value) > error) return value > 0.0 ? 1 : -1;
    return Sign(exactly());
  };
  const auto exact_corner = [&](int i) { return Minus(ToExact(corners[i]), p); };
  std::array<int, 3> sides;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    sides[i] = sign(direction, from[i], from[j], [&] {
      return Determinant(ToExact(direction), exact_corner(i), exact_corner(j));
    });
  }
  const auto [least, greatest] = std::minmax_element(sides.begin(), sides.end());
  if (*least < 0 && *greatest > 0) return false;
  const int ahead = sign(from[0], from[1], from[2], [&] {
    return Determinant(exact_corner(0), exact_corner(1), exact_corner(2));
  });
  if (*least == 0 || *greatest == 0 || ahead == 0) return std::nullopt;
  return ahead == *least;
}

}  // namespace volcontact
