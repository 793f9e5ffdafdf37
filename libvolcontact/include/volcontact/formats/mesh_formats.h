// Meshes from 3MF and AMF files.
//
// Component volcontact::formats; the rest of the library does without Expat and minizip.
#pragma once

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Makes ReadSolid, ReadBodies, ReadMesh and ReadMeshBodies also read these files, in their own
/// unit, which is the millimetre if they name none. A file is read as a whole, and its parts are
/// unpacked piece by piece: at most 2 GiB of them. Any number of threads may call it at a time.
///
/// .3mf: the meshes of the objects that are built, each placed by the transformations of its item
/// and components. Parts of other files in the package are read, too (production extension). A file
/// that requires another extension of the geometry is refused; supports are left out with a note.
///
/// .amf: plain or zipped. Each volume of an object is a body. Objects that a constellation holds
/// are where its instances place them. Curved triangles are taken as flat, with a note.
VOLCONTACT_EXPORT void EnableMeshFormats();

VOLCONTACT_NAMESPACE_END
