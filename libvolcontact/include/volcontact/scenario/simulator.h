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

  SimulationStatistics& operator+=(const SimulationStatistics& other) {
    steps += other.steps;
    attempts += other.attempts;
    evaluations += other.evaluations;
    unconverged += other.unconverged;
    return *this;
  }
};

/// What a contact has done, steps between output rows included.
struct ContactRecord {
  std::string name;
  int begun = 0;  ///< how often it has been made, by any patch
  /// Normal, of a pair of cells at the end of any step, or of all in a row of a run [N].
  double greatest_force = 0.0;
  double greatest_at_outputs = 0.0;  ///< in the rows of a run; 0 from a Simulator [N]
};

/// Not safe for use by several threads at once; separate simulators are.
class VOLCONTACT_EXPORT Simulator {
 public:
  /// Throws InvalidInput if the scenario's model cannot start.
  explicit Simulator(const Scenario& scenario);
  ~Simulator();

  /// The time that was reached [s].
  double time() const;
  /// Advances to a later time, with steps that end at Scenario::Corners, or less far if `stop` says
  /// so between two steps (none: never). Throws SimulationError if the integrator cannot.
  void AdvanceTo(double t, const std::function<bool()>& stop = {});

  /// Applies a force [N] and a torque about the origin of the body's frame [N·m], along the world's
  /// axes, to a moving body (by its index in Scenario::bodies), in addition to the scenario's
  /// loads. It holds from now on, until it is set again; 0 at the start. `energy.work` has its
  /// work. The steps start again when it changes. Throws InvalidInput for an unknown or fixed body,
  /// and for numbers that are not finite.
  void SetWrench(int body, const Eigen::Vector3d& force_W, const Eigen::Vector3d& torque_W);

  /// Adds to the target of a motor (by its index in Mechanism::motors): effort, rate or position
  /// (N, N·m, m/s, rad/s, m or rad), in addition to its function of time. It holds from now on,
  /// until it is set again; 0 at the start. The steps start again when it changes. Throws
  /// InvalidInput for an unknown motor and a number that is not finite.
  void SetTarget(int motor, double added);

  /// Names and present values of the columns of timeseries.csv (docs/scenarios.md). A row costs
  /// about one evaluation of the right-hand side.
  const std::vector<std::string>& column_names() const;
  std::vector<double> Row();

  SimulationStatistics statistics() const;
  /// The contacts of the scenario, in its order.
  std::vector<ContactRecord> Contacts() const;
  /// Notes: contacts that were divided because they go around a body; and, for the rows so far,
  /// contacts in which one body lies inside the other, so that there is no force, each once.
  std::vector<std::string> Warnings() const;

  /// Everything needed to continue later, as JSON: the state to the last bit, and the start values
  /// of the ledger. The choice of the next step starts again, and contacts are queried anew, which
  /// `implicit` steps continue by the last Hessian. So all restored runs are the same to the last
  /// bit, and agree with the run that was saved to the tolerances. Saving does not change that run.
  std::string Save() const;
  /// Throws InvalidInput unless Save of the same scenario wrote it.
  void Load(const std::string& saved);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
