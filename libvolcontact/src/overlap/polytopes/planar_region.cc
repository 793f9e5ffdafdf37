#include "overlap/polytopes/planar_region.h"

#include <algorithm>

#include "overlap/polytopes/polytope.h"

namespace volcontact {
namespace {

PlaneOwner OwnerOf(std::uint8_t owner) {
  if (owner == (kOwnerA | kOwnerB)) return PlaneOwner::kBoth;
  return owner == kOwnerB ? PlaneOwner::kB : PlaneOwner::kA;
}

}  // namespace

std::optional<RawMetrics> IntegratePlanarRegion(const LocalProblem& problem) {
  constexpr std::size_t kMaxCuts = ConvexPolytope::kMaxPlanes - 6;
  const auto& nodes = problem.expression.nodes();
  if (!problem.expression.IsConjunction() || nodes.size() > kMaxCuts) return std::nullopt;
  for (const Expression::Node& node : nodes) {
    if (node.kind == Expression::Kind::kLiteral && problem.surfaces[node.value].psi.degree > 1) {
      return std::nullopt;
    }
  }
  const Eigen::Vector3d& half = problem.frame.half;
  constexpr auto kCell = PlaneOwner::kCell;
  ConvexPolytope polytope(-half, half, {kCell, kCell, kCell, kCell, kCell, kCell});
  RawMetrics raw;
  raw.X_AC = problem.frame.X_AC;
  for (const Expression::Node& node : nodes) {
    if (node.kind != Expression::Kind::kLiteral) continue;
    const LocalSurface& surface = problem.surfaces[node.value];
    const double sign = node.flag ? -1.0 : 1.0;
    Plane plane;
    plane.n = sign * LinearPart(surface.psi).cwiseQuotient(half);
    plane.offset = -sign * surface.psi.c[kOne];
    plane.owner = OwnerOf(surface.owner);
    const double reach = plane.n.cwiseAbs().dot(half);
    if (reach < plane.offset) continue;
    if (!polytope.Clip(plane, 4.0 * surface.rounding)) return raw;
  }
  const PolytopeMoments result = polytope.Integrate();
  if (result.has_cell_face) return std::nullopt;  // the region does not end within the box
  raw.moments = result.moments;
  raw.area = result.area;
  raw.torque = result.torque;
  raw.projected_area = polytope.ProjectedArea(ProjectionAxis(raw));
  raw.volume_error = result.volume_error;
  return raw;
}

}  // namespace volcontact
