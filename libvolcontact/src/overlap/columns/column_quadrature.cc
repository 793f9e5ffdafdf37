#include "overlap/columns/column_quadrature.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/kronrod_error.h"
#include "math/time_limit.h"

namespace volcontact {
namespace {

// Slices looked at first; fewer where the region is convex and hides little.
constexpr int kProbes = 21, kPolarProbes = 13, kMostDensity = 16;
constexpr int kFewestProbes = 4;  // between two known breaks
// Slices next to a known break stand this many resolutions off it.
constexpr double kBesideBreak = 8.0;
constexpr int kMaxSplits = 24, kMaxParts = 64;
constexpr int kCutSplits = 4;  // cutting a panel at events counts as so many splits
constexpr int kMaxRounds = 60;
// Of what slices may take of the box, and how well places among them are told at best.
constexpr double kSmallExtent = 0.1, kFinestResolution = 1e-13;
// Volume of the cube of scaled coordinates.
constexpr double kCubeVolume = 8.0;

bool IsEmpty(const SliceStructure& structure) {
  return std::all_of(structure.pieces.begin(), structure.pieces.end(),
                     [](const Piece& piece) { return piece.signature == 0; });
}

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

// Adds a panel; false, and nothing is added, where its middle slice is empty.
bool ColumnQuadrature::AddPanel(Panel panel, std::vector<Panel>* panels) {
  FindStructureAt(0.5 * (panel.x0 + panel.x1), &structure_);
  if (IsEmpty(structure_)) return false;
  panel.structure = structure_.Hash();
  panels->push_back(panel);
  return true;
}

// Cuts the range at breaks_ into panels, leaving out those whose middle slice is empty.
void ColumnQuadrature::AddPanels(const Panel& range, std::vector<Panel>* panels) {
  std::sort(breaks_.begin(), breaks_.end(),
            [](const Break& a, const Break& b) { return a.x < b.x; });
  Panel panel = range;
  double sliver = panel.x0;  // the panel has one up to here
  for (std::size_t i = 0; i <= breaks_.size(); ++i) {
    const bool last = i == breaks_.size();
    panel.x1 = last ? range.x1 : breaks_[i].x;
    // Two events this close are one, unless known exactly: the next panel takes the sliver between
    // them.
    const double close = !last && breaks_[i].margin > 0.0 ? 4.0 * resolution_ : 0.0;
    if (!last && panel.x1 - panel.x0 <= close) {
      sliver = panel.x1;
      continue;
    }
    panel.branch1 = range.branch1;
    for (std::size_t j = breaks_.size(); j-- > i;) {
      if (!breaks_[j].corner) panel.branch1 = breaks_[j].x;
    }
    if (!AddPanel(panel, panels) && sliver > panel.x0) {
      // The last of the region may be in the sliver.
      panel.x1 = sliver;
      AddPanel(panel, panels);
      panel.x1 = last ? range.x1 : breaks_[i].x;
    }
    panel.x0 = sliver = panel.x1;
    panel.branch0 = range.branch0;
    for (std::size_t j = 0; j <= i && !last; ++j) {
      if (!breaks_[j].corner) panel.branch0 = breaks_[j].x;
    }
  }
}

// Looks at a few slices of an interval, and locates events between them; false if all are empty.
bool ColumnQuadrature::FindBreaks(double begin, double end, int density) {
  const SliceFamily& family = options_.family;
  const double part = (end - begin) / (family.End() - family.Begin());
  const double close = std::min(kBesideBreak * resolution_, 1e-3 * (end - begin));
  const int share = static_cast<int>(part * (family.polar() ? kPolarProbes : kProbes));
  const int wanted = std::max(kFewestProbes, share) * density;
  const auto count = static_cast<std::size_t>(wanted);
  bool empty = true;
  probes_.resize(std::max(probes_.size(), count));
  for (std::size_t i = 0; i < count; ++i) {
    const double angle = M_PI * (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    probes_[i].x = 0.5 * (begin + end) - 0.5 * (end - begin) * std::cos(angle);
    if (AreBreaksGivenUp()) return !empty;
    // Next to a known break, another may be close.
    if (i == 0 && begin > family.Begin()) probes_[i].x = begin + close;
    if (i + 1 == count && end < family.End()) probes_[i].x = end - close;
    FindStructureAt(probes_[i].x, &probes_[i].structure);
    empty &= IsEmpty(probes_[i].structure);
  }
  for (std::size_t i = 0; i + 1 < count; ++i) {
    if (probes_[i].structure.SameAs(probes_[i + 1].structure)) continue;
    left_ = probes_[i];
    right_ = probes_[i + 1];
    LocateEvent(&left_, &right_, kMaxEventDepth);
  }
  return !empty;
}

// Looks closer while all slices are empty: a region known to be in the box may fill little of it.
void ColumnQuadrature::FindPanels() {
  const double begin = options_.family.Begin(), end = options_.family.End();
  FindKnownBreaks();
  bool found = false;
  for (int density = 1; !found && density <= kMostDensity && !AreBreaksGivenUp(); density *= 4) {
    breaks_ = known_breaks_;
    double x = begin;
    for (std::size_t i = 0; i <= known_breaks_.size(); ++i) {
      const double next = i < known_breaks_.size() ? known_breaks_[i].x : end;
      if (next - x > 4.0 * resolution_) {
        found |= FindBreaks(x, next, density);
      }
      x = next;
    }
  }
  Panel whole{};
  whole.x0 = begin;
  whole.x1 = end;
  whole.branch0 = -kNoBranchPoint;
  whole.branch1 = kNoBranchPoint;
  whole.rule_x = whole.rule_v = options_.tolerance >= 1e-8 ? 0 : 1;
  AddPanels(whole, &panels_);
}

// Places where the structure changes are told to a part of the region's own extent: its box may be
// much wider, as around a ring that stands on a few degrees of its arc.
void ColumnQuadrature::FindPanelsOfExtent() {
  FindPanels();
  if (options_.family.polar()) return CutWidePanels();
  if (panels_.empty()) return;
  const double extent = panels_.back().x1 - panels_.front().x0;
  const double box = options_.family.End() - options_.family.Begin();
  if (extent > kSmallExtent * box) return;
  resolution_ = std::max(kFinestResolution, resolution_ * extent / box);
  panels_.clear();
  FindPanels();
}

// Widths and rules of the first panels of angles: those that mostly do at once. Seen from within a
// convex region an edge of its rim has poles a right angle to either side of its middle; next to a
// branch point convergence is slower.
void ColumnQuadrature::CutWidePanels() {
  const double t = options_.tolerance, widest = t < 1e-8 ? 1.7 : 2.2;
  std::array<double, kMaxRule> limits = {1.4, 2.2, 2.2};
  if (t < 1e-4) limits = {0.6, 1.5, 2.2};
  if (t < 1e-8) limits = {0.25, 1.0, 1.7};
  std::vector<Panel>& cut = refined_;
  cut.clear();
  for (const Panel& panel : panels_) {
    const int parts = static_cast<int>(std::ceil((panel.x1 - panel.x0) / widest));
    const double width = (panel.x1 - panel.x0) / parts;
    for (int i = 0; i < parts; ++i) {
      Panel next = panel;
      if (i > 0) next.x0 = panel.x0 + i * width;
      if (i < parts - 1) next.x1 = panel.x0 + (i + 1) * width;
      const bool branch = std::min(next.x0 - next.branch0, next.branch1 - next.x1) < 0.3 * width;
      next.rule_x = static_cast<int>(
          std::lower_bound(limits.begin(), limits.end(), branch ? 2.0 * width : width) -
          limits.begin());
      cut.push_back(next);
    }
  }
  panels_ = cut;
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

// Cuts a panel, integrated last, where slices differ; false when that is next to its ends only.
bool ColumnQuadrature::CutAtEvents(const Panel& panel, std::vector<Panel>* panels) {
  breaks_.clear();
  for (std::size_t j = panel.first_job; j + 1 < panel.first_job + kKronrodRules[panel.rule_x].size;
       ++j) {
    if (jobs_[j].structure == jobs_[j + 1].structure) continue;
    left_.x = jobs_[j].x;
    right_.x = jobs_[j + 1].x;
    FindStructureAt(left_.x, &left_.structure);
    FindStructureAt(right_.x, &right_.structure);
    LocateEvent(&left_, &right_, kMaxEventDepth);
  }
  Panel range = panel;
  range.done = false;
  range.splits += kCutSplits;
  const std::size_t count = panels->size();
  AddPanels(range, panels);
  const bool whole =
      panels->size() == count + 1 && panels->back().x0 == panel.x0 && panels->back().x1 == panel.x1;
  if (whole) panels->pop_back();
  return !whole;
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
  if (problem.expression.IsConstant() && !problem.expression.ConstantValue()) return result;
  // Of nothing yet.
  result.error = kCubeVolume;
  const long surfaces = static_cast<long>(active_.size());
  if (surfaces * (surfaces - 1) / 2 > options.max_columns) {
    // A single slice looks at as many pairs.
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
