// Surfaces that part what the surfaces of faces do not; see StepSolid::separators.
#pragma once

#include <BRepAdaptor_Surface.hxx>
#include <TopoDS_Face.hxx>
#include <TopoDS_Solid.hxx>
#include <vector>

#include "step/step_solid.h"

namespace volcontact {

/// Adds what parts the surface of a face, of which `known` has the axes and radii, along the bounds
/// of its parameters; along the edges of one that is another kind of surface in the file.
void AddSeparators(const TopoDS_Face& face, const BRepAdaptor_Surface& surface,
                   const StepFace& known, std::vector<StepFace>* separators);

/// Adds the planes of edges that are circles, ellipses and plane splines.
void AddPlanesOfEdges(const TopoDS_Solid& solid, std::vector<StepFace>* separators);

}  // namespace volcontact
