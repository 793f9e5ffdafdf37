// One instance of an FMU: what the functions of both versions of the standard do.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "fmi/fmu_variables.h"
#include "fmi/runtime/contact_equations.h"
#include "fmi/runtime/contact_shapes.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {

/// Thrown where a call does not fit the standard; what it asked for is not done.
class WrongCall : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// The states of the standard's state machine that an instance may be in; of a set, by their bits.
enum FmuMode : unsigned {
  kInstantiated = 1,
  kInitialization = 2,
  kEventMode = 4,
  kContinuousTime = 8,
  kTerminated = 16,
  kAnyMode = 31,
};

/// All of an instance that changes: its "FMU state". A plain value.
struct FmuSnapshot {
  FmuMode mode = kInstantiated;
  bool begun = false;  ///< the discrete states have been brought up to date since the start
  double time = 0.0;
  FmuInputs inputs{};
  std::vector<double> parameters;
  FmuStates states{};
  FmuLatch latch;

  /// The bytes of `size` = SizeOf(...) numbers; to be read on the same kind of machine.
  std::vector<double> Numbers() const;
  /// Throws WrongCall unless Numbers wrote the list, of a contact with as many parameters.
  static FmuSnapshot FromNumbers(const std::vector<double>& numbers, std::size_t num_parameters);
};

/// What an update of the discrete states changed.
struct FmuUpdate {
  bool states_changed = false, nominals_changed = false;
  std::string event;  ///< what happened, for the log; empty: nothing
};

/// An FMU's contact with its inputs, states and memory. Each instance is by itself: threads may use
/// different ones at a time. Functions throw WrongCall, and InvalidInput where values have no
/// meaning. Evaluations are kept until something they read changes.
class ContactInstance {
 public:
  /// Reads the contact from the folder of an FMU's resources. Throws InvalidInput for files that
  /// cannot be read, and where `token` is not that of the FMU.
  ContactInstance(const std::filesystem::path& resources, const std::string& token);

  FmuMode mode() const { return now_.mode; }
  const std::vector<FmuVariable>& variables() const { return variables_; }
  std::size_t num_states() const { return slots_.size(); }

  void Start(double time);      ///< Into initialization mode.
  void FinishInitialization();  ///< Into event mode. Checks the parameters.
  void SetMode(FmuMode mode) {
    now_.mode = mode;
    answer_.reset();
  }
  void Reset();
  void SetTime(double time);

  /// By value references; the type and role are checked.
  double Real(std::uint32_t reference);
  int Integer(std::uint32_t reference);
  bool Boolean(std::uint32_t reference);
  void SetReal(std::uint32_t reference, double value);
  /// Throws WrongCall that says that the variable cannot be set.
  [[noreturn]] void RefuseToSet(std::uint32_t reference, FmuType type) const;

  std::vector<double> States() const;
  void SetStates(const double* values);
  std::vector<double> Rates();
  std::vector<double> Nominals() const;
  double Indicator();

  /// Makes or ends the contact, as the bodies overlap or not.
  FmuUpdate UpdateDiscrete();
  /// Refers the states to the present normal. Whether there is an event: the bodies overlap and
  /// there is no contact, or the other way round.
  bool CompleteStep();

  /// The derivative of unknowns (outputs and rates of states) along `seed` of knowns (inputs and
  /// states).
  std::vector<double> Derivative(const std::vector<std::uint32_t>& unknowns,
                                 const std::vector<std::uint32_t>& knowns, const double* seed);

  const FmuSnapshot& snapshot() const { return now_; }
  void Restore(const FmuSnapshot& snapshot);

  /// Whether all overlaps have been computed to the tolerance since the last call.
  bool TakeConverged();

 private:
  const FmuVariable& VariableAt(std::uint32_t reference, FmuType type) const;
  const ContactModel& Model();
  const ShapesContact& Shapes();
  const FmuAnswer& Answer();
  bool IsAsleep() const;

  std::optional<FmuContact> contact_;
  std::vector<FmuVariable> variables_;
  std::vector<FmuParameter> parameters_;
  std::vector<FmuStateSlot> slots_;
  std::unique_ptr<const ContactShapes> shapes_;
  FmuSnapshot start_, now_;
  std::optional<ContactModel> model_;
  std::optional<ShapesContact> found_;
  std::optional<double> gap_;
  std::optional<FmuAnswer> answer_;
  bool converged_ = true;
};

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
