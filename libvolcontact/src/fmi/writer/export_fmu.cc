#include "volcontact/fmi/export_fmu.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "fmi/fmu_contact.h"
#include "fmi/fmu_variables.h"
#include "fmi/writer/derivative_probe.h"
#include "fmi/writer/fmu_archive.h"
#include "fmi/writer/packed_files.h"
#include "io/json/json_document.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {
namespace {

// What the solids do not allow, such as overlaps without bounds, shows when they are queried.
DerivativeProbe ProbeFile(const std::filesystem::path& file, const FmuContact& contact) {
  try {
    return ProbeDerivatives(contact);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", file.string(), error.what()));
  }
}

}  // namespace

bool IsScenarioFile(const std::filesystem::path& file) {
  return JsonDocument::Read(file).Root().Has("bodies");
}

FmuReport ExportFmu(const std::filesystem::path& contact_file, const std::filesystem::path& fmu,
                    const FmuOptions& options) {
  RequireFmuOptions(fmu, options);
  const FmuContact contact = ReadFmuContact(JsonDocument::Read(contact_file).Root());
  FmuContents contents;
  nlohmann::json packed = PackContact(contact_file, &contents.resources);
  const DerivativeProbe probe = ProbeFile(contact_file, contact);
  contents.library = ReadLibrary(options.library, options.version, /*cosimulation=*/false);
  ModelDescription& model = contents.model;
  model.version = options.version;
  model.description = "Contact of two bodies: poses and twists in, wrenches out";
  model.model_name = packed.value("name", contact_file.stem().string());
  model.directional_derivatives = probe.provided;
  model.variables = VariablesOf(contact);
  contents.file = kFmuFile;
  contents.top = {{kContactKey, std::move(packed)}};
  FmuReport report = WriteFmu(fmu, std::move(contents));
  report.notes = contact.notes;
  if (!probe.provided) report.notes.push_back("no directional derivatives: " + probe.reason);
  return report;
}

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
