#include "overlap/arcs/curves/plane_pair.h"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

#include "math/small_systems.h"
#include "overlap/arcs/curves/curve_crossings.h"
#include "overlap/arcs/curves/function_zeros.h"
#include "overlap/arcs/curves/section_graphs.h"

namespace volcontact {
namespace {

using Eigen::Matrix4d;
using Eigen::Vector3d;
using Eigen::Vector4d;

// Coefficients of order one are known to this.
constexpr double kRoundingOfPair = 1e-15;
// A member of the pencil is a pair of planes where its other eigenvalues are no larger than so many
// roundings, and planes as different as this.
constexpr double kMostRoundings = 30.0, kLeastOfPair = 1e-3;
// What is smaller is nothing; a plane with a slope less than this is far away.
constexpr double kNothingOfPair = 1e-13, kFarPlane = 1e-3;
// Along an axis in which a quadric bends on a longer scale, in cubes, it is straight.
constexpr double kLargestUnit = 1e10;

// Where the gradient of a quadric vanishes: its centre, or a point of a cylinder's axis. In units
// in which the quadric bends alike along all axes, as flat frames are far from.
Vector3d CentreOf(const CurveSurface& quadric) {
  const Eigen::Matrix3d& H = quadric.half_hessian;
  Vector3d unit = H.diagonal().cwiseAbs().cwiseSqrt().cwiseInverse();
  for (double& u : unit) u = u < kLargestUnit ? u : 1.0;
  Eigen::Matrix3d scaled = unit.asDiagonal() * H * unit.asDiagonal();
  if (quadric.kind == SurfaceKind::kCylinder) {
    const Vector3d axis = quadric.ruled.ruling.cwiseQuotient(unit).normalized();
    scaled += axis * axis.transpose();
  }
  const Vector3d slope = -0.5 * unit.cwiseProduct(LinearPart(quadric.surface->psi));
  return unit.cwiseProduct(PivotedMatrix(scaled).Solve(slope));
}

// The value there.
std::optional<double> ValueAtCentre(const CurveSurface& quadric) {
  if (quadric.kind != SurfaceKind::kCylinder && quadric.kind != SurfaceKind::kElliptic)
    return std::nullopt;
  const double value =
      quadric.surface->psi.c[kOne] + 0.5 * LinearPart(quadric.surface->psi).dot(CentreOf(quadric));
  return std::isfinite(value) && value != 0.0 ? std::optional(value) : std::nullopt;
}

Matrix4d MatrixOf(const CurveSurface& quadric) {
  Matrix4d Q;
  const Vector3d half = 0.5 * LinearPart(quadric.surface->psi);
  Q << quadric.half_hessian, half, half.transpose(), quadric.surface->psi.c[kOne];
  return Q;
}

// The planes of the member of the pencil that vanishes at both centres' level; nothing where it is
// no pair.
std::optional<std::array<LocalSurface, 2>> FindPlanes(const CurveSurface& first,
                                                      const CurveSurface& second) {
  const std::optional<double> f = ValueAtCentre(first), g = ValueAtCentre(second);
  if (!f || !g) return std::nullopt;
  const Matrix4d F = *g / *f * MatrixOf(first), G = MatrixOf(second);
  Matrix4d D = G - F;
  const double size = D.cwiseAbs().maxCoeff();
  if (!(size > kNothingOfPair)) return std::nullopt;
  const double rounding =
      kRoundingOfPair * (F.cwiseAbs().maxCoeff() + G.cwiseAbs().maxCoeff()) / size;
  D /= size;
  const EigenSystem4 system = SymmetricEigenSystem(D);
  const Vector4d& values = system.values;
  // Ascending: of a pair the first is negative, the last positive.
  const bool is_pair =
      std::max(std::abs(values[1]), std::abs(values[2])) <= kMostRoundings * rounding &&
      std::min(-values[0], values[3]) >= kLeastOfPair;
  if (!is_pair) return std::nullopt;
  const Vector4d up = std::sqrt(values[3]) * system.vectors.col(3),
                 down = std::sqrt(-values[0]) * system.vectors.col(0);
  std::array<LocalSurface, 2> planes;
  for (int k = 0; k < 2; ++k) {
    const Vector4d plane = up + (k == 0 ? 1.0 : -1.0) * down;
    planes[k].psi.degree = 1;
    planes[k].psi.c[kOne] = plane[3];
    for (int i = 0; i < 3; ++i) planes[k].psi.c[kX + i] = plane[i];
  }
  return planes;
}

// Ends a section where it crosses the other plane: on either side of that the surfaces have changed
// places.
bool AddBetween(const WholeCurve& section, const CurveSurface& other,
                std::vector<WholeCurve>* curves) {
  CurveCrossings along;
  along.Begin(section, section.from, section.to);
  std::vector<double>& places = EmptyZeros();
  if (along.Find(other, &places) == CurveCrossings::Result::kUnknown) return false;
  std::sort(places.begin(), places.end());
  if (places.empty()) {
    curves->push_back(section);
    return true;
  }
  if (section.is_closed) {
    places.push_back(places.front() + kFullTurn);
  } else {
    places.insert(places.begin(), section.from);
    places.push_back(section.to);
  }
  for (std::size_t n = 0; n + 1 < places.size(); ++n) {
    WholeCurve part = section;
    part.is_closed = false;
    part.from = places[n];
    part.to = places[n + 1];
    if (part.from < part.to) curves->push_back(part);
  }
  return true;
}

}  // namespace

bool AddPlanePair(const CurveSurface& first, const CurveSurface& second,
                  std::vector<WholeCurve>* curves) {
  const std::optional<std::array<LocalSurface, 2>> planes = FindPlanes(first, second);
  if (!planes) return false;
  const CurveSurface& quadric = first.kind == SurfaceKind::kCylinder ? first : second;
  thread_local std::vector<WholeCurve> sections;
  for (int k = 0; k < 2; ++k) {
    const LocalSurface &plane = (*planes)[k], &other = (*planes)[1 - k];
    if (LinearPart(plane.psi).norm() <= kFarPlane * std::abs(plane.psi.c[kOne])) continue;
    sections.clear();
    if (!AddSectionGraphs(plane, quadric, &sections) && !AddPlaneCurves(plane, quadric, &sections))
      return false;
    const CurveSurface crossed(other, SurfaceKind::kPlane);
    for (const WholeCurve& section : sections) {
      if (!AddBetween(section, crossed, curves)) return false;
    }
  }
  return true;
}

}  // namespace volcontact
