#include "overlap/certify/voxels.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "math/parallel.h"
#include "math/time_limit.h"
#include "overlap/cells/cell_bounds.h"
#include "overlap/certify/half_space_volume.h"

namespace volcontact {
namespace {

// Tasks the box is split into for threads; fixed, so that the result does not depend on them.
constexpr std::size_t kTasks = 64;

struct Task {
  Cell cell;
  Expression expression;
};

struct Tally {
  RawMetrics sums;
  long cells = 0;      // classified
  long undecided = 0;  // of these, voxels that were not decided
};

class VoxelCounter {
 public:
  VoxelCounter(const LocalProblem& problem, double voxel_size)
      : problem_(problem),
        voxel_size_(voxel_size),
        models_(problem.surfaces.size()),
        states_(problem.surfaces.size(), Truth::kUnknown),
        inside_(problem.surfaces.size()) {}

  void Count(const Cell& cell, const Expression& expression) {
    Expression reduced;
    if (!StaysUndecided(cell, expression, &reduced)) return;
    if (IsVoxel(cell)) {
      CountVoxel(cell, reduced);
    } else {
      for (const Cell& half : Halves(cell)) Count(half, reduced);
    }
  }

  // Classifies a cell and counts it when it is decided; else true, and what is left of the
  // expression.
  bool StaysUndecided(const Cell& cell, const Expression& expression, Expression* reduced) {
    ++tally_.cells;
    for (const Expression::Node& node : expression.nodes()) {
      if (node.kind != Expression::Kind::kLiteral) continue;
      models_[node.value] = Quadratize(problem_.surfaces[node.value], cell);
      states_[node.value] = Classify(models_[node.value]);
    }
    expression.Reduce(states_.data(), reduced);
    std::fill(states_.begin(), states_.end(), Truth::kUnknown);
    if (!reduced->IsConstant()) return true;
    if (reduced->ConstantValue()) AddWhole(cell);
    return false;
  }

  bool IsVoxel(const Cell& cell) const {
    return 2.0 * cell.half.cwiseProduct(problem_.frame.half).maxCoeff() <= voxel_size_;
  }

  // The two halves of a cell across its longest side in space.
  std::array<Cell, 2> Halves(const Cell& cell) const {
    int axis = 0;
    cell.half.cwiseProduct(problem_.frame.half).maxCoeff(&axis);
    std::array<Cell, 2> halves = {cell, cell};
    for (Cell& half : halves) half.half[axis] *= 0.5;
    halves[0].center[axis] -= halves[0].half[axis];
    halves[1].center[axis] += halves[1].half[axis];
    return halves;
  }

  const Tally& tally() const { return tally_; }

 private:
  void AddWhole(const Cell& cell) {
    const Eigen::Vector3d h = cell.half.cwiseProduct(problem_.frame.half);
    const Eigen::Vector3d c = cell.center.cwiseProduct(problem_.frame.half);
    VolumeMoments box;
    box.volume = 8.0 * h.prod();
    box.first = box.volume * c;
    box.second = box.volume * c * c.transpose();
    box.second.diagonal() += box.volume / 3.0 * h.cwiseAbs2();
    tally_.sums.moments += box;
  }

  // A voxel that the expression leaves undecided; models_ are those of its cell.
  void CountVoxel(const Cell& cell, const Expression& expression) {
    ++tally_.undecided;
    const Eigen::Vector3d half = cell.half.cwiseProduct(problem_.frame.half);
    tally_.sums.volume_error += 0.5 * 8.0 * half.prod();
    const std::vector<int> surfaces = expression.Surfaces();
    for (const int s : surfaces) inside_[s] = models_[s].value <= 0.0 ? 1 : 0;
    const bool counted = expression.Evaluate(inside_.data());
    if (counted) AddWhole(cell);
    for (const int s : surfaces) {
      inside_[s] ^= 1;
      const bool flipped = expression.Evaluate(inside_.data());
      inside_[s] ^= 1;
      // Inside the surface and outside the region: the region lies where psi > 0.
      if (flipped != counted) AddSection(cell, s, counted == (inside_[s] != 0) ? 1.0 : -1.0);
    }
  }

  // The section of surface s with a voxel; sign·∇psi points out of the region.
  void AddSection(const Cell& cell, int s, double sign) {
    const Eigen::Vector3d half = cell.half.cwiseProduct(problem_.frame.half);
    const Eigen::Vector3d area =
        sign * half.prod() * SectionDensity(models_[s]) * models_[s].linear.cwiseQuotient(half);
    tally_.sums.projected_area += 0.5 * std::abs(area.z());
    const Owner owner = problem_.surfaces[s].owner;
    if (!BelongsToB(owner)) return;
    const Eigen::Vector3d share = ShareOfB(owner, sign > 0.0) * area;
    tally_.sums.area += share;
    tally_.sums.torque += cell.center.cwiseProduct(problem_.frame.half).cross(share);
  }

  const LocalProblem& problem_;
  double voxel_size_;
  std::vector<QuadraticModel> models_;
  std::vector<Truth> states_;
  std::vector<std::uint8_t> inside_;
  Tally tally_;
};

void Add(const Tally& part, Tally* total) {
  RawMetrics& sums = total->sums;
  sums.moments += part.sums.moments;
  sums.area += part.sums.area;
  sums.torque += part.sums.torque;
  sums.projected_area += part.sums.projected_area;
  sums.volume_error += part.sums.volume_error;
  total->cells += part.cells;
  total->undecided += part.undecided;
}

Tally CountAll(const LocalProblem& problem, double voxel_size, int threads) {
  VoxelCounter front(problem, voxel_size);
  std::vector<Task> tasks = {{Cell(), problem.expression}};
  // Level by level, the undecided tasks are halved until there are enough of them.
  while (!tasks.empty() && 2 * tasks.size() <= kTasks && !front.IsVoxel(tasks[0].cell)) {
    std::vector<Task> halves;
    for (const Task& task : tasks) {
      Expression reduced;
      if (!front.StaysUndecided(task.cell, task.expression, &reduced)) continue;
      for (const Cell& half : front.Halves(task.cell)) halves.push_back({half, reduced});
    }
    tasks = std::move(halves);
  }
  Tally total = front.tally();
  std::vector<Tally> tallies(tasks.size());
  ParallelFor(tasks.size(), threads, [&](std::size_t k, int) {
    VoxelCounter counter(problem, voxel_size);
    counter.Count(tasks[k].cell, tasks[k].expression);
    tallies[k] = counter.tally();
  });
  for (const Tally& part : tallies) Add(part, &total);
  return total;
}

}  // namespace

RawMetrics CountVoxels(const LocalProblem& problem, double voxel_size, long max_cells,
                       int threads) {
  // From a voxel as large as the box, halved while the next count is sure to fit the budget: each
  // undecided voxel is cut once along each axis then, into 2 + 4 + 8 cells at most. All counts but
  // the last cost a third of it, as their number of cells falls by four.
  double size = voxel_size;
  while (size < 2.0 * problem.frame.half.maxCoeff()) size *= 2.0;
  Tally tally = CountAll(problem, size, threads);
  long spent = tally.cells;
  while (size > voxel_size) {
    const long next = tally.cells + 14 * tally.undecided;
    if (spent + next > max_cells || TimeLimit::IsOver()) break;
    size *= 0.5;
    tally = CountAll(problem, size, threads);
    spent += tally.cells;
  }
  tally.sums.converged = size <= voxel_size;
  tally.sums.X_AC = problem.frame.X_AC;
  tally.sums.area_noise = kAreaNoise * tally.sums.projected_area;
  return tally.sums;
}

}  // namespace volcontact
