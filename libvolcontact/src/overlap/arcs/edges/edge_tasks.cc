// The search for edges in tasks, for several threads.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "math/parallel.h"
#include "overlap/arcs/edges/edge_finder.h"

namespace volcontact {
namespace {

// Tasks that are worth handing to threads.
constexpr std::size_t kManyTasks = 12;

}  // namespace

// The eight parts of a cell as tasks, in place of visiting them.
void EdgeFinder::AddTasks(const Cell& cell, const Undecided& level, int depth) {
  Undecided* const parent = parents_.New();
  *parent = level;
  for (int k = 0; k < 8; ++k) {
    tasks_.push_back({.cell = OffMiddleChild(cell, k), .depth = depth, .parent = parent});
  }
}

// One task for each cell with faces.
void EdgeFinder::AddCutTasks(const EdgeFinder& edges) {
  cuts_of_ = &edges;
  const std::vector<Face>& faces = edges.faces_;
  for (std::size_t n = 0; n < faces.size();) {
    // The faces of one cell follow each other.
    Task task{.cell = faces[n].cell, .parent = &edges.left_[faces[n].left], .face = n};
    while (n < faces.size() && faces[n].cell.center == task.cell.center) ++n;
    task.faces_end = n;
    const int depth = static_cast<int>(-std::log2(task.cell.half.maxCoeff()));
    task.depth = std::clamp(depth, 1, kMaxDepth);
    tasks_.push_back(task);
  }
}

void EdgeFinder::Do(const Task& task) {
  if (cuts_.empty()) return Visit(task.cell, *task.parent, task.depth);
  const Face* const faces = cuts_of_->faces_.data();
  const bool is_cut = std::any_of(faces + task.face, faces + task.faces_end, [&](const Face& face) {
    const int cut = cuts_[face.surface];
    return cut >= 0 && Classify(Quadratize(problem_->surfaces[cut], task.cell)) == Truth::kUnknown;
  });
  if (is_cut) Visit(task.cell, *task.parent, task.depth);
}

void EdgeFinder::DoTasks(int threads) {
  makes_tasks_ = false;
  if (threads > 1 && tasks_.size() >= kManyTasks && !failed_) DoTasksByHelpers(threads);
  for (const Task& task : tasks_) {
    if (failed_) return;
    if (CanTakeOver(task)) {
      TakeOver(task, &helpers_[task.helper]);
    } else {
      Do(task);
    }
  }
}

// Takes over what another finder looks for.
void EdgeFinder::BeginHelping(const EdgeFinder& lead) {
  Clear();
  problem_ = lead.problem_;
  coincidence_ = lead.coincidence_;
  cuts_ = lead.cuts_;
  seams_ = lead.seams_;
  cuts_of_ = lead.cuts_of_;
  states_.assign(lead.states_.size(), Truth::kUnknown);
  models_.resize(lead.models_.size());
  levels_.resize(lead.levels_.size());
  touching_.Begin(*problem_);
}

// Helpers do tasks as long as all of them together may not have visited too many cells; what they
// leave is found out in order, so that where a search fails does not depend on them.
void EdgeFinder::DoTasksByHelpers(int threads) {
  helpers_.resize(std::max(helpers_.size(), static_cast<std::size_t>(threads)));
  for (EdgeFinder& helper : helpers_) helper.BeginHelping(*this);
  std::atomic<long> visited = cells_;
  ParallelFor(tasks_.size(), threads, [&](std::size_t n, int worker) {
    EdgeFinder& helper = helpers_[worker];
    Task& task = tasks_[n];
    helper.max_cells_ = max_cells_ - visited.load(std::memory_order_relaxed);
    if (helper.max_cells_ <= 0) return;
    helper.cells_ = 0;
    helper.displacement_ = 0.0;
    helper.unresolved_before_ = helper.unresolved_.size();
    task.begin = helper.CountFinds();
    helper.Do(task);
    visited.fetch_add(helper.cells_, std::memory_order_relaxed);
    task.end = helper.CountFinds();
    task.cells = helper.cells_;
    task.displacement = helper.displacement_;
    if (!helper.failed_) task.helper = worker;
    helper.failed_ = false;
  });
}

EdgeFinder::Counts EdgeFinder::CountFinds() const {
  return {edges_.pieces.size(), unresolved_.size(), faces_.size(), left_count_};
}

// Whether a task is done, and would not have failed after those before it.
bool EdgeFinder::CanTakeOver(const Task& task) const {
  return task.helper >= 0 && cells_ + task.cells <= max_cells_ &&
         unresolved_.size() + task.end.unresolved - task.begin.unresolved <= kMaxUnresolved;
}

// Goes on with what a helper has found; what is left in its cells is moved.
void EdgeFinder::TakeOver(const Task& task, EdgeFinder* helper) {
  const auto append = [](const auto& from, std::size_t begin, std::size_t end, auto* to) {
    to->insert(to->end(), from.data() + begin, from.data() + end);
  };
  append(helper->edges_.pieces, task.begin.pieces, task.end.pieces, &edges_.pieces);
  append(helper->unresolved_, task.begin.unresolved, task.end.unresolved, &unresolved_);
  const int shift = left_count_ - task.begin.left;
  for (std::size_t n = task.begin.faces; n < task.end.faces; ++n) {
    faces_.push_back(helper->faces_[n]);
    faces_.back().left += shift;
  }
  for (int n = task.begin.left; n < task.end.left; ++n) {
    if (left_count_ == static_cast<int>(left_.size())) left_.emplace_back();
    std::swap(left_[left_count_++], helper->left_[n]);
  }
  cells_ += task.cells;
  displacement_ = std::max(displacement_, task.displacement);
}

}  // namespace volcontact
