// Boxes around the faces of a solid whose edges are known.
#pragma once

#include <optional>
#include <vector>

#include "overlap/arcs/edges/edges.h"
#include "overlap/arcs/edges/torus_seams.h"
#include "overlap/cells/cell.h"
#include "overlap/frame/local_problem.h"
#include "solids/implicit/implicit_solid.h"

namespace volcontact {

/// By surface, a box in the cube around all faces that a bounded solid has on it; none where it has
/// no faces, as on planes that only separate others. The farthest points of a face on a plane, a
/// cylinder or a cone lie on its edges, or are the apex; faces on other surfaces lie in the box of
/// the whole surface. `boxes`: around the pieces of the edges. Cost: linear in surfaces and edges.
std::vector<std::optional<Cell>> FaceBoxes(const LocalProblem& problem,
                                           const std::vector<SurfaceKind>& kinds,
                                           const TorusSeams& seams, const Edges& edges,
                                           const std::vector<Cell>& boxes);

}  // namespace volcontact
