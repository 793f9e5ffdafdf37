// Solids of files that hold surfaces only.
#pragma once

#include <TopoDS_Shape.hxx>
#include <string>
#include <vector>

namespace volcontact {

/// A compound of the solids that the faces of a shape bound, joined along edges that are nearer to
/// each other than a millionth of its size; a note says so. Throws InvalidInput that names the file
/// where they leave it open, and Standard_Failure, as Open CASCADE does.
TopoDS_Shape SolidsOfSurfaces(const TopoDS_Shape& shape, const std::string& origin,
                              std::vector<std::string>* notes);

}  // namespace volcontact
