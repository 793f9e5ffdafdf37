// The room `runtime`: what the shared libraries inside FMUs have in common, whatever these hold.
// Here: an instance as the functions of the standard see it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "fmi/fmu_variables.h"
#include "volcontact/export.h"

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
  kStepMode = 16,  ///< of co-simulation: between two steps
  kTerminated = 32,
  kFailed = 64,  ///< after a step that could not be made
  kAnyMode = 127,
};

/// Those in which an importer sets values, and in which there are values to be read.
inline constexpr unsigned kBeforeRun = kInstantiated | kInitialization,
                          kRunning = kEventMode | kContinuousTime | kStepMode,
                          kReadable = kInitialization | kRunning | kTerminated;

/// What an importer instantiates. Each instance is by itself: threads may use different ones at a
/// time. Functions throw WrongCall, and InvalidInput where values have no meaning.
class FmuInstance {
 public:
  FmuInstance() = default;
  FmuInstance(const FmuInstance&) = delete;
  FmuInstance& operator=(const FmuInstance&) = delete;
  virtual ~FmuInstance() = default;

  virtual FmuMode mode() const = 0;
  virtual void SetMode(FmuMode mode) = 0;
  /// Where the experiment begins, and where it ends, if that is known [s].
  virtual void SetExperiment(double start, std::optional<double> stop) = 0;
  virtual void FinishInitialization() = 0;
  virtual void Reset() = 0;

  /// By value references; the type and role are checked.
  virtual double Real(std::uint32_t reference) = 0;
  virtual int Integer(std::uint32_t reference) = 0;
  virtual bool Boolean(std::uint32_t reference) = 0;
  virtual void SetReal(std::uint32_t reference, double value) = 0;
  /// Throws WrongCall that says that the variable cannot be set.
  [[noreturn]] void RefuseToSet(std::uint32_t reference, FmuType type) const;

  /// All of the instance that changes, its "FMU state", as bytes to be read on the same kind of
  /// machine. RequireSaved and Load throw WrongCall for what is no state of such an FMU; then
  /// nothing is changed.
  virtual std::string Save() const = 0;
  virtual void RequireSaved(const std::string& saved) const = 0;
  virtual void Load(const std::string& saved) = 0;

  /// What the importer should know of what was computed since the last call; empty: nothing.
  virtual std::string TakeWarning() = 0;

 protected:
  virtual const std::vector<FmuVariable>& variables() const = 0;
  /// The variable of a value reference. Throws WrongCall where there is none, or of another type.
  const FmuVariable& VariableAt(std::uint32_t reference, FmuType type) const;
};

/// Throws InvalidInput unless the tokens agree.
void RequireToken(const std::string& given, const std::string& expected);

/// What kind of FMU a library is for, in the standard's words. Each library has one of its own.
const char* KindName();

/// Reads what a library is for from the folder of an FMU's resources. Throws InvalidInput for files
/// that cannot be read, and where `token` is not that of the FMU. Each library has one of its own.
std::unique_ptr<FmuInstance> MakeInstance(const std::filesystem::path& resources,
                                          const std::string& token);

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
