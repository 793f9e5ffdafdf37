// One instance of a contact's FMU: what the functions of both versions of the standard do.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fmi/exchange/contact_equations.h"
#include "fmi/exchange/contact_shapes.h"
#include "fmi/fmu_variables.h"
#include "fmi/runtime/fmu_instance.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {

/// All of an instance that changes: its "FMU state". A plain value.
struct FmuSnapshot {
  FmuMode mode = kInstantiated;
  bool begun = false;  ///< the discrete states have been brought up to date since the start
  double time = 0.0;
  FmuInputs inputs{};
  std::vector<double> parameters;
  FmuStates states{};
  FmuLatch latch;

  std::vector<double> Numbers() const;
  /// Throws WrongCall unless Numbers wrote the list, of a contact with as many parameters.
  static FmuSnapshot FromNumbers(const std::vector<double>& numbers, std::size_t num_parameters);
};

/// What an update of the discrete states changed.
struct FmuUpdate {
  bool states_changed = false, nominals_changed = false;
  std::string event;  ///< what happened, for the log; empty: nothing
};

/// An FMU's contact with its inputs, states and memory. Evaluations are kept until something they
/// read changes.
class ContactInstance final : public FmuInstance {
 public:
  /// Reads the contact from the folder of an FMU's resources, as MakeInstance does.
  ContactInstance(const std::filesystem::path& resources, const std::string& token);

  FmuMode mode() const override { return now_.mode; }
  void SetMode(FmuMode mode) override {
    now_.mode = mode;
    answer_.reset();
  }
  void SetExperiment(double start, std::optional<double> /*stop*/) override { SetTime(start); }
  void FinishInitialization() override;  ///< Into event mode. Checks the parameters.
  void Reset() override;

  double Real(std::uint32_t reference) override;
  int Integer(std::uint32_t reference) override;
  bool Boolean(std::uint32_t reference) override;
  void SetReal(std::uint32_t reference, double value) override;

  std::string Save() const override;
  void RequireSaved(const std::string& saved) const override;
  void Load(const std::string& saved) override;
  std::string TakeWarning() override;

  std::size_t num_states() const { return slots_.size(); }
  void SetTime(double time);
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

 private:
  FmuSnapshot ReadSnapshot(const std::string& saved) const;
  void Restore(const FmuSnapshot& snapshot);
  const std::vector<FmuVariable>& variables() const override { return variables_; }
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
