// The separate pieces of an overlap that is drawn.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "volcontact/display/display.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {

/// The points of the piece with the greatest volume. Triangles with a point in common are of one
/// piece, and so are those whose boxes meet.
std::vector<Eigen::Vector3d> GreatestPiece(const DisplayMesh& overlap);

}  // namespace view
VOLCONTACT_NAMESPACE_END
