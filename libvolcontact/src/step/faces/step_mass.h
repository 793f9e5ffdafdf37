// Open CASCADE's mass of a solid, and what of it a file leaves open.
#pragma once

#include <TopoDS_Face.hxx>
#include <TopoDS_Solid.hxx>

#include "step/step_solid.h"

namespace volcontact {

/// How far a spline may be from the surface that it stands for [m].
inline constexpr double kSameAsSpline = 1e-7;

/// Any surface that is no plane, cylinder, cone, sphere or torus by its kind.
bool IsSpline(const TopoDS_Face& face);

/// Tightly, where an exact solid is compared with it: over free-form faces that takes minutes.
StepMass MassOf(const TopoDS_Solid& solid, bool tightly);

/// StepMass::doubt of a solid with this mass. By the divergence theorem a strip along an edge
/// counts with a third of its distance, and each edge has two.
double DoubtOf(const TopoDS_Solid& solid, const StepMass& mass);

/// StepSolid::gap.
double GapOf(const TopoDS_Solid& solid);

}  // namespace volcontact
