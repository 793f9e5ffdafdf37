// Two meshes as surfaces of a CGAL kernel, one of them moved, and what corefinement makes of them.
#pragma once

#include <CGAL/Polygon_mesh_processing/corefinement.h>
#include <CGAL/Surface_mesh.h>

#include "corefinement/corefinement.h"

namespace volcontact::testing {

template <class Kernel>
class MovedSurfaces {
 public:
  using Surface = CGAL::Surface_mesh<typename Kernel::Point_3>;

  MovedSurfaces(const TriangleMesh& A, const TriangleMesh& B, const Eigen::Vector3d& t)
      : a_(ToSurface(A, Eigen::Vector3d::Zero())), b_(ToSurface(B, t)) {}

  bool Intersect() {
    return CGAL::Polygon_mesh_processing::corefine_and_compute_intersection(a_, b_, both_);
  }
  bool Combine(Combination combination) {
    return combination == Combination::kUnion
               ? CGAL::Polygon_mesh_processing::corefine_and_compute_union(a_, b_, both_)
               : CGAL::Polygon_mesh_processing::corefine_and_compute_difference(a_, b_, both_);
  }
  /// What the last operation made.
  const Surface& both() const { return both_; }

 private:
  static Surface ToSurface(const TriangleMesh& mesh, const Eigen::Vector3d& t) {
    using FT = typename Kernel::FT;
    using Vertex = typename Surface::Vertex_index;
    Surface surface;
    for (const Eigen::Vector3d& p : mesh.vertices) {
      surface.add_vertex({FT(p.x()) + FT(t.x()), FT(p.y()) + FT(t.y()), FT(p.z()) + FT(t.z())});
    }
    for (const auto& [i, j, k] : mesh.faces) {
      surface.add_face(Vertex(static_cast<unsigned>(i)), Vertex(static_cast<unsigned>(j)),
                       Vertex(static_cast<unsigned>(k)));
    }
    return surface;
  }

  Surface a_, b_, both_;
};

/// With exact constructions: in a source of its own, because each kernel takes half a minute.
std::unique_ptr<Corefinement> MakeExactCorefinement(const TriangleMesh& A, const TriangleMesh& B,
                                                    const Eigen::Vector3d& t);

}  // namespace volcontact::testing
