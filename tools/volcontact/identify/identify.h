// What the kinds of `volcontact identify` share. Each is a command of its own below it.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/output.h"
#include "identify/fit_plot.h"
#include "identify/fit_report.h"
#include "identify/measurement_arguments.h"
#include "identify/option_names.h"
#include "volcontact/identify/least_squares.h"
#include "volcontact/io/contact_file.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {

/// Options that every kind has, as typed.
struct IdentifyArguments {
  MeasurementArguments data;
  std::string base, out, plot, loss = "squared";
  int bootstrap = 0;
  bool json = false;

  /// Adds the options to a subcommand; *this must outlive it.
  void AddTo(CLI::App* command);
  /// Throws InvalidInput that names the option that is out of range.
  identify::FitOptions Checked() const;
  /// Throws InvalidInput when --out or --plot would replace a file that is read: the data, --base,
  /// or one of `others`; or when both are one file.
  void CheckOutputs(const std::vector<std::string>& others) const;
  /// Throws InvalidInput for --base without --out, where a fit takes nothing from it.
  void RefuseIdleBase() const;
  /// The contact file of --base, checked, or an empty object without one. Throws InvalidInput.
  Json Base() const;
  /// k_V of the pair in --base [N/m³], if it has a volumetric law.
  std::optional<double> BaseStiffness() const;
  /// A parameter of --base, such as friction.mu_s, if it is there.
  std::optional<double> FromBase(const char* part, const char* key) const;
};

/// The answer of a kind.
struct Identified {
  explicit Identified(const std::string& kind) : report(kind) {}

  FitReport report;
  /// What is new in the contact file; empty with the reason in `no_contact`.
  Json contact = Json::object();
  std::string no_contact;
  std::optional<FitPlot> plot;
};

/// Prints the answer, writes --out and draws --plot. Throws InvalidInput when there is nothing to
/// write, or the file cannot be written; a plot that cannot be drawn is a warning on standard error
/// only.
ExitStatus Finish(const IdentifyArguments& arguments, Identified* identified);

/// Adds a kind with the options that `Command` adds. Its Run(const IdentifyArguments&) computes the
/// answer.
template <class Command>
void AddIdentify(CLI::App* identify, ExitStatus* status, const std::string& name,
                 const std::string& description, const std::string& footer) {
  auto command = std::make_shared<Command>();
  auto arguments = std::make_shared<IdentifyArguments>();
  CLI::App* added = identify->add_subcommand(name, description);
  added->footer(footer);
  command->AddTo(added);
  arguments->AddTo(added);
  added->callback([command, arguments, status] {
    arguments->CheckOutputs({});
    try {
      Identified identified = command->Run(*arguments);
      *status = Finish(*arguments, &identified);
    } catch (const InvalidInput& error) {
      throw InvalidInput(WithOptions(error.what()));
    }
  });
}

void AddIdentifyStiffness(CLI::App* identify, ExitStatus* status);
void AddIdentifyDamping(CLI::App* identify, ExitStatus* status);
void AddIdentifyFriction(CLI::App* identify, ExitStatus* status);
void AddIdentifyRestitution(CLI::App* identify, ExitStatus* status);

}  // namespace volcontact::tool
