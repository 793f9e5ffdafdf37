#include "overlap/columns/column_quadrature.h"

#include <algorithm>
#include <cmath>

#include "math/kronrod_error.h"

namespace volcontact {
namespace {

constexpr int kMaxSplits = 24, kMaxParts = 64;
constexpr int kMaxRounds = 60;
// Volume of the cube of scaled coordinates.
constexpr double kCubeVolume = 8.0;

// Planes x = const, parallel to slices across x.
bool IsAcross(const LocalSurface& surface) {
  const auto& c = surface.psi.c;
  return surface.psi.degree == 1 && c[kY] == 0.0 && c[kZ] == 0.0 && c[kX] != 0.0;
}

}  // namespace

void ColumnQuadrature::FindStructureAt(double x, SliceStructure* structure) {
  TimeLimit::Enforce();
  const SliceFamily& family = options_.family;
  slice_.MoveTo(family.Base(x), family.Direction(x));
  slice_.FindStructure(family.SliceBegin(x), family.SliceEnd(x), sources_, narrow_, structure);
  ++slices_;
  effort_ += slice_.TakeEffort();
}

double ColumnQuadrature::Panel::ErrorX(const RegionSums& total) const {
  const double moments = smooth ? KronrodError(error_x, total.s[RegionSums::kOne]) : error_x;
  return std::max(moments, total.AreaErrorAsMoment(area_error_x));
}

double ColumnQuadrature::Panel::ErrorV(const RegionSums& total) const {
  return std::max(KronrodError(error_v, total.s[RegionSums::kOne]),
                  total.AreaErrorAsMoment(area_error_v));
}

void ColumnQuadrature::IntegrateSlice(Slice* slice, const SliceStructure& structure,
                                      const Panel& panel, SliceSums* fine,
                                      SliceSums* coarse) const {
  const bool polar = options_.family.polar();
  for (const Piece& piece : structure.pieces) {
    if (piece.signature == 0) continue;
    slice->IntegratePiece(piece, kKronrodRules[panel.rule_v], panel.parts, polar, fine, coarse);
  }
  for (const PieceBoundary& boundary : structure.boundaries) {
    if (boundary.source < 0) continue;
    const EventSource& source = sources_[boundary.source];
    if (source.kind != EventSource::Kind::kWall) continue;
    slice->AddWall(source, boundary.v, polar, fine);
    slice->AddWall(source, boundary.v, polar, coarse);
  }
}

// Sums the jobs into their panels.
void ColumnQuadrature::FinishPanels() {
  for (Panel& panel : panels_) {
    panel.latest = !panel.done;
    if (panel.done) continue;
    RegionSums gauss_x, gauss_v;
    panel.sums = {};
    panel.smooth = true;
    for (std::size_t j = panel.first_job; j < panel.first_job + kKronrodRules[panel.rule_x].size;
         ++j) {
      const Job& job = jobs_[j];
      panel.sums.Add(job.weight, job.fine);
      gauss_x.Add(job.gauss, job.fine);
      gauss_v.Add(job.weight, job.coarse);
      panel.smooth &= job.structure == panel.structure;
    }
    panel.done = true;
    panel.error_x = panel.sums.Distance(gauss_x);
    panel.error_v = panel.sums.Distance(gauss_v);
    const double area = panel.sums.LargestArea();
    panel.area_error_x = KronrodError(panel.sums.AreaDifference(gauss_x), area);
    panel.area_error_v = KronrodError(panel.sums.AreaDifference(gauss_v), area);
  }
}

double ColumnQuadrature::TotalError(RegionSums* sums) const {
  *sums = {};
  for (const Panel& panel : panels_) sums->Add(1.0, panel.sums);
  double error = 0.0;
  for (const Panel& panel : panels_) error += panel.ErrorX(*sums) + panel.ErrorV(*sums);
  return error;
}

double ColumnQuadrature::TotalAreaError() const {
  double error = 0.0;
  for (const Panel& panel : panels_) error += panel.area_error_x + panel.area_error_v;
  return error;
}

// Refines the panels that carry more than their share of the error: raises their rules, cuts them
// at events that have come to light, halves them, or halves the parts of their pieces. False, with
// all as it was, when none can be or the budget is spent.
bool ColumnQuadrature::Refine(double error_target) {
  RegionSums sums;
  TotalError(&sums);
  const double share = 0.5 * error_target / static_cast<double>(panels_.size());
  std::vector<Panel>& refined = refined_;
  refined.clear();
  bool any = false;
  for (const Panel& panel : panels_) {
    const double error_x = panel.ErrorX(sums), error_v = panel.ErrorV(sums);
    if (error_x + error_v <= share || panel.splits >= kMaxSplits) {
      refined.push_back(panel);
      continue;
    }
    if (IsSpent()) return false;
    any = true;
    Panel next = panel;
    next.done = false;
    ++next.splits;
    const bool along = error_v > error_x;
    int& rule = along ? next.rule_v : next.rule_x;
    if (rule < kMaxRule && (along || panel.smooth)) {
      // A higher rule gains more than a split where the integrand is analytic. Both errors may be
      // in need of it.
      ++rule;
      int& other = along ? next.rule_x : next.rule_v;
      if (std::min(error_x, error_v) > 0.3 * share && other < kMaxRule) ++other;
      refined.push_back(next);
    } else if (along) {
      if (next.parts >= kMaxParts) next.splits = kMaxSplits;
      next.parts *= 2;
      refined.push_back(next);
    } else if (panel.smooth || !panel.latest || !CutAtEvents(panel, &refined)) {
      const double middle = 0.5 * (panel.x0 + panel.x1);
      next.x1 = middle;
      refined.push_back(next);
      next.x1 = panel.x1;
      next.x0 = middle;
      refined.push_back(next);
    }
  }
  panels_ = refined;
  return any;
}

// Adds the faces that lie between slices: the jump of the section where such a plane is passed.
void ColumnQuadrature::AddFacesAcross(RegionSums* sums) {
  if (options_.family.kind != SliceFamily::Kind::kAcross || panels_.empty()) return;
  Panel finest{};
  for (const Panel& panel : panels_) {
    finest.rule_v = std::max(finest.rule_v, panel.rule_v);
    finest.parts = std::max(finest.parts, panel.parts);
  }
  const SliceFamily& family = options_.family;
  for (const int s : active_) {
    const LocalSurface& surface = problem_->surfaces[s];
    if (!IsAcross(surface)) continue;
    const auto& c = surface.psi.c;
    const double x = -c[kOne] / c[kX];
    if (!(std::abs(x) < 1.0)) continue;
    const Eigen::Vector2d base = family.Base(x), direction = family.Direction(x);
    SliceSums jump, coarse, face;  // of the section, inside less outside
    for (const bool inside : {true, false}) {
      slice_.MoveTo(base, direction);
      slice_.Force(s, inside);
      slice_.FindStructure(family.SliceBegin(x), family.SliceEnd(x), sources_, narrow_,
                           &structure_);
      SliceSums section;
      IntegrateSlice(&slice_, structure_, finest, &section, &coarse);
      jump.Add(inside ? 1.0 : -1.0, section);
    }
    slice_.AddFaceAcross(surface.owner, c[kX] > 0.0, jump, &face);
    sums->AddSlice(1.0, face, base, direction);
  }
}

ColumnQuadratureResult ColumnQuadrature::Run(const LocalProblem& problem,
                                             const ColumnQuadratureOptions& options) {
  problem_ = &problem;
  options_ = options;
  slices_ = columns_ = effort_ = 0;
  slice_.TakeEffort();
  panels_.clear();
  const double t = options.tolerance;
  // A misplaced event leaves at most a square-root or linear sliver out: error ~ resolution^(3/2).
  resolution_ = std::clamp(0.03 * std::pow(t, 2.0 / 3.0), 1e-12, 1e-4);
  // The rings that slices across a torus see may be narrow all around.
  narrow_ = options.family.kind == SliceFamily::Kind::kAcross ? 1e-14 : std::max(1e-14, 0.003 * t);
  problem.expression.FindSurfaces(&active_);
  ColumnQuadratureResult result;
  if (problem.expression.IsFalse()) return result;
  // Nothing is known yet.
  result.error = kCubeVolume;
  const long surfaces = static_cast<long>(active_.size());
  if (surfaces * surfaces * (surfaces - 1) / 2 > options.max_columns) {
    // A single slice looks at as many pairs, and at all surfaces for each.
    result.converged = false;
    return result;
  }
  AllEventSources(problem, &sources_);
  slice_.SetProblem(problem);
  slice_.SetFacing(options.facing);
  FindPanelsOfExtent();
  const bool has_all_breaks = !AreBreaksGivenUp();
  for (int round = 0; round < kMaxRounds; ++round) {
    if (!RunJobs()) {
      result.converged = false;
      break;
    }
    FinishPanels();
    result.error = TotalError(&result.sums);
    // Where narrow pieces of slices were given to neighbours no estimate sees it.
    result.error += narrow_ * result.sums.s[RegionSums::kOne];
    const double target = t * result.sums.s[RegionSums::kOne];
    result.converged = result.error <= target;
    if (result.converged || IsSpent()) break;
    if (!Refine(target)) break;
  }
  if (!has_all_breaks) {
    // Estimates see nothing of breaks that are not known.
    result.converged = false;
    result.error = kCubeVolume;
  }
  result.area_error = TotalAreaError();
  AddFacesAcross(&result.sums);
  result.panels = static_cast<long>(panels_.size());
  result.slices = slices_;
  result.columns = columns_ + effort_;
  return result;
}

}  // namespace volcontact
