// Integrates a Simbody model with contacts in implicit steps, with error control.
//
// Component volcontact::simbody. C++17, as simbody_contact.h.
//
//   volcontact::ContactStepper stepper(system, {contact, …}, {1e-5});
//   stepper.Start(state);
//   while (stepper.time() < 1.0) stepper.Advance(1.0);
//
// Rosenbrock methods of fourth order, and of third where derivatives are not exact, each with an
// embedded one for its error (docs/stepping.md): each step solves linear equations with the
// derivatives of all forces, so that stiff contacts at rest, whose vibrations explicit integrators
// have to follow, take the steps that the motion needs. A step costs one query of each pair of
// solids with its Hessian, or four where there is none.
#pragma once

#include <SimTKsimbody.h>

#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/simbody/simbody_contact.h"
#include "volcontact/simbody/simbody_contact_set.h"

VOLCONTACT_NAMESPACE_BEGIN

struct ContactStepperOptions {
  /// Of the error of a step: of the speeds of bodies' points [m/s] and their ways [m], where
  /// turning counts by the farthest point of a body's shapes in contact, or one 1 m away; and of z
  /// in Simbody's weights (SetErrorWeights).
  double accuracy = 1e-5;
  double max_step = std::numeric_limits<double>::infinity();  ///< [s]
  /// The work done on the model since some start by all but contacts and forces with a potential
  /// [J], losses in joints and dampers counted as negative. Given, contacts make no energy whatever
  /// the accuracy (docs/stepping.md). A model that nothing drives has a work of zero. Called with
  /// states realized to Stage::Acceleration.
  std::function<double(const SimTK::State&)> work = {};
};

struct ContactStepperStatistics {
  long steps = 0;        ///< accepted
  long attempts = 0;     ///< steps tried
  long evaluations = 0;  ///< of accelerations, at poses of their own
};

/// An integrator with its own time stepping: events are handled between steps, prescribed motions
/// and constraints are kept. Deterministic; not for use by several threads at once.
class VOLCONTACT_EXPORT ContactStepper {
 public:
  /// `contacts` and `sets` are all those of the system. Refers to the system. Throws InvalidInput
  /// for options that are not positive.
  ContactStepper(const SimTK::MultibodySystem& system, const std::vector<SimbodyContact>& contacts,
                 const ContactStepperOptions& options,
                 const std::vector<SimbodyContactSet>& sets = {});
  ~ContactStepper();
  ContactStepper(ContactStepper&&) noexcept;
  ContactStepper& operator=(ContactStepper&&) noexcept;

  /// Begins at a state, with steps of about a length [s], or one of its own choice.
  void Start(const SimTK::State& state, double first_step = 0.0);

  /// Moves on by one step, or to `time` if that is nearer: between steps by interpolation, of third
  /// order. No step goes beyond `barrier`. Throws std::runtime_error where steps would become too
  /// short to move the time on.
  void Advance(double time, double barrier = std::numeric_limits<double>::infinity());

  double time() const { return state().getTime(); }
  /// At time(); to be realized by the caller.
  const SimTK::State& state() const;
  double last_step() const;  ///< [s]; 0 before the first
  double next_step() const;  ///< as it is planned [s]
  ContactStepperStatistics statistics() const;

 private:
  struct VOLCONTACT_LOCAL Impl;
  std::unique_ptr<Impl> impl_;
};

VOLCONTACT_NAMESPACE_END
