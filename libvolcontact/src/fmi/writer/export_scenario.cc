#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "fmi/scenario/fmu_scenario.h"
#include "fmi/writer/fmu_archive.h"
#include "fmi/writer/licenses.h"
#include "fmi/writer/loaded_libraries.h"
#include "fmi/writer/packed_files.h"
#include "io/json/json_document.h"
#include "io/text_file.h"
#include "volcontact/fmi/export_fmu.h"
#include "volcontact/math/error.h"
#include "volcontact/scenario/advice.h"
#include "volcontact/scenario/scenario_file.h"
#include "volcontact/scenario/simulator.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {
namespace {

// The variant of this name; the only one where none is named.
const scenario::ScenarioVariant& VariantOf(const scenario::ScenarioFile& file,
                                           const std::string& name) {
  std::string names;
  for (const scenario::ScenarioVariant& variant : file.variants) {
    if (variant.name == name || (name.empty() && file.variants.size() == 1)) return variant;
    names += (names.empty() ? "" : ", ") + variant.name;
  }
  throw InvalidInput(
      name.empty()
          ? fmt::format("{}: an FMU is one variant; name one (--variant): {}", file.file, names)
          : fmt::format("{}: there is no variant \"{}\"; there are {}", file.file, name, names));
}

// What only says what a run shows is left out.
nlohmann::json PackedScenario(const scenario::ScenarioFile& file, const std::string& document,
                              bool fixed_steps, std::vector<ZipMember>* resources) {
  nlohmann::json packed = ParseJson(document, file.file, JsonDialect::kSettings);
  for (const char* key : {"variants", "measures", "plots"}) packed.erase(key);
  // Fixed steps of an FMU need not divide the output interval. For other integrators it is the
  // longest step, and stays.
  if (fixed_steps) packed.erase("output_interval");
  if (!packed.contains("gravity")) {
    const Eigen::Vector3d gravity = scenario::Scenario().gravity;
    packed["gravity"] = {gravity.x(), gravity.y(), gravity.z()};
  }
  PackScenario(std::filesystem::path(file.file).parent_path(), &packed, resources);
  return packed;
}

}  // namespace

FmuReport ExportScenarioFmu(const std::filesystem::path& scenario_file,
                            const std::filesystem::path& fmu, const ScenarioFmuOptions& options) {
  RequireFmuOptions(fmu, options);
  const scenario::ScenarioFile file =
      scenario::ReadScenarioFile(scenario_file.string(), options.set);
  const scenario::ScenarioVariant& variant = VariantOf(file, options.variant);
  const scenario::Scenario given = scenario::ReadScenario(file, variant);
  const scenario::Simulator simulator(given);
  std::vector<std::string> columns = simulator.column_names();
  columns.erase(columns.begin());  // the time

  FmuContents contents;
  const JsonDocument packed(
      PackedScenario(file, variant.document, given.integrator.step > 0.0, &contents.resources),
      file.file);
  contents.library = ReadLibrary(options.library, options.version, /*cosimulation=*/true);
  std::vector<std::string> notes = given.notes;
  for (const std::string& advice : scenario::AdviceOf(given)) notes.push_back(advice);
  const std::vector<LoadedLibrary> libraries = LibrariesNeededBy(contents.library);
  for (const LoadedLibrary& library : libraries) {
    contents.libraries.push_back({library.name, ReadTextFile(library.file, kMaxMeshFileSize)});
  }
  contents.licenses = LicensesOf(libraries, &notes);
  ModelDescription& model = contents.model;
  model.version = options.version;
  model.cosimulation = true;
  model.description = file.title.empty() ? "Bodies with volumetric contacts" : file.title;
  model.structured_names = false;
  model.stop_time = given.end_time;
  model.model_name = scenario_file.stem().string();
  if (!variant.name.empty()) model.model_name += "_" + variant.name;
  model.variables = DescribeScenario(scenario_file, packed.Root(), columns).variables;
  contents.file = kScenarioFile;
  contents.top = {{kScenarioKey, packed.Root().value()}, {kColumnsKey, columns}};
  FmuReport report = WriteFmu(fmu, std::move(contents));
  report.notes = std::move(notes);
  return report;
}

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
