// Integrators of a model behind one interface. C++17, as Simbody's headers are.
#pragma once

#include <SimTKsimbody.h>

#include <functional>
#include <memory>
#include <vector>

#include "volcontact/scenario/scenario.h"
#include "volcontact/scenario/simulator.h"
#include "volcontact/simbody/simbody_contact.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

/// The states of a model over time.
class TimeCourse {
 public:
  virtual ~TimeCourse() = default;

  /// Begins at a state, with steps of a length [s], or of the integrator's choice where it is 0.
  virtual void Start(const SimTK::State& state, double step) = 0;
  /// Moves on by a step, or to `t` if that is nearer; methods that can end a step at `corner`.
  virtual void Advance(double t, double corner) = 0;
  virtual const SimTK::State& state() const = 0;
  /// [s]
  virtual double LastStep() const = 0;
  virtual double NextStep() const = 0;
  virtual SimulationStatistics Statistics() const = 0;
};

/// Refers to the system. `work` is that on the model by all but contacts and gravity, losses
/// counted as negative (ContactStepperOptions).
std::unique_ptr<TimeCourse> MakeTimeCourse(const IntegratorSpec& spec,
                                           const SimTK::MultibodySystem& system,
                                           const std::vector<SimbodyContact>& contacts,
                                           std::function<double(const SimTK::State&)> work);

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
