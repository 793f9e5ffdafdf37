#include "overlap/arcs/lines/projection_scan.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "math/quadrature/gauss_rules.h"
#include "overlap/arcs/lines/line_probe.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Lines in a row, and to which part of their distance an end of the projection is found.
constexpr int kLines = 64;
constexpr int kEndHalvings = 10;
// Strips of rows to begin with, and how often they are halved where two rules for their area differ
// by more than this part of the scanned square.
constexpr int kStrips = 4, kMaxStripHalvings = 3;
constexpr double kStripPrecision = 3e-5;
constexpr int kCoarseRule = 1, kFineRule = 2;
// No axes of aligned parts lie at this angle about the direction.
constexpr double kRowAngle = 0.62;

class ProjectionRows {
 public:
  // `along` is the direction of the lines in the cube.
  ProjectionRows(const Vector3d& along, const std::function<bool(const Vector3d&)>& meets)
      : meets_(meets) {
    const Vector3d n = along.normalized();
    u_ = Eigen::AngleAxisd(kRowAngle, n) * n.unitOrthogonal();
    v_ = n.cross(u_);
    reach_u_ = u_.cwiseAbs().sum();
    reach_v_ = v_.cwiseAbs().sum();
  }

  double Run() {
    double sum = 0.0;
    for (int strip = 0; strip < kStrips; ++strip) {
      const double from = -reach_v_ + 2.0 * reach_v_ * strip / kStrips;
      sum += AreaBetween(from, from + 2.0 * reach_v_ / kStrips, 0);
    }
    return sum;
  }

 private:
  bool Meets(double u, double v) { return meets_(u * u_ + v * v_); }

  // Where between two places of a row, of which the first is in the projection, it ends.
  double EndBetween(double inside, double outside, double v) {
    for (int k = 0; k < kEndHalvings; ++k) {
      const double middle = 0.5 * (inside + outside);
      (Meets(middle, v) ? inside : outside) = middle;
    }
    return 0.5 * (inside + outside);
  }

  double LengthAt(double v) {
    const double step = 2.0 * reach_u_ / kLines;
    double sum = 0.0, begin = 0.0;
    bool was_inside = false;
    for (int k = 0; k <= kLines; ++k) {
      // Beyond the last line the cube ends.
      const double u = -reach_u_ + step * (k + 0.5);
      const bool is_inside = k < kLines && Meets(u, v);
      if (is_inside && !was_inside) begin = EndBetween(u, u - step, v);
      if (!is_inside && was_inside) sum += EndBetween(u - step, u, v) - begin;
      was_inside = is_inside;
    }
    return sum;
  }

  double AreaBetween(double from, double to, int depth) {
    double coarse = 0.0, fine = 0.0;
    for (int n = 0; n < kPattersonSizes[kFineRule]; ++n) {
      const double v = 0.5 * (from + to) + 0.5 * (to - from) * kPattersonNodes[n];
      const double value = 0.5 * (to - from) * LengthAt(v);
      fine += kPattersonWeights[kFineRule][n] * value;
      if (n < kPattersonSizes[kCoarseRule]) coarse += kPattersonWeights[kCoarseRule][n] * value;
    }
    const double allowed = kStripPrecision * 4.0 * reach_u_ * reach_v_;
    if (std::abs(fine - coarse) <= allowed || depth >= kMaxStripHalvings) return fine;
    const double middle = 0.5 * (from + to);
    return AreaBetween(from, middle, depth + 1) + AreaBetween(middle, to, depth + 1);
  }

  const std::function<bool(const Vector3d&)>& meets_;
  Vector3d u_, v_;  // along a row and across
  double reach_u_, reach_v_;
};

}  // namespace

double ScanProjection(const LocalProblem& problem, const Vector3d& direction) {
  const Vector3d& half = problem.frame.half;
  // Areas are covectors: that of the projection in the cube, across the lines, times this length.
  const Vector3d along = half.prod() * direction.cwiseQuotient(half);
  thread_local LineProbe probe;
  probe.Begin(problem, along);
  return ScanProjection(along, [](const Vector3d& p) { return probe.CountIntervals(p) > 0; });
}

double ScanProjection(const Vector3d& along, const std::function<bool(const Vector3d&)>& meets) {
  return along.norm() * ProjectionRows(along, meets).Run();
}

}  // namespace volcontact
