#include "simbody/stepping/rate_blocks.h"

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
  void Add(int tree, RatePart* part) {
    part->block = place_[At(tree)];
    RateBlock& block = blocks[At(part->block)];
    block.rows.insert(block.rows.end(), part->rows.begin(), part->rows.end());
    block.variables.insert(block.variables.end(), part->variables.begin(), part->variables.end());
  }

  std::vector<RateBlock> blocks;

 private:
  void Place(int tree, bool is_driven, DisjointSets* groups) {
    int& of_first = place_[At(groups->Find(tree))];
    if (of_first < 0) {
      of_first = static_cast<int>(blocks.size());
      blocks.emplace_back().is_driven = is_driven;
    }
    place_[At(tree)] = of_first;
  }

  std::vector<int> place_;
};

// Of all blocks but driven ones.
std::vector<std::vector<std::size_t>> PassesOf(const std::vector<RatePart>& parts,
                                               const std::vector<RateBlock>& blocks) {
  std::vector<std::vector<std::size_t>> passes;
  std::vector<std::vector<bool>> are_reached;  // by each pass
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].block < 0 || blocks[At(parts[i].block)].is_driven) continue;
    std::size_t pass = 0;
    const auto is_taken = [&](std::size_t part) { return are_reached[pass][part]; };
    const std::vector<std::size_t>& reached = parts[i].reached;
    while (pass < passes.size() && std::any_of(reached.begin(), reached.end(), is_taken)) ++pass;
    if (pass == passes.size()) {
      passes.emplace_back();
      are_reached.emplace_back(parts.size(), false);
    }
    passes[pass].push_back(i);
    for (const std::size_t part : reached) are_reached[pass][part] = true;
  }
  return passes;
}

// The work of loads, which is in no part, then costs an evaluation for each stage.
constexpr std::size_t kCostOfWays = 6;

bool DoPassesSave(const RateLayout& layout) {
  std::size_t evaluations = kCostOfWays;
  for (const std::vector<std::size_t>& pass : layout.passes) {
    std::size_t most = 0;
    for (const std::size_t i : pass) most = std::max(most, layout.parts[i].variables.size());
    evaluations += most;
  }
  return evaluations < layout.blocks.back().variables.size();
}

// Gives a block all rows, of which each of its variables may change any.
void MakeWhole(std::size_t place, int num_rows, RateLayout* layout) {
  RateBlock& block = layout->blocks[place];
  block.rows.resize(At(num_rows));
  std::iota(block.rows.begin(), block.rows.end(), 0);
  if (!block.is_driven) layout->passes.clear();
  layout->passes.push_back({layout->parts.size()});
  layout->parts.push_back(
      {static_cast<int>(place), block.rows, block.variables, {layout->parts.size()}});
}

}  // namespace

Trees::Trees(const SimTK::SimbodyMatterSubsystem& matter, const State& state)
    : of_body(At(matter.getNumBodies()), -1) {
  for (SimTK::MobilizedBodyIndex i(1); i < matter.getNumBodies(); ++i) {
    const SimTK::MobilizedBody& body = matter.getMobilizedBody(i);
    const int of_parent = of_body[At(int{body.getParentMobilizedBody().getMobilizedBodyIndex()})];
    of_body[At(int{i})] = of_parent >= 0 || body.getNumU(state) == 0 ? of_parent : count++;
  }
}

std::vector<RatePart> PartsOf(const Trees& trees, const SimTK::SimbodyMatterSubsystem& matter,
                              const std::vector<ActiveContact>& contacts, const State& state) {
  std::vector<RatePart> parts(At(trees.count) + contacts.size());
  const auto add = [&](std::size_t part, int first, int count, int active) {
    for (int i = 0; i < count; ++i) {
      parts[part].rows.push_back(first + i);
      if (i < active) parts[part].variables.push_back(first + i);
    }
  };
  const auto join = [&](std::size_t a, std::size_t b) {
    parts[a].reached.push_back(b);
    if (a != b) parts[b].reached.push_back(a);
  };
  for (SimTK::MobilizedBodyIndex i(1); i < matter.getNumBodies(); ++i) {
    const SimTK::MobilizedBody& body = matter.getMobilizedBody(i);
    const int num_q = body.getNumQ(state), num_u = body.getNumU(state);
    if (num_u == 0) continue;
    const std::size_t tree = At(trees.of_body[At(int{i})]);
    add(tree, body.getFirstQIndex(state), num_q, num_q);
    add(tree, state.getNQ() + body.getFirstUIndex(state), num_u, num_u);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) join(i, i);
  for (const auto& [a, b] : trees.joined) join(At(a), At(b));
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ActiveContact& contact = contacts[i];
    const std::size_t part = At(trees.count) + i;
    const int a = trees.of_body[At(contact.body_A)], b = trees.of_body[At(contact.body_B)];
    add(part, state.getNQ() + state.getNU() + contact.first_z, kNumVariables, contact.num_states);
    if (a >= 0) join(At(a), part);
    if (b >= 0 && b != a) join(At(b), part);
    if (a >= 0 && b >= 0 && a != b) join(At(a), At(b));
  }
  return parts;
}

RateLayout LayoutOf(const Trees& trees, const SimTK::SimbodyMatterSubsystem& matter,
                    const std::vector<ActiveContact>& contacts, const State& state) {
  const std::vector<bool> are_driven = AreDriven(trees, matter, state);
  const bool has_constraints = matter.getNumConstraints() > 0;
  DisjointSets groups = GroupsOf(trees, are_driven, contacts, has_constraints);
  BlockMaker maker(trees, are_driven, &groups);
  RateLayout layout{{}, PartsOf(trees, matter, contacts, state), {}};
  for (std::size_t i = 0; i < layout.parts.size(); ++i) {
    int tree = static_cast<int>(i);
    if (tree >= trees.count) {
      const ActiveContact& contact = contacts[i - At(trees.count)];
      const int a = trees.of_body[At(contact.body_A)], b = trees.of_body[At(contact.body_B)];
      tree = a < 0 || (b >= 0 && are_driven[At(a)]) ? b : a;
    }
    if (tree >= 0) maker.Add(tree, &layout.parts[i]);  // else nothing moves
  }
  for (RatePart& part : layout.parts) {
    std::vector<std::size_t>& reached = part.reached;
    const auto is_beside = [&](std::size_t i) { return layout.parts[i].block != part.block; };
    reached.erase(std::remove_if(reached.begin(), reached.end(), is_beside), reached.end());
  }
  layout.blocks = std::move(maker.blocks);
  layout.passes = PassesOf(layout.parts, layout.blocks);
  for (RateBlock& block : layout.blocks) {
    std::sort(block.rows.begin(), block.rows.end());
    std::sort(block.variables.begin(), block.variables.end());
  }
  const std::size_t num_driven = !layout.blocks.empty() && layout.blocks[0].is_driven ? 1 : 0;
  const bool is_one = layout.blocks.size() == num_driven + 1;
  if (is_one && (has_constraints || !DoPassesSave(layout)))
    MakeWhole(num_driven, state.getNY(), &layout);
  if (num_driven > 0) MakeWhole(0, state.getNY(), &layout);
  return layout;
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
