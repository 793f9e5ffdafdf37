#include "integration/column_quadrature.h"

#include <algorithm>
#include <cmath>

#include "integration/parallel.h"
#include "math/kronrod_error.h"

namespace volcontact {
namespace {

constexpr int kInitialProbes = 13, kMostProbes = 1000;
constexpr int kMaxSplits = 24;
constexpr int kMaxEventDepth = 6;
constexpr int kCutSplits = 4;  // cutting a panel at events counts as so many splits
constexpr int kMaxParts = 64;
constexpr int kMaxRule = 3;
// Finding the structure of a slice costs about as much as so many columns.
constexpr long kColumnsPerSlice = 20;
constexpr int kMaxRounds = 60;
// Parallel work is spread only where a round has at least this many slices.
constexpr std::size_t kParallelJobs = 64;

// Slices stand askew in the box, at an angle no construction is likely to contain: faces of solids
// that are aligned with the box would otherwise be met all at once, and symmetric shapes would have
// their events at the same place.
constexpr double kSkewCosine = 0.9175865679006683, kSkewSine = 0.39753602403841615;
constexpr double kReach = kSkewCosine + kSkewSine;  // of a corner of the box, either way

bool IsEmpty(const SliceStructure& structure) {
  return std::all_of(structure.pieces.begin(), structure.pieces.end(),
                     [](const Piece& piece) { return piece.signature == 0; });
}

// How far a structure is from turning into another one: the width over which its boundaries that
// have no counterpart are spread; it vanishes at the event. `root_like`: two boundaries that merge
// and vanish, whose distance goes like a square root.
struct Gap {
  double width = 0.0;
  bool root_like = false;
};

Gap GapTowards(const SliceStructure& from, const SliceStructure& to) {
  const auto label = [](const SliceStructure& s, std::size_t i) {
    return std::pair(s.pieces[i].signature, s.pieces[i + 1].signature);
  };
  const std::size_t n = from.boundaries.size(), m = to.boundaries.size();
  std::size_t head = 0, tail = 0;
  while (head < std::min(n, m) && label(from, head) == label(to, head)) ++head;
  while (tail < std::min(n, m) - head && label(from, n - 1 - tail) == label(to, m - 1 - tail)) {
    ++tail;
  }
  const std::size_t middle = n - head - tail;
  if (middle == 0) return {};
  const double first = from.boundaries[head].v, last = from.boundaries[n - 1 - tail].v;
  if (middle == 1)
    return {std::min(first - from.pieces.front().v0, from.pieces.back().v1 - first), false};
  return {last - first, m == head + tail};
}

// Predicts where the gap seen at two points vanishes; nothing when it does not shrink towards
// `towards`.
bool Extrapolate(double xa, Gap a, double xb, Gap b, double* x) {
  if (a.width <= 0.0 || b.width <= 0.0 || a.root_like != b.root_like) return false;
  const double ga = a.root_like ? a.width * a.width : a.width;
  const double gb = b.root_like ? b.width * b.width : b.width;
  if (!(gb < ga)) return false;
  *x = xb + (xb - xa) * gb / (ga - gb);
  return true;
}

}  // namespace

Eigen::Vector2d SliceFamily::Base(double x) const {
  return polar() ? Eigen::Vector2d::Zero().eval() : Eigen::Vector2d(kSkewCosine * x, kSkewSine * x);
}

Eigen::Vector2d SliceFamily::Direction(double x) const {
  return polar() ? Eigen::Vector2d(std::cos(x), std::sin(x))
                 : Eigen::Vector2d(-kSkewSine, kSkewCosine);
}

double SliceFamily::Begin() const { return polar() ? kSkewSine : -kReach; }
double SliceFamily::End() const { return polar() ? kSkewSine + 2.0 * M_PI : kReach; }
double SliceFamily::SliceBegin(double x) const { return polar() ? 0.0 : -SliceEnd(-x); }

double SliceFamily::SliceEnd(double x) const {
  const Eigen::Vector2d base = Base(x), direction = Direction(x);
  double end = kReach;
  for (int i = 0; i < 2; ++i) {
    if (direction[i] == 0.0) continue;
    end = std::min(end, ((direction[i] > 0.0 ? 1.0 : -1.0) - base[i]) / direction[i]);
  }
  return end;
}

void ColumnQuadrature::FindStructureAt(double x, SliceStructure* structure) {
  const SliceFamily& family = options_.family;
  slice_.MoveTo(family.Base(x), family.Direction(x));
  slice_.FindStructure(family.SliceBegin(x), family.SliceEnd(x), sources_, narrow_, structure);
  ++slices_;
}

void ColumnQuadrature::LocateEvent(Probe* left, Probe* right, int depth) {
  Probe trial;
  Probe previous;  // an earlier point on the side whose gap is followed
  bool have_previous = false, previous_left = false;
  bool overshoot = true;
  int stalled = 0;
  while (right->x - left->x > resolution_) {
    double x = 0.5 * (left->x + right->x);
    const double width = right->x - left->x;
    if (have_previous && stalled < 2) {
      Probe* near = previous_left ? left : right;
      Probe* far = previous_left ? right : left;
      double target;
      if (Extrapolate(previous.x, GapTowards(previous.structure, far->structure), near->x,
                      GapTowards(near->structure, far->structure), &target)) {
        const double margin = std::max(0.02 * std::abs(target - near->x), 0.4 * resolution_);
        const double side = far->x > near->x ? margin : -margin;
        target += overshoot ? side : -side;
        overshoot = !overshoot;
        if (target > left->x && target < right->x) x = target;
      }
    }
    trial.x = x;
    FindStructureAt(x, &trial.structure);
    const bool as_left = trial.structure.SameAs(left->structure);
    const bool as_right = trial.structure.SameAs(right->structure);
    if (!as_left && !as_right) {
      if (depth <= 0) break;
      Probe middle = trial;
      LocateEvent(left, &trial, depth - 1);
      LocateEvent(&middle, right, depth - 1);
      return;
    }
    Probe* replaced = as_left ? left : right;
    const Gap gap = GapTowards(replaced->structure, (as_left ? right : left)->structure);
    if (gap.width > 0.0) {
      previous = *replaced;
      have_previous = true;
      previous_left = as_left;
    }
    *replaced = trial;
    stalled = right->x - left->x > 0.5 * width ? stalled + 1 : 0;
    if (stalled > 3) stalled = 0;
  }
  breaks_.push_back(0.5 * (left->x + right->x));
}

double ColumnQuadrature::Panel::ErrorX(double scale) const {
  return smooth ? KronrodError(error_x, scale) : error_x;
}

double ColumnQuadrature::Panel::ErrorV(double scale) const { return KronrodError(error_v, scale); }

// Cuts the range at breaks_ into panels, leaving out those whose middle slice is empty.
void ColumnQuadrature::AddPanels(const Panel& range, std::vector<Panel>* panels) {
  std::sort(breaks_.begin(), breaks_.end());
  SliceStructure structure;
  Panel panel = range;
  for (std::size_t i = 0; i <= breaks_.size(); ++i) {
    const bool last = i == breaks_.size();
    panel.x1 = last ? range.x1 : breaks_[i];
    panel.branch1 = last ? range.branch1 : breaks_[i];
    // Two events this close are one: the next panel takes the sliver between them.
    if (!last && panel.x1 - panel.x0 <= 4.0 * resolution_) continue;
    FindStructureAt(0.5 * (panel.x0 + panel.x1), &structure);
    panel.structure = structure.Hash();
    if (!IsEmpty(structure)) panels->push_back(panel);
    panel.x0 = panel.branch0 = panel.x1;
  }
}

// Looks at a few slices first, at more of them while all are empty: a region known to be in the box
// may fill little of it.
void ColumnQuadrature::FindPanels() {
  const double begin = options_.family.Begin(), end = options_.family.End();
  bool empty = true;
  for (int count = kInitialProbes; empty && count <= kMostProbes; count *= 4) {
    probes_.resize(count);
    for (int i = 0; i < count; ++i) {
      probes_[i].x = 0.5 * (begin + end) - 0.5 * (end - begin) * std::cos(M_PI * (i + 0.5) / count);
      FindStructureAt(probes_[i].x, &probes_[i].structure);
      empty &= IsEmpty(probes_[i].structure);
    }
  }
  breaks_.clear();
  for (std::size_t i = 0; i + 1 < probes_.size(); ++i) {
    if (probes_[i].structure.SameAs(probes_[i + 1].structure)) continue;
    Probe left = probes_[i], right = probes_[i + 1];
    LocateEvent(&left, &right, kMaxEventDepth);
  }
  Panel whole{};
  whole.x0 = begin;
  whole.x1 = end;
  whole.branch0 = -kNoBranchPoint;
  whole.branch1 = kNoBranchPoint;
  whole.rule_x = whole.rule_v = options_.tolerance >= 1e-8 ? 0 : 1;
  AddPanels(whole, &panels_);
}

void ColumnQuadrature::RunJob(Slice* slice, SliceStructure* structure, Job* job) const {
  const Panel& panel = panels_[job->panel];
  const SliceFamily& family = options_.family;
  const Eigen::Vector2d base = family.Base(job->x), direction = family.Direction(job->x);
  slice->MoveTo(base, direction);
  slice->FindStructure(family.SliceBegin(job->x), family.SliceEnd(job->x), sources_, narrow_,
                       structure);
  job->structure = structure->Hash();
  SliceSums fine, coarse;
  for (const Piece& piece : structure->pieces) {
    if (piece.signature == 0) continue;
    slice->IntegratePiece(piece, kKronrodRules[panel.rule_v], panel.parts, family.polar(), &fine,
                          &coarse);
  }
  for (const PieceBoundary& boundary : structure->boundaries) {
    if (boundary.source < 0) continue;
    const EventSource& source = sources_[boundary.source];
    if (source.kind != EventSource::Kind::kWall) continue;
    slice->AddWall(source, boundary.v, family.polar(), &fine);
    slice->AddWall(source, boundary.v, family.polar(), &coarse);
  }
  job->fine = {};
  job->coarse = {};
  job->fine.AddSlice(1.0, fine, base, direction);
  job->coarse.AddSlice(1.0, coarse, base, direction);
}

void ColumnQuadrature::RunJobs() {
  jobs_.clear();
  for (std::size_t p = 0; p < panels_.size(); ++p) {
    Panel& panel = panels_[p];
    if (panel.done) continue;
    panel.first_job = jobs_.size();
    const NodeMap map(panel.x0, panel.x1, panel.branch0, panel.branch1);
    const KronrodRule& rule = kKronrodRules[panel.rule_x];
    columns_ += rule.size * kKronrodRules[panel.rule_v].size * panel.parts;
    for (int n = 0; n < rule.size; ++n) {
      const QuadratureNode node = map(rule.nodes[n]);
      Job job;
      job.panel = p;
      job.x = node.x;
      job.weight = node.weight * rule.weights[n];
      job.gauss = node.weight * rule.gauss[n];
      jobs_.push_back(job);
    }
  }
  slices_ += static_cast<long>(jobs_.size());
  const int threads = jobs_.size() >= kParallelJobs ? options_.threads : 1;
  std::vector<Slice> slices;
  std::vector<SliceStructure> structures(threads);
  if (threads > 1) {
    slices.resize(threads);
    for (Slice& slice : slices) slice.SetProblem(*problem_);
  }
  const auto body = [&](std::size_t i, int worker) {
    RunJob(threads > 1 ? &slices[worker] : &slice_, &structures[worker], &jobs_[i]);
  };
  ParallelFor(jobs_.size(), threads, std::cref(body));
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
  }
}

double ColumnQuadrature::TotalError(RegionSums* sums) const {
  *sums = {};
  for (const Panel& panel : panels_) sums->Add(1.0, panel.sums);
  const double scale = sums->s[RegionSums::kOne];
  double error = 0.0;
  for (const Panel& panel : panels_) error += panel.ErrorX(scale) + panel.ErrorV(scale);
  return error;
}

// Cuts a panel, integrated last, between the slices whose structures differ.
void ColumnQuadrature::CutAtEvents(const Panel& panel, std::vector<Panel>* panels) {
  breaks_.clear();
  Probe left, right;
  for (std::size_t j = panel.first_job; j + 1 < panel.first_job + kKronrodRules[panel.rule_x].size;
       ++j) {
    if (jobs_[j].structure == jobs_[j + 1].structure) continue;
    left.x = jobs_[j].x;
    right.x = jobs_[j + 1].x;
    FindStructureAt(left.x, &left.structure);
    FindStructureAt(right.x, &right.structure);
    LocateEvent(&left, &right, kMaxEventDepth);
  }
  Panel range = panel;
  range.done = false;
  range.splits += kCutSplits;
  AddPanels(range, panels);
}

// Refines the panels that carry more than their share of the error: raises their rules, cuts them
// at events that have come to light, halves them, or halves the parts of their pieces. Returns
// false when none can be.
bool ColumnQuadrature::Refine(double error_target) {
  RegionSums sums;
  TotalError(&sums);
  const double scale = sums.s[RegionSums::kOne];
  const double share = 0.5 * error_target / static_cast<double>(panels_.size());
  std::vector<Panel> refined;
  bool any = false;
  for (const Panel& panel : panels_) {
    const double error_x = panel.ErrorX(scale), error_v = panel.ErrorV(scale);
    if (error_x + error_v <= share || panel.splits >= kMaxSplits) {
      refined.push_back(panel);
      continue;
    }
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
    } else if (!panel.smooth && panel.latest) {
      CutAtEvents(panel, &refined);
    } else {
      const double middle = 0.5 * (panel.x0 + panel.x1);
      next.x1 = middle;
      refined.push_back(next);
      next.x1 = panel.x1;
      next.x0 = middle;
      refined.push_back(next);
    }
  }
  panels_ = std::move(refined);
  return any;
}

ColumnQuadratureResult ColumnQuadrature::Run(const LocalProblem& problem,
                                             const ColumnQuadratureOptions& options) {
  problem_ = &problem;
  options_ = options;
  slices_ = columns_ = 0;
  panels_.clear();
  const double t = options.tolerance;
  // A misplaced event leaves at most a square-root or linear sliver out: error ~ resolution^(3/2).
  resolution_ = std::clamp(0.03 * std::pow(t, 2.0 / 3.0), 1e-12, 1e-4);
  narrow_ = std::max(1e-14, 0.003 * t);
  sources_ = AllEventSources(problem);
  slice_.SetProblem(problem);
  ColumnQuadratureResult result;
  if (problem.expression.IsConstant() && !problem.expression.ConstantValue()) return result;
  FindPanels();
  for (int round = 0; round < kMaxRounds; ++round) {
    RunJobs();
    FinishPanels();
    result.error = TotalError(&result.sums);
    const double target = t * result.sums.s[RegionSums::kOne];
    result.converged = result.error <= target;
    if (result.converged || columns_ + kColumnsPerSlice * slices_ > options.max_columns) break;
    if (!Refine(target)) break;
  }
  result.panels = static_cast<long>(panels_.size());
  result.slices = slices_;
  result.columns = columns_ + kColumnsPerSlice * slices_;
  return result;
}

}  // namespace volcontact
