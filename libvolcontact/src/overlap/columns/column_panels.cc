// The panels of a column quadrature: where slices change, and what lies between.
#include <algorithm>
#include <array>
#include <cmath>

#include "overlap/columns/column_quadrature.h"

namespace volcontact {
namespace {

// Slices looked at first; fewer where the region is convex and hides little.
constexpr int kProbes = 21, kPolarProbes = 13, kMostDensity = 16;
constexpr int kFewestProbes = 4;  // between two known breaks
// Slices next to a known break stand this many resolutions off it.
constexpr double kBesideBreak = 8.0;
constexpr int kCutSplits = 4;  // cutting a panel at events counts as so many splits
// Slices may take this share of the box, and resolve places among them no more finely.
constexpr double kSmallExtent = 0.1, kFinestResolution = 1e-13;

bool IsEmpty(const SliceStructure& structure) {
  return std::all_of(structure.pieces.begin(), structure.pieces.end(),
                     [](const Piece& piece) { return piece.signature == 0; });
}

}  // namespace

// Adds a panel; false, and nothing is added, where its middle slice is empty.
bool ColumnQuadrature::AddPanel(Panel panel, std::vector<Panel>* panels) {
  FindStructureAt(0.5 * (panel.x0 + panel.x1), &structure_);
  if (IsEmpty(structure_)) return false;
  panel.structure = structure_.Hash();
  panels->push_back(panel);
  return true;
}

// Cuts the range at breaks_ into panels, leaving out those whose middle slice is empty. What is
// left when the budget is spent becomes one panel.
void ColumnQuadrature::AddPanels(const Panel& range, std::vector<Panel>* panels) {
  std::sort(breaks_.begin(), breaks_.end(),
            [](const Break& a, const Break& b) { return a.x < b.x; });
  Panel panel = range;
  double sliver = panel.x0;  // the panel has one up to here
  bool last = false;
  for (std::size_t i = 0; !last; ++i) {
    last = i == breaks_.size() || AreBreaksGivenUp();
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

}  // namespace volcontact
