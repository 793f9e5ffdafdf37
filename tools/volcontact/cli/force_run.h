// What the commands of forces between two solids share.
#pragma once

#include <string>
#include <vector>

#include "volcontact/contact/contact_geometry.h"
#include "volcontact/forces/pair_force.h"
#include "volcontact/io/contact_file.h"
#include "volcontact/overlap/metrics.h"
#include "volcontact/overlap/prepared_pair.h"

namespace volcontact::tool {

/// A contact file for two solids: throws InvalidInput, too, for a law that is not volumetric.
ContactFile ReadVolumetricContact(const std::string& params);

/// A warning if the contact goes around a body in these poses, where a force along one direction
/// is wrong; else none. Costs what ChooseDivision costs.
std::vector<std::string> WarningsOfDirection(const Solid& A, const Solid& B, const PosePair& poses);

/// Of all of an answer: those of its metrics, the notes of the files, and what they leave out.
std::vector<std::string> WarningsOf(const Metrics& metrics, const ContactGeometry& geometry,
                                    const std::vector<std::string>& notes);

}  // namespace volcontact::tool
