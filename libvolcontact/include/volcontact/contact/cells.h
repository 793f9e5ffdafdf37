// Solids as sets of disjoint cells.
#pragma once

#include <vector>

#include "volcontact/export.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The disjoint cells that make up a solid (Gonthier 2007, App. A.4), in the solid's frame.
///
/// The cells of a union are its children, each less those before it: cell i is the part of child i
/// that no earlier child holds, empty if there is none. A child that is a union of its own is one
/// cell, so that unions within a union group what belongs together; only around a single child they
/// are looked through. Any other solid is one cell.
///
/// A child that PreparedPair::Overlaps finds clear of all earlier ones is a cell as it stands: it
/// stays convex, or a mesh, if it is one, and quick to query. Children that do overlap need the
/// general method, which for meshes may take seconds; where speed counts, join parts face to face.
/// Costs an overlap test for every two children whose bounding boxes meet. Throws InvalidInput for
/// children that cannot be compiled, as PreparedPair does. Any number of threads may call it at a
/// time.
VOLCONTACT_EXPORT std::vector<Solid> DisjointCells(const Solid& solid);

VOLCONTACT_NAMESPACE_END
