// The mass of unions, by inclusion and exclusion.
#pragma once

#include <functional>
#include <optional>

#include "overlap/frame/raw_answer.h"
#include "overlap/query/regions/workspace.h"
#include "volcontact/overlap/options.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

/// The integrals over a solid without outer poses, in its frame.
using IntegrateSolid = std::function<RawAnswer(const Solid& solid)>;

/// The integrals over a union: those over its members, less those over what two of them have in
/// common. What three of them may have in common is an error; none where that is more than the
/// tolerance, and for solids that are no union. For bodies of several parts that touch, or of which
/// two at a time overlap, with a mesh among them.
std::optional<RawAnswer> SumUnion(const Solid& solid, const IntegrateSolid& integrate,
                                  const QueryOptions& options, Workspace* workspace);

}  // namespace volcontact
