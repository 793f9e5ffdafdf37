// What `force` prints.
#pragma once

#include <string>

#include "cli/output.h"
#include "volcontact/forces/contact_model.h"

namespace volcontact::tool {

/// The force with the state in which it acts, and the overlap that it comes from.
void AddForceJson(const ContactForce& force, const ContactState& state, const Metrics& metrics,
                  Json* json);
std::string ForceTable(const ContactForce& force, const ContactState& state,
                       const Metrics& metrics);

}  // namespace volcontact::tool
