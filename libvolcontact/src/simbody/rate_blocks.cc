#include "simbody/rate_blocks.h"

#include <algorithm>
#include <numeric>

#include "solids/mesh_check/disjoint_sets.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {
namespace {

using Eigen::VectorXd;
using SimTK::State;

// Fills blocks by the numbers of groups, in the order of y.
class BlockMaker {
 public:
  BlockMaker(const Trees& trees, DisjointSets* groups) : place_(At(trees.count), -1) {
    int count = 0;
    for (int tree = 0; tree < trees.count; ++tree) {
      int& of_first = place_[At(groups->Find(tree))];
      if (of_first < 0) {
        of_first = count++;
        blocks.emplace_back().tree = tree;
      }
      place_[At(tree)] = of_first;
    }
  }
  RateBlock& Of(int tree) { return blocks[At(place_[At(tree)])]; }

  std::vector<RateBlock> blocks;

 private:
  std::vector<int> place_;
};

}  // namespace

Trees::Trees(const SimTK::SimbodyMatterSubsystem& matter) : of_body(At(matter.getNumBodies()), -1) {
  for (SimTK::MobilizedBodyIndex i(1); i < matter.getNumBodies(); ++i) {
    const SimTK::MobilizedBodyIndex parent =
        matter.getMobilizedBody(i).getParentMobilizedBody().getMobilizedBodyIndex();
    of_body[At(int{i})] = parent == 0 ? count++ : of_body[At(int{parent})];
  }
}

std::vector<RateBlock> BlocksOf(const Trees& trees, const SimTK::SimbodyMatterSubsystem& matter,
                                const std::vector<ActiveContact>& contacts, const State& state) {
  DisjointSets groups(trees.count);
  for (const auto& [a, b] : trees.joined) groups.Join(a, b);
  // Through constraints, too, but they are seldom on their own.
  if (matter.getNumConstraints() > 0) {
    for (int tree = 1; tree < trees.count; ++tree) groups.Join(0, tree);
  }
  for (const ActiveContact& contact : contacts) {
    const int a = trees.of_body[At(contact.body_A)], b = trees.of_body[At(contact.body_B)];
    // The ground, which does not move, joins nothing.
    if (a >= 0 && b >= 0) groups.Join(a, b);
  }
  BlockMaker maker(trees, &groups);
  const auto add = [&](int tree, int first, int count, int active) {
    RateBlock& block = maker.Of(tree);
    for (int i = 0; i < count; ++i) {
      block.rows.push_back(first + i);
      if (i < active) block.variables.push_back(first + i);
    }
  };
  for (SimTK::MobilizedBodyIndex i(1); i < matter.getNumBodies(); ++i) {
    const SimTK::MobilizedBody& body = matter.getMobilizedBody(i);
    const int count = body.getNumQ(state);
    if (count > 0) add(trees.of_body[At(int{i})], body.getFirstQIndex(state), count, count);
  }
  for (SimTK::MobilizedBodyIndex i(1); i < matter.getNumBodies(); ++i) {
    const SimTK::MobilizedBody& body = matter.getMobilizedBody(i);
    const int count = body.getNumU(state), first = state.getNQ() + body.getFirstUIndex(state);
    if (count > 0) add(trees.of_body[At(int{i})], first, count, count);
  }
  for (const ActiveContact& contact : contacts) {
    const int tree = std::max(trees.of_body[At(contact.body_A)], trees.of_body[At(contact.body_B)]);
    if (tree < 0) continue;  // nothing that moves
    const int first = state.getNQ() + state.getNU() + contact.first_z;
    // What relaxes does so by itself, slowly.
    add(tree, first, kNumVariables, kRelaxation);
  }
  // Contacts may have their variables in any order; the solver asks for rows in order.
  for (RateBlock& block : maker.blocks) {
    std::sort(block.rows.begin(), block.rows.end());
    std::sort(block.variables.begin(), block.variables.end());
  }
  if (maker.blocks.size() == 1) {
    std::vector<int>& rows = maker.blocks[0].rows;
    rows.resize(At(state.getNY()));
    std::iota(rows.begin(), rows.end(), 0);
  }
  return std::move(maker.blocks);
}

void BlockSolver::Factor(const std::vector<RateBlock>& blocks, double h) {
  factors_.resize(blocks.size());
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const RateBlock& block = blocks[b];
    const Eigen::Index size = static_cast<Eigen::Index>(block.variables.size());
    Eigen::MatrixXd matrix(size, size);
    std::size_t row = 0;
    for (Eigen::Index i = 0; i < size; ++i, ++row) {
      while (block.rows[row] != block.variables[static_cast<std::size_t>(i)]) ++row;
      matrix.row(i) = -block.by_variable.row(static_cast<Eigen::Index>(row));
    }
    matrix.diagonal().array() += 1.0 / h;
    factors_[b].compute(matrix);
  }
}

// Variables that nothing depends on come last.
VectorXd BlockSolver::Solve(const std::vector<RateBlock>& blocks, double h,
                            const VectorXd& right) const {
  VectorXd x = h * right;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const RateBlock& block = blocks[b];
    const VectorXd solved = factors_[b].solve(right(block.variables));
    x(block.rows) = h * (right(block.rows) + block.by_variable * solved);
    x(block.variables) = solved;
  }
  return x;
}

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
