// From poses, twists and states to wrenches and rates.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "fmi/exchange/contact_shapes.h"
#include "fmi/fmu_variables.h"
#include "volcontact/forces/contact_model.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {

/// Values of the inputs, in their order.
using FmuInputs = std::array<double, kNumInputs>;
/// Values of all states that a contact may have; those that it has not stay 0.
using FmuStates = std::array<double, kNumStateSlots>;

/// What holds between events: of a contact that has been made, until it ends.
struct FmuLatch {
  bool touching = false;
  int touches = 0;
  double impact_speed = 0.0;
  Eigen::Vector3d normal_W = Eigen::Vector3d::UnitZ();
  /// Deflections are R_WT times their states: T turns with the normal, step by step.
  Eigen::Matrix3d R_WT = Eigen::Matrix3d::Identity();
};

/// The poses, with unit quaternions. Throws InvalidInput for a quaternion that is 0 or not finite.
PosePair PosesOf(const FmuInputs& inputs);

/// The twists of A and B.
std::array<Twist, 2> TwistsOf(const FmuInputs& inputs);

/// The state of the contact.
ContactState StateOf(const FmuLatch& latch, const FmuStates& states);

/// The states of a contact that has just been made, whose T is W.
FmuStates StatesOf(const ContactState& state);

/// Outputs and rates of the states.
struct FmuAnswer {
  std::array<double, kNumRealOutputs> outputs{};
  FmuStates rates{};
};

/// What the contact does. `pressure` as ContactModel::Evaluate reads it.
FmuAnswer AnswerOf(const ContactModel& model, const ContactGeometry& geometry,
                   const PosePair& poses, const std::array<Twist, 2>& twists,
                   const ContactState& state, const Eigen::Matrix3d& R_WT,
                   const std::vector<PressureSample>& pressure);

/// The derivative of the answer along changes of inputs and states. The geometry's derivative is
/// that of ContactShapes, and the laws follow by differences of fourth order, in which nothing of
/// the geometry is computed anew: to some 1e-9. Throws InvalidInput where there is none.
FmuAnswer DerivativeOf(const ContactModel& model, const ContactShapes& shapes,
                       const ContactGeometry& geometry, double tolerance, const FmuInputs& inputs,
                       const FmuLatch& latch, const FmuStates& states, const FmuInputs& d_inputs,
                       const FmuStates& d_states);

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
