#include "view/arrow_shape.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/minimal_rotation.h"
#include "view/scene_parts.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {
namespace {

constexpr int kSectors = 24;
constexpr double kShaft = 0.016, kHead = 0.05, kHeadLength = 0.2;

// A ring surface between two circles about z, with the normals of its slope.
void AddFrustum(double z0, double r0, double z1, double r1, DisplayMesh* mesh) {
  const auto first = static_cast<std::uint32_t>(mesh->points.size());
  const Eigen::Vector2d slope = Eigen::Vector2d(z1 - z0, r0 - r1).normalized();  // radial, axial
  for (int i = 0; i <= kSectors; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / kSectors;
    const Eigen::Vector3d out(std::cos(angle), std::sin(angle), 0.0);
    for (const auto& [z, r] : {std::pair{z0, r0}, {z1, r1}}) {
      mesh->points.emplace_back(r * out + z * Eigen::Vector3d::UnitZ());
      mesh->normals.emplace_back(slope[0] * out + slope[1] * Eigen::Vector3d::UnitZ());
    }
  }
  for (std::uint32_t i = 0; i < kSectors; ++i) {
    const std::uint32_t a = first + 2 * i;
    if (r0 > 0.0) mesh->triangles.push_back({a, a + 2, a + 1});
    if (r1 > 0.0) mesh->triangles.push_back({a + 1, a + 2, a + 3});
  }
}

}  // namespace

DisplayMesh UnitArrow(bool two_heads) {
  DisplayMesh mesh;
  AddFrustum(0.0, 0.0, 0.0, kShaft, &mesh);
  const auto add_head = [&](double tip) {
    AddFrustum(tip - kHeadLength, kShaft, tip - kHeadLength, kHead, &mesh);
    AddFrustum(tip - kHeadLength, kHead, tip, 0.0, &mesh);
  };
  AddFrustum(0.0, kShaft, 1.0 - kHeadLength, kShaft, &mesh);
  add_head(1.0);
  if (two_heads) add_head(1.0 - 0.75 * kHeadLength);
  return mesh;
}

std::array<double, 4> TurnOfZ(const Eigen::Vector3d& v, const std::array<double, 4>& before) {
  const double length = v.stableNorm();
  if (!(length > 0.0) || !std::isfinite(length)) return before;
  const Eigen::Quaterniond q = MinimalRotation(Eigen::Vector3d::UnitZ(), v / length);
  return {q.w(), q.x(), q.y(), q.z()};
}

void AddRod(const Eigen::Vector3d& from, const Eigen::Vector3d& to, double radius,
            DisplayMesh* mesh) {
  const double length = (to - from).norm();
  if (!(length > 0.0)) return;
  DisplayMesh rod;
  AddFrustum(0.0, 0.0, 0.0, radius, &rod);
  AddFrustum(0.0, radius, length, radius, &rod);
  AddFrustum(length, radius, length, 0.0, &rod);
  const Pose X{from, TurnOfZ(to - from, {1.0, 0.0, 0.0, 0.0})};
  const Eigen::Matrix3d R = X.Rotation();
  for (Eigen::Vector3d& p : rod.points) p = R * p + X.t;
  for (Eigen::Vector3d& n : rod.normals) n = R * n;
  AppendMesh(rod, mesh);
}

void AppendMesh(const DisplayMesh& part, DisplayMesh* mesh) {
  const auto first = static_cast<std::uint32_t>(mesh->points.size());
  mesh->points.insert(mesh->points.end(), part.points.begin(), part.points.end());
  mesh->normals.insert(mesh->normals.end(), part.normals.begin(), part.normals.end());
  for (const auto& [a, b, c] : part.triangles) {
    mesh->triangles.push_back({first + a, first + b, first + c});
  }
}

double DrawnLength(const ArrowItem& arrow, const Eigen::Vector3d& v) {
  return std::min(arrow.metres_per_unit * v.stableNorm(), arrow.longest);
}

void KeepHemisphere(std::vector<std::array<double, 4>>* quaternions) {
  for (std::size_t i = 1; i < quaternions->size(); ++i) {
    const std::array<double, 4>& last = (*quaternions)[i - 1];
    std::array<double, 4>& q = (*quaternions)[i];
    double dot = 0.0;
    for (std::size_t k = 0; k < 4; ++k) dot += last[k] * q[k];
    if (dot < 0.0) {
      for (double& part : q) part = -part;
    }
  }
}

}  // namespace view
VOLCONTACT_NAMESPACE_END
