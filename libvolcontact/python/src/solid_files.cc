// Files of solids and meshes, and what is wrong with a mesh.
#include <pybind11/stl.h>

#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "bindings.h"
#include "input.h"
#if VOLCONTACT_HAS_FORMATS
#include "volcontact/formats/mesh_formats.h"
#endif
#include "volcontact/io/mesh_file.h"
#include "volcontact/io/solid_file.h"
#include "volcontact/solids/mesh_check.h"
#include "volcontact/solids/mesh_repair.h"
#if VOLCONTACT_HAS_STEP
#include "volcontact/step/step_file.h"
#endif

namespace volcontact::python {
namespace {

py::tuple MeshTuple(const TriangleMesh& mesh) {
  const auto n = static_cast<py::ssize_t>(mesh.vertices.size());
  const auto m = static_cast<py::ssize_t>(mesh.faces.size());
  const py::array_t<double> vertices({n, py::ssize_t{3}},
                                     reinterpret_cast<const double*>(mesh.vertices.data()));
  const py::array_t<int> faces({m, py::ssize_t{3}},
                               reinterpret_cast<const int*>(mesh.faces.data()));
  return py::make_tuple(vertices, faces);
}

py::tuple FileTuple(const SolidFile& file) {
  return py::make_tuple(file.solid, file.name, file.notes);
}

py::dict ReportDict(const MeshReport& report) {
  py::dict result, counts;
  py::list defects, shells;
  for (std::size_t kind = 0; kind < kDefectKinds; ++kind) {
    if (report.counts[kind] == 0) continue;
    counts[py::str(std::string(DefectKindName(static_cast<DefectKind>(kind))))] =
        report.counts[kind];
  }
  for (const MeshDefect& defect : report.defects) {
    py::dict entry;
    entry["kind"] = std::string(DefectKindName(defect.kind));
    entry["message"] = defect.message;
    entry["faces"] = defect.faces;
    entry["vertices"] = defect.vertices;
    defects.append(entry);
  }
  for (const MeshShell& shell : report.shells) {
    py::dict entry;
    entry["faces"] = shell.faces;
    entry["closed"] = shell.closed;
    entry["oriented"] = shell.oriented;
    entry["volume"] = shell.volume;
    entry["depth"] = shell.depth;
    entry["parent"] = shell.parent;
    shells.append(entry);
  }
  result["ok"] = report.ok();
  result["vertices"] = report.vertices;
  result["faces"] = report.faces;
  result["closed"] = report.closed;
  result["oriented"] = report.oriented;
  result["volume"] = py::none();
  if (report.mass) result["volume"] = report.mass->volume;
  result["counts"] = counts;
  result["defects"] = defects;
  result["shells"] = shells;
  result["notes"] = report.notes;
  return result;
}

// A distance, or None for the reader's own.
double Deviation(py::handle value) {
  if (value.is_none()) return 0.0;
  const double deviation = Real(value, "deviation");
  if (!(deviation > 0.0 && std::isfinite(deviation))) {
    throw InvalidInput("deviation: must be a distance above 0");
  }
  return deviation;
}

ReadOptions OptionsOf(py::handle units, py::handle override_units, py::handle body,
                      py::handle deviation) {
  ReadOptions options;
  options.units = TextOf(units, "units");
  options.override_units = Truth(override_units, "override_units");
  options.body = TextOf(body, "body");
  options.deviation = Deviation(deviation);
  return options;
}

py::dict BodyDict(const SolidBody& body) {
  py::dict result;
  result["number"] = body.number;
  result["name"] = body.name;
  result["solid"] = body.solid ? py::cast(*body.solid) : py::none();
  result["exact"] = body.exact;
  result["hybrid"] = body.mesh.has_value();
  result["why"] = body.why;
  result["deviation"] = body.deviation;
  result["volume"] = body.volume;
  result["centroid"] = py::array_t<double>(3, body.centroid.data());
  return result;
}

}  // namespace

void BindSolidFiles(py::module_* module) {
#if VOLCONTACT_HAS_STEP
  EnableStepFiles();
#endif
#if VOLCONTACT_HAS_FORMATS
  EnableMeshFormats();
#endif
  module->def("_read_solid", [](py::handle path, bool accept_defects, py::handle units,
                                py::handle override_units, py::handle body, py::handle deviation) {
    ReadOptions options = OptionsOf(units, override_units, body, deviation);
    options.accept_defects = accept_defects;
    return FileTuple(ReadSolid(TextOf(path, "path"), options));
  });
  module->def("_read_bodies", [](py::handle path, py::handle units, py::handle override_units,
                                 py::handle body, py::handle deviation) {
    const ReadOptions options = OptionsOf(units, override_units, body, deviation);
    py::list bodies;
    for (const SolidBody& each : ReadBodies(TextOf(path, "path"), options)) {
      bodies.append(BodyDict(each));
    }
    return bodies;
  });
  module->def("_read_mesh", [](py::handle path, py::handle scale) {
    std::optional<double> metres;
    if (!scale.is_none()) metres = Real(scale, "scale");
    const MeshFile file = ReadMesh(TextOf(path, "path"), metres);
    return py::make_tuple(MeshTuple(file.mesh), file.notes);
  });
  module->def("_metres_per_unit",
              [](py::handle units) { return MetresPerUnit(TextOf(units, "units")); });
  module->def("_write_mesh", [](py::handle path, py::handle vertices, py::handle faces,
                                py::handle metres_per_unit) {
    TriangleMesh mesh = MeshOf(vertices, faces);
    const double scale = Real(metres_per_unit, "metres_per_unit");
    for (Eigen::Vector3d& vertex : mesh.vertices) vertex /= scale;
    WriteMesh(TextOf(path, "path"), mesh);
  });
  module->def("_check_mesh", [](py::handle vertices, py::handle faces) {
    const TriangleMesh mesh = MeshOf(vertices, faces);
    MeshReport report;
    {
      const py::gil_scoped_release release;
      report = CheckMesh(mesh);
    }
    return ReportDict(report);
  });
  module->def("_repair_mesh", [](py::handle vertices, py::handle faces) {
    const TriangleMesh mesh = MeshOf(vertices, faces);
    RepairResult result;
    {
      const py::gil_scoped_release release;
      result = RepairMesh(mesh);
    }
    return py::make_tuple(MeshTuple(result.mesh), result.changes);
  });
}

}  // namespace volcontact::python
