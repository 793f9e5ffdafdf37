#include "overlap/columns/column_method.h"

#include <algorithm>
#include <cmath>

#include "overlap/cells/overlap_proof.h"
#include "overlap/certify/certify.h"
#include "overlap/frame/axes.h"
#include "overlap/polytopes/planar_region.h"

namespace volcontact {
namespace {

// As kMaxWallTilt, but of slices across a torus's axis: what a ring nearly flat on a plane has in
// it is a small part of its box, and goes from one side to the other by far more than the tilt.
constexpr double kMaxSheetTilt = 1e-10;

// Tolerance of the pass that only has to find the normal.
constexpr double kCoarseTolerance = 1e-2;

// Tolerance of the area of a projection that is no graph.
constexpr double kProjectionTolerance = 1e-4;
// It may cost this part of what the whole may, and then is what it is.
constexpr long kProjectionShare = 8;
// A body's share of the boundary whose projection is no larger than its area vector by more than
// this part faces one way; where the other's is alike to this part, so does that.
constexpr double kGraph = 1e-6, kAlike = 1e-2;

// Relative error of a volume by roundings of the coefficients of surfaces: measured, of round ends
// of an overlap 1e-8 of its size thick.
constexpr double kCoefficientRounding = 1e-12;

// A region that fills no more than this part of its box may be one of several, of which slices have
// missed the others.
constexpr double kLost = 1e-6;

constexpr long kOverlapCells = 1000;
// Volume of the cube [-1, 1]^3 of scaled coordinates.
constexpr double kUnitCube = 8.0;
// The nodes of Gauss's rule of two points, which is exact to the third degree: ±1/√3.
const double kGaussNode = 1.0 / std::sqrt(3.0);
constexpr SliceFamily kAcrossAxis = {SliceFamily::Kind::kAcross};
// Columns that cross more than this part of the box's thickness askew, or projections that would
// differ by more than that, are worth another frame.
constexpr double kWorthTilt = 0.5, kWorthArea = 1e-8;
// Columns whose direction has no larger component along the normal tell another projection.
constexpr double kAlongNormal = 0.995;
// A bracket's margin for roundings of the frame.
constexpr double kFrameRounding = 1e-13;

// Whether columns along n serve better than along z: where they cross the box's thickness askew, or
// where the area of the projection would differ. It does so by the square of the box's flatness.
bool WorthAligning(const Eigen::Vector3d& n, const Eigen::Vector3d& half) {
  const double tilt = (std::abs(n.x()) * half.x() + std::abs(n.y()) * half.y()) / half.z();
  const double flatness = half.z() / std::max(half.x(), half.y());
  return tilt > kWorthTilt || tilt * flatness * flatness > kWorthArea;
}

// A frame with its z axis on a line, that contains another frame's box.
LocalFrame FrameAbout(const SampleAxis& axis, const LocalFrame& box) {
  const Eigen::Vector3d middle = Round(box.X_AC.t);
  const Eigen::Vector3d origin =
      axis.point + axis.direction * axis.direction.dot(middle - axis.point);
  LocalFrame frame;
  frame.X_AC = Rigid(MakePose(AxesAlong(axis.direction), origin));
  const Rigid X_LC = frame.X_AC.Inverse() * box.X_AC;
  frame.half = X_LC.RotationDouble().cwiseAbs() * box.half + Round(X_LC.t).cwiseAbs();
  return frame;
}

}  // namespace

// Turns the frame so that columns follow the contact normal, and tightens it again.
void ColumnMethod::AlignWithNormal(const RawMetrics& coarse, Query* query) {
  if (!(coarse.moments.volume > 0.0)) return;
  const Eigen::Vector3d normal = NormalOf(coarse);
  if (normal.isZero() || !WorthAligning(normal, problem_.frame.half)) return;
  const Locator::Result aligned =
      locator_.Align(query->set, problem_.frame, normal, coarse.moments.CentralSecond(), &problem_);
  query->result.cells += aligned.cells;
}

// The moments of the region in the present frame, to a tolerance.
RawMetrics ColumnMethod::Integrate(double tolerance, Query* query) {
  if (const std::optional<RawMetrics> planar = IntegratePlanarRegion(problem_)) {
    ++query->result.leaves;
    return *planar;
  }
  query->by_columns = true;
  const LocalFrame frame = problem_.frame;
  Localize(query->set, frame, &problem_, std::min(tolerance, kMaxWallTilt));
  SimplifyInBox(&problem_);
  const ColumnQuadratureResult quadrature =
      quadrature_.Run(problem_, {tolerance, query->options.max_cells, query->options.threads});
  RawMetrics raw = quadrature.sums.ToRaw(frame);
  Book(quadrature, frame, tolerance, &raw, query);
  return raw;
}

// What a quadrature says of its errors, and what it cost.
void ColumnMethod::Book(const ColumnQuadratureResult& quadrature, const LocalFrame& frame,
                        double tolerance, RawMetrics* raw, Query* query) {
  const Eigen::Vector3d& half = frame.half;
  raw->volume_error = quadrature.error * half.prod() + kCoefficientRounding * raw->moments.volume;
  raw->area_noise = std::max({raw->area_noise, kAreaShare * tolerance * raw->area_scale,
                              quadrature.area_error * half.prod() / half.minCoeff()});
  raw->converged = quadrature.converged;
  query->result.leaves += quadrature.panels;
  query->result.columns += quadrature.columns;
}

// The torus whose axis the slices had better follow: of those that bound the region, the one whose
// axis is farthest off the contact normal.
std::optional<TorusSurface> ColumnMethod::FindTorus(const SurfaceSet& set) {
  if (std::none_of(set.surfaces.begin(), set.surfaces.end(),
                   [](const SurfacePolynomial& f) { return f.degree == 4; })) {
    return std::nullopt;
  }
  SimplifyInBox(&problem_);
  std::optional<TorusSurface> best;
  double least = 2.0;  // more than any cosine
  problem_.expression.FindSurfaces(&surfaces_);
  for (const int s : surfaces_) {
    const std::optional<TorusSurface> torus = RecognizeTorus(set.surfaces[s]);
    if (!torus) continue;
    double cosine = 0.0;
    for (int i = 0; i < 3; ++i) cosine += torus->axis[i].hi * problem_.frame.X_AC.R[i][2].hi;
    if (std::abs(cosine) >= least) continue;
    least = std::abs(cosine);
    best = torus;
  }
  return best;
}

// Makes sheets_ what is in the frame of problem_, in one across the axis of a torus; false where
// that is nothing.
bool ColumnMethod::FitSheets(const TorusSurface& torus, double tolerance, Query* query) {
  const Locator::Result fitted =
      locator_.Fit(query->set, FrameAcross(torus, problem_.frame), &sheets_);
  query->result.cells += fitted.cells;
  sheets_.frame = fitted.frame;
  if (fitted.empty) return false;
  const double wall_tilt = std::min(tolerance, kMaxSheetTilt);
  Localize(query->set, fitted.frame, &sheets_, wall_tilt);
  SimplifyInBox(&sheets_);
  SplitTori(query->set, wall_tilt, &sheets_);
  return true;
}

// Integrates over slices across the axis of a torus.
RawMetrics ColumnMethod::IntegrateAcross(const TorusSurface& torus, Query* query) {
  const double tolerance = kToleranceMargin * query->options.tolerance;
  RawMetrics raw;
  const bool is_there = FitSheets(torus, tolerance, query);
  const LocalFrame frame = sheets_.frame;
  raw.X_AC = frame.X_AC;
  if (!is_there) return raw;
  const ColumnQuadratureResult quadrature = quadrature_.Run(
      sheets_, {tolerance, query->options.max_cells, query->options.threads, kAcrossAxis});
  raw = quadrature.sums.ToRaw(frame);
  raw.top.setZero();
  Book(quadrature, frame, tolerance, &raw, query);
  if (raw.moments.volume > 0.0 && query->options.projection) {
    const ContactAreaFound seen = ProjectSheets(ProjectionAxis(raw), raw.area, query->options);
    raw.projected_area = seen.area;
    raw.area_warning = seen.warning;
  }
  return raw;
}

// The area of the projection of sheets_ along a direction, which slices across an axis do not tell:
// where both bodies' shares of the boundary face one way, it is the component of the area vector
// `area`; else every interval along the direction counts. Both in the sheets' frame.
ContactAreaFound ColumnMethod::ProjectSheets(const Eigen::Vector3d& direction,
                                             const Eigen::Vector3d& area,
                                             const ColumnMethodOptions& options) {
  const LocalFrame& frame = sheets_.frame;
  const Eigen::Vector3d& half = frame.half;
  const ColumnQuadratureResult quadrature = quadrature_.Run(
      sheets_, {kProjectionTolerance, options.max_cells / kProjectionShare, options.threads,
                kAcrossAxis, half.prod() * direction.cwiseQuotient(half)});
  const double* facing = &quadrature.sums.s[RegionSums::kFacing];
  const double along = std::abs(quadrature.sums.ToRaw(frame).area.dot(direction));
  const double least = std::min(facing[0], facing[1]), most = std::max(facing[0], facing[1]);
  const bool one_way = least - along <= kGraph * along;
  if (one_way && most - least <= kAlike * along) return std::abs(area.dot(direction));
  return {0.5 * (facing[0] + facing[1]), kAreaByIntervals};
}

// The area of the projection of the region in a frame along a direction in A, of which the area
// vector in A is `area`.
ContactAreaFound ColumnMethod::Project(const SurfaceSet& set, const LocalFrame& frame,
                                       const Eigen::Vector3d& direction,
                                       const Eigen::Vector3d& area,
                                       const ColumnMethodOptions& options) {
  Query query = {set, options};
  Localize(set, frame, &problem_);
  if (const std::optional<TorusSurface> torus = FindTorus(set)) {
    if (!FitSheets(*torus, kProjectionTolerance, &query)) return 0.0;
    const Eigen::Matrix3d R_CA = sheets_.frame.X_AC.RotationDouble().transpose();
    return ProjectSheets(R_CA * direction, R_CA * area, options);
  }
  const Eigen::Matrix3d R_CA = frame.X_AC.RotationDouble().transpose();
  const Locator::Result aligned =
      locator_.Align(set, frame, R_CA * direction, Eigen::Matrix3d::Identity(), &problem_);
  if (aligned.empty) return 0.0;
  return Integrate(kProjectionTolerance, &query).projected_area;
}

// Over slices across the torus's axis, once more after a closer look where next to nothing was
// seen. False when that finds the box empty.
bool ColumnMethod::IntegrateTorus(const TorusSurface& torus, Query* query) {
  ColumnMethodResult& result = query->result;
  result.raw = IntegrateAcross(torus, query);
  if (!(result.raw.moments.volume <= kLost * kUnitCube * problem_.frame.half.prod())) return true;
  const Locator::Result deeper = locator_.RunDeeper(query->set, problem_.frame, &problem_);
  result.cells += deeper.cells;
  result.raw.moments = {};
  if (deeper.empty) return false;
  SimplifyInBox(&problem_);
  result.raw = IntegrateAcross(torus, query);
  return true;
}

void ColumnMethod::Certify(Query* query) const {
  const ColumnMethodOptions& options = query->options;
  ColumnMethodResult& result = query->result;
  long cells = 0;
  result.bracket = CertifyVolume(
      problem_, {BracketCells(options.tolerance), options.tolerance, options.threads}, &cells);
  result.cells += cells;
  HoldWithin(result.bracket, options.tolerance, &result.raw);
}

void ColumnMethod::Solve(const Aabb& box, Query* query) {
  const SurfaceSet& set = query->set;
  const ColumnMethodOptions& options = query->options;
  ColumnMethodResult& result = query->result;
  const Locator::Result located = locator_.Run(set, box, &problem_);
  result.cells = located.cells;
  result.raw.X_AC = located.frame.X_AC;
  if (located.empty) return;
  const Eigen::Vector3d& half = located.frame.half;
  if (IsTouch(set, located.frame, box.HalfExtents().maxCoeff())) {
    result.bracket.upper = kUnitCube * half.prod() * (1.0 + kFrameRounding);
    return;
  }
  const std::optional<TorusSurface> torus = FindTorus(set);
  if (torus) {
    if (!IntegrateTorus(*torus, query)) return;
  } else {
    const RawMetrics coarse = Integrate(kCoarseTolerance, query);
    AlignWithNormal(coarse, query);
    result.raw = Integrate(kToleranceMargin * options.tolerance, query);
    // Where effort ended early the first pass may know more.
    if (!result.raw.converged && coarse.volume_error < result.raw.volume_error) {
      result.raw = coarse;
      result.raw.converged = false;
    }
  }
  if (options.certify) Certify(query);
  // Columns that saw nothing may have missed what is there: only cells prove that there is nothing.
  if (!(result.raw.moments.volume > 0.0) &&
      TestOverlap(set, problem_.frame, kOverlapCells) != OverlapProof::kSeparated) {
    result.raw.converged = false;
  }
  if (result.cells > options.max_cells) result.raw.converged = false;
  // The coarse pass may have missed the normal, as of a sheet that is pushed along itself.
  if (torus || !options.projection || !(result.raw.moments.volume > 0.0)) return;
  const Eigen::Vector3d normal = NormalOf(result.raw);
  if (normal.isZero() || std::abs(normal.z()) > kAlongNormal) return;
  const Eigen::Matrix3d R_AC = result.raw.X_AC.RotationDouble();
  const ContactAreaFound seen =
      Project(set, FrameOf(box), R_AC * normal, R_AC * result.raw.area, options);
  result.raw.projected_area = seen.area;
  result.raw.area_warning = seen.warning;
}

ColumnMethodResult ColumnMethod::Run(const SurfaceSet& set, const Aabb& box,
                                     const ColumnMethodOptions& options) {
  Query query = {set, options};
  Solve(box, &query);
  return query.result;
}

std::vector<VolumeSample> ColumnMethod::SampleAbout(const SampleAxis& axis, const SurfaceSet& set,
                                                    const Aabb& box,
                                                    const ColumnMethodOptions& options) {
  std::vector<VolumeSample> samples;
  // Along the line at once: where the contact faces is not asked.
  const Locator::Result located = locator_.Fit(set, FrameAbout(axis, FrameOf(box)), &problem_);
  if (located.empty) return samples;
  const LocalFrame frame = FrameAbout(axis, located.frame);
  Localize(set, frame, &problem_, std::min(options.tolerance, kMaxWallTilt));
  SimplifyInBox(&problem_);
  quadrature_.Run(
      problem_,
      {options.tolerance, options.max_cells, options.threads, {SliceFamily::Kind::kPolar}});
  const Eigen::Matrix3d R_AC = frame.X_AC.RotationDouble();
  const Eigen::Vector3d t_AC = Round(frame.X_AC.t);
  const double scale = frame.half.prod();
  const std::vector<VolumeColumn> columns = quadrature_.SampleColumns();
  samples.reserve(columns.size());
  for (const VolumeColumn& column : columns) {
    const Eigen::Vector3d p =
        frame.half.cwiseProduct(Eigen::Vector3d(column.x, column.y, 0.5 * (column.z0 + column.z1)));
    samples.push_back({t_AC + R_AC * p, scale * column.volume});
  }
  return samples;
}

std::vector<VolumeSample> ColumnMethod::Sample(const SurfaceSet& set, const Aabb& box,
                                               const ColumnMethodOptions& options) {
  std::vector<VolumeSample> samples;
  ColumnMethodOptions without = options;
  without.projection = false;
  Query query = {set, without};
  Solve(box, &query);
  if (!(query.result.raw.moments.volume > 0.0)) return samples;
  // A polytope was clipped, and a torus integrated as sheets.
  if (!query.by_columns) {
    quadrature_.Run(problem_, {options.tolerance, options.max_cells, options.threads});
  }
  const LocalFrame& frame = problem_.frame;
  const double scale = 0.5 * frame.half.prod();
  for (const VolumeColumn& column : quadrature_.SampleColumns()) {
    const double middle = 0.5 * (column.z0 + column.z1), half = 0.5 * (column.z1 - column.z0);
    for (const double z : {middle - kGaussNode * half, middle + kGaussNode * half}) {
      const Eigen::Vector3d p = frame.half.cwiseProduct(Eigen::Vector3d(column.x, column.y, z));
      samples.push_back({Round(frame.X_AC * ToDoubleDouble(p)), scale * column.volume});
    }
  }
  return samples;
}

}  // namespace volcontact
