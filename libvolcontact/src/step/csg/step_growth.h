// Meshes that reach out of the material beside some of the faces.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "step/csg/step_borders.h"
#include "step/csg/step_joints.h"

namespace volcontact {

/// A mesh whose triangles of some faces lie off their surfaces, out of the material, where what is
/// between is to be cut away. All other faces are where they were: vertices of grown faces move
/// along those beside them. Where free-form faces bend there, their deviations grow with it.
struct GrownMesh {
  TriangleMesh mesh;
  std::set<int> faces;  ///< that are grown: of those asked for all that can be
};

/// What a face is grown by.
struct StepReach {
  double height = 0.0;                     ///< over its surface [m]
  std::map<int, StepBorder> borders = {};  ///< to planes into which it goes over
};

/// How far from its border with a plane a grown face begins, relative to the size: so far the plane
/// goes on, which leaves the surface by next to nothing there.
inline constexpr double kStepBorder = 1e-6;

/// Of each face, how far it is to be grown.
GrownMesh GrowFaces(const StepJoints& joints, const TriangleMesh& mesh, std::set<int> faces,
                    const std::vector<StepReach>& reaches);

}  // namespace volcontact
