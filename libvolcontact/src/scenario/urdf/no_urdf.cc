// In the place of what reads URDF files, where the library was built without urdfdom.
#include "scenario/urdf/urdf_scenario.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

nlohmann::json WithUrdf(const nlohmann::json& scenario, const std::string& origin) {
  if (!scenario.contains("urdf")) return scenario;
  throw InvalidInput(origin +
                     ": names a URDF, which this build cannot read, because it lacks urdfdom; "
                     "install liburdfdom-dev and build with -DVOLCONTACT_URDF=ON");
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
