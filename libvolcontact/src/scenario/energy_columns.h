// The columns of the energy ledger. C++17, as Simbody's headers are.
#pragma once

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

/// Behind "energy.", in their order.
inline constexpr const char* kEnergyColumns[] = {"kinetic",
                                                 "potential",
                                                 "elastic",
                                                 "dissipated_damping",
                                                 "dissipated_rolling",
                                                 "dissipated_bristle",
                                                 "dissipated_viscous",
                                                 "dissipated_spin",
                                                 "dissipated_clutch",
                                                 "dissipated_separation",
                                                 "dissipated_joint",
                                                 "elastic_work",
                                                 "work",
                                                 "residual"};

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
