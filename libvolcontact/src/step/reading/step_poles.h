// Faces that were to end where they meet their axis.
#pragma once

#include <TopoDS_Solid.hxx>
#include <string>

namespace volcontact {

/// A solid of one face that turns a closed curve about an axis which the curve crosses, as Open
/// CASCADE writes spheroids and tori that cross their axis: files have no edges of them. The part
/// of the curve on one side of the axis is turned instead, if that on the other gives the same. Any
/// other solid is returned as it is. Throws InvalidInput, with the solid by this name, if the two
/// parts differ.
TopoDS_Solid CutAtPoles(const TopoDS_Solid& solid, const std::string& name);

}  // namespace volcontact
