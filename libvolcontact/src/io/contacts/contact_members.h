// The contact parameters within a larger object, as in a scenario.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/json/json_cursor.h"
#include "volcontact/contact/contact_shape_spec.h"
#include "volcontact/export.h"
#include "volcontact/io/contact_file.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN
/// Reads the members of a contact file from an object. The caller checks for others. `automatic`
/// [N/m³] stands for a volumetric "stiffness": "auto", which is refused without it.
VOLCONTACT_EXPORT ContactFile ReadContactMembers(const JsonCursor& input,
                                                 std::optional<double> automatic = std::nullopt);

/// Whether the normal law of a contact asks for a stiffness to be chosen.
VOLCONTACT_EXPORT bool IsAutomatic(const JsonCursor& normal);

/// The deflection, twist and dwell of an object that may have other members.
VOLCONTACT_EXPORT FrictionState ReadFrictionMembers(const JsonCursor& input);

/// The member "geometry" of a contact: a point pair with its frames, or how the overlap of solids
/// is found and divided.
VOLCONTACT_EXPORT void ReadContactShapes(const JsonCursor& input, ContactShapeSpec* contact);

/// The solid of a body, given as such or as {"file", "units"}; files are looked for in the source's
/// folder. What its reader remarks joins the notes.
VOLCONTACT_EXPORT Solid ReadSolidMember(const JsonCursor& input, std::vector<std::string>* notes);

VOLCONTACT_NAMESPACE_END
