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

/// Rates and variables that depend on each other alone.
struct RateBlock {
  int tree = 0;                 ///< the first of its trees
  std::vector<int> rows;        ///< of y, those whose rates depend on the variables, in order
  std::vector<int> variables;   ///< of these, in order, those on which f depends itself
  Eigen::MatrixXd by_variable;  ///< a row for each of the rows, a column for each of the variables
};

/// Trees of bodies by their numbers, and which of them push each other without contact.
struct Trees {
  explicit Trees(const SimTK::SimbodyMatterSubsystem& matter);

  int count = 0;
  std::vector<int> of_body;  ///< -1: the ground
  std::vector<std::pair<int, int>> joined;
};

/// The blocks of a state, without their derivatives: trees that touch or are joined are one block.
/// Of a single block the rows are all. Of several, the variables that belong to none, such as the
/// work of loads, are in none.
std::vector<RateBlock> BlocksOf(const Trees& trees, const SimTK::SimbodyMatterSubsystem& matter,
                                const std::vector<ActiveContact>& contacts,
                                const SimTK::State& state);

/// Solves (1/h − J) x = r with the derivatives J of some blocks.
class BlockSolver {
 public:
  void Factor(const std::vector<RateBlock>& blocks, double h);
  /// Variables that nothing depends on may have another h.
  Eigen::VectorXd Solve(const std::vector<RateBlock>& blocks, double h,
                        const Eigen::VectorXd& right) const;

 private:
  std::vector<Eigen::PartialPivLU<Eigen::MatrixXd>> factors_;
};

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
