// Whether the size of a part suggests another unit than the metre.
#pragma once

#include <string>
#include <vector>

#include "volcontact/math/aabb.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact {

/// Adds a note, beginning with `origin`, where a part whose file says nothing of its unit, and
/// which was therefore taken in metres, is longer than 2 m or shorter than 0.1 mm. Unbounded parts
/// have no size.
void NoteImplausibleSize(const Aabb& bounds, const std::string& origin,
                         std::vector<std::string>* notes);
void NoteImplausibleSize(const TriangleMesh& mesh, const std::string& origin,
                         std::vector<std::string>* notes);

}  // namespace volcontact
