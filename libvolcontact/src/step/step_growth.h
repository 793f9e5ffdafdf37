// Meshes that reach out of the material beside some of the faces.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "step/step_joints.h"

namespace volcontact {

/// A mesh whose triangles of some faces lie off their surfaces, out of the material, where what is
/// between is to be cut away. All other faces are where they were: vertices of grown faces move
/// along those beside them. Where free-form faces bend there, their deviations grow with it.
struct GrownMesh {
  TriangleMesh mesh;
  std::set<int> faces;  ///< that are grown: of those asked for all that can be
};

/// `reaches` says how far each face is to be grown [m].
GrownMesh GrowFaces(const StepJoints& joints, const TriangleMesh& mesh, std::set<int> faces,
                    const std::vector<double>& reaches);

}  // namespace volcontact
