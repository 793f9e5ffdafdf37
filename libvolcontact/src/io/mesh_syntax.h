// What mesh files must hold before a library may read them, and the OFF format.
//
// The library that parses the other formats trusts the counts and the order of a header: it asks
// for the memory a false one promises, or writes where no element was declared.
#pragma once

#include <CGAL/Simple_cartesian.h>

#include <string>
#include <string_view>
#include <vector>

namespace volcontact {

using MeshFilePoint = CGAL::Simple_cartesian<double>::Point_3;
using MeshFilePolygon = std::vector<std::size_t>;

/// Throws InvalidInput, naming `origin`, unless the data are those of an STL file that is not
/// truncated.
void CheckStl(std::string_view data, const std::string& origin);

/// Throws InvalidInput unless the data begin with a PLY header that keeps the format's grammar,
/// declares vertices and faces, and promises no more than the data can hold. Lists whose length is
/// given in more than two bytes are refused: a damaged length would exhaust the memory.
void CheckPlyHeader(std::string_view data, const std::string& origin);

/// Reads an ASCII OFF file. False where its syntax is broken; throws InvalidInput for a header that
/// promises more than the data can hold.
bool ReadOff(std::string_view data, const std::string& origin, std::vector<MeshFilePoint>* points,
             std::vector<MeshFilePolygon>* polygons);

}  // namespace volcontact
