// A scenario made into a Simbody model, and its motion through time.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/json_input.h"
#include "simulation/scenario.h"

namespace volcontact::tool {

/// A simulation that began but cannot go on: the message says when, why, and what may help.
class SimulationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct SimulationStatistics {
  long steps = 0;        ///< accepted
  long attempts = 0;     ///< steps tried
  long evaluations = 0;  ///< of the right-hand side
  long unconverged = 0;  ///< output rows with a query that did not reach its tolerance
};

/// Not safe for use by several threads at once.
class Simulator {
 public:
  /// Throws InvalidInput when the scenario makes no model that can start.
  explicit Simulator(const Scenario& scenario);
  ~Simulator();

  double time() const;
  /// Moves on to a later time, with steps that end at Scenario::Corners, or less far when `stop`
  /// says so between two steps. Throws SimulationError when the integrator cannot.
  void AdvanceTo(
      double t, const std::function<bool()>& stop = [] { return false; });

  /// Names and present values of the columns of timeseries.csv (docs/scenarios.md).
  const std::vector<std::string>& column_names() const;
  std::vector<double> Row();

  SimulationStatistics statistics() const;

  /// Everything needed to go on later: the state, and what the ledger began with.
  nlohmann::json Save() const;
  /// Throws InvalidInput unless Save of the same scenario wrote it.
  void Load(const nlohmann::json& saved);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace volcontact::tool
