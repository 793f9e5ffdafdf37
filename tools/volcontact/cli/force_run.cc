#include "cli/force_run.h"

namespace volcontact::tool {

ContactFile ReadVolumetricContact(const std::string& params) {
  ContactFile contact = ReadContactFile(params);
  RequireVolumetric(contact.parameters, params + ": at ");
  return contact;
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
