// Triangulated surfaces of solids, overlaps and patches, as arrays.
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "bindings.h"
#include "input.h"
#include "pair.h"
#include "volcontact/display/display.h"
#include "volcontact/math/error.h"

namespace volcontact::python {
namespace {

Doubles RowsOf(const std::vector<Eigen::Vector3d>& points) {
  Doubles rows({static_cast<py::ssize_t>(points.size()), py::ssize_t{3}});
  double* to = rows.mutable_data();
  for (const Eigen::Vector3d& point : points) to = std::copy_n(point.data(), 3, to);
  return rows;
}

py::array_t<std::int64_t> FacesOf(const std::vector<std::array<std::uint32_t, 3>>& triangles) {
  py::array_t<std::int64_t> faces({static_cast<py::ssize_t>(triangles.size()), py::ssize_t{3}});
  std::int64_t* to = faces.mutable_data();
  for (const std::array<std::uint32_t, 3>& triangle : triangles) {
    to = std::copy(triangle.begin(), triangle.end(), to);
  }
  return faces;
}

py::list Polylines(const std::vector<std::vector<Eigen::Vector3d>>& lines) {
  py::list result;
  for (const std::vector<Eigen::Vector3d>& line : lines) result.append(RowsOf(line));
  return result;
}

// The fields of the package's Surface.
py::dict SurfaceDict(const DisplayMesh& mesh) {
  py::dict result;
  result["vertices"] = RowsOf(mesh.points);
  result["faces"] = FacesOf(mesh.triangles);
  result["normals"] = RowsOf(mesh.normals);
  result["edges"] = Polylines(mesh.edges);
  result["deviation"] = mesh.deviation;
  result["complete"] = mesh.complete;
  return result;
}

DisplayOptions OptionsOf(py::handle deviation, py::handle most_triangles) {
  DisplayOptions options;
  if (!deviation.is_none()) options.deviation = Real(deviation, "deviation");
  const long most = Integer(most_triangles, "most_triangles");
  if (most < 1) {
    throw InvalidInput("most_triangles is " + std::to_string(most) + "; it must be 1 or more");
  }
  options.most_triangles = static_cast<std::size_t>(most);
  return options;
}

Aabb BoxOf(py::handle box) {
  if (box.is_none()) return Aabb::Everything();
  const Doubles corners = ArrayOf(box, "box", {2, 3});
  return {Eigen::Vector3d(corners.data(0, 0)), Eigen::Vector3d(corners.data(1, 0))};
}

py::dict SurfaceOf(const Solid& solid, py::handle deviation, py::handle box,
                   py::handle most_triangles) {
  const DisplayOptions options = OptionsOf(deviation, most_triangles);
  const Aabb clip = BoxOf(box);
  DisplayMesh mesh;
  {
    const py::gil_scoped_release release;
    mesh = DisplaySurface(solid, options, clip);
  }
  return SurfaceDict(mesh);
}

Pose OnePose(py::handle value, const char* name) {
  const Rows<Pose> poses = Poses(value, name);
  if (poses.shape.empty()) return poses[0];
  throw InvalidInput(std::string(name) + " has the leading shape " + Text(poses.shape) +
                     "; a surface is drawn for one pair of poses");
}

struct DrawnOverlap {
  OverlapDisplay overlap;
  PatchDisplay patch;
};

DrawnOverlap Draw(const Pair& pair, py::handle X_WA, py::handle X_WB, py::handle deviation,
                  py::handle most_triangles, bool with_patch) {
  const DisplayOptions options = OptionsOf(deviation, most_triangles);
  const Pose pose_A = OnePose(X_WA, "X_WA"), pose_B = OnePose(X_WB, "X_WB");
  const py::gil_scoped_release release;
  DrawnOverlap drawn = {DisplayOverlap(pair.A, pose_A, pair.B, pose_B, options), {}};
  if (!with_patch || drawn.overlap.mesh.triangles.empty()) return drawn;
  const Metrics metrics = pair.prepared.Query(pose_A, pose_B);
  if (metrics.normal_W.norm() > 0.0) drawn.patch = DisplayPatch(drawn.overlap, metrics.normal_W);
  return drawn;
}

py::dict OverlapSurface(const Pair& pair, py::handle X_WA, py::handle X_WB, py::handle deviation,
                        py::handle most_triangles) {
  const OverlapDisplay overlap = Draw(pair, X_WA, X_WB, deviation, most_triangles, false).overlap;
  py::dict result = SurfaceDict(overlap.mesh);
  py::array_t<std::int8_t> owners(static_cast<py::ssize_t>(overlap.owners.size()));
  std::transform(overlap.owners.begin(), overlap.owners.end(), owners.mutable_data(),
                 [](DisplayOwner owner) { return static_cast<std::int8_t>(owner); });
  result["owners"] = owners;
  result["arcs"] = Polylines(overlap.arcs);
  return result;
}

py::dict PatchSurface(const Pair& pair, py::handle X_WA, py::handle X_WB, py::handle deviation,
                      py::handle most_triangles) {
  const PatchDisplay patch = Draw(pair, X_WA, X_WB, deviation, most_triangles, true).patch;
  py::dict result = SurfaceDict(patch.mesh);
  result["heights"] = Doubles(static_cast<py::ssize_t>(patch.heights.size()), patch.heights.data());
  return result;
}

}  // namespace

void BindSurfaces(py::module_* module) {
  module->def("_surface", &SurfaceOf);
  module->def("_overlap_surface", &OverlapSurface);
  module->def("_patch_surface", &PatchSurface);
}

}  // namespace volcontact::python
