#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/measure.h>

#include "corefinement/moved_surfaces.h"

namespace volcontact::testing {
namespace {

class InexactCorefinement : public Corefinement {
 public:
  InexactCorefinement(const TriangleMesh& A, const TriangleMesh& B, const Eigen::Vector3d& t)
      : surfaces_(A, B, t) {}

  bool Run() override { return surfaces_.Intersect(); }
  double Volume() const override {
    return CGAL::to_double(CGAL::Polygon_mesh_processing::volume(surfaces_.both()));
  }

 private:
  MovedSurfaces<CGAL::Exact_predicates_inexact_constructions_kernel> surfaces_;
};

}  // namespace

std::unique_ptr<Corefinement> MakeInexactCorefinement(const TriangleMesh& A, const TriangleMesh& B,
                                                      const Eigen::Vector3d& t) {
  return std::make_unique<InexactCorefinement>(A, B, t);
}

}  // namespace volcontact::testing
