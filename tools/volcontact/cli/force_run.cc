#include "cli/force_run.h"

#include <fmt/format.h>

#include <charconv>

#include "volcontact/math/error.h"

namespace volcontact::tool {

ContactFile ReadVolumetricContact(const std::string& params) {
  ContactFile contact = ReadContactFile(params);
  RequireVolumetric(contact.parameters, params + ": at ");
  return contact;
}

ContactDivision DivisionNamed(const std::string& text, const Solid& A, const Solid& B,
                              const PosePair& poses) {
  DivisionChoice choice;
  if (text == "auto") {
    choice.kind = DivisionChoice::Kind::kAuto;
  } else if (text != "none") {
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), choice.sectors);
    if (error != std::errc() || end != text.data() + text.size() || choice.sectors < 3 ||
        choice.sectors > kMostSectors) {
      throw InvalidInput(
          fmt::format("--division: \"{}\" is no division; give 3 to {} sectors, "
                      "auto or none",
                      text, kMostSectors));
    }
    choice.kind = DivisionChoice::Kind::kSectors;
  }
  return ChooseDivision(choice, A, B, poses.X_WA, poses.X_WB);
}

std::vector<std::string> WarningsOf(const Metrics& metrics, const ForceAnswer& answer,
                                    const std::vector<std::string>& notes) {
  std::vector<std::string> warnings = metrics.warnings;
  warnings.insert(warnings.end(), notes.begin(), notes.end());
  if (metrics.overlap && !answer.geometry.touching) {
    warnings.push_back(
        "the overlap has no direction, for example because one solid lies inside the other: there "
        "is no force");
  }
  if (!answer.direction_fault.empty()) warnings.push_back(answer.direction_fault);
  return warnings;
}

}  // namespace volcontact::tool
