// What the tool calls in the module that simulates. Loading Simbody takes most of the time in which
// a command starts, so only commands that simulate do it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "volcontact/scenario/simulator.h"

namespace volcontact::tool {

/// The members of the module's Simulator.
struct SimulatorFunctions {
  using Simulator = scenario::Simulator;

  Simulator* (*make)(const scenario::Scenario& scenario);
  void (*destroy)(Simulator* simulator);
  double (Simulator::*time)() const;
  void (Simulator::*advance_to)(double t, const std::function<bool()>& stop);
  void (Simulator::*set_wrench)(int body, const Eigen::Vector3d& force_W,
                                const Eigen::Vector3d& torque_W);
  void (Simulator::*set_target)(int motor, double added);
  const std::vector<std::string>& (Simulator::*column_names)() const;
  std::vector<double> (Simulator::*row)();
  scenario::SimulationStatistics (Simulator::*statistics)() const;
  std::vector<scenario::ContactRecord> (Simulator::*contacts)() const;
  std::vector<std::string> (Simulator::*warnings)() const;
  std::string (Simulator::*save)() const;
  void (Simulator::*load)(const std::string& saved);
};

}  // namespace volcontact::tool
