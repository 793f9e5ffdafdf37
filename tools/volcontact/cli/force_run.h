// What the commands of forces between two solids share.
#pragma once

#include <string>
#include <vector>

#include "volcontact/contact/division.h"
#include "volcontact/forces/pair_force.h"
#include "volcontact/io/contact_file.h"
#include "volcontact/overlap/metrics.h"
#include "volcontact/overlap/prepared_pair.h"

namespace volcontact::tool {

/// A contact file for two solids: throws InvalidInput, too, for a law that is not volumetric.
ContactFile ReadVolumetricContact(const std::string& params);

/// The division that --division names for two solids in these poses: "auto", "none" or a number of
/// sectors. Throws InvalidInput for anything else.
ContactDivision DivisionNamed(const std::string& text, const Solid& A, const Solid& B,
                              const PosePair& poses);

/// All warnings of an answer: those of its metrics, the notes of the files, what they leave out,
/// and a wrong direction.
std::vector<std::string> WarningsOf(const Metrics& metrics, const ForceAnswer& answer,
                                    const std::vector<std::string>& notes);

}  // namespace volcontact::tool
