#include "overlap/arcs/crossing/face_boxes.h"

#include <Eigen/LU>
#include <algorithm>
#include <cstddef>

#include "overlap/arcs/curves/local_torus.h"
#include "overlap/arcs/curves/quadric_curves.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// The part of a box that lies in the cube, which holds the solid.
std::optional<Cell> InCube(const Vector3d& low, const Vector3d& high) {
  const Vector3d from = low.cwiseMax(-1.0), to = high.cwiseMin(1.0);
  if (!((to - from).minCoeff() >= 0.0)) return Cell();
  return Cell{0.5 * (from + to), 0.5 * (to - from)};
}

// Around an ellipsoid p·H p + g·p + c = 0 with its centre at m: its half axes along x, y and z are
// the roots of −ψ(m) times the diagonal of H⁻¹. Other quadrics of this kind go to infinity.
std::optional<Cell> AroundElliptic(const CurveSurface& quadric) {
  const Matrix3d inverse = quadric.half_hessian.inverse();
  const Vector3d linear = LinearPart(quadric.surface->psi), middle = -0.5 * inverse * linear;
  const double value = quadric.surface->psi.c[kOne] + 0.5 * linear.dot(middle);
  const Vector3d squares = -value * inverse.diagonal();
  if (!middle.allFinite() || !(squares.minCoeff() > 0.0)) return Cell();
  const Vector3d reach = squares.cwiseSqrt();
  return InCube(middle - reach, middle + reach);
}

std::optional<Cell> AroundTorus(const TorusSurface& torus, const LocalFrame& frame) {
  const LocalTorus local(torus, frame);
  Vector3d low, high;
  for (int i = 0; i < 3; ++i) {
    const auto points = local.ExtremesAlong(Vector3d::Unit(i));
    low[i] = high[i] = points[0][i];
    for (const Vector3d& p : points) {
      low[i] = std::min(low[i], p[i]);
      high[i] = std::max(high[i], p[i]);
    }
  }
  return InCube(low, high);
}

// What the edges of a surface's faces do not tell of their box.
std::optional<Cell> BeyondEdges(const CurveSurface& surface, const SeamedTorus* torus,
                                const LocalFrame& frame) {
  switch (surface.kind) {
    case SurfaceKind::kPlane:
    case SurfaceKind::kCylinder:
      return std::nullopt;
    case SurfaceKind::kCone:
      return surface.is_ruled ? Cell{surface.ruled.base, Vector3d::Zero()} : Cell();
    case SurfaceKind::kElliptic:
      return AroundElliptic(surface);
    case SurfaceKind::kSaddle:
    case SurfaceKind::kTorus:
    case SurfaceKind::kOther:
      return torus != nullptr ? AroundTorus(torus->torus, frame) : Cell();
  }
  return Cell();
}

}  // namespace

std::vector<std::optional<Cell>> FaceBoxes(const LocalProblem& problem,
                                           const std::vector<SurfaceKind>& kinds,
                                           const TorusSeams& seams, const Edges& edges,
                                           const std::vector<Cell>& boxes) {
  std::vector<std::optional<Cell>> faces(kinds.size());
  for (std::size_t n = 0; n < boxes.size(); ++n) {
    for (const EdgeSheet& sheet : edges.pieces[n].sheets.All()) {
      std::optional<Cell>& box = faces[sheet.surface];
      box = box ? Hull(*box, boxes[n]) : boxes[n];
    }
  }
  for (std::size_t s = 0; s < kinds.size(); ++s) {
    const bool may_be_closed = kinds[s] >= SurfaceKind::kElliptic;
    if (!faces[s] && !may_be_closed) continue;
    const CurveSurface surface(problem.surfaces[s], kinds[s]);
    const std::optional<Cell> beyond =
        BeyondEdges(surface, seams.Find(static_cast<int>(s)), problem.frame);
    if (beyond) faces[s] = faces[s] ? Hull(*faces[s], *beyond) : *beyond;
  }
  return faces;
}

}  // namespace volcontact
