#include "overlap/mesh_arcs/flat_projection.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "overlap/arcs/lines/projection_scan.h"
#include "overlap/arcs/projection/plane_cubics.h"
#include "overlap/arcs/projection/rim_sweep.h"

namespace volcontact {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// Roundings of places, in the cube; of an angle at which edges of one place are apart.
constexpr double kPlace = 1e-12, kApart = 1e-9;
// No edges of aligned parts are seen at this angle.
constexpr double kViewAngle = 0.62;
// As for MeshProjection, in the cube: of the area of a piece of the rim, how far beside the contour
// lines are asked, and for how long lines may touch.
constexpr double kPairPrecision = 1e-10, kBesidePairRim = 1e-9;
constexpr double kTouchOfPair = 1e-12;
// What the faces' areas and what their contour sweeps may differ by, relatively.
constexpr double kSamePairArea = 1e-7;
// Areas that differ by less are the same but for rounding.
constexpr double kSameArea = 1e-9;

// Whether segments that may have one end in common have nothing else so, for certain.
bool AreApart(const std::array<Vector2d, 2>& one, const std::array<Vector2d, 2>& other) {
  const Vector2d low = one[0].cwiseMin(one[1]), high = one[0].cwiseMax(one[1]);
  const Vector2d other_low = other[0].cwiseMin(other[1]), other_high = other[0].cwiseMax(other[1]);
  if ((low.array() > other_high.array() + kPlace).any() ||
      (other_low.array() > high.array() + kPlace).any()) {
    return true;
  }
  const auto is_same = [](const Vector2d& a, const Vector2d& b) {
    return (a - b).cwiseAbs().maxCoeff() <= kPlace;
  };
  for (const int m : {0, 1}) {
    for (const int n : {0, 1}) {
      if (!is_same(one[m], other[n])) continue;
      const Vector2d u = one[1 - m] - one[m], v = other[1 - n] - other[n];
      return std::abs(Cross2(u, v)) > kApart * u.norm() * v.norm() || u.dot(v) < 0.0;
    }
  }
  const auto is_beside = [](const std::array<Vector2d, 2>& line, const std::array<Vector2d, 2>& s) {
    const Vector2d way = line[1] - line[0];
    const double from = Cross2(way, s[0] - line[0]), to = Cross2(way, s[1] - line[0]);
    const double margin = kPlace * way.cwiseAbs().sum();
    return (from > margin && to > margin) || (from < -margin && to < -margin);
  };
  return is_beside(one, other) || is_beside(other, one);
}

}  // namespace

// False if there is nothing.
bool FlatProjection::ScaleToCube() {
  size_ = 0.0;
  for (const auto& segment : segments_.segments) {
    for (const Vector3d& p : segment) size_ = std::max(size_, p.cwiseAbs().maxCoeff());
  }
  for (auto& segment : segments_.segments) {
    for (Vector3d& p : segment) p /= size_;
  }
  return size_ > 0.0;
}

// For certain: right below and above each edge of the contour lies what counts once at most.
bool FlatProjection::MeetsLinesOnce(const Vector3d& n) {
  const Vector3d across = Eigen::AngleAxisd(kViewAngle, n) * n.unitOrthogonal();
  const ContourView view = ViewAlong(n, across);
  seen_.clear();
  for (const auto& [p, q] : segments_.segments) {
    const Seen seen = {view * p, view * q};
    if ((seen.p - seen.q).cwiseAbs().maxCoeff() > kPlace) seen_.push_back(seen);
  }
  std::sort(seen_.begin(), seen_.end(),
            [](const Seen& a, const Seen& b) { return a.Low() < b.Low(); });
  // What lies below an edge's middle.
  const auto look_below = [](Seen* edge, const Seen& other) {
    const Vector2d middle = 0.5 * (edge->p + edge->q), way = other.q - other.p;
    if (!(other.Low() <= middle[0] && middle[0] < other.High())) return;
    const bool is_to_right = way[0] > 0.0;
    const bool is_above = (Cross2(way, middle - other.p) > 0.0) == is_to_right;
    if (is_above) edge->below += is_to_right ? 1 : -1;
  };
  for (std::size_t m = 0; m < seen_.size(); ++m) {
    const double high = seen_[m].High() + kPlace;
    for (std::size_t k = m + 1; k < seen_.size() && seen_[k].Low() <= high; ++k) {
      if (!AreApart({seen_[m].p, seen_[m].q}, {seen_[k].p, seen_[k].q})) return false;
      look_below(&seen_[m], seen_[k]);
      look_below(&seen_[k], seen_[m]);
    }
  }
  // What counts lies on the left.
  return std::all_of(seen_.begin(), seen_.end(), [](const Seen& edge) {
    if (std::abs(edge.q[0] - edge.p[0]) <= kPlace) return true;  // others are below and above it
    return edge.below == (edge.q[0] > edge.p[0] ? 0 : 1);
  });
}

void FlatProjection::BeginLines(const Vector3d& along) {
  const auto begin = [&](int body, const MeshTree& mesh, const Rigid& X_MC) {
    const MeshToCube to_cube(X_MC, Vector3d::Constant(size_));
    lines_[body].Begin(mesh, false, to_cube, along);
  };
  Rigid X_AC;
  X_AC.t = ToDoubleDouble(cutter_ ? cutter_->origin() : overlap_->origin());
  if (cutter_) return begin(0, cutter_->mesh(), X_AC);
  begin(0, overlap_->side(0).tree(), X_AC);
  begin(1, overlap_->side(1).tree(), X_AB_.Inverse() * X_AC);
}

// The interval below the plane on the line along the direction through a point.
std::array<double, 2> FlatProjection::BelowPlane(const Vector3d& p) const {
  constexpr double kNoEnd = std::numeric_limits<double>::infinity();
  const MeshPlane& plane = cutter_->plane();
  const Vector3d n = Round(plane.n);
  const double height = plane.HeightOf(cutter_->origin()) / size_ + n.dot(p), slope = n.dot(n_);
  if (slope > 0.0) return {-kNoEnd, -height / slope};
  if (slope < 0.0) return {-height / slope, kNoEnd};
  return {-kNoEnd, height < 0.0 ? kNoEnd : -kNoEnd};
}

int FlatProjection::CountLine(const Vector3d& p, const Vector3d& step) {
  thread_local std::array<std::vector<std::array<double, 2>>, 2> within;
  thread_local std::vector<std::array<double, 2>> in_both;
  lines_[0].FindIntervalsBeside(p, step, &within[0]);
  if (cutter_) {
    within[1].assign(1, BelowPlane(p));
  } else {
    lines_[1].FindIntervalsBeside(p, step, &within[1]);
  }
  IntersectIntervals(within[0], within[1], kTouchOfPair, &in_both);
  return static_cast<int>(in_both.size());
}

void FlatProjection::Begin(MeshOverlap* overlap, const Rigid& X_AB) {
  overlap_ = overlap;
  X_AB_ = X_AB;
  cutter_ = nullptr;
}

void FlatProjection::Begin(MeshCutter* cutter) { cutter_ = cutter; }

double FlatProjection::AreaOfFaces(const Vector3d& n) const {
  return cutter_ ? cutter_->ContactArea(n) : overlap_->ContactArea(n);
}

void FlatProjection::ListContour(const Vector3d& n) {
  if (cutter_) return cutter_->ListContour(n, &segments_.segments);
  overlap_->ListContour(n, &segments_.segments);
}

ContactAreaFound FlatProjection::Run(const Vector3d& n) {
  n_ = n;
  const double all = AreaOfFaces(n);
  // No less than the section's, which lines meet once: if all faces look away from it, no more.
  if (cutter_ && all <= (1.0 + kSameArea) * cutter_->SectionAlong(n)) return all;
  ListContour(n);
  if (!ScaleToCube() || MeetsLinesOnce(n)) return all;
  const Vector3d along = size_ * size_ * n;
  BeginLines(along);
  contour_.clear();
  for (std::size_t k = 0; k < segments_.segments.size(); ++k) {
    contour_.push_back({&segments_, static_cast<int>(k), 0.0, 1.0, 2.0});
  }
  const Vector3d step = 0.1 * kBesidePairRim * (n.unitOrthogonal() + 0.3 * Vector3d::Ones());
  const RimSweep sweep(along, kPairPrecision, kBesidePairRim,
                       [&](const Vector3d& p) { return CountLine(p, step); });
  RimSweep::Swept swept;
  for (const ContourPart& part : contour_) swept.Add(sweep.All(part));
  const double noise = kSamePairArea * all;
  const bool is_complete = std::abs(0.5 * swept.area - all) <= noise;
  const std::optional<double> area = rim_.Run(along, contour_, sweep, true, 1);
  if (is_complete && area && *area <= all + noise && *area > 0.0) return *area;
  return {ScanProjection(along, [&](const Vector3d& p) { return CountLine(p, step) > 0; }),
          kAreaByLines};
}

}  // namespace volcontact
