// Solids of which some faces are exact and the others triangles.
#pragma once

#include <optional>

#include "step/csg/step_csg.h"
#include "step/step_solid.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

struct StepHybrid {
  Solid solid;
  int exact = 0;           ///< curved faces that are
  double deviation = 0.0;  ///< of all other curved ones, the greatest [m]
};

/// The mesh with as many cylinders, cones, spheres and tori as can be cut to their exact shape:
/// beside each of them the mesh reaches out of the material by some deviations, and what is between
/// is cut away by the surface. Such a cut is limited by the exact surfaces that meet the face in
/// concave edges, where it goes over into a plane by one across it, and by a box, and must not
/// reach the solid anywhere else. So faces stay triangles that are tangent to others but planes
/// along lines, or meet free-form ones in a concave edge. The planes are exact as they are. Nothing
/// where no curved face is exact, or that is not certain: the solid must have the mass that Open
/// CASCADE gives, to what the deviations of the other faces leave open, and hold the points that
/// Open CASCADE says are inside.
std::optional<StepHybrid> HybridSolid(const StepSolid& step, const StepMesh& mesh,
                                      const StepClassifier& classify);

}  // namespace volcontact
