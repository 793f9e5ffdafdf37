// What `force` prints.
#pragma once

#include <string>
#include <vector>

#include "cli/output.h"
#include "volcontact/forces/pair_force.h"

namespace volcontact::tool {

/// The force with the state in which it acts, and the overlap that it comes from.
void AddForceJson(const ContactForce& force, const ContactState& state, const Metrics& metrics,
                  Json* json);
std::string ForceTable(const ContactForce& force, const ContactState& state,
                       const Metrics& metrics);
/// The same for the sum over the pieces of a divided contact, which have states of their own.
void AddDividedForceJson(const ContactForce& total, const std::vector<ForceAnswer>& pieces,
                         const Metrics& metrics, Json* json);
std::string DividedForceTable(const ContactForce& total, const Metrics& metrics);

}  // namespace volcontact::tool
