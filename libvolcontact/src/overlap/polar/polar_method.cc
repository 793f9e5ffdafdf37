#include "overlap/polar/polar_method.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "math/kronrod_error.h"
#include "math/univariate.h"
#include "overlap/cells/interior_point.h"
#include "overlap/columns/column_quadrature.h"
#include "overlap/frame/axes.h"
#include "overlap/polytopes/planar_region.h"

namespace volcontact {
namespace {

constexpr double kCoarseTolerance = 1e-3;
// The scaled box reaches this many standard deviations of the region from its centroid; a convex
// region ends well before (a disc at 2, the corner of a cone over a triangle at about 4).
constexpr double kReach = 6.0;
// The first frame may cut a far corner off; each further one reaches what is left of it by a
// factor.
constexpr int kMaxRounds = 4;
constexpr int kMaxWhitenings = 60;
// Rounds of whitening end when the region's spread is within this of a unit ball's.
constexpr double kRound = 0.5;
constexpr int kFirstRays = 8, kMaxRays = 128;
// Angle of the first ray: one that no symmetry of a construction is likely to share.
constexpr double kFirstAngle = 0.3217;

// Directions of the lines that measure the region: the axes and diagonals of a cube.
const Eigen::Matrix<double, 3, 13>& ProbeDirections() {
  static const Eigen::Matrix<double, 3, 13> kDirections = [] {
    Eigen::Matrix<double, 3, 13> d;
    d << 1, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1,    //
        0, 1, 0, 1, -1, 0, 0, 1, 1, 1, 1, -1, -1,  //
        0, 0, 1, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1;
    for (int i = 0; i < 13; ++i) d.col(i).normalize();
    return d;
  }();
  return kDirections;
}

// A frame about `center` (in C) with axes given by columns and half extents.
LocalFrame FrameIn(const LocalFrame& C, const Eigen::Vector3d& center, const Eigen::Matrix3d& axes,
                   const Eigen::Vector3d& half) {
  LocalFrame frame;
  frame.X_AC = C.X_AC * Rigid(MakePose(axes, center));
  frame.half = half;
  return frame;
}

// The standard deviations of a region along axes given by columns.
Eigen::Vector3d DeviationsOf(const VolumeMoments& moments, const Eigen::Matrix3d& axes) {
  const Eigen::Matrix3d second = moments.CentralSecond();
  return (axes.transpose() * second * axes).diagonal().cwiseMax(0.0).cwiseSqrt() /
         std::sqrt(moments.volume);
}

// The aligned frame of a region from its integrals, kReach deviations to all sides.
std::optional<LocalFrame> FrameOf(const RawMetrics& raw) {
  const Eigen::Matrix3d axes = AlignedAxes(ProjectionAxis(raw), raw.moments.CentralSecond());
  const Eigen::Vector3d deviation = DeviationsOf(raw.moments, axes);
  if (!(deviation.minCoeff() > 0.0)) return std::nullopt;
  LocalFrame frame;
  frame.X_AC = raw.X_AC;
  return FrameIn(frame, raw.moments.Centroid(), axes, kReach * deviation);
}

// Whether a convex region that was integrated in a box of these half extents lies within the box
// as a whole. What the box holds of it is convex, too, and reaches no further than sqrt(15)
// deviations from its centroid along any direction (the apex of a cone): if that is short of the
// box, the box cuts nothing off.
bool LiesWithin(const RawMetrics& raw, const Eigen::Vector3d& half) {
  constexpr double kFarthest = 3.9;
  const Eigen::Vector3d reach = kFarthest * DeviationsOf(raw.moments, Eigen::Matrix3d::Identity()) +
                                raw.moments.Centroid().cwiseAbs();
  return (reach.array() < half.array()).all();
}

}  // namespace

// The interval of t on which p + t d lies inside all constraints of the problem; p is inside.
bool PolarMethod::CastLine(const Eigen::Vector3d& p, const Eigen::Vector3d& d, double* t0,
                           double* t1) const {
  *t0 = -std::numeric_limits<double>::infinity();
  *t1 = -*t0;
  for (const Constraint& constraint : conjunction_) {
    const Polynomial<double>& psi = problem_.surfaces[constraint.surface].psi;
    const Eigen::Matrix3d Q = 0.5 * Hessian(psi);
    const Eigen::Vector3d b = LinearPart(psi), Qp = Q * p;
    const double sign = constraint.sign;
    const RootList<2> roots = SolveQuadratic(sign * d.dot(Q * d), sign * d.dot(b + 2.0 * Qp),
                                             sign * (psi.c[kOne] + p.dot(b + Qp)));
    for (int n = 0; n < roots.count; ++n) {
      (roots.x[n] > 0.0 ? *t1 : *t0) =
          roots.x[n] > 0.0 ? std::min(*t1, roots.x[n]) : std::max(*t0, roots.x[n]);
    }
  }
  return std::isfinite(*t0) && std::isfinite(*t1);
}

// Improves an ellipsoid center + axes·(unit ball) of the region: chords along the directions of a
// cube in its coordinates tell the region's spread. Convex regions become round, by a factor of a
// few each round, however thin they were.
bool PolarMethod::Whiten(Eigen::Vector3d* center, Eigen::Matrix3d* axes) const {
  for (int round = 0; round < kMaxWhitenings; ++round) {
    Eigen::Vector3d mean = Eigen::Vector3d::Zero();
    Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
    for (int i = 0; i < 13; ++i) {
      const Eigen::Vector3d u = ProbeDirections().col(i);
      double t0, t1;
      if (!CastLine(*center, *axes * u, &t0, &t1)) return false;
      const double middle = 0.5 * (t0 + t1), half = 0.5 * (t1 - t0);
      mean += middle / 13.0 * u;
      spread += 3.0 / 13.0 * half * half * u * u.transpose();
    }
    const Eigen::LLT<Eigen::Matrix3d> factor(spread);
    if (factor.info() != Eigen::Success) return false;
    *center += *axes * mean;
    *axes *= Eigen::Matrix3d(factor.matrixL());
    if ((spread - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() < kRound) {
      return axes->allFinite();
    }
  }
  return false;
}

// A frame about the region's middle, z along its thinnest direction, found in the frame of the box.
// Returns false when the search was inconclusive.
bool PolarMethod::FindRoughFrame(const SurfaceSet& set, const Aabb& box, LocalFrame* frame,
                                 bool* empty) {
  LocalFrame root;
  root.X_AC.t = ToDoubleDouble(box.Center());
  root.half = box.HalfExtents();
  *empty = !(root.half.minCoeff() > 0.0);
  if (*empty) return true;
  Localize(set, root, &problem_);
  conjunction_.clear();
  for (const Expression::Node& node : problem_.expression.nodes()) {
    if (node.kind == Expression::Kind::kLiteral) {
      conjunction_.push_back({node.value, node.flag ? -1.0 : 1.0});
    }
  }
  models_.resize(problem_.surfaces.size());
  for (const Constraint& constraint : conjunction_) {
    models_[constraint.surface] = Quadratize(problem_.surfaces[constraint.surface], Cell());
  }
  Eigen::Vector3d center = Eigen::Vector3d::Zero();
  const Descent descent = FindInterior(conjunction_, models_.data(), &center);
  if (descent == Descent::kRefuted) *empty = true;
  if (descent != Descent::kInterior) return *empty;
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  if (!Whiten(&center, &axes)) return false;
  const Eigen::Matrix3d physical = root.half.asDiagonal() * axes;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(physical * physical.transpose());
  Eigen::Matrix3d orientation;
  orientation << solver.eigenvectors().col(2), solver.eigenvectors().col(1),
      solver.eigenvectors().col(2).cross(solver.eigenvectors().col(1));
  const Eigen::Vector3d radii = (physical.transpose() * orientation).colwise().norm();
  *frame = FrameIn(root, center.cwiseProduct(root.half), orientation, 0.5 * kReach * radii);
  return true;
}

// Whether a column ends at the box.
bool PolarMethod::LeavesBox(double v) {
  slice_.FindColumn(v, &column_);
  return std::any_of(column_.ends.begin(), column_.ends.end(),
                     [](const ColumnEnd& end) { return end.surface == ColumnEnd::kBoxEnd; });
}

// Finds the structure of one ray; false when the region is not met as it should be: from the
// axis to a rim, all within the box.
bool PolarMethod::FindRay(double angle, std::uint64_t* structure) {
  slice_.MoveTo(Eigen::Vector2d::Zero(), Eigen::Vector2d(std::cos(angle), std::sin(angle)));
  const SliceFamily family = {SliceFamily::Kind::kPolar};
  slice_.FindStructure(0.0, family.SliceEnd(angle), sources_, 1e-14, &ray_);
  ++rays_;
  *structure = ray_.Hash();
  const std::size_t last = ray_.pieces.size() - 1;
  return last > 0 && ray_.pieces.front().signature != 0 && ray_.pieces.back().signature == 0 &&
         !LeavesBox(0.0) && !LeavesBox(0.999 * ray_.pieces[last - 1].v1);
}

// Adds the ray found last.
void PolarMethod::AddRay(double angle, const KronrodRule& rule, RegionSums* fine,
                         RegionSums* coarse) {
  SliceSums sums, lower;
  for (const Piece& piece : ray_.pieces) {
    if (piece.signature != 0) slice_.IntegratePiece(piece, rule, 1, true, &sums, &lower);
  }
  for (const PieceBoundary& boundary : ray_.boundaries) {
    if (boundary.source < 0) continue;
    const EventSource& source = sources_[boundary.source];
    if (source.kind == EventSource::Kind::kWall) slice_.AddWall(source, boundary.v, true, &sums);
  }
  const Eigen::Vector2d base = Eigen::Vector2d::Zero();
  const Eigen::Vector2d direction(std::cos(angle), std::sin(angle));
  fine->AddSlice(1.0, sums, base, direction);
  coarse->AddSlice(1.0, lower, base, direction);
}

// The trapezoidal rule with 8, 16, … rays. False where it does not do: rays differ in the order of
// surfaces, or do not reach from the axis to a rim within the box.
bool PolarMethod::IntegrateRays(double tolerance, RegionSums* sums, double* error) {
  const KronrodRule& rule = kKronrodRules[tolerance >= 1e-4 ? 0 : (tolerance >= 1e-7 ? 1 : 2)];
  RegionSums total, lower, previous;
  std::uint64_t first = 0;
  double previous_difference = std::numeric_limits<double>::infinity();
  for (int rays = kFirstRays; rays <= kMaxRays; rays *= 2) {
    const bool all = rays == kFirstRays;
    for (int i = all ? 0 : 1; i < rays; i += all ? 1 : 2) {
      std::uint64_t structure = 0;
      const double angle = kFirstAngle + 2.0 * M_PI * i / rays;
      if (!FindRay(angle, &structure)) return false;
      if (all && i == 0) first = structure;
      if (structure != first) return false;
      AddRay(angle, rule, &total, &lower);
    }
    *sums = {};
    sums->Add(2.0 * M_PI / rays, total);
    RegionSums coarse;
    coarse.Add(2.0 * M_PI / rays, lower);
    const double scale = sums->s[RegionSums::kOne];
    const double radial = KronrodError(sums->Distance(coarse), scale);
    if (!all) {
      // Doubling squares the error of a geometrically convergent rule; half of that gain is
      // trusted.
      const double difference = sums->Distance(previous);
      const double ratio = std::min(1.0, difference / previous_difference);
      const double angular = difference * std::sqrt(ratio);
      *error = radial + angular;
      if (*error <= tolerance * scale) return true;
      if (radial > tolerance * scale) return false;
      previous_difference = difference;
    } else {
      previous_difference = scale;
    }
    previous = *sums;
  }
  return false;
}

bool PolarMethod::Integrate(const SurfaceSet& set, const LocalFrame& frame, double tolerance,
                            RawMetrics* raw) {
  Localize(set, frame, &problem_, std::min(tolerance, kMaxWallTilt));
  if (const std::optional<RawMetrics> planar = IntegratePlanarRegion(problem_)) {
    *raw = *planar;
    return raw->moments.volume > 0.0;
  }
  SimplifyInBox(&problem_);
  slice_.SetProblem(problem_);
  AllEventSources(problem_, &sources_);
  RegionSums sums;
  double error = 0.0;
  if (!IntegrateRays(tolerance, &sums, &error)) return false;
  *raw = sums.ToRaw(frame);
  raw->volume_error = error * frame.half.prod();
  raw->area_noise = std::max(raw->area_noise, kAreaShare * tolerance * raw->projected_area);
  return std::isfinite(raw->moments.volume) && raw->moments.volume > 0.0;
}

std::optional<PolarMethodResult> PolarMethod::Run(const SurfaceSet& set, const Aabb& box,
                                                  double tolerance) {
  cells_ = rays_ = 0;
  PolarMethodResult result;
  if (box.IsEmpty()) return result;
  LocalFrame frame;
  bool empty = false;
  if (!set.expression.IsConjunction() || !FindRoughFrame(set, box, &frame, &empty)) {
    const Locator::Result located = locator_.Run(set, box, &problem_);
    result.cells = located.cells;
    empty = located.empty;
    frame = located.frame;
    frame.half *= 2.0;
  }
  if (empty) return result;
  if (!Integrate(set, frame, kCoarseTolerance, &result.raw)) return std::nullopt;
  tolerance *= kToleranceMargin;
  for (int round = 0; round < kMaxRounds; ++round) {
    const std::optional<LocalFrame> next = FrameOf(result.raw);
    if (!next || !Integrate(set, *next, tolerance, &result.raw)) return std::nullopt;
    if (!LiesWithin(result.raw, next->half)) continue;
    result.rays = rays_;
    return result;
  }
  return std::nullopt;
}

}  // namespace volcontact
