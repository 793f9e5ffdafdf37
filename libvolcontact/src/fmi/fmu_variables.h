// The variables of an FMU of a contact, in the order of their value references.
#pragma once

#include <string>
#include <vector>

#include "fmi/fmu_contact.h"
#include "volcontact/forces/contact_model.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {

enum class FmuType { kReal, kInteger, kBoolean };

enum class FmuRole { kTime, kInput, kOutput, kIndicator, kState, kDerivative, kParameter };

struct FmuVariable {
  std::string name, unit, description;
  FmuType type = FmuType::kReal;
  FmuRole role = FmuRole::kOutput;
  double start = 0.0;  ///< of inputs, states and parameters
  int index = 0;       ///< among those of its role
};

/// The numbers of inputs for one body (position, quaternion, velocity and angular velocity), and
/// for both.
inline constexpr int kNumMotion = 13, kNumInputs = 2 * kNumMotion;

/// The real outputs, in this order.
enum FmuOutput : int {
  kForceA = 0,
  kTorqueA = 3,
  kForceB = 6,
  kTorqueB = 9,
  kCompression = 12,
  kPoint = 13,
  kNormal = 16,
  kNormalForce = 19,
  kFrictionForce,
  kElasticPower,
  kDissipatedPower,
  kNumRealOutputs
};

/// The integer and the boolean output: how often contact has been made, and whether there is one.
inline constexpr int kTouches = 0, kTouching = 0;

/// All that may be continuous states; a contact has those that its laws have.
enum FmuStateSlot : int {
  kDeflectionSlot = 0,
  kTwistSlot = 3,
  kDwellSlot,
  kRelaxationSlot,
  kNumStateSlots
};

/// A parameter of the laws that an importer may set.
struct FmuParameter {
  std::string name, unit, description;
  double* value = nullptr;
};

/// Those of a contact, within `contact`, which must outlive them. None for what is infinite, such
/// as a rigid body's stiffness.
std::vector<FmuParameter> ParametersOf(scenario::ContactSpec* contact);

/// The states that the laws have, ascending.
std::vector<FmuStateSlot> StatesOf(const ContactParameters& parameters);

/// All variables: each at the place of its value reference.
std::vector<FmuVariable> VariablesOf(const FmuContact& contact);

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
