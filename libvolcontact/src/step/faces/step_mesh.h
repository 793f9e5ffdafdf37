// Meshes of solids by Open CASCADE, closed along the edges that faces share.
#pragma once

#include <TopoDS_Shape.hxx>

#include "step/step_solid.h"

namespace volcontact {

/// A mesh of the solid [m] that lies within about `deviation` [m] of its faces, with the deviation
/// of each face of it as measured. Vertices on an edge are those of the edge, whatever faces meet
/// there. Without faces where Open CASCADE does not triangulate all of the solid's. Throws
/// Standard_Failure.
StepMesh MeshOfShape(const TopoDS_Shape& solid, double deviation);

}  // namespace volcontact
