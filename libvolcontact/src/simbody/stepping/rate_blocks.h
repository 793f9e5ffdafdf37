// Which rates depend on which variables: trees of bodies that nothing joins are apart.
#pragma once

#include <SimTKsimbody.h>

#include <Eigen/Core>
#include <Eigen/LU>
#include <utility>
#include <vector>

#include "simbody/contact_element.h"
#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {

/// Rates and variables that depend on each other, and on those of driven trees, alone.
struct RateBlock {
  bool is_driven = false;       ///< its trees move as is prescribed, whatever pushes them
  std::vector<int> rows;        ///< of y, those whose rates depend on the variables, in order
  std::vector<int> variables;   ///< of these, in order, those on which f depends itself
  Eigen::MatrixXd by_variable;  ///< a row for each of the rows, a column for each of the variables
};

/// A tree of bodies, a contact, or a whole block.
struct RatePart {
  int block = -1;                    ///< -1: none, as of a contact of bodies that do not move
  std::vector<int> rows, variables;  ///< its own, as a block has them
  std::vector<std::size_t> reached;  ///< parts of its block whose rows depend on its variables
};

/// How derivatives are found: the variables of the parts of a pass reach no part in common.
struct RateLayout {
  std::vector<RateBlock> blocks;
  std::vector<RatePart> parts;
  std::vector<std::vector<std::size_t>> passes;
};

/// Trees of bodies by their numbers, and which of them push each other without contact.
struct Trees {
  Trees(const SimTK::SimbodyMatterSubsystem& matter, const SimTK::State& state);

  int count = 0;
  std::vector<int> of_body;  ///< -1: the ground, and what is welded to it
  std::vector<std::pair<int, int>> joined;
};

/// Of a state: its trees in their order, and then its contacts.
std::vector<RatePart> PartsOf(const Trees& trees, const SimTK::SimbodyMatterSubsystem& matter,
                              const std::vector<ActiveContact>& contacts,
                              const SimTK::State& state);

/// The layout of a state, without derivatives: trees that touch or are joined are one block. Driven
/// trees are the first block, if there are any, of which the rows are all, and join no others. Of a
/// single block beside it the rows are all, too, unless passes save much. Else the variables that
/// belong to no part, such as the work of loads, are in no block.
RateLayout LayoutOf(const Trees& trees, const SimTK::SimbodyMatterSubsystem& matter,
                    const std::vector<ActiveContact>& contacts, const SimTK::State& state);

/// Solves (1/h − J) x = r with the derivatives J of some blocks, in their order.
class BlockSolver {
 public:
  void Factor(const std::vector<RateBlock>& blocks, double h);
  Eigen::VectorXd Solve(const std::vector<RateBlock>& blocks, double h,
                        Eigen::VectorXd right) const;

 private:
  std::vector<Eigen::PartialPivLU<Eigen::MatrixXd>> factors_;
};

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
