#include "overlap/polytopes/planar_region.h"

#include <array>

#include "overlap/polytopes/polytope.h"

namespace volcontact {
namespace {

// Six of the planes are the box's.
constexpr std::size_t kMaxCuts = ConvexPolytope::kMaxPlanes - 6;
constexpr std::array<PlaneOwner, 6> kBox = {PlaneOwner::kArtificial, PlaneOwner::kArtificial,
                                            PlaneOwner::kArtificial, PlaneOwner::kArtificial,
                                            PlaneOwner::kArtificial, PlaneOwner::kArtificial};

// What bounds the region but is of neither body counts as little for B as what is A's.
PlaneOwner PlaneOwnerOf(Owner owner, bool below) {
  const double share = ShareOfB(owner, below);
  if (share == 0.5) return PlaneOwner::kBoth;
  return share == 1.0 ? PlaneOwner::kB : PlaneOwner::kA;
}

}  // namespace

std::optional<RawMetrics> IntegratePlanarRegion(const LocalProblem& problem) {
  const auto& nodes = problem.expression.nodes();
  if (!problem.expression.IsConjunction() || nodes.size() > kMaxCuts) return std::nullopt;
  for (const Expression::Node& node : nodes) {
    if (node.kind == Expression::Kind::kLiteral && problem.surfaces[node.value].psi.degree > 1) {
      return std::nullopt;
    }
  }
  const Eigen::Vector3d& half = problem.frame.half;
  ConvexPolytope polytope(-half, half, kBox);
  RawMetrics raw;
  raw.X_AC = problem.frame.X_AC;
  for (const Expression::Node& node : nodes) {
    if (node.kind != Expression::Kind::kLiteral) continue;
    const LocalSurface& surface = problem.surfaces[node.value];
    const double sign = node.flag ? -1.0 : 1.0;
    Plane plane;
    plane.n = sign * LinearPart(surface.psi).cwiseQuotient(half);
    plane.offset = -sign * surface.psi.c[kOne];
    plane.owner = PlaneOwnerOf(surface.owner, !node.flag);
    const double reach = plane.n.cwiseAbs().dot(half);
    if (reach < plane.offset) continue;
    if (!polytope.Clip(plane, 4.0 * surface.rounding)) return raw;
  }
  const PolytopeMoments result = polytope.Integrate();
  if (result.has_artificial_face) return std::nullopt;  // the region does not end within the box
  raw.moments = result.moments;
  raw.area = result.area;
  raw.torque = result.torque;
  raw.projected_area = polytope.ProjectedArea(ProjectionAxis(raw));
  raw.volume_error = result.volume_error;
  return raw;
}

}  // namespace volcontact
