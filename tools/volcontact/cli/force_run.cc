#include "cli/force_run.h"

#include "volcontact/contact/division.h"

namespace volcontact::tool {

ContactFile ReadVolumetricContact(const std::string& params) {
  ContactFile contact = ReadContactFile(params);
  RequireVolumetric(contact.parameters, params + ": at ");
  return contact;
}

std::vector<std::string> WarningsOfDirection(const Solid& A, const Solid& B,
                                             const PosePair& poses) {
  const ContactDivision division =
      ChooseDivision({DivisionChoice::Kind::kAuto}, A, B, poses.X_WA, poses.X_WB);
  if (division.sectors == 0) return {};
  return {
      "the contact goes around a body, so that its faces push in several directions: the force "
      "along one direction is wrong; simulate divides such a contact into sectors (\"division\" of "
      "a scenario's contact)"};
}

std::vector<std::string> WarningsOf(const Metrics& metrics, const ContactGeometry& geometry,
                                    const std::vector<std::string>& notes) {
  std::vector<std::string> warnings = metrics.warnings;
  warnings.insert(warnings.end(), notes.begin(), notes.end());
  if (metrics.overlap && !geometry.touching) {
    warnings.push_back(
        "the overlap has no direction, for example because one solid lies inside the other: there "
        "is no force");
  }
  return warnings;
}

}  // namespace volcontact::tool
