// The room `writer`: makes FMUs. Here: modelDescription.xml.
#pragma once

#include <string>
#include <vector>

#include "fmi/fmu_variables.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {

struct ModelDescription {
  int version = 2;
  /// True for a scenario, which steps by the FMU's own integrator. Otherwise model exchange.
  bool cosimulation = false;
  std::string description;
  bool structured_names = true;  ///< by the standard's structured naming convention
  double stop_time = 1.0;        ///< of the default experiment [s]
  std::string model_name, model_identifier, token;
  bool directional_derivatives = false;
  std::vector<FmuVariable> variables;
};

/// The text of modelDescription.xml by the standard of that version.
std::string XmlOf(const ModelDescription& model);

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
