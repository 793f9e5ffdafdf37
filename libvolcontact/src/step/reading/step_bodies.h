// Which bodies a file has: the solids of its products, where its assemblies place them.
#pragma once

#include <STEPControl_Reader.hxx>
#include <TopoDS_Shape.hxx>
#include <TopoDS_Solid.hxx>
#include <vector>

#include "step/step_solid.h"

namespace volcontact {

struct StepBodies {
  std::vector<TopoDS_Solid> solids;     ///< each once, in its own frame
  std::vector<StepInstance> instances;  ///< in the order of the file, with names as it has them
};

/// The bodies in `all`, the shape that `reader` made of its file. A body is called as its product;
/// where a product holds several as its solid, if that has a name. A solid that is placed as a
/// mirror image, or scaled, is one of its own. Throws Standard_Failure.
StepBodies BodiesOf(const TopoDS_Shape& all, const STEPControl_Reader& reader);

}  // namespace volcontact
