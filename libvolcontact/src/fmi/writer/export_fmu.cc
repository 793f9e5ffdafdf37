#include "volcontact/fmi/export_fmu.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <variant>

#include "fmi/fmu_contact.h"
#include "fmi/fmu_variables.h"
#include "fmi/writer/fmu_archive.h"
#include "fmi/writer/packed_files.h"
#include "io/json/json_document.h"
#include "volcontact/math/aabb.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/prepared_pair.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {
namespace {

using Eigen::Vector3d;

// Whether a contact has derivatives: an FMU says so once and for all.
struct DerivativeProbe {
  bool provided = false;
  std::string reason;  // why not
};

// Overlaps that are looked at: one may have no second derivative where others have.
constexpr int kMostOverlaps = 3;
// Places of A on its way into B.
constexpr int kPlaces = 12;

double RadiusOf(const Aabb& box) { return box.IsBounded() ? box.HalfExtents().norm() : 0.0; }
Vector3d MiddleOf(const Aabb& box) { return box.IsBounded() ? box.Center() : Vector3d::Zero(); }

// Looks for overlaps of the solids in awkward poses, and whether these have a Hessian.
DerivativeProbe ProbeSolids(const Solid& A, const Solid& B) {
  const PreparedPair pair(A, B);
  const Aabb box_A = A.Bounds(), box_B = B.Bounds();
  const double reach = RadiusOf(box_A) + RadiusOf(box_B);
  QueryOptions options;
  options.hessian = true;
  options.bound_distance = false;
  DerivativeProbe probe;
  probe.reason = "no overlap of the solids was found to test the derivatives";
  int overlaps = 0;
  const Pose X_WB{Vector3d::Zero(), {0.8, 0.36, 0.48, 0.0}};
  for (const Vector3d& direction : {Vector3d(0.36, 0.48, 0.8), Vector3d(-0.48, 0.6, 0.64)}) {
    for (int i = kPlaces; i >= 0; --i) {
      Pose X_WA{Vector3d::Zero(), {0.6, 0.0, 0.48, 0.64}};
      X_WA.t = X_WB * MiddleOf(box_B) - X_WA * MiddleOf(box_A) +
               direction * (reach * i / static_cast<double>(kPlaces));
      const Metrics metrics = pair.Query(X_WA, X_WB, options);
      if (!metrics.overlap || metrics.area_normal_W.isZero()) continue;
      if (metrics.hessian_W) return {true, ""};
      if (!metrics.warnings.empty()) probe.reason = metrics.warnings.back();
      if (++overlaps == kMostOverlaps) return probe;
    }
  }
  return probe;
}

DerivativeProbe ProbeDerivatives(const FmuContact& contact) {
  const ContactParameters& parameters = contact.contact.parameters;
  if (contact.contact.point_pair) return {true, ""};
  if (std::holds_alternative<PatchCoulombFriction>(parameters.friction)) {
    return {false, "friction that is integrated over the patch has none"};
  }
  const bool eigenvector = parameters.direction == ContactDirection::kEigenvector;
  if (eigenvector && ContactModel(parameters).Needs().contact_area) {
    return {
        false,
        "the contact plate of a contact along the eigenvector has none; take \"contact_plate\": "
        "false, or the area vector"};
  }
  return ProbeSolids(*contact.A, *contact.B);
}

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
