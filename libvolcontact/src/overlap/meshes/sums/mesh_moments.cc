#include "overlap/meshes/sums/mesh_moments.h"

#include <Eigen/Geometry>

namespace volcontact {
namespace {

// What the sums over the faces may round, relative to the faces' area times the mesh's size.
constexpr double kSumRounding = 0x1p-46;

}  // namespace

RawMetrics MeshMoments(const MeshTree& mesh) {
  RawMetrics raw;
  const MeshNode& root = mesh.nodes().front();
  const Eigen::Vector3d center = root.Center();
  SurfaceSums sums;
  double area = 0.0;
  if (root.IsLeaf()) {
    for (const auto& [i, j, k] : mesh.faces()) {
      area += sums.AddTriangle(mesh.vertices()[i] - center, mesh.vertices()[j] - center,
                               mesh.vertices()[k] - center)
                  .norm();
    }
  } else {
    sums = mesh.sums(root).faces.About(Eigen::Vector3d::Zero());
    area = mesh.sums(root).area;
  }
  SetMoments(sums, sums.flux_0 / 3.0, &raw.moments);
  raw.X_AC.t = ToDoubleDouble(center);
  raw.volume_error = kSumRounding * area * root.Half().norm();
  return raw;
}

}  // namespace volcontact
