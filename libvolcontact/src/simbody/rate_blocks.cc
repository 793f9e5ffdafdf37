#include "simbody/rate_blocks.h"

#include <algorithm>
#include <numeric>

#include "solids/mesh_check/disjoint_sets.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {
namespace {

using Eigen::VectorXd;
using SimTK::State;

// Whether no force moves a tree. By constraints one may.
std::vector<bool> AreDriven(const Trees& trees, const SimTK::SimbodyMatterSubsystem& matter,
                            const State& state) {
  std::vector<bool> are_driven(At(trees.count), matter.getNumConstraints() == 0);
  std::vector<bool> is_known(At(matter.getNumMobilities()), false);
  for (const SimTK::UIndex i : matter.getKnownUDotIndex(state)) is_known[At(int{i})] = true;
  for (SimTK::MobilizedBodyIndex i(1); i < matter.getNumBodies(); ++i) {
    const SimTK::MobilizedBody& body = matter.getMobilizedBody(i);
    const int first = body.getFirstUIndex(state);
    for (int k = 0; k < body.getNumU(state); ++k) {
      if (!is_known[At(first + k)]) are_driven[At(trees.of_body[At(int{i})])] = false;
    }
  }
  return are_driven;
}

// The trees that belong to one block. Driven ones, like the ground, join no others.
DisjointSets GroupsOf(const Trees& trees, const std::vector<bool>& are_driven,
                      const std::vector<ActiveContact>& contacts, bool has_constraints) {
  DisjointSets groups(trees.count);
  const auto join = [&](int a, int b) {
    if (are_driven[At(a)] == are_driven[At(b)]) groups.Join(a, b);
  };
  for (const auto& [a, b] : trees.joined) join(a, b);
  for (const ActiveContact& contact : contacts) {
    const int a = trees.of_body[At(contact.body_A)], b = trees.of_body[At(contact.body_B)];
    if (a >= 0 && b >= 0) join(a, b);
  }
  int driven = -1;
  for (int tree = 0; tree < trees.count; ++tree) {
    // Through constraints, too, but they are seldom on their own.
    if (has_constraints) groups.Join(0, tree);
    if (!are_driven[At(tree)]) continue;
    if (driven < 0) driven = tree;
    groups.Join(driven, tree);
  }
  return groups;
}

// Which block each tree belongs to: driven ones to the first.
class BlockMaker {
 public:
  BlockMaker(const Trees& trees, const std::vector<bool>& are_driven, DisjointSets* groups)
      : place_(At(trees.count), -1) {
    for (const bool is_driven : {true, false}) {
      for (int tree = 0; tree < trees.count; ++tree) {
        if (are_driven[At(tree)] == is_driven) Place(tree, is_driven, groups);
      }
    }
  }
  RateBlock& Of(int tree) { return blocks[At(place_[At(tree)])]; }

  std::vector<RateBlock> blocks;

 private:
  void Place(int tree, bool is_driven, DisjointSets* groups) {
    int& of_first = place_[At(groups->Find(tree))];
    if (of_first < 0) {
      of_first = static_cast<int>(blocks.size());
      RateBlock& block = blocks.emplace_back();
      block.tree = tree;
      block.is_driven = is_driven;
    }
    place_[At(tree)] = of_first;
  }

  std::vector<int> place_;
};

}  // namespace

Trees::Trees(const SimTK::SimbodyMatterSubsystem& matter, const State& state)
    : of_body(At(matter.getNumBodies()), -1) {
  for (SimTK::MobilizedBodyIndex i(1); i < matter.getNumBodies(); ++i) {
    const SimTK::MobilizedBody& body = matter.getMobilizedBody(i);
    const int of_parent = of_body[At(int{body.getParentMobilizedBody().getMobilizedBodyIndex()})];
    of_body[At(int{i})] = of_parent >= 0 || body.getNumU(state) == 0 ? of_parent : count++;
  }
}

std::vector<RateBlock> BlocksOf(const Trees& trees, const SimTK::SimbodyMatterSubsystem& matter,
                                const std::vector<ActiveContact>& contacts, const State& state) {
  const std::vector<bool> are_driven = AreDriven(trees, matter, state);
  DisjointSets groups = GroupsOf(trees, are_driven, contacts, matter.getNumConstraints() > 0);
  BlockMaker maker(trees, are_driven, &groups);
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
    const int a = trees.of_body[At(contact.body_A)], b = trees.of_body[At(contact.body_B)];
    const int tree = a < 0 || (b >= 0 && are_driven[At(a)]) ? b : a;
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
  const auto not_driven = std::count_if(maker.blocks.begin(), maker.blocks.end(),
                                        [](const RateBlock& block) { return !block.is_driven; });
  for (RateBlock& block : maker.blocks) {
    if (!block.is_driven && not_driven > 1) break;
    block.rows.resize(At(state.getNY()));
    std::iota(block.rows.begin(), block.rows.end(), 0);
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

VectorXd BlockSolver::Solve(const std::vector<RateBlock>& blocks, double h, VectorXd right) const {
  std::vector<VectorXd> solved;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const RateBlock& block = blocks[b];
    solved.push_back(factors_[b].solve(right(block.variables)));
    right(block.rows) += block.by_variable * solved[b];
  }
  VectorXd x = h * right;
  for (std::size_t b = 0; b < blocks.size(); ++b) x(blocks[b].variables) = solved[b];
  return x;
}

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
