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
  int tree = 0;                 ///< the first of its trees
  bool is_driven = false;       ///< its trees move as is prescribed, whatever pushes them
  std::vector<int> rows;        ///< of y, those whose rates depend on the variables, in order
  std::vector<int> variables;   ///< of these, in order, those on which f depends itself
  Eigen::MatrixXd by_variable;  ///< a row for each of the rows, a column for each of the variables
};

/// Trees of bodies by their numbers, and which of them push each other without contact.
struct Trees {
  Trees(const SimTK::SimbodyMatterSubsystem& matter, const SimTK::State& state);

  int count = 0;
  std::vector<int> of_body;  ///< -1: the ground, and what is welded to it
  std::vector<std::pair<int, int>> joined;
};

/// The blocks of a state, without their derivatives: trees that touch or are joined are one block.
/// Driven trees are the first block, if there are any, of which the rows are all, and join no
/// others. Of a single block beside it the rows are all, too. Of several, the variables that belong
/// to none, such as the work of loads, are in none.
std::vector<RateBlock> BlocksOf(const Trees& trees, const SimTK::SimbodyMatterSubsystem& matter,
                                const std::vector<ActiveContact>& contacts,
                                const SimTK::State& state);

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
