// The derivatives of what a mesh shares with a solid: along the arcs and edges between A and B.
#include <algorithm>

#include "overlap/mesh_arcs/mesh_arc_method.h"

namespace volcontact {
namespace {

// The share of the tolerance for the Hessian's quadrature.
constexpr double kHessianPart = 0.1;

bool HasFaces(const BoundarySums& sums) {
  return std::any_of(sums.s.begin(), sums.s.end(), [](double x) { return x != 0.0; });
}

}  // namespace

// Collects the edges between faces of A and of B: arcs of the mesh's faces on the other body's
// surfaces, and the solid's edges between surfaces of both. The mesh's own edges move along with
// it. False where faces or edges of A and B lie in each other.
bool MeshArcMethod::CollectCrossings(bool mesh_in_b) {
  between_.clear();
  crossings_.clear();
  const auto owner = [&](int surface) { return problem_.surfaces[surface].owner; };
  const std::vector<BoundarySums>& of_surface = sums_.of_surface();
  for (std::size_t s = 0; s < of_surface.size(); ++s) {
    if (IsCommon(owner(static_cast<int>(s))) && HasFaces(of_surface[s])) return false;
  }
  for (const TrimArc& arc : sums_.cut().arcs) {
    if (mesh_in_b ? BelongsToB(owner(arc.surface)) : BelongsToA(owner(arc.surface))) continue;
    between_.push_back({&arc, nullptr});
    // It bounds the mesh's face with its weight, and the surface's with the opposite.
    const double boundary = mesh_in_b ? arc.weight : -arc.weight;
    crossings_.push_back({boundary, problem_.surfaces[arc.surface].psi.degree <= 1});
  }
  for (const SolidEdges::Part& part : sums_.solid_edges().parts()) {
    const EdgePiece& piece = sums_.solid_edges().edges().pieces[part.piece];
    const EdgeOfBodies bodies = BodiesAt(problem_, piece);
    if (bodies.kind == EdgeOfBodies::Kind::kFlush) return false;
    if (bodies.kind == EdgeOfBodies::Kind::kOfOne) continue;
    between_.push_back({nullptr, &part, bodies.of_A, bodies.of_B});
    const auto is_flat = [&](int s) { return problem_.surfaces[s].psi.degree <= 1; };
    crossings_.push_back({bodies.boundary, is_flat(bodies.of_A) && is_flat(bodies.of_B)});
  }
  return true;
}

// In the frame of the last sums.
RawDerivatives MeshArcMethod::Differentiate(const Input& input, const MeshArcSums::Result& sums,
                                            const BoundarySums& of_B) {
  RawDerivatives none;
  none.X_AC = problem_.frame.X_AC;
  if (input.shares_of_B != nullptr) {
    none.reason = "meshes of both bodies meet beside curved parts";
    return none;
  }
  if (sums.is_flush || !CollectCrossings(input.mesh_in_b)) {
    none.reason = kFlushBodies;
    return none;
  }
  const Edges& edges = sums_.solid_edges().edges();
  const auto place_on = [&](std::size_t n, double u, VolumeHessian::Place* place) {
    const EdgeOfArcs& edge = between_[n];
    CurvePoint& point = place->point;
    if (edge.arc != nullptr) {
      const TrimArc& arc = *edge.arc;
      const double length = arc.to - arc.from;
      point = arc.arc.At(arc.from + u * length);
      point.derivative *= length;
      Eigen::Vector3d& of_solid = input.mesh_in_b ? place->of_A : place->of_B;
      Eigen::Vector3d& of_mesh = input.mesh_in_b ? place->of_B : place->of_A;
      EvaluateSurface(problem_.surfaces[arc.surface], point.p, &of_solid);
      of_mesh = sums_.cut().faces[arc.face].polygon.normal;
      return true;
    }
    const SolidEdges::Part& part = *edge.part;
    const double length = part.to - part.from;
    if (!edges.PointOn(problem_, edges.pieces[part.piece], part.from + u * length, &point)) {
      return false;
    }
    point.derivative *= length;
    EvaluateSurface(problem_.surfaces[edge.of_A], point.p, &place->of_A);
    EvaluateSurface(problem_.surfaces[edge.of_B], point.p, &place->of_B);
    return true;
  };
  return hessian_.RunAlong(problem_.frame, crossings_, place_on, sums.all, of_B,
                           kHessianPart * input.tolerance);
}

}  // namespace volcontact
