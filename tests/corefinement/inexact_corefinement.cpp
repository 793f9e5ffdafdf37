#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/measure.h>
#include <CGAL/Polygon_mesh_processing/repair_degeneracies.h>

#include <array>
#include <vector>

#include "corefinement/moved_surfaces.h"

namespace volcontact::testing {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;

class InexactCorefinement : public Corefinement {
 public:
  InexactCorefinement(const TriangleMesh& A, const TriangleMesh& B, const Eigen::Vector3d& t)
      : surfaces_(A, B, t) {}

  bool Run() override { return surfaces_.Intersect(); }
  double Volume() const override {
    return CGAL::to_double(CGAL::Polygon_mesh_processing::volume(surfaces_.both()));
  }

 private:
  MovedSurfaces<Kernel> surfaces_;
};

TriangleMesh ToMesh(const MovedSurfaces<Kernel>::Surface& surface) {
  TriangleMesh mesh;
  // Operations leave gaps in the numbers of vertices.
  std::vector<int> numbers(surface.num_vertices() + surface.number_of_removed_vertices());
  for (const auto vertex : surface.vertices()) {
    const auto& p = surface.point(vertex);
    numbers[vertex.idx()] = static_cast<int>(mesh.vertices.size());
    mesh.vertices.emplace_back(p.x(), p.y(), p.z());
  }
  for (const auto face : surface.faces()) {
    std::array<int, 3> corners;
    int corner = 0;
    for (const auto vertex : surface.vertices_around_face(surface.halfedge(face))) {
      corners[corner++] = numbers[vertex.idx()];
    }
    mesh.faces.push_back(corners);
  }
  return mesh;
}

}  // namespace

std::optional<TriangleMesh> Combined(Combination combination, const TriangleMesh& A,
                                     const TriangleMesh& B) {
  MovedSurfaces<Kernel> surfaces(A, B, Eigen::Vector3d::Zero());
  if (!surfaces.Combine(combination)) return std::nullopt;
  MovedSurfaces<Kernel>::Surface surface = surfaces.both();
  // Rounding leaves triangles with three corners on a line, at which a later corefinement crashes.
  if (!CGAL::Polygon_mesh_processing::remove_degenerate_faces(surface)) return std::nullopt;
  return ToMesh(surface);
}

std::unique_ptr<Corefinement> MakeCorefinement(Constructions constructions, const TriangleMesh& A,
                                               const TriangleMesh& B, const Eigen::Vector3d& t) {
  if (constructions == Constructions::kExact) return MakeExactCorefinement(A, B, t);
  return std::make_unique<InexactCorefinement>(A, B, t);
}

}  // namespace volcontact::testing
