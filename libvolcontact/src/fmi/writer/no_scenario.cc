// In the place of what exports scenarios, where the library was built without Simbody.
#include "volcontact/fmi/export_fmu.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {

FmuReport ExportScenarioFmu(const std::filesystem::path& scenario_file,
                            const std::filesystem::path& /*fmu*/,
                            const ScenarioFmuOptions& /*options*/) {
  throw InvalidInput(
      scenario_file.string() +
      ": is a scenario, and this build cannot export scenarios, because it lacks Simbody; build "
      "with -DVOLCONTACT_SIMBODY=ON, or export its contacts one by one");
}

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
