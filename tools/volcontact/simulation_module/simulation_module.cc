// The one function of the module that simulates for the tool.
#include "simulation_module/simulator_functions.h"

using volcontact::scenario::Scenario;
using volcontact::scenario::Simulator;

extern "C" VOLCONTACT_EXPORT const volcontact::tool::SimulatorFunctions*
volcontact_simulator_functions() {
  static constexpr volcontact::tool::SimulatorFunctions kFunctions = {
      [](const Scenario& scenario) { return new Simulator(scenario); },
      [](Simulator* simulator) { delete simulator; },
      &Simulator::time,
      &Simulator::AdvanceTo,
      &Simulator::SetWrench,
      &Simulator::SetTarget,
      &Simulator::column_names,
      &Simulator::Row,
      &Simulator::statistics,
      &Simulator::Contacts,
      &Simulator::Warnings,
      &Simulator::Save,
      &Simulator::Load,
  };
  return &kFunctions;
}
