// What mesh files must hold before a library may read them, and the OFF format.
//
// The library that parses the other formats trusts the counts and the order of a header: it asks
// for the memory a false one promises, or writes where no element was declared.
#pragma once

#include <CGAL/Simple_cartesian.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace volcontact {

using MeshFilePoint = CGAL::Simple_cartesian<double>::Point_3;
using MeshFilePolygon = std::vector<std::size_t>;

/// Throws InvalidInput for a header that promises more than a file of so many bytes can hold.
[[noreturn]] void FailMeshCount(const std::string& origin, const std::string& what,
                                std::size_t size);

/// Reads a binary STL file, with the three corners of each triangle; false for an ASCII one. Throws
/// InvalidInput, naming `origin`, for data that are neither, or truncated.
bool ReadBinaryStl(std::string_view data, const std::string& origin,
                   std::vector<MeshFilePoint>* points, std::vector<MeshFilePolygon>* polygons);

/// Reads an ASCII OFF file. False where its syntax is broken; throws InvalidInput for a header that
/// promises more than the data can hold.
bool ReadOff(std::string_view data, const std::string& origin, std::vector<MeshFilePoint>* points,
             std::vector<MeshFilePolygon>* polygons);

}  // namespace volcontact
