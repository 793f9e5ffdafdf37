// The columns of a time series. C++17, as Simbody's headers are.
#pragma once

#include <string>
#include <vector>

#include "scenario/simulation/model.h"
#include "volcontact/scenario/scenario.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

/// The energies of a model in one state [J].
struct EnergyLedger {
  double kinetic = 0.0;
  double potential = 0.0;    ///< of gravity and springs
  ContactEnergies contacts;  ///< of all contacts
  double joint_loss = 0.0;   ///< in dampers
  double work = 0.0;         ///< done by loads and driven joints

  /// What does not change with time but for errors of the integration.
  double Balance() const { return kinetic + potential + contacts.Total() + joint_loss - work; }
};

/// Needs a state realized to Stage::Dynamics.
EnergyLedger LedgerOf(const Model& model, const SimTK::State& state);

std::vector<std::string> ColumnNames(const Scenario& scenario);

/// The values of these columns. Needs a state realized to Stage::Acceleration. Counts into
/// `unconverged` a row with a query that did not converge.
std::vector<double> ColumnValues(const Scenario& scenario, const Model& model,
                                 const SimTK::State& state, double initial_balance,
                                 long* unconverged);

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
