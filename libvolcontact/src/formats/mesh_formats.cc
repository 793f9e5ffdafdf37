#include "volcontact/formats/mesh_formats.h"

#include "formats/amf_file.h"
#include "formats/three_mf_file.h"
#include "io/meshes/mesh_bodies.h"

VOLCONTACT_NAMESPACE_BEGIN

void EnableMeshFormats() {
  AddMeshBodiesFormat(".3mf", ParseThreeMf);
  AddMeshBodiesFormat(".amf", ParseAmf);
}

VOLCONTACT_NAMESPACE_END
