// The room `fmi`: contacts and scenarios for tools that import FMUs (Functional Mock-up Interface
// 2.0 and 3.0). Here: what the FMU of a contact is made of, for model exchange, which its writer
// and the library inside it agree on; in `scenario` that of a scenario, for co-simulation. `writer`
// makes FMUs. The libraries inside, with the standard's functions, are `exchange` and
// `cosimulation`; `runtime` is what they share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/json/json_cursor.h"
#include "volcontact/export.h"
#include "volcontact/math/pose.h"
#include "volcontact/scenario/scenario.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {

/// The file in an FMU's resources that says what it is, with these two members; files that the
/// contact names lie beside it.
inline constexpr char kFmuFile[] = "contact.json";
inline constexpr char kTokenKey[] = "instantiation_token";
inline constexpr char kContactKey[] = "contact";

/// A contact by itself: two solids, or a point pair, and their laws.
struct FmuContact {
  std::optional<Solid> A, B;  ///< without a point pair
  /// Point pair and frames, or tolerance; parameters. Its bodies are A and B.
  scenario::ContactSpec contact;
  Pose X_WA, X_WB;  ///< at the start, where the importer says nothing else
  std::vector<std::string> notes;
};

/// Reads the members of a contact file, and "solid_a", "solid_b", "geometry", "pose_a", "pose_b",
/// "name". Throws InvalidInput that names the file, the place in it and the cure.
FmuContact ReadFmuContact(const JsonCursor& input);

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
