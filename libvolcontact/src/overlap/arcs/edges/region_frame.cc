#include "overlap/arcs/edges/region_frame.h"

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
// Boxes of edges are so many times larger, and as much as this part of their largest extent.
constexpr double kRoomOfCluster = 1.2, kBulgeOfCluster = 0.2;
// A frame is far wider than edges that reach no farther than the second in its cube. Such that
// reach no farther than the first are those of a touch: a cap that small is as thin as roundings.
constexpr double kTinyCap = 1e-6, kFarLess = 0.1;
// Of more pieces it is not asked whether they lie apart.
constexpr std::size_t kMostPieces = 2000;
// Regions with second moments this different are wanted along the axes of their frame; they are
// where the least moment along an axis exceeds the least of all by no more than this factor.
constexpr double kThin = 1e-8, kAskew = 1.01;
// A region that is no thinner in its box, along any direction, is not askew in it.
constexpr double kNotAskew = 1e-3;
// The first sums must know the volume to this part.
constexpr double kMostError = 1e-2;

// Around a piece of an edge; false where points of it are not found.
bool FindBoxOf(const LocalProblem& problem, const Edges& edges, const EdgePiece& piece, Cell* box) {
  Vector3d low = piece.end.p, high = low;
  for (const double u : kAlongPiece) {
    CurvePoint point;
    if (!edges.PointOn(problem, piece, u, &point)) return false;
    low = low.cwiseMin(point.p);
    high = high.cwiseMax(point.p);
  }
  *box = {0.5 * (low + high), 0.5 * (high - low)};
  return true;
}

// Standard deviations along axes, and `noise` of the second moments in the cube. Eigenvalues that
// are 1e16 times less than the largest are rounding; the form along an eigenvector is not.
Vector3d DeviationsAlong(const Matrix3d& axes, const Matrix3d& variance, const Vector3d& half,
                         double noise) {
  const Matrix3d of_axes = axes.transpose() * variance * axes;
  const Vector3d reach = axes.transpose().cwiseAbs() * half;
  return kDeviations * (of_axes.diagonal().cwiseMax(0.0) + noise * reach.cwiseAbs2()).cwiseSqrt();
}

// Around a region, along given axes of the problem's frame.
std::optional<LocalFrame> FrameAlong(const Matrix3d& axes, const LocalProblem& problem,
                                     const Edges& edges, const VolumeMoments& moments) {
  const Vector3d &half = problem.frame.half, centroid = moments.Centroid();
  const Vector3d deviation = DeviationsAlong(axes, moments.CentralSecond() / moments.volume, half,
                                             kMomentRounding * half.prod() / moments.volume);
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

// With room for what curves and faces reach beyond the points that are known.
Cell WithRoom(const Cell& box) {
  return {box.center,
          kRoomOfCluster * box.half + Vector3d::Constant(kBulgeOfCluster * box.half.maxCoeff())};
}

}  // namespace

std::optional<LocalFrame> FrameOfEdges(const LocalProblem& problem, const Edges& edges) {
  std::optional<Cell> all;
  for (const EdgePiece& piece : edges.pieces) {
    Cell box;
    if (!FindBoxOf(problem, edges, piece, &box)) return std::nullopt;
    all = all ? Hull(*all, box) : box;
  }
  if (!all || all->half.maxCoeff() < kTinyCap || all->half.maxCoeff() > kFarLess)
    return std::nullopt;
  const Vector3d& half = problem.frame.half;
  const Cell room = WithRoom(*all);
  return FrameIn(problem.frame.X_AC, half.cwiseProduct(room.center), Matrix3d::Identity(),
                 half.cwiseProduct(room.half));
}

bool FindBoxesApart(const LocalProblem& problem, const Edges& edges, std::vector<Cell>* boxes) {
  boxes->clear();
  if (edges.pieces.size() > kMostPieces) return false;
  for (const EdgePiece& piece : edges.pieces) {
    Cell box;
    if (!FindBoxOf(problem, edges, piece, &box)) {
      boxes->clear();
      return false;
    }
    // Joined with those that it touches it may touch others.
    for (std::size_t n = 0; n < boxes->size();) {
      Cell& other = (*boxes)[n];
      if (GapBetween(WithRoom(box), WithRoom(other)) > 0.0) {
        ++n;
        continue;
      }
      box = Hull(box, other);
      other = boxes->back();
      boxes->pop_back();
      n = 0;
    }
    boxes->push_back(box);
  }
  if (boxes->size() < 2) boxes->clear();
  std::transform(boxes->begin(), boxes->end(), boxes->begin(), WithRoom);
  return !boxes->empty();
}

bool IsAskew(const VolumeMoments& moments, Vector3d* thinnest) {
  const Matrix3d second = moments.CentralSecond();
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(second);
  *thinnest = solver.eigenvectors().col(0);
  const Vector3d& moments_along = solver.eigenvalues();
  return moments_along[0] < kThin * moments_along[2] &&
         second.diagonal().minCoeff() > kAskew * moments_along[0];
}

double LeastVariance(const VolumeMoments& moments, const Vector3d& half) {
  const Matrix3d scale = half.cwiseInverse().asDiagonal();
  const Matrix3d variance = scale * moments.CentralSecond() * scale / moments.volume;
  return Eigen::SelfAdjointEigenSolver<Matrix3d>(variance, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .minCoeff();
}

std::optional<LocalFrame> FrameOfRegion(const LocalProblem& problem, const Edges& edges,
                                        const RawMetrics& raw) {
  const VolumeMoments& moments = raw.moments;
  if (!(moments.volume > 0.0) || raw.volume_error > kMostError * moments.volume)
    return std::nullopt;
  const std::optional<LocalFrame> as_before =
      FrameAlong(Matrix3d::Identity(), problem, edges, moments);
  Vector3d thinnest;
  if (!as_before ||
      (LeastVariance(moments, as_before->half) >= kNotAskew && !IsAskew(moments, &thinnest))) {
    return as_before;
  }
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(moments.CentralSecond());
  Matrix3d axes = solver.eigenvectors();
  if (axes.determinant() < 0.0) axes.col(0) = -axes.col(0);
  return FrameAlong(axes, problem, edges, moments);
}

}  // namespace volcontact
