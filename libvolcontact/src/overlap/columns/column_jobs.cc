// The slices of one round of a quadrature by columns, for several threads.
#include <algorithm>
#include <cstddef>
#include <functional>

#include "math/parallel.h"
#include "overlap/columns/column_quadrature.h"

namespace volcontact {
namespace {

// Parallel work is spread only where a round has at least this many slices.
constexpr std::size_t kParallelJobs = 64;
// Jobs between two looks at what they have cost.
constexpr std::size_t kJobsAtOnce = 256;

}  // namespace

void ColumnQuadrature::RunJob(Slice* slice, SliceStructure* structure, Job* job) const {
  const Panel& panel = panels_[job->panel];
  const SliceFamily& family = options_.family;
  const Eigen::Vector2d base = family.Base(job->x), direction = family.Direction(job->x);
  slice->MoveTo(base, direction);
  slice->FindStructure(family.SliceBegin(job->x), family.SliceEnd(job->x), sources_, narrow_,
                       structure);
  job->structure = structure->Hash();
  SliceSums fine, coarse;
  IntegrateSlice(slice, *structure, panel, &fine, &coarse);
  job->effort = slice->TakeEffort();
  job->fine = {};
  job->coarse = {};
  job->fine.AddSlice(1.0, fine, base, direction);
  job->coarse.AddSlice(1.0, coarse, base, direction);
}

// False when the budget is spent before all are done.
bool ColumnQuadrature::RunJobs() {
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
  structures_by_thread_.resize(std::max<std::size_t>(structures_by_thread_.size(), threads));
  if (threads > 1) {
    slices_by_thread_.resize(std::max<std::size_t>(slices_by_thread_.size(), threads));
    for (Slice& slice : slices_by_thread_) {
      slice.SetProblem(*problem_);
      slice.SetFacing(options_.facing);
    }
  }
  for (std::size_t begin = 0; begin < jobs_.size(); begin += kJobsAtOnce) {
    if (IsPast(kBudgetsForRound, kMoreForRound)) return false;
    const std::size_t count = std::min(kJobsAtOnce, jobs_.size() - begin);
    const auto body = [&](std::size_t i, int worker) {
      RunJob(threads > 1 ? &slices_by_thread_[worker] : &slice_, &structures_by_thread_[worker],
             &jobs_[begin + i]);
    };
    ParallelFor(count, threads, std::cref(body));
    for (std::size_t i = 0; i < count; ++i) effort_ += jobs_[begin + i].effort;
  }
  return true;
}

}  // namespace volcontact
