#include "solids/mesh_boolean/near_faces.h"

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace volcontact {
namespace {

using Eigen::Vector3d;

// The sine between normals of faces that count as parallel.
constexpr double kParallel = 1e-9;

bool IsNear(const MeshNode& node, const Vector3d& p, double distance) {
  for (int i = 0; i < 3; ++i) {
    if (p[i] < node.min[i] - distance || p[i] > node.max[i] + distance) return false;
  }
  return true;
}

FaceOnPlane PlaceOn(const std::array<Vector3d, 3>& corners, const Vector3d& p,
                    const Vector3d& normal, double distance) {
  const Vector3d n = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
  const double length = n.norm();
  if (!(std::abs(n.dot(p - corners[0])) <= distance * length)) return FaceOnPlane::kNone;
  if (!(n.cross(normal).norm() <= kParallel * length * normal.norm())) return FaceOnPlane::kNone;
  for (int i = 0; i < 3; ++i) {
    const Vector3d along = corners[(i + 1) % 3] - corners[i];
    if (n.dot(along.cross(p - corners[i])) < -distance * length * along.norm())
      return FaceOnPlane::kNone;
  }
  return n.dot(normal) > 0.0 ? FaceOnPlane::kSame : FaceOnPlane::kOpposite;
}

}  // namespace

FaceOnPlane FindFaceOnPlane(const MeshTree& mesh, const Vector3d& point, const Vector3d& normal,
                            double distance) {
  std::vector<std::uint32_t> stack = {0};
  while (!stack.empty()) {
    const std::uint32_t at = stack.back();
    stack.pop_back();
    const MeshNode& node = mesh.nodes()[at];
    if (!IsNear(node, point, distance)) continue;
    if (!node.IsLeaf()) {
      stack.push_back(at + 1);
      stack.push_back(node.right);
      continue;
    }
    for (std::uint32_t face = node.begin; face < node.end; ++face) {
      std::array<Vector3d, 3> corners;
      for (int i = 0; i < 3; ++i) corners[i] = mesh.vertices()[mesh.faces()[face][i]];
      const FaceOnPlane place = PlaceOn(corners, point, normal, distance);
      if (place != FaceOnPlane::kNone) return place;
    }
  }
  return FaceOnPlane::kNone;
}

}  // namespace volcontact
