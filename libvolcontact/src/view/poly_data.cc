#include "view/poly_data.h"

#include <fmt/format.h>

#include <algorithm>

#include "view/arrow_shape.h"
#include "view/vtk_xml.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {
namespace {

using Eigen::Vector3d;

void Append(const Vector3d& v, std::vector<double>* values) {
  values->insert(values->end(), v.data(), v.data() + 3);
}

template <class T>
std::vector<T> Joined(const std::vector<T>& a, const std::vector<T>& b, const std::vector<T>& c) {
  std::vector<T> all = a;
  all.insert(all.end(), b.begin(), b.end());
  all.insert(all.end(), c.begin(), c.end());
  return all;
}

}  // namespace

void PolyData::Begin(const std::string& kind, const std::string& label) {
  const auto known = std::find(kinds_.begin(), kinds_.end(), kind);
  kind_ = static_cast<std::int32_t>(known - kinds_.begin());
  if (known == kinds_.end()) kinds_.push_back(kind);
  items_.push_back(label);
}

void PolyData::CloseCell(Cells* cells, int owner) {
  cells->ends.push_back(static_cast<std::int64_t>(cells->points.size()));
  cells->kinds.push_back(kind_);
  cells->items.push_back(static_cast<std::int32_t>(items_.size()) - 1);
  cells->owners.push_back(owner);
}

std::int64_t PolyData::AddMeshPoints(const DisplayMesh& mesh, const Pose& X) {
  const auto first = static_cast<std::int64_t>(heights_.size());
  const Eigen::Matrix3d R = X.Rotation();
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    Append(R * mesh.points[i] + X.t, &points_);
    const Vector3d n = R * mesh.normals[i];
    for (int k = 0; k < 3; ++k) normals_.push_back(static_cast<float>(n[k]));
  }
  heights_.resize(heights_.size() + mesh.points.size(), kNone);
  pressures_.resize(heights_.size(), kNone);
  return first;
}

void PolyData::AddTriangles(const DisplayMesh& mesh, const Pose& X,
                            const std::vector<DisplayOwner>* owners) {
  const std::int64_t first = AddMeshPoints(mesh, X);
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    for (const std::uint32_t point : mesh.triangles[i]) polys_.points.push_back(first + point);
    CloseCell(&polys_, owners != nullptr ? static_cast<int>((*owners)[i]) : -1);
  }
}

void PolyData::AddPolyline(const std::vector<Vector3d>& line, const Pose& X) {
  if (line.size() < 2) return;
  DisplayMesh mesh;
  mesh.points = line;
  mesh.normals.resize(line.size(), Vector3d::Zero());
  const std::int64_t first = AddMeshPoints(mesh, X);
  for (std::size_t i = 0; i < line.size(); ++i) {
    lines_.points.push_back(first + static_cast<std::int64_t>(i));
  }
  CloseCell(&lines_, -1);
}

void PolyData::AddBody(const BodyItem& body, const Pose& X_WB) {
  Begin("solid", body.name);
  AddTriangles(body.mesh, X_WB, nullptr);
  if (body.mesh.edges.empty()) return;
  Begin("edges", body.name);
  for (const auto& line : body.mesh.edges) AddPolyline(line, X_WB);
}

void PolyData::AddOverlap(const OverlapItem& overlap) {
  Begin("overlap", overlap.label);
  AddTriangles(overlap.display.mesh, {}, &overlap.display.owners);
}

void PolyData::AddPatch(const PatchItem& patch) {
  Begin("patch", patch.label);
  const std::size_t first = heights_.size();
  AddTriangles(patch.display.mesh, {}, nullptr);
  for (std::size_t i = 0; i < patch.display.heights.size(); ++i) {
    heights_[first + i] = patch.display.heights[i];
    if (patch.pressure_per_height > 0.0) {
      pressures_[first + i] = patch.pressure_per_height * patch.display.heights[i];
    }
  }
  Append(patch.normal, &patch_normals_);
}

void PolyData::AddPoint(const PointItem& point) {
  Begin(point.kind, point.label);
  DisplayMesh mesh;
  mesh.points = {point.position};
  mesh.normals = {Vector3d::Zero()};
  verts_.points.push_back(AddMeshPoints(mesh, {}));
  CloseCell(&verts_, -1);
}

void PolyData::AddLines(const LinesItem& lines) {
  Begin(lines.kind, lines.label);
  for (const auto& line : lines.lines) AddPolyline(line, {});
}

void PolyData::AddArrow(const ArrowItem& arrow, std::size_t time) {
  if (arrow.vectors.empty()) return;
  const std::size_t at = std::min(time, arrow.vectors.size() - 1);
  const Vector3d& v = arrow.vectors[at];
  Append(arrow.points[at], &arrow_points_);
  Append(v, &arrow_vectors_);
  arrow_labels_.push_back(arrow.label);
  arrow_units_.push_back(arrow.unit);
  Begin(arrow.quantity, arrow.label);
  const double length = DrawnLength(arrow, v);
  if (!(length > 0.0)) return;
  DisplayMesh shape = UnitArrow(arrow.quantity == "torque");
  for (Vector3d& p : shape.points) p *= length;
  AddTriangles(shape, {arrow.points[at], TurnOfZ(v, {1.0, 0.0, 0.0, 0.0})}, nullptr);
}

void PolyData::AddScene(const Scene& scene, std::size_t time, Which which) {
  const bool moving = which != Which::kStaying, staying = which != Which::kMoving;
  for (const BodyItem& body : scene.bodies) {
    if (body.motion.empty() ? staying : moving) {
      AddBody(body, body.motion.empty() ? body.X_WB : body.motion[time]);
    }
  }
  for (const ArrowItem& arrow : scene.arrows) {
    if (arrow.vectors.size() > 1 ? moving : staying) AddArrow(arrow, time);
  }
  if (!staying) return;
  for (const OverlapItem& overlap : scene.overlaps) AddOverlap(overlap);
  for (const PatchItem& patch : scene.patches) AddPatch(patch);
  for (const PointItem& point : scene.points) AddPoint(point);
  for (const LinesItem& lines : scene.lines) AddLines(lines);
}

std::string PolyData::Text(const double* time) const {
  AppendedData data;
  std::string field = "<FieldData>\n" + data.Texts("kinds", kinds_) + data.Texts("items", items_);
  if (time != nullptr) field += data.Array("TimeValue", 1, std::vector<double>{*time});
  if (!patch_normals_.empty()) field += data.Array("patch_normals", 3, patch_normals_);
  if (!arrow_vectors_.empty()) {
    field += data.Array("arrow_points", 3, arrow_points_) +
             data.Array("arrow_vectors", 3, arrow_vectors_) +
             data.Texts("arrow_labels", arrow_labels_) + data.Texts("arrow_units", arrow_units_);
  }
  field += "</FieldData>\n";
  const auto topology = [&](const char* name, const Cells& cells) {
    return fmt::format("<{0}>\n{1}{2}</{0}>\n", name, data.Array("connectivity", 1, cells.points),
                       data.Array("offsets", 1, cells.ends));
  };
  std::string piece = fmt::format(
      "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" "
      "NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n",
      heights_.size(), verts_.ends.size(), lines_.ends.size(), polys_.ends.size());
  piece += "<PointData Scalars=\"pressure\" Normals=\"Normals\">\n" +
           data.Array("Normals", 3, normals_) + data.Array("height", 1, heights_) +
           data.Array("pressure", 1, pressures_) + "</PointData>\n";
  piece += "<CellData Scalars=\"kind\">\n" +
           data.Array("kind", 1, Joined(verts_.kinds, lines_.kinds, polys_.kinds)) +
           data.Array("item", 1, Joined(verts_.items, lines_.items, polys_.items)) +
           data.Array("owner", 1, Joined(verts_.owners, lines_.owners, polys_.owners)) +
           "</CellData>\n";
  piece += "<Points>\n" + data.Array("Points", 3, points_) + "</Points>\n";
  piece += topology("Verts", verts_) + topology("Lines", lines_) + topology("Polys", polys_);
  return VtkFileText("PolyData", "<PolyData>\n" + field + piece + "</Piece>\n</PolyData>\n", data);
}

}  // namespace view
VOLCONTACT_NAMESPACE_END
