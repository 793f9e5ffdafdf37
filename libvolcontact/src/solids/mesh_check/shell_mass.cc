#include "solids/mesh_check/shell_mass.h"

#include <Eigen/Geometry>
#include <cmath>

#include "solids/mesh/face_sums.h"
#include "volcontact/math/volume_moments.h"

namespace volcontact {
namespace {

// A sum errs by a rounding a term, and each term by those of its operations.
constexpr double kSumRounding = 0x1p-52;
constexpr int kTermOperations = 8;

void MarkDefects(const MeshTopology& topology, std::vector<MeshShell>* shells) {
  const auto shell_of = [&](int face) -> MeshShell& { return (*shells)[topology.shell[face]]; };
  for (const MeshEdge& edge : topology.boundary) shell_of(edge.face).closed = false;
  for (const EdgeRemark& edge : topology.odd) {
    for (const int face : edge.faces) shell_of(face).closed = false;
  }
  for (const EdgeRemark& edge : topology.unbalanced) {
    for (const int face : edge.faces) shell_of(face).oriented = false;
  }
  for (const EdgeRemark& edge : topology.twisted) shell_of(edge.faces[0]).oriented = false;
  for (std::size_t f = 0; f < topology.flipped.size(); ++f) {
    if (topology.flipped[f]) shell_of(static_cast<int>(f)).oriented = false;
  }
}

// A sum and a bound of its rounding.
struct BoundedSum {
  double value = 0.0, size = 0.0;
  void Add(double term) {
    value += term;
    size += std::abs(term);
  }
};

}  // namespace

std::vector<MeshShell> MeasureShells(const TriangleMesh& mesh, const MeshTopology& topology) {
  std::vector<MeshShell> shells(static_cast<std::size_t>(topology.shells));
  std::vector<BoundedSum> volumes(shells.size());  // six times
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    MeshShell& shell = shells[topology.shell[f]];
    if (shell.faces++ == 0) shell.first_face = static_cast<int>(f);
    const auto& [p, q, r] = mesh.faces[f];
    // From a point of the shell: small shells far from the origin keep their digits.
    const Eigen::Vector3d& origin = mesh.vertices[mesh.faces[shell.first_face][0]];
    const Eigen::Vector3d u = mesh.vertices[p] - origin;
    const Eigen::Vector3d N =
        (mesh.vertices[q] - mesh.vertices[p]).cross(mesh.vertices[r] - mesh.vertices[p]);
    volumes[topology.shell[f]].Add(u.dot(N));
  }
  MarkDefects(topology, &shells);
  for (std::size_t s = 0; s < shells.size(); ++s) {
    const double error = (shells[s].faces + kTermOperations) * kSumRounding * volumes[s].size;
    if (!shells[s].closed || !shells[s].oriented || std::abs(volumes[s].value) <= error) continue;
    shells[s].volume = volumes[s].value / 6.0;
  }
  return shells;
}

bool IsInsideOut(const MeshShell& shell) {
  return shell.depth % 2 == 0 ? shell.volume < 0.0 : shell.volume > 0.0;
}

MeshMass MassWithin(const TriangleMesh& mesh, const Eigen::Vector3d& center) {
  SurfaceSums sums;
  for (const auto& [p, q, r] : mesh.faces) {
    sums.AddTriangle(mesh.vertices[p] - center, mesh.vertices[q] - center,
                     mesh.vertices[r] - center);
  }
  MeshMass mass;
  mass.volume = sums.flux_0 / 3.0;
  mass.centroid = center;
  if (mass.volume == 0.0) return mass;
  VolumeMoments moments;
  SetMoments(sums, mass.volume, &moments);
  mass.centroid = center + moments.Centroid();
  mass.inertia = moments.CentralInertia();
  return mass;
}

}  // namespace volcontact
