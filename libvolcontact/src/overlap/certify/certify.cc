#include "overlap/certify/certify.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "math/double_double.h"
#include "math/parallel.h"
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
// Parents per task, and the least number of tasks worth handing to threads.
constexpr std::size_t kGrain = 32, kMinTasks = 4;
// Relative margin for the product of the extents and a frame that is orthonormal to 2^-50.
constexpr double kScaleMargin = 0x1p-46;

struct Leaf {
  Cell cell;
  int level = 0;
  VolumeBracket bracket;  // in scaled coordinates
  std::shared_ptr<const Undecided> undecided;
};

// Work space of one thread.
struct Scratch {
  std::vector<QuadraticModel> models;
  std::vector<Truth> states;
  Expression reduced;

  explicit Scratch(std::size_t surfaces) : models(surfaces), states(surfaces, Truth::kUnknown) {}
};

double CellScale(int level) { return std::ldexp(1.0, -3 * level); }

// Bounds the leaf's cell: its bracket, and what is left undecided (null when nothing is).
void Bound(const LocalProblem& problem, Leaf* leaf, Scratch* scratch) {
  const Undecided& before = *leaf->undecided;
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
      leaf->undecided.reset();
      return;
    }
    leaf->undecided =
        std::make_shared<const Undecided>(Undecided{scratch->reduced, scratch->reduced.Surfaces()});
  }
  leaf->bracket =
      BracketLeaf(leaf->undecided->expression, scratch->models.data(), leaf->level < kFineLevel);
  leaf->bracket.lower *= CellScale(leaf->level);
  leaf->bracket.upper *= CellScale(leaf->level);
}

class Certifier {
 public:
  Certifier(const LocalProblem& problem, const CertifyOptions& options)
      : problem_(problem), options_(options) {}

  VolumeBracket Run() {
    Leaf root;
    root.undecided = std::make_shared<const Undecided>(
        Undecided{problem_.expression, problem_.expression.Surfaces()});
    if (problem_.expression.IsConstant()) {
      const double volume = problem_.expression.ConstantValue() ? 8.0 : 0.0;
      return {volume, volume};
    }
    scratch_.emplace_back(problem_.surfaces.size());
    Bound(problem_, &root, &scratch_[0]);
    cells_ = 1;
    Add(root);
    while (!frontier_.empty() && Refine()) {
    }
    return Total();
  }

  long cells() const { return cells_; }

 private:
  void Add(const Leaf& leaf) {
    if (leaf.undecided)
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
    const std::vector<std::size_t> chosen = Widest();
    if (chosen.empty()) return false;
    std::vector<Leaf> children(8 * chosen.size());
    const std::size_t tasks = (chosen.size() + kGrain - 1) / kGrain;
    const int threads = tasks < kMinTasks ? 1 : std::max(1, options_.threads);
    if (scratch_.size() < static_cast<std::size_t>(threads)) {
      scratch_.resize(threads, Scratch(problem_.surfaces.size()));
    }
    ParallelFor(tasks, threads, [&](std::size_t task, int worker) {
      const std::size_t end = std::min(chosen.size(), (task + 1) * kGrain);
      for (std::size_t k = task * kGrain; k < end; ++k) {
        Split(frontier_[chosen[k]], &children[8 * k], &scratch_[worker]);
      }
    });
    cells_ += static_cast<long>(children.size());
    Replace(chosen, children);
    return true;
  }

  // Indices, ascending, of the leaves to split in this round, as many as the budget allows.
  std::vector<std::size_t> Widest() const {
    double widest = 0.0;
    for (const Leaf& leaf : frontier_) {
      if (leaf.level < kMaxLevel) widest = std::max(widest, leaf.bracket.Width());
    }
    std::vector<std::size_t> chosen;
    if (widest == 0.0) return chosen;
    for (std::size_t k = 0; k < frontier_.size(); ++k) {
      const Leaf& leaf = frontier_[k];
      if (leaf.level < kMaxLevel && leaf.bracket.Width() >= kSplitFraction * widest) {
        chosen.push_back(k);
      }
    }
    const auto affordable = static_cast<std::size_t>(std::max(0L, options_.max_cells - cells_) / 8);
    if (chosen.size() > affordable) {
      std::stable_sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) {
        return frontier_[a].bracket.Width() > frontier_[b].bracket.Width();
      });
      chosen.resize(affordable);
      std::sort(chosen.begin(), chosen.end());
    }
    return chosen;
  }

  void Split(const Leaf& parent, Leaf* children, Scratch* scratch) const {
    for (int k = 0; k < 8; ++k) {
      Leaf& child = children[k];
      child.cell = ChildOf(parent.cell, k);
      child.level = parent.level + 1;
      child.undecided = parent.undecided;
      Bound(problem_, &child, scratch);
    }
  }

  // Puts the undecided children in the places of their parents and behind.
  void Replace(const std::vector<std::size_t>& chosen, const std::vector<Leaf>& children) {
    for (const std::size_t k : chosen) frontier_[k].undecided.reset();
    std::erase_if(frontier_, [](const Leaf& leaf) { return !leaf.undecided; });
    for (const Leaf& child : children) Add(child);
  }

  const LocalProblem& problem_;
  const CertifyOptions& options_;
  std::vector<Leaf> frontier_;
  std::vector<Scratch> scratch_;  // one per worker
  DoubleDouble settled_;          // volume of the cells certified inside
  long cells_ = 0;
};

}  // namespace

VolumeBracket CertifyVolume(const LocalProblem& problem, const CertifyOptions& options,
                            long* cells) {
  Certifier certifier(problem, options);
  VolumeBracket bracket = certifier.Run();
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
    raw->volume_error = std::max(raw->volume_error, outside);
  }
}

}  // namespace volcontact
