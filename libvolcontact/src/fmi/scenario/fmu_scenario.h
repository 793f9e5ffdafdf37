// The room `scenario`: what the FMU of a scenario is made of, which its writer and the library
// inside it agree on.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "fmi/fmu_variables.h"
#include "io/json/json_cursor.h"
#include "volcontact/export.h"
#include "volcontact/scenario/scenario.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {

/// The file in an FMU's resources that says what it is, with these members and kTokenKey; solids'
/// files that the scenario names lie beside it.
inline constexpr char kScenarioFile[] = "scenario.json";
inline constexpr char kScenarioKey[] = "scenario";
inline constexpr char kColumnsKey[] = "columns";

/// Force and torque on a body that moves, and the number of their components.
inline constexpr int kNumWrench = 6;

struct FmuScenario {
  std::filesystem::path file;          ///< in whose folder the solids' files are
  std::string token;                   ///< empty unless it was read from an FMU
  std::string document;                ///< JSON: the scenario, of one variant
  std::vector<FmuVariable> variables;  ///< each at the place of its value reference
  std::vector<int> bodies;  ///< those that move, by their index in the scenario: 6 inputs each
  int num_motors = 0;       ///< an input each, after those
};

/// The variables of a scenario. Inputs are wrenches on moving bodies, and offsets of the targets of
/// motors. Outputs are the columns of the time series without the time. Parameters are the numbers
/// of gravity, bodies, springs, bushings, motors, couplings, loops, loads, contacts and integrator
/// in the document, except those of solids and of tables over time. They are named by their paths,
/// as in ReadScenarioFile's `set`.
FmuScenario DescribeScenario(const std::filesystem::path& file, const JsonCursor& scenario,
                             const std::vector<std::string>& columns);

/// What an FMU's resources have. Throws InvalidInput for files that cannot be read.
FmuScenario ReadFmuScenario(const std::filesystem::path& resources);

/// The scenario with these values of its parameters, in their order. Throws InvalidInput where they
/// make none.
scenario::Scenario ScenarioWith(const FmuScenario& given, const std::vector<double>& parameters);

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
