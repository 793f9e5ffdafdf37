#include "solids/mesh/box_mesh.h"

namespace volcontact {

TriangleMesh BoxMesh(const Eigen::Vector3d& min, const Eigen::Vector3d& max) {
  TriangleMesh mesh;
  for (int corner = 0; corner < 8; ++corner) {
    Eigen::Vector3d p;
    for (int i = 0; i < 3; ++i) p[i] = (corner >> i) & 1 ? max[i] : min[i];
    mesh.vertices.push_back(p);
  }
  for (int axis = 0; axis < 3; ++axis) {
    const int u = 1 << ((axis + 1) % 3), v = 1 << ((axis + 2) % 3);
    const int top = 1 << axis;
    mesh.faces.push_back({top, top + u, top + u + v});
    mesh.faces.push_back({top, top + u + v, top + v});
    mesh.faces.push_back({0, u + v, u});
    mesh.faces.push_back({0, v, u + v});
  }
  return mesh;
}

}  // namespace volcontact
