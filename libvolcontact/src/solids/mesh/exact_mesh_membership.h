// Exact membership of a rational point in a mesh: a header of its own, because that of rational
// numbers takes the compiler four seconds.
#pragma once

#include <array>

#include "solids/exact/exact_number.h"
#include "solids/exact/truth.h"
#include "solids/mesh/mesh_tree.h"

namespace volcontact {

/// Whether p, in the mesh's frame, lies inside; unknown when it lies on a face. Exact; the cost
/// grows with the faces along a ray.
Truth LocateInMesh(const MeshTree& mesh, const std::array<Rational, 3>& p);

}  // namespace volcontact
