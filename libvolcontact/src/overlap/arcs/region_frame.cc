#include "overlap/arcs/region_frame.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Standard deviations within which a region is, about; of a prism 1.8, of a cone 3.
constexpr double kDeviations = 4.5;
// Where on a piece of an edge its extent is taken, and how much more there may be.
constexpr std::array<double, 4> kAlongPiece = {0.0, 0.25, 0.5, 0.75};
constexpr double kExtentMargin = 1.1;
// Rounding of the second moments, in the wider frame's cube.
constexpr double kMomentRounding = 1e-14;
// The volume must be told to this part by the first sums.
constexpr double kMostError = 1e-2;

// Whether a closed surface of the problem has no edge.
bool HasFreeSurface(const Edges& edges) {
  thread_local std::vector<int> with_edges;
  with_edges.clear();
  for (const EdgePiece& piece : edges.pieces) {
    for (const EdgeSheet& sheet : piece.sheets.All()) with_edges.push_back(sheet.surface);
  }
  return std::any_of(edges.surfaces.begin(), edges.surfaces.end(), [](int s) {
    return std::find(with_edges.begin(), with_edges.end(), s) == with_edges.end();
  });
}

}  // namespace

std::optional<LocalFrame> FrameOfRegion(const LocalProblem& problem, const Edges& edges,
                                        const RawMetrics& raw) {
  const double volume = raw.moments.volume;
  if (!(volume > 0.0) || raw.volume_error > kMostError * volume || HasFreeSurface(edges)) {
    return std::nullopt;
  }
  const Vector3d& half = problem.frame.half;
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(raw.moments.CentralSecond() / volume);
  Matrix3d axes = solver.eigenvectors();
  if (axes.determinant() < 0.0) axes.col(0) = -axes.col(0);
  const double noise = kMomentRounding * half.prod() * half.squaredNorm() / volume;
  const Vector3d centroid = raw.moments.Centroid();
  const Vector3d deviation =
      kDeviations * (solver.eigenvalues().array().max(0.0) + noise).sqrt().matrix();
  Vector3d low = -deviation, high = deviation;
  for (const EdgePiece& piece : edges.pieces) {
    for (const double u : kAlongPiece) {
      CurvePoint point;
      if (!edges.PointOn(problem, piece, u, &point)) return std::nullopt;
      const Vector3d p = kExtentMargin * axes.transpose() * (half.cwiseProduct(point.p) - centroid);
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
  }
  return FrameIn(problem.frame.X_AC, centroid + axes * (0.5 * (low + high)), axes,
                 0.5 * (high - low));
}

}  // namespace volcontact
