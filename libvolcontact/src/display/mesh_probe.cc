#include "display/mesh_probe.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "solids/mesh/mesh_membership.h"

namespace volcontact {
namespace {

// Whether the two lie on different sides of a gap of `margin` along an axis.
bool AreApartAlong(const Eigen::Vector3d& axis, const TriangleCorners& p, const TriangleCorners& q,
                   double margin) {
  const double length = axis.norm();
  if (!(length > 0.0)) return false;
  const Eigen::Vector3d u(axis.dot(p[0]), axis.dot(p[1]), axis.dot(p[2]));
  const Eigen::Vector3d v(axis.dot(q[0]), axis.dot(q[1]), axis.dot(q[2]));
  const double gap = margin * length;
  return u.minCoeff() > v.maxCoeff() + gap || v.minCoeff() > u.maxCoeff() + gap;
}

}  // namespace

TriangleCorners CornersOf(const FieldSurface& mesh, std::uint32_t face) {
  const MeshTree::Face& v = mesh.mesh->faces()[face];
  return {mesh.vertices[v[0]], mesh.vertices[v[1]], mesh.vertices[v[2]]};
}

Eigen::Vector3d NormalOf(const TriangleCorners& face) {
  return (face[1] - face[0]).cross(face[2] - face[0]);
}

Polynomial<double> PlaneOf(const TriangleCorners& face) {
  Polynomial<double> plane;
  const Eigen::Vector3d n = NormalOf(face).normalized();
  plane.degree = 1;
  plane.c[kOne] = -n.dot(face[0]);
  for (int i = 0; i < 3; ++i) plane.c[kX + i] = n[i];
  return plane;
}

bool MayMeet(const TriangleCorners& p, const TriangleCorners& q, double margin) {
  const Eigen::Vector3d np = NormalOf(p), nq = NormalOf(q);
  if (AreApartAlong(np, p, q, margin) || AreApartAlong(nq, p, q, margin)) return false;
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector3d edge = p[(i + 1) % 3] - p[i];
    if (AreApartAlong(np.cross(edge), p, q, margin)) return false;
    if (AreApartAlong(nq.cross(q[(i + 1) % 3] - q[i]), p, q, margin)) return false;
    for (int j = 0; j < 3; ++j) {
      if (AreApartAlong(edge.cross(q[(j + 1) % 3] - q[j]), p, q, margin)) return false;
    }
  }
  return true;
}

void FindNearFaces(const FieldSurface& mesh, const TriangleCorners& triangle, double margin,
                   std::vector<std::uint32_t>* faces) {
  faces->clear();
  const Eigen::Vector3d a = mesh.ToMesh(triangle[0]), b = mesh.ToMesh(triangle[1]),
                        c = mesh.ToMesh(triangle[2]);
  // Scaled lengths are in units of the columns of the map, which all have one length.
  const double slack = margin * mesh.M_from_scaled.col(0).norm();
  const Eigen::Vector3d low = a.cwiseMin(b).cwiseMin(c).array() - slack;
  const Eigen::Vector3d high = a.cwiseMax(b).cwiseMax(c).array() + slack;
  const std::vector<MeshNode>& nodes = mesh.mesh->nodes();
  std::vector<std::uint32_t> stack = {0};
  while (!stack.empty()) {
    const std::uint32_t n = stack.back();
    stack.pop_back();
    const MeshNode& node = nodes[n];
    if ((node.Min().array() > high.array()).any() || (node.Max().array() < low.array()).any()) {
      continue;
    }
    if (!node.IsLeaf()) {
      stack.push_back(node.right);
      stack.push_back(n + 1);
      continue;
    }
    for (std::uint32_t face = node.begin; face < node.end; ++face) {
      if (MayMeet(triangle, CornersOf(mesh, face), margin)) faces->push_back(face);
    }
  }
}

bool IsInMesh(const FieldSurface& mesh, const Eigen::Vector3d& y) {
  return LocateInMesh(*mesh.mesh, mesh.ToMesh(y)) == Truth::kTrue;
}

}  // namespace volcontact
