#include "solids/mesh_boolean/exact_ray.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <random>

#include "volcontact/math/error.h"

namespace volcontact {
namespace {

// Of coordinates rounded to doubles, with a margin; of double-doubles, and determinants of them.
constexpr double kBoxRounding = 0x1p-48, kRayRounding = 0x1p-94;
// A ray in a direction of no meaning meets an edge by a rare accident.
constexpr int kMostRays = 32;

Rational Determinant(const RationalPoint& a, const RationalPoint& b, const RationalPoint& c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// The sign of a determinant of vectors between points that are as large as `size`; 0 where rounding
// leaves a doubt.
int SignOfVolume(const Vector3dd& a, const Vector3dd& b, const Vector3dd& c, double size) {
  const DoubleDouble volume = a[0] * (b[1] * c[2] - b[2] * c[1]) +
                              a[1] * (b[2] * c[0] - b[0] * c[2]) +
                              a[2] * (b[0] * c[1] - b[1] * c[0]);
  const double la = Round(a).norm(), lb = Round(b).norm(), lc = Round(c).norm();
  const double error = kRayRounding * size * (la * lb + lb * lc + lc * la);
  if (!(std::abs(volume.hi) > error)) return 0;
  return volume.hi > 0.0 ? 1 : -1;
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
      margin_(kBoxRounding * std::max(mesh.bounds().min.cwiseAbs().maxCoeff(),
                                      mesh.bounds().max.cwiseAbs().maxCoeff())) {}

bool ExactRay::IsInside(const RationalPoint& p) const {
  const Origin origin(p);
  const Eigen::Vector3d& rounded = origin.rounded;
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
    if (const std::optional<bool> is_odd = IsOdd(origin, direction)) return *is_odd;
  }
  throw InvalidInput("mesh: a point of another mesh cannot be told to lie inside or outside");
}

// Nothing where the ray meets an edge.
std::optional<bool> ExactRay::IsOdd(const Origin& p, const Eigen::Vector3d& direction) const {
  bool is_odd = false;
  std::vector<std::uint32_t> stack = {0};
  while (!stack.empty()) {
    const std::uint32_t at = stack.back();
    stack.pop_back();
    const MeshNode& node = mesh_.nodes()[at];
    if (!Meets(node, p.rounded, direction, margin_)) continue;
    if (!node.IsLeaf()) {
      stack.push_back(at + 1);
      stack.push_back(node.right);
      continue;
    }
    for (std::uint32_t face = node.begin; face < node.end; ++face) {
      const std::optional<bool> crosses = Crosses(p, direction, face);
      if (!crosses) return std::nullopt;
      is_odd ^= *crosses;
    }
  }
  return is_odd;
}

std::optional<bool> ExactRay::Crosses(const Origin& p, const Eigen::Vector3d& direction,
                                      std::uint32_t face) const {
  std::array<Eigen::Vector3d, 3> corners;
  std::array<Vector3dd, 3> from;
  double size = p.size;
  for (int i = 0; i < 3; ++i) {
    corners[i] = mesh_.vertices()[mesh_.faces()[face][i]];
    for (int k = 0; k < 3; ++k) from[i][k] = corners[i][k] - p.precise[k];
    size = std::max(size, corners[i].cwiseAbs().maxCoeff());
  }
  const auto exactly = [&](int i) { return Minus(ToRational(corners[i]), p.exact); };
  const Vector3dd d = ToDoubleDouble(direction);
  std::array<int, 3> sides;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    sides[i] = SignOfVolume(d, from[i], from[j], size);
    if (sides[i] == 0) sides[i] = Sign(Determinant(ToRational(direction), exactly(i), exactly(j)));
  }
  const auto [least, greatest] = std::minmax_element(sides.begin(), sides.end());
  if (*least < 0 && *greatest > 0) return false;
  if (*least == 0 || *greatest == 0) return std::nullopt;
  int ahead = SignOfVolume(from[0], from[1], from[2], size);
  if (ahead == 0) ahead = Sign(Determinant(exactly(0), exactly(1), exactly(2)));
  if (ahead == 0) return std::nullopt;
  return ahead == *least;
}

}  // namespace volcontact
