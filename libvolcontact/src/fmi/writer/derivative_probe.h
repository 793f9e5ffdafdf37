// Whether a contact has derivatives: an FMU says so once and for all.
#pragma once

#include <string>

#include "fmi/fmu_contact.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {

struct DerivativeProbe {
  bool provided = false;
  std::string reason;  ///< why not
};

/// Looks for overlaps of the solids in awkward poses, and whether these have a Hessian.
DerivativeProbe ProbeDerivatives(const FmuContact& contact);

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
