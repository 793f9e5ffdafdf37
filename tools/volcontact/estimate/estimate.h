// What the estimates share. Each is a command of its own below `volcontact estimate`.
#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/output.h"
#include "estimate/estimate_report.h"
#include "volcontact/forces/hydroelastic_estimates.h"
#include "volcontact/forces/stiffness_estimates.h"

namespace volcontact::tool {

/// Standard gravity as in the simulations of Gonthier (2007) [m/s²].
inline constexpr double kGravity = 9.81;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Throws InvalidInput that names the first of these options that is given on the command line:
/// nothing would read it, and `why` says so.
void RefuseUnread(const CLI::App& command, std::initializer_list<const char*> options,
                  const std::string& why);

/// The coefficient of sliding friction, by default that of static friction. Throws InvalidInput if
/// it does not lie in [0, mu_s].
double CoulombCoefficient(const std::optional<double>& mu_c, double mu_s);

/// What the bodies A and B are made of, as typed.
struct MaterialArguments {
  struct Body {
    std::optional<double> modulus, poisson;
    std::string material;
  };
  Body A, B;
  std::string file;  ///< of the table of materials; empty for the built-in one

  /// Adds the options to a subcommand; *this must outlive it. Poisson's ratio only where asked for.
  void AddTo(CLI::App* command, bool with_poisson);
  /// The materials; B is rigid where nothing is said of it. Throws InvalidInput that names what is
  /// missing.
  ElasticMaterial MaterialA() const { return Resolve(A, "a"); }
  ElasticMaterial MaterialB() const;
  /// The same, with a common Poisson's ratio, of which the notes then tell, where none is known;
  /// nothing where neither body has a material.
  std::optional<double> EffectiveModulusOrNone(std::vector<std::string>* notes) const;
  /// Young's moduli alone [Pa].
  double ModulusA() const { return Modulus(A, "a"); }
  double ModulusB() const;
  bool HasB() const { return B.modulus || !B.material.empty(); }
  /// Throws InvalidInput for a table that nothing is looked up in.
  void CheckTable() const;

 private:
  bool HasA() const { return A.modulus || !A.material.empty(); }
  ElasticMaterial Resolve(const Body& body, const std::string& suffix) const;
  ElasticMaterial ResolveLoosely(const Body& body, std::vector<std::string>* notes) const;
  double Modulus(const Body& body, const std::string& suffix) const;
};

/// A shape pressed into a half-space or a ball, as typed.
struct IndenterArguments {
  std::string shape = "sphere";
  double radius = 0.0;
  std::optional<double> radius_b, half_angle;
  double length = kInfinity;

  /// Adds the options to a subcommand and returns that of the radius; *this must outlive it.
  CLI::Option* AddTo(CLI::App* command);
  /// Throws InvalidInput that names the option that is wrong, missing or not the shape's.
  Indenter Checked() const;
  double FoundationDepth() const;
  /// To where the section grows as the body goes in.
  double DeepestRest() const;
};

/// Adds an estimate with the options that `Command` adds, and --json. Its CheckUnread(App) refuses
/// options that do nothing beside the others, and Fill(EstimateReport*) computes the answer.
template <class Command>
void AddEstimate(CLI::App* estimate, ExitStatus* status, const std::string& name,
                 const std::string& description, const std::string& footer) {
  auto command = std::make_shared<Command>();
  auto json = std::make_shared<bool>(false);
  CLI::App* added = estimate->add_subcommand(name, description);
  added->footer(footer);
  command->AddTo(added);
  added->add_flag("--json", *json, "Print one JSON object instead of a table");
  added->callback([command, json, name, status, added] {
    command->CheckUnread(*added);
    EstimateReport report(name);
    command->Fill(&report);
    if (*json) {
      Print(report.ToJson());
    } else {
      Print(report.ToTable());
    }
    *status = ExitStatus::kAnswered;
  });
}

void AddStiffnessEstimates(CLI::App* estimate, ExitStatus* status);  // hertz, volumetric
void AddHydroelasticEstimate(CLI::App* estimate, ExitStatus* status);
void AddContactEstimate(CLI::App* estimate, ExitStatus* status);
void AddFrictionEstimate(CLI::App* estimate, ExitStatus* status);
void AddStepEstimates(CLI::App* estimate, ExitStatus* status);  // step, voxel

}  // namespace volcontact::tool
