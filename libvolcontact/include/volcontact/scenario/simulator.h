// A scenario as a model of Simbody, and its motion through time.
//
// Component volcontact::scenario, where it was built with Simbody.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/scenario/scenario.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

/// A simulation that began but cannot go on: the message says when, why, and what may help.
class VOLCONTACT_EXPORT SimulationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct SimulationStatistics {
  long steps = 0;        ///< accepted
  long attempts = 0;     ///< steps tried
  long evaluations = 0;  ///< of the right-hand side
  long unconverged = 0;  ///< output rows with a query that did not reach its tolerance
};

/// Not safe for use by several threads at once; several simulators are.
class VOLCONTACT_EXPORT Simulator {
 public:
  /// Throws InvalidInput when the scenario makes no model that can start.
  explicit Simulator(const Scenario& scenario);
  ~Simulator();

  /// The time that was reached [s].
  double time() const;
  /// Moves on to a later time, with steps that end at Scenario::Corners, or less far when `stop`
  /// says so between two steps (none: never). Throws SimulationError when the integrator cannot.
  void AdvanceTo(double t, const std::function<bool()>& stop = {});

  /// Applies a force [N] and a torque about the origin of the body's frame [N·m], along the world's
  /// axes, to a body that moves (by its index in Scenario::bodies), beside the scenario's loads:
  /// from now on, until it is set again; 0 at the start. `energy.work` has their work. Steps begin
  /// afresh where it changes. Throws InvalidInput for a body that is not there or is fixed, and for
  /// numbers that are not finite.
  void SetWrench(int body, const Eigen::Vector3d& force_W, const Eigen::Vector3d& torque_W);

  /// Adds to what a motor (by its index in Mechanism::motors) is to follow, effort, rate or
  /// position (N, N·m, m/s, rad/s, m or rad), beside its function of time: from now on, until it is
  /// set again; 0 at the start. Steps begin afresh where it changes. Throws InvalidInput for a
  /// motor that is not there and a number that is not finite.
  void SetTarget(int motor, double added);

  /// Names and present values of the columns of timeseries.csv (docs/scenarios.md). A row costs
  /// about one evaluation of the right-hand side.
  const std::vector<std::string>& column_names() const;
  std::vector<double> Row();

  SimulationStatistics statistics() const;
  /// What to know: contacts that were divided as they go around a body; and of the rows asked for
  /// so far contacts in which one body lies inside the other, so that there is no force, each once.
  std::vector<std::string> Warnings() const;

  /// Everything needed to go on later, as JSON: the state to the last bit, and what the ledger
  /// began with. Only the choice of the next step starts afresh.
  std::string Save() const;
  /// Throws InvalidInput unless Save of the same scenario wrote it.
  void Load(const std::string& saved);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
