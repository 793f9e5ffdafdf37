#include "overlap/certify/certify.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "math/arithmetic/double_double.h"
#include "math/parallel.h"
#include "math/time_limit.h"
#include "overlap/cells/cell_bounds.h"
#include "overlap/certify/leaf_bracket.h"

namespace volcontact {
namespace {

// A round splits all cells whose bracket is wider than this part of the widest one. Splitting
// shrinks a bracket to about a sixteenth or less, so that rounds stay near best-first order.
constexpr double kSplitFraction = 0.2;
// Cell centres and extents are dyadic; to this depth they are exact.
constexpr int kMaxLevel = 48;
// From here on brackets are worth their best.
constexpr int kFineLevel = 3;
// So many surfaces more that are bounded over a cell count as another cell.
constexpr std::size_t kSurfacesOfCell = 32;
// Bounds of a surface over a cell that are worth handing to a thread, about: some ten microseconds.
constexpr std::size_t kBoundsOfTask = 128;
// Relative margin for the product of the extents and a frame that is orthonormal to 2^-50.
constexpr double kScaleMargin = 0x1p-46;

struct Leaf {
  Cell cell;
  int level = 0;
  std::size_t bounded = 0;               // surfaces
  VolumeBracket bracket;                 // in scaled coordinates
  const Undecided* undecided = nullptr;  // null when nothing is
};

// Work space of one thread.
struct Scratch {
  std::vector<QuadraticModel> models;
  std::vector<Truth> states;
  Expression reduced;
  UndecidedPool pool;  // what is undecided in the cells that it has bounded

  void Begin(std::size_t surfaces) {
    models.resize(surfaces);
    states.assign(surfaces, Truth::kUnknown);
    pool.Clear();
  }
};

// A cell that holds many surfaces counts as several.
long CellsFor(std::size_t surfaces) { return 1 + static_cast<long>(surfaces / kSurfacesOfCell); }

double CellScale(int level) { return std::ldexp(1.0, -3 * level); }

// Bounds the leaf's cell: its bracket, and what is left undecided.
void Bound(const LocalProblem& problem, Leaf* leaf, Scratch* scratch) {
  const Undecided& before = *leaf->undecided;
  leaf->bounded = before.surfaces.size();
  bool decided = false;
  for (const int s : before.surfaces) {
    scratch->models[s] = Quadratize(problem.surfaces[s], leaf->cell);
    scratch->states[s] = Classify(scratch->models[s]);
    decided |= scratch->states[s] != Truth::kUnknown;
  }
  if (decided) {
    before.expression.Reduce(scratch->states.data(), &scratch->reduced);
    for (const int s : before.surfaces) scratch->states[s] = Truth::kUnknown;
    if (scratch->reduced.IsConstant()) {
      const double volume = scratch->reduced.ConstantValue() ? 8.0 * CellScale(leaf->level) : 0.0;
      leaf->bracket = {volume, volume};
      leaf->undecided = nullptr;
      return;
    }
    Undecided* const left = scratch->pool.New();
    left->expression = scratch->reduced;
    left->expression.FindSurfaces(&left->surfaces);
    leaf->undecided = left;
  }
  leaf->bracket =
      BracketLeaf(leaf->undecided->expression, scratch->models.data(), leaf->level < kFineLevel);
  leaf->bracket.lower *= CellScale(leaf->level);
  leaf->bracket.upper *= CellScale(leaf->level);
}

class Certifier {
 public:
  VolumeBracket Run(const LocalProblem& problem, const CertifyOptions& options) {
    Begin(problem, options);
    if (problem.expression.IsConstant()) {
      const double volume = problem.expression.ConstantValue() ? 8.0 : 0.0;
      return {volume, volume};
    }
    whole_.expression = problem.expression;
    whole_.expression.FindSurfaces(&whole_.surfaces);
    Leaf root;
    root.undecided = &whole_;
    Bound(problem, &root, &scratch_[0]);
    cells_ = 1;
    Add(root);
    while (!frontier_.empty() && Refine()) {
    }
    return Total();
  }

  long cells() const { return cells_; }

 private:
  void Begin(const LocalProblem& problem, const CertifyOptions& options) {
    problem_ = &problem;
    options_ = options;
    frontier_.clear();
    settled_ = {};
    cells_ = 0;
    const auto threads = static_cast<std::size_t>(std::max(1, options.threads));
    if (scratch_.size() < threads) scratch_.resize(threads);
    for (Scratch& scratch : scratch_) scratch.Begin(problem.surfaces.size());
  }

  void Add(const Leaf& leaf) {
    if (leaf.undecided != nullptr)
      frontier_.push_back(leaf);
    else
      settled_ += leaf.bracket.lower;
  }

  VolumeBracket Total() const {
    DoubleDouble lower = settled_, upper = settled_;
    for (const Leaf& leaf : frontier_) {
      lower += leaf.bracket.lower;
      upper += leaf.bracket.upper;
    }
    return {lower.hi, upper.hi};
  }

  // Splits the widest leaves; false when the target is met or the budget spent.
  bool Refine() {
    const VolumeBracket total = Total();
    if (total.Width() <= options_.relative_width_target * total.upper) return false;
    ChooseWidest();
    if (chosen_.empty()) return false;
    children_.resize(8 * chosen_.size());
    const std::size_t grain = 1 + kBoundsOfTask / whole_.surfaces.size();
    const std::size_t tasks = (children_.size() + grain - 1) / grain;
    ParallelFor(tasks, options_.threads, [&](std::size_t task, int worker) {
      const std::size_t end = std::min(children_.size(), (task + 1) * grain);
      for (std::size_t k = task * grain; k < end; ++k) MakeChild(k, &scratch_[worker]);
    });
    for (const Leaf& child : children_) cells_ += CellsFor(child.bounded);
    Replace();
    return true;
  }

  // The leaves to split in this round, ascending, as many as the budget allows.
  void ChooseWidest() {
    double widest = 0.0;
    for (const Leaf& leaf : frontier_) {
      if (leaf.level < kMaxLevel) widest = std::max(widest, leaf.bracket.Width());
    }
    chosen_.clear();
    if (widest == 0.0) return;
    for (std::size_t k = 0; k < frontier_.size(); ++k) {
      const Leaf& leaf = frontier_[k];
      if (leaf.level < kMaxLevel && leaf.bracket.Width() >= kSplitFraction * widest) {
        chosen_.push_back(k);
      }
    }
    const long left = TimeLimit::IsOver() ? 0 : options_.max_cells - cells_;
    const auto affordable = static_cast<std::size_t>(std::max(0L, left) / 8);
    if (chosen_.size() > affordable) {
      // The widest; of equal ones the first.
      std::sort(chosen_.begin(), chosen_.end(), [&](std::size_t a, std::size_t b) {
        const double width_a = frontier_[a].bracket.Width(), width_b = frontier_[b].bracket.Width();
        return width_a != width_b ? width_a > width_b : a < b;
      });
      chosen_.resize(affordable);
      std::sort(chosen_.begin(), chosen_.end());
    }
  }

  // One of the children of all chosen leaves, in their order.
  void MakeChild(std::size_t k, Scratch* scratch) {
    const Leaf& parent = frontier_[chosen_[k / 8]];
    Leaf& child = children_[k];
    child.cell = ChildOf(parent.cell, static_cast<int>(k % 8));
    child.level = parent.level + 1;
    child.undecided = parent.undecided;
    Bound(*problem_, &child, scratch);
  }

  // Puts the undecided children in the places of their parents and behind.
  void Replace() {
    for (const std::size_t k : chosen_) frontier_[k].undecided = nullptr;
    std::erase_if(frontier_, [](const Leaf& leaf) { return leaf.undecided == nullptr; });
    for (const Leaf& child : children_) Add(child);
  }

  const LocalProblem* problem_ = nullptr;
  CertifyOptions options_;
  Undecided whole_;  // before any cell is looked at
  std::vector<Leaf> frontier_, children_;
  std::vector<std::size_t> chosen_;  // of the frontier, to be split
  std::vector<Scratch> scratch_;     // one per worker
  DoubleDouble settled_;             // volume of the cells certified inside
  long cells_ = 0;
};

}  // namespace

VolumeBracket CertifyVolume(const LocalProblem& problem, const CertifyOptions& options,
                            long* cells) {
  thread_local Certifier certifier;
  VolumeBracket bracket = certifier.Run(problem, options);
  if (cells != nullptr) *cells = certifier.cells();
  const double scale = problem.frame.half.prod();
  bracket.lower *= scale * (1.0 - kScaleMargin);
  bracket.upper *= scale * (1.0 + kScaleMargin);
  return bracket;
}

long BracketCells(double tolerance) {
  if (tolerance >= 1e-7) return 100;
  return tolerance >= 1e-9 ? 500 : 2000;
}

void HoldWithin(const VolumeBracket& bracket, double tolerance, RawMetrics* raw) {
  VolumeMoments& moments = raw->moments;
  const double volume = moments.volume;
  const double nearest = std::clamp(volume, bracket.lower, bracket.upper);
  const double outside = std::abs(nearest - volume);
  if (outside > tolerance * volume) {
    raw->converged = false;
  } else if (outside > 0.0) {
    moments *= nearest / volume;
    moments.volume = nearest;
  }
  raw->volume_error = std::max(raw->volume_error, outside);
}

}  // namespace volcontact
