// Solids, their mass properties, and the check of meshes.
#include <limits>
#include <string>
#include <vector>

#include "c/c_support.h"
#include "volcontact/io/solid_file.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/solids/mesh_check.h"
#include "volcontact/solids/triangle_mesh.h"
#include "volcontact/version.h"

struct vc_mesh_report {
  struct Defect {
    std::string kind, message;
  };
  vc_mesh_summary summary;
  std::vector<Defect> defects;
};

namespace volcontact::c {
namespace {

TriangleMesh ToMesh(const double* vertices, std::size_t vertex_count, const int* faces,
                    std::size_t face_count) {
  TriangleMesh mesh;
  if (vertex_count > 0) Required(vertices, "vertices");
  if (face_count > 0) Required(faces, "faces");
  // A count beyond this is a negative number on its way to size_t.
  constexpr std::size_t kMostElements = std::numeric_limits<int>::max();
  if (vertex_count > kMostElements || face_count > kMostElements) {
    throw InvalidInput("the mesh has more vertices or faces than " + std::to_string(kMostElements));
  }
  mesh.vertices.reserve(vertex_count);
  mesh.faces.reserve(face_count);
  for (std::size_t i = 0; i < vertex_count; ++i) {
    mesh.vertices.push_back(ToVector(vertices + 3 * i));
  }
  for (std::size_t i = 0; i < face_count; ++i) {
    mesh.faces.push_back({faces[3 * i], faces[3 * i + 1], faces[3 * i + 2]});
  }
  return mesh;
}

vc_mesh_report ToC(const MeshReport& from) {
  vc_mesh_report to{{}, {}};
  to.summary.sound = from.ok();
  to.summary.closed = from.closed;
  to.summary.oriented = from.oriented;
  to.summary.shells = from.shells.size();
  for (const std::size_t count : from.counts) to.summary.defects += count;
  to.summary.listed = from.defects.size();
  to.summary.mass_known = from.mass.has_value();
  if (from.mass) {
    to.summary.volume = from.mass->volume;
    Store(from.mass->centroid, to.summary.centroid);
    Store(from.mass->inertia, to.summary.inertia);
  }
  for (const MeshDefect& defect : from.defects) {
    to.defects.push_back({std::string(DefectKindName(defect.kind)), defect.message});
  }
  return to;
}

vc_mass ToC(const MassProperties& from) {
  vc_mass to = {};
  StoreVolume(from, &to);
  Store(from.principal_moments, to.principal_moments);
  Store(from.principal_axes, to.principal_axes);
  return to;
}

}  // namespace
}  // namespace volcontact::c

using namespace volcontact::c;

const char* vc_version(void) { return volcontact::LibraryVersion(); }

vc_status vc_solid_read(const char* file, vc_solid** solid) {
  return Created(solid, "solid",
                 [&] { return volcontact::ReadSolid(&Required(file, "file")).solid; });
}

vc_status vc_solid_parse(const char* json, vc_solid** solid) {
  return Created(solid, "solid", [&] {
    return volcontact::ParseSolidJson(&Required(json, "json"), "the text").solid;
  });
}

vc_status vc_solid_mesh(const double* vertices, size_t vertex_count, const int* faces,
                        size_t face_count, vc_solid** solid) {
  return Created(solid, "solid", [&] {
    return volcontact::Mesh(ToMesh(vertices, vertex_count, faces, face_count));
  });
}

void vc_solid_free(vc_solid* solid) { delete solid; }

vc_status vc_solid_mass(const vc_solid* solid, const vc_options* options, vc_mass* mass) {
  return Guarded([&] {
    const std::size_t size = RoomFor(mass, "mass");
    const volcontact::MassProperties result =
        volcontact::ComputeMassProperties(Required(solid, "solid").solid, ToOptions(options));
    const vc_mass answer = ToC(result);
    Answer(answer, size, mass);
    if (answer.converged != 0) return VC_OK;
    return Failed(VC_NOT_CONVERGED, "the tolerance was not reached; see volume_error");
  });
}

vc_status vc_mesh_check(const double* vertices, size_t vertex_count, const int* faces,
                        size_t face_count, vc_mesh_report** report) {
  return Created(report, "report", [&] {
    return ToC(volcontact::CheckMesh(ToMesh(vertices, vertex_count, faces, face_count)));
  });
}

void vc_mesh_report_free(vc_mesh_report* report) { delete report; }

vc_status vc_mesh_report_summary(const vc_mesh_report* report, vc_mesh_summary* summary) {
  return Guarded([&] {
    Answer(Required(report, "report").summary, RoomFor(summary, "summary"), summary);
    return VC_OK;
  });
}

vc_status vc_mesh_report_defect(const vc_mesh_report* report, size_t index,
                                vc_mesh_defect* defect) {
  return Guarded([&] {
    const auto& defects = Required(report, "report").defects;
    if (index >= defects.size()) {
      throw volcontact::InvalidInput("index " + std::to_string(index) + " is beyond the " +
                                     std::to_string(defects.size()) + " defects listed");
    }
    const vc_mesh_defect answer = {0, defects[index].kind.c_str(), defects[index].message.c_str()};
    Answer(answer, RoomFor(defect, "defect"), defect);
    return VC_OK;
  });
}
