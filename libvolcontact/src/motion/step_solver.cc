#include "volcontact/motion/step_solver.h"

#include <algorithm>

#include "motion/island_solver.h"
#include "solids/mesh_check/disjoint_sets.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

constexpr int kNone = -1;

std::size_t At(int i) { return static_cast<std::size_t>(i); }

}  // namespace

// Bodies that contacts and motions link are an island, which is solved by itself: what moves
// elsewhere costs it no iteration, and matrices are small.
struct StepSolver::Impl {
  std::vector<IslandSolver> islands;
  std::size_t count = 0;  // of islands
  DisjointSets linked{0};
  std::vector<int> places;               // of axes in their islands; kNone: nothing reads them
  std::vector<int> of_axis, of_contact;  // islands; the former by what stands for the axis
  Eigen::VectorXd y;
  std::vector<PushedTwist> twists;
  std::vector<std::size_t> next;  // contacts of islands

  std::size_t AddIsland() {
    if (count == islands.size()) islands.emplace_back();
    islands[count].Clear();
    return count++;
  }

  void Link(const std::vector<int>& axes) {
    for (const int axis : axes) {
      places[At(axis)] = 0;
      linked.Join(axes[0], axis);
    }
  }

  void NumberAxes(int axis_count) {
    of_axis.assign(At(axis_count), kNone);
    for (int axis = 0; axis < axis_count; ++axis) {
      if (places[At(axis)] == kNone) continue;
      int& island = of_axis[At(linked.Find(axis))];
      if (island == kNone) island = static_cast<int>(AddIsland());
      places[At(axis)] = islands[At(island)].AddAxis();
    }
  }

  std::size_t IslandOf(const std::vector<int>& axes) {
    return axes.empty() ? AddIsland() : At(of_axis[At(linked.Find(axes[0]))]);
  }

  void SetIslands(int axis_count, const std::vector<PushedContact>& contacts,
                  const std::vector<SoftMotion>& motions) {
    count = 0;
    linked.Reset(axis_count);
    places.assign(At(axis_count), kNone);
    for (const PushedContact& contact : contacts) Link(contact.response.axes);
    for (const SoftMotion& motion : motions) Link(motion.axes);
    NumberAxes(axis_count);
    of_contact.clear();
    for (const PushedContact& contact : contacts) {
      const std::size_t island = IslandOf(contact.response.axes);
      of_contact.push_back(static_cast<int>(island));
      islands[island].Add(contact);
    }
    for (const SoftMotion& motion : motions) {
      if (!motion.axes.empty()) islands[IslandOf(motion.axes)].Add(motion);
    }
  }

  StepOutcome SolveIslands(double step) {
    StepOutcome all;
    for (std::size_t i = 0; i < count; ++i) {
      const StepOutcome outcome = islands[i].Solve(places, step);
      all.converged = all.converged && outcome.converged;
      all.gave_up = all.gave_up || outcome.gave_up;
      all.iterations = std::max(all.iterations, outcome.iterations);
      all.lags = std::max(all.lags, outcome.lags);
      all.cautious_contacts += outcome.cautious_contacts;
    }
    return all;
  }

  // Contacts come back in the order in which they were given.
  void Gather(int axis_count) {
    y.setZero(axis_count);
    for (int axis = 0; axis < axis_count; ++axis) {
      if (places[At(axis)] == kNone) continue;
      y[axis] = islands[At(of_axis[At(linked.Find(axis))])].axes()[places[At(axis)]];
    }
    next.assign(count, 0);
    twists.clear();
    for (const int island : of_contact) {
      twists.push_back(islands[At(island)].twists()[next[At(island)]++]);
    }
  }
};

StepSolver::StepSolver() : impl_(std::make_unique<Impl>()) {}
StepSolver::~StepSolver() = default;
StepSolver::StepSolver(StepSolver&&) noexcept = default;
StepSolver& StepSolver::operator=(StepSolver&&) noexcept = default;

StepOutcome StepSolver::Solve(int axis_count, const std::vector<PushedContact>& contacts,
                              const std::vector<SoftMotion>& motions, double step) {
  for (const PushedContact& contact : contacts) {
    if (!contact.free.allFinite() || !contact.response.columns.allFinite()) {
      throw InvalidInput("velocities or masses of a contact's bodies are not finite");
    }
  }
  impl_->SetIslands(axis_count, contacts, motions);
  const StepOutcome outcome = impl_->SolveIslands(step);
  impl_->Gather(axis_count);
  return outcome;
}

const Eigen::VectorXd& StepSolver::axes() const { return impl_->y; }
const std::vector<PushedTwist>& StepSolver::twists() const { return impl_->twists; }

VOLCONTACT_NAMESPACE_END
