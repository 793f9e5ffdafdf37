// Surfaces that touch a torus along a circle: the plane and the cylinder of a fillet, a ball in its
// race.
#pragma once

#include "overlap/arcs/edges/torus_seams.h"
#include "overlap/frame/local_problem.h"
#include "overlap/frame/surface_set.h"

namespace volcontact {

/// Notes in the problem, localized from the set, how far each torus of its expression is from
/// touching another surface along a circle and crossing it nowhere: surfaces of revolution about
/// its axis (planes across it, quadrics, other tori), and spheres that fill its tube
/// (docs/theory.md). `tori`: those of the set.
void FindTorusTouches(const SurfaceSet& set, const TorusSeams& tori, LocalProblem* problem);

}  // namespace volcontact
