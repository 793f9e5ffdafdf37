#include "overlap/query/regions/region_columns.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "math/time_limit.h"
#include "overlap/certify/certify.h"
#include "overlap/frame/equal_surfaces.h"
#include "overlap/query/regions/touching_rounds.h"

namespace volcontact {
namespace {

// How many times the columns that one part may take all parts may take together.
constexpr long kMostRunsOfParts = 4;
// Cells and columns to measure the gap between surfaces that nearly coincide.
constexpr long kSharpCells = 100'000;
// Sides of a box around a part are this much farther from its middle.
constexpr double kRoomAround = 1.0 + 0x1p-6;
// A plane is a side of a box if it differs by no more than this part of the box.
constexpr double kSideRounding = 1e-12;
// Faces at this many tolerances of each other, relative to the box, are nearly flush.
constexpr double kNearlyFlush = 4.0;
// The angle of the second columns against the first; no edges of aligned parts lie so.
constexpr double kCheckAngle = 0.62;
// Area vectors of both may differ by this part of the contact area, whatever the tolerance.
constexpr double kAreaAgreement = 1e-5;

// A little larger.
LocalFrame WithRoom(LocalFrame frame) {
  frame.half *= kRoomAround;
  return frame;
}

// Whether a surface of the cube is one of its sides, but for roundings. Columns in the cube do not
// see a face there.
bool IsSide(const LocalSurface& surface) {
  if (surface.psi.degree != 1) return false;
  const auto& c = surface.psi.c;
  const double along = std::max({std::abs(c[kX]), std::abs(c[kY]), std::abs(c[kZ])});
  const double all = std::abs(c[kX]) + std::abs(c[kY]) + std::abs(c[kZ]);
  return all - along <= kSideRounding * along &&
         std::abs(std::abs(c[kOne]) - along) <= kSideRounding * along;
}

// The frame for the integrals over a share: with room if the face of the share is on a side.
LocalFrame FrameOfShare(const FaceShare& share, const LocalProblem& problem) {
  const std::vector<Owner>& owners = share.region.owners;
  for (std::size_t s = 0; s < owners.size(); ++s) {
    if (owners[s] != Owner::kNone && IsSide(problem.surfaces[s])) return WithRoom(problem.frame);
  }
  return problem.frame;
}

// A frame with other axes across z around the same box.
LocalFrame TurnedAboutZ(const LocalFrame& frame) {
  const Eigen::Matrix3d turn =
      Eigen::AngleAxisd(kCheckAngle, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  return FrameIn(frame.X_AC, Eigen::Vector3d::Zero(), turn, turn.cwiseAbs() * frame.half);
}

void SeeFrom(const LocalFrame& frame, const SurfaceSet& set, SurfaceSet* seen) {
  *seen = set;
  for (SurfacePolynomial& psi : seen->surfaces) psi = Substitute(psi, frame.X_AC.R, frame.X_AC.t);
}

// The integrals by columns over a region in a frame's box.
ColumnMethodResult IntegrateIn(const LocalFrame& frame, const SurfaceSet& set,
                               const ColumnMethodOptions& options, Workspace* workspace) {
  SeeFrom(frame, set, &workspace->turned);
  ColumnMethodResult result =
      workspace->columns.Run(workspace->turned, {-frame.half, frame.half}, options);
  result.raw.X_AC = frame.X_AC * result.raw.X_AC;
  return result;
}

// Whether two runs of a method over one region, of which neither is known to be right, agree within
// the errors that they claim.
bool Agree(const RawMetrics& one, const RawMetrics& other, double tolerance) {
  const double difference = std::abs(one.moments.volume - other.moments.volume);
  // Each may be off by the tolerance, and the area vector by ten times that.
  const double allowed = std::max(2.0 * tolerance * one.moments.volume, other.volume_error);
  const double turn =
      (one.X_AC.RotationDouble() * one.area - other.X_AC.RotationDouble() * other.area).norm();
  const double areas = std::max({one.projected_area, one.area.norm(), other.area.norm()});
  return difference <= allowed && turn <= std::max(20.0 * tolerance, kAreaAgreement) * areas;
}

// By columns in a frame with other axes.
ColumnMethodResult IntegrateTurned(const LocalFrame& frame, const SurfaceSet& set,
                                   ColumnMethodOptions options, Workspace* workspace) {
  options.certify = options.projection = false;
  return IntegrateIn(TurnedAboutZ(frame), set, options, workspace);
}

// Columns do not see what lies between them, so their result counts only if columns along other
// axes agree. Returns the number of those.
long CheckByOthers(const LocalFrame& frame, const SurfaceSet& set,
                   const ColumnMethodOptions& options, Workspace* workspace, RawMetrics* raw) {
  if (!raw->converged || !(raw->moments.volume > 0.0)) return 0;
  ColumnMethodResult other;
  const bool is_done =
      TimeLimit::EndsBeforeLimit([&] { other = IntegrateTurned(frame, set, options, workspace); });
  if (!is_done) {
    raw->converged = false;
    return 0;
  }
  if (Agree(*raw, other.raw, options.tolerance)) return other.columns;
  raw->converged = false;
  raw->volume_error =
      std::max(raw->volume_error, std::abs(raw->moments.volume - other.raw.moments.volume));
  return other.columns;
}

// What is known of a part for which no effort is left: it is no larger than its frame's box.
RawMetrics UnknownIn(const LocalFrame& frame) {
  RawMetrics unknown;
  unknown.X_AC = frame.X_AC;
  unknown.volume_error = 8.0 * frame.half.prod();
  unknown.converged = false;
  return unknown;
}

// Adds the part of the area vector that owners of surfaces do not decide. Returns the number of
// columns for it.
long ShareFaces(const LocalFrame& frame, const SurfaceSet& set, ColumnMethodOptions options,
                Workspace* workspace, RawMetrics* raw) {
  if (!set.has_common || !(raw->moments.volume > 0.0)) return 0;
  Localize(set, frame, &workspace->problem);
  SimplifyInBox(&workspace->problem);
  std::vector<FaceShare> shares;
  FindFaceShares(set, workspace->problem, &shares);
  options.certify = options.projection = false;
  long columns = 0;
  for (const FaceShare& share : shares) {
    const LocalFrame around = FrameOfShare(share, workspace->problem);
    ColumnMethodResult part;
    const bool is_done = TimeLimit::EndsBeforeLimit(
        [&] { part = IntegrateIn(around, CutTo(around, share.region), options, workspace); });
    part.raw.converged &= is_done;
    raw->converged &= part.raw.converged;
    AddAreas(part.raw, share.factor, raw);
    columns += part.columns;
  }
  return columns;
}

// Columns do not see which parts of a face are in the other body, if that ends within the tolerance
// behind it. Second columns do not, either.
void CheckNearlyFlush(const SurfaceSet& set, const LocalFrame& frame, double tolerance,
                      Workspace* workspace, RawMetrics* raw) {
  if (!(raw->moments.volume > 0.0)) return;
  const Eigen::Vector3d cube = Eigen::Vector3d::Constant(frame.half.maxCoeff());
  Localize(set, {raw->X_AC, cube}, &workspace->problem);
  if (HasNearlyFlushPlanes(workspace->problem, kNearlyFlush * tolerance)) raw->converged = false;
}

}  // namespace

PartsByColumns::PartsByColumns(const QueryOptions& options, Workspace* workspace, RawAnswer* answer)
    : options_(options),
      workspace_(*workspace),
      answer_(*answer),
      left_(kMostRunsOfParts * options.max_cells) {}

RawMetrics PartsByColumns::Integrate(const SurfaceSet& near, const LocalFrame& frame, long effort) {
  // Where round surfaces touch others columns take long, and mostly do not converge: first it is
  // seen whether edges do without the touches.
  are_put_off_ = are_put_off_ || (!takes_all_ && WithoutTouches(near, frame.half.maxCoeff(), 0.0));
  if (left_ <= 0 || are_put_off_) return UnknownIn(frame);
  const ColumnMethodOptions options = {options_.tolerance,
                                       std::min({options_.max_cells, left_, effort}),
                                       options_.threads, false, false};
  // Columns follow the contact into frames that may reach farther than the part's.
  SurfaceSet set = near;
  const bool is_flush = MergeWithinRounding(frame, &workspace_.problem, &set) || near.has_common;
  const LocalFrame around = is_flush ? WithRoom(frame) : frame;
  set = CutTo(around, set);
  ColumnMethodResult part = IntegrateIn(around, set, options, &workspace_);
  answer_.cells += part.cells;
  left_ -= part.columns;
  left_ -= CheckByOthers(frame, set, options, &workspace_, &part.raw);
  left_ -= ShareFaces(frame, set, options, &workspace_, &part.raw);
  CheckNearlyFlush(set, frame, options.tolerance, &workspace_, &part.raw);
  return part.raw;
}

ContactAreaFound PartsByColumns::Project(const SurfaceSet& near, const LocalFrame& frame,
                                         const RawMetrics& part, const Eigen::Vector3d& direction) {
  if (are_put_off_) return 0.0;
  return workspace_.columns.Project(
      CutTo(frame, near), frame, direction, part.X_AC.RotationDouble() * part.area,
      {options_.tolerance, options_.max_cells, options_.threads, false, false});
}

void PartsByColumns::TakeAll() {
  are_put_off_ = false;
  takes_all_ = true;
}

void SharpenByColumns(const Aabb& box, const QueryOptions& options, Workspace* workspace,
                      RawMetrics* raw, RawAnswer* answer) {
  const std::vector<SurfaceKind>& kinds = workspace->set.kinds;
  // Between tori these take long, and mostly do not converge.
  if (std::count(kinds.begin(), kinds.end(), SurfaceKind::kTorus) > 0) return;
  ColumnMethodResult columns;
  const bool is_done = TimeLimit::EndsBeforeLimit([&] {
    columns = workspace->columns.Run(workspace->set, box,
                                     {options.tolerance, std::min(options.max_cells, kSharpCells),
                                      options.threads, false, false});
  });
  answer->cells += columns.cells;
  if (!is_done || !columns.raw.converged || !Agree(columns.raw, *raw, options.tolerance)) return;
  const double rounding =
      std::numeric_limits<double>::epsilon() * box.HalfExtents().maxCoeff() * raw->area.norm();
  const double error = columns.raw.volume_error + rounding;
  const bool has_converged = error <= options.tolerance * columns.raw.moments.volume;
  if (!has_converged && !(error < raw->volume_error)) return;
  const Rigid X = raw->X_AC.Inverse() * columns.raw.X_AC;
  raw->moments = columns.raw.moments.Transformed(X.RotationDouble(), Round(X.t));
  raw->volume_error = error;
  raw->converged = has_converged;
}

void IntegrateColumns(const Aabb& box, const QueryOptions& options, Workspace* workspace,
                      RawAnswer* answer) {
  answer->method = Method::kColumns;
  const LocalFrame frame = FrameOf(box);
  ColumnMethodOptions column_options = {options.tolerance, options.max_cells, options.threads,
                                        true};
  ColumnMethodResult result = workspace->columns.Run(workspace->set, box, column_options);
  const VolumeBracket bracket = result.bracket;
  answer->cells += result.cells;
  answer->volume_bounds = {bracket.lower, bracket.upper};
  // Merging moves surfaces by roundings, so that the bracket has to be found before.
  SurfaceSet& set = workspace->merged;
  set = workspace->set;
  if (MergeWithinRounding(frame, &workspace->problem, &set)) {
    column_options.certify = false;
    result = workspace->columns.Run(set, BoxAround(WithRoom(frame)), column_options);
    answer->cells += result.cells;
    HoldWithin(bracket, options.tolerance, &result.raw);
  }
  answer->raw = result.raw;
  answer->leaves = result.leaves;
  CheckByOthers(frame, set, column_options, workspace, &answer->raw);
  ShareFaces(frame, set, column_options, workspace, &answer->raw);
  CheckNearlyFlush(set, frame, options.tolerance, workspace, &answer->raw);
  if (!set.has_common) return;
  // Shares of faces turn the normal, and the columns have followed another one.
  answer->contact_area = [=, raw = answer->raw](const Eigen::Vector3d& n_C) {
    const Eigen::Matrix3d R_AC = raw.X_AC.RotationDouble();
    return workspace->columns.Project(workspace->merged, frame, R_AC * n_C, R_AC * raw.area,
                                      column_options);
  };
}

}  // namespace volcontact
