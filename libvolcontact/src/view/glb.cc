// Scenes as glTF.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "view/arrow_shape.h"
#include "view/gltf_builder.h"
#include "volcontact/math/aabb.h"
#include "volcontact/view/scene_files.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {
namespace {

using Eigen::Vector3d;
using nlohmann::json;

constexpr double kSolidOpacity = 0.35;
constexpr Color kOverlapColor = {0.80, 0.25, 0.25}, kMarkColor = {0.75, 0.1, 0.4};
constexpr Color kEdgeColor = {0.15, 0.15, 0.18}, kWhite = {1.0, 1.0, 1.0};
constexpr int kVersion = 1;

json JsonOf(const Vector3d& v) { return {v[0], v[1], v[2]}; }

// Curves over time have seven digits: more than can be seen, in half of the bytes.
double Shortened(double x) {
  constexpr int kDigits = 7;
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", kDigits, x);
  return std::isfinite(x) ? std::strtod(text, nullptr) : x;
}

json JsonOf(const std::vector<double>& values) {
  json array = json::array();
  for (const double x : values) array.push_back(std::isfinite(x) ? json(Shortened(x)) : json(0.0));
  return array;
}

json JsonOf(const std::vector<Vector3d>& vectors) {
  json array = json::array();
  for (const Vector3d& v : vectors) {
    array.push_back({Shortened(v[0]), Shortened(v[1]), Shortened(v[2])});
  }
  return array;
}

std::vector<std::uint32_t> Flat(const std::vector<std::array<std::uint32_t, 3>>& triangles) {
  std::vector<std::uint32_t> indices;
  indices.reserve(3 * triangles.size());
  for (const auto& t : triangles) indices.insert(indices.end(), t.begin(), t.end());
  return indices;
}

// Unit vectors, whatever came.
std::vector<Vector3d> UnitNormals(const DisplayMesh& mesh) {
  std::vector<Vector3d> normals = mesh.normals;
  normals.resize(mesh.points.size(), Vector3d::Zero());
  for (const auto& [a, b, c] : mesh.triangles) {
    for (const std::uint32_t i : {a, b, c}) {
      if (normals[i].squaredNorm() > 0.0) continue;
      normals[i] = (mesh.points[b] - mesh.points[a]).cross(mesh.points[c] - mesh.points[a]);
    }
  }
  for (Vector3d& n : normals) {
    const double length = n.stableNorm();
    n = length > 0.0 && std::isfinite(length) ? Vector3d(n / length) : Vector3d::UnitZ();
  }
  return normals;
}

class GlbWriter {
 public:
  explicit GlbWriter(const Scene& scene) : scene_(scene) {}

  std::string Write() {
    if (!scene_.times.empty()) gltf_.SetTimes(scene_.times);
    for (const BodyItem& body : scene_.bodies) AddBody(body);
    for (const OverlapItem& overlap : scene_.overlaps) AddOverlap(overlap);
    for (const PatchItem& patch : scene_.patches) AddPatch(patch);
    for (const PointItem& point : scene_.points) AddPoint(point);
    for (const LinesItem& lines : scene_.lines) {
      AddLines(lines.lines, lines.kind, lines.label, lines.body, lines.color, gltf_.root());
    }
    for (const ArrowItem& arrow : scene_.arrows) AddArrow(arrow);
    return gltf_.Finish(SceneExtras());
  }

 private:
  void AddBody(const BodyItem& body);
  void AddOverlap(const OverlapItem& overlap);
  void AddPatch(const PatchItem& patch);
  void AddPoint(const PointItem& point);
  void AddArrow(const ArrowItem& arrow);
  void AddLines(const std::vector<std::vector<Vector3d>>& lines, const std::string& kind,
                const std::string& label, const std::string& body, const Color& color, int parent);
  // Thin things far from the origin keep their shape: their points count from their middle.
  std::vector<Vector3d> Centred(const std::vector<Vector3d>& points, Vector3d* middle) const;
  tinygltf::Primitive Triangles(const DisplayMesh& mesh, const std::vector<Vector3d>& points);
  int ArrowMesh(const ArrowItem& arrow);
  json SceneExtras() const;
  json RunExtras() const;

  const Scene& scene_;
  GltfBuilder gltf_;
  std::vector<std::pair<std::pair<bool, Color>, int>> arrow_meshes_;
};

std::vector<Vector3d> GlbWriter::Centred(const std::vector<Vector3d>& points,
                                         Vector3d* middle) const {
  Aabb box = Aabb::Nothing();
  for (const Vector3d& p : points) box = Hull(box, {p, p});
  *middle = box.Center();
  std::vector<Vector3d> centred;
  centred.reserve(points.size());
  for (const Vector3d& p : points) centred.push_back(p - *middle);
  return centred;
}

tinygltf::Primitive GlbWriter::Triangles(const DisplayMesh& mesh,
                                         const std::vector<Vector3d>& points) {
  tinygltf::Primitive primitive;
  primitive.mode = TINYGLTF_MODE_TRIANGLES;
  primitive.attributes["POSITION"] = gltf_.AddPoints(points);
  primitive.attributes["NORMAL"] = gltf_.AddNormals(UnitNormals(mesh));
  primitive.indices = gltf_.AddIndices(Flat(mesh.triangles), points.size());
  return primitive;
}

void GlbWriter::AddBody(const BodyItem& body) {
  json extras = {{"kind", "solid"}, {"label", body.name}, {"body", body.name}};
  if (body.side != 0) extras["side"] = std::string(1, body.side);
  const int node = gltf_.AddNode(body.name, -1, extras, gltf_.root());
  std::vector<std::array<double, 4>> turns;
  NodeMotion motion;
  for (const Pose& X : body.motion) {
    Eigen::Vector4d q(X.q.data());
    q.normalize();
    motion.translations.push_back(X.t);
    motion.rotations.push_back({q[0], q[1], q[2], q[3]});
  }
  KeepHemisphere(&motion.rotations);
  const Eigen::Vector4d q = Eigen::Vector4d(body.X_WB.q.data()).normalized();
  gltf_.SetPose(node, body.X_WB.t, {q[0], q[1], q[2], q[3]}, 1.0);
  gltf_.Animate(node, motion);
  if (!body.mesh.triangles.empty()) {
    tinygltf::Primitive primitive = Triangles(body.mesh, body.mesh.points);
    primitive.material =
        gltf_.AddMaterial(body.name, body.color, body.thin ? 1.0 : kSolidOpacity, true);
    gltf_.AddNode(body.name, gltf_.AddMesh(body.name, std::move(primitive)),
                  {{"kind", "surface"}, {"label", body.name}, {"body", body.name}}, node);
  }
  AddLines(body.mesh.edges, "edges", body.name, body.name, kEdgeColor, node);
}

void GlbWriter::AddLines(const std::vector<std::vector<Vector3d>>& lines, const std::string& kind,
                         const std::string& label, const std::string& body, const Color& color,
                         int parent) {
  std::vector<Vector3d> points;
  std::vector<std::uint32_t> indices;
  const bool strip = kind == "trail";
  for (const std::vector<Vector3d>& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const auto at = static_cast<std::uint32_t>(points.size());
      if (!strip && i > 0) indices.insert(indices.end(), {at - 1, at});
      points.push_back(line[i]);
    }
  }
  if (points.size() < 2) return;
  Vector3d middle;
  tinygltf::Primitive primitive;
  primitive.attributes["POSITION"] = gltf_.AddPoints(Centred(points, &middle));
  primitive.mode = strip ? TINYGLTF_MODE_LINE_STRIP : TINYGLTF_MODE_LINE;
  if (!strip) primitive.indices = gltf_.AddIndices(indices, points.size());
  primitive.material = gltf_.AddMaterial(kind, color, 1.0, false);
  json extras = {{"kind", kind}, {"label", label}};
  if (!body.empty()) extras["body"] = body;
  const int node = gltf_.AddNode(label, gltf_.AddMesh(kind, std::move(primitive)), extras, parent);
  gltf_.SetPose(node, middle, {1.0, 0.0, 0.0, 0.0}, 1.0);
}

void GlbWriter::AddOverlap(const OverlapItem& overlap) {
  const DisplayMesh& mesh = overlap.display.mesh;
  if (mesh.triangles.empty()) return;
  Vector3d middle;
  tinygltf::Primitive primitive = Triangles(mesh, Centred(mesh.points, &middle));
  primitive.material = gltf_.AddMaterial("overlap", kOverlapColor, 1.0, true);
  const int node = gltf_.AddNode(overlap.label, gltf_.AddMesh("overlap", std::move(primitive)),
                                 {{"kind", "overlap"}, {"label", overlap.label}}, gltf_.root());
  gltf_.SetPose(node, middle, {1.0, 0.0, 0.0, 0.0}, 1.0);
}

void GlbWriter::AddPatch(const PatchItem& patch) {
  const DisplayMesh& mesh = patch.display.mesh;
  if (mesh.triangles.empty() || !scene_.legend) return;
  const bool pressure = scene_.legend->is_pressure;
  const double factor = pressure ? patch.pressure_per_height : 1.0;
  const double range = scene_.legend->greatest - scene_.legend->least;
  std::vector<double> values;
  std::vector<Color> colors;
  for (const double height : patch.display.heights) {
    values.push_back(factor * height);
    colors.push_back(
        ScaleColor(range > 0.0 ? (values.back() - scene_.legend->least) / range : 0.0));
  }
  Vector3d middle;
  tinygltf::Primitive primitive = Triangles(mesh, Centred(mesh.points, &middle));
  primitive.attributes[pressure ? "_PRESSURE" : "_HEIGHT"] = gltf_.AddScalars(values);
  primitive.attributes["COLOR_0"] = gltf_.AddColors(colors);
  primitive.material = gltf_.AddMaterial("patch", kWhite, 1.0, false);
  const int node = gltf_.AddNode(patch.label, gltf_.AddMesh("patch", std::move(primitive)),
                                 {{"kind", "patch"},
                                  {"label", patch.label},
                                  {"normal", JsonOf(patch.normal)},
                                  {"quantity", pressure ? "pressure" : "height"},
                                  {"unit", pressure ? "Pa" : "m"}},
                                 gltf_.root());
  gltf_.SetPose(node, middle, {1.0, 0.0, 0.0, 0.0}, 1.0);
}

void GlbWriter::AddPoint(const PointItem& point) {
  tinygltf::Primitive primitive;
  primitive.mode = TINYGLTF_MODE_POINTS;
  primitive.attributes["POSITION"] = gltf_.AddPoints({Vector3d::Zero()});
  primitive.material = gltf_.AddMaterial(point.kind, kMarkColor, 1.0, false);
  const int node = gltf_.AddNode(point.label, gltf_.AddMesh(point.kind, std::move(primitive)),
                                 {{"kind", point.kind},
                                  {"label", point.label},
                                  {"position", JsonOf(point.position)},
                                  {"unit", "m"}},
                                 gltf_.root());
  gltf_.SetPose(node, point.position, {1.0, 0.0, 0.0, 0.0}, 1.0);
}

int GlbWriter::ArrowMesh(const ArrowItem& arrow) {
  const std::pair key{arrow.quantity == "torque", arrow.color};
  for (const auto& [known, mesh] : arrow_meshes_) {
    if (known == key) return mesh;
  }
  const DisplayMesh shape = UnitArrow(key.first);
  tinygltf::Primitive primitive = Triangles(shape, shape.points);
  primitive.material = gltf_.AddMaterial(arrow.quantity, arrow.color, 1.0, true);
  const int mesh = gltf_.AddMesh(arrow.quantity, std::move(primitive));
  arrow_meshes_.emplace_back(key, mesh);
  return mesh;
}

void GlbWriter::AddArrow(const ArrowItem& arrow) {
  if (arrow.vectors.empty()) return;
  NodeMotion motion;
  std::array<double, 4> turn = {1.0, 0.0, 0.0, 0.0};
  for (std::size_t i = 0; i < arrow.vectors.size(); ++i) {
    turn = TurnOfZ(arrow.vectors[i], turn);
    motion.translations.push_back(arrow.points[i]);
    motion.rotations.push_back(turn);
    motion.scales.push_back(DrawnLength(arrow, arrow.vectors[i]));
  }
  KeepHemisphere(&motion.rotations);
  const Vector3d& first = arrow.vectors.front();
  json extras = {{"kind", "arrow"},
                 {"label", arrow.label},
                 {"quantity", arrow.quantity},
                 {"vector", JsonOf(first)},
                 {"magnitude", first.stableNorm()},
                 {"unit", arrow.unit},
                 {"contact", arrow.contact},
                 {"metres_per_unit", arrow.metres_per_unit},
                 {"longest", arrow.longest}};
  if (arrow.vectors.size() > 1) extras["vectors"] = JsonOf(arrow.vectors);
  const int node = gltf_.AddNode(arrow.label, ArrowMesh(arrow), extras, gltf_.root());
  gltf_.SetPose(node, motion.translations[0], motion.rotations[0], motion.scales[0]);
  if (arrow.vectors.size() > 1) gltf_.Animate(node, motion);
}

json GlbWriter::RunExtras() const {
  if (scene_.times.empty()) return nullptr;
  json bodies = json::array(), contacts = json::array(), plots = json::array();
  json events = json::array();
  for (const BodyItem& body : scene_.bodies) bodies.push_back(body.name);
  for (const ContactHistory& contact : scene_.contacts) {
    contacts.push_back({{"name", contact.name},
                        {"a", contact.body_a},
                        {"b", contact.body_b},
                        {"point", JsonOf(contact.points)},
                        {"force", JsonOf(contact.forces)},
                        {"torque", JsonOf(contact.torques)}});
  }
  for (const ScenePlot& plot : scene_.plots) {
    json curves = json::array();
    for (const PlotCurve& curve : plot.curves) {
      curves.push_back({{"name", curve.name}, {"values", JsonOf(curve.values)}});
    }
    plots.push_back({{"title", plot.title},
                     {"quantity", plot.quantity},
                     {"unit", plot.unit},
                     {"x", "t"},
                     {"curves", curves}});
  }
  for (const SceneEvent& event : scene_.events) {
    events.push_back({{"time", event.time}, {"name", event.name}});
  }
  json run = {{"times", JsonOf(scene_.times)},
              {"bodies", bodies},
              {"contacts", contacts},
              {"plots", plots},
              {"events", events},
              {"every", scene_.every},
              {"thinned_from", scene_.rows}};
  if (!scene_.state.empty()) run["state"] = scene_.state;
  return run;
}

json GlbWriter::SceneExtras() const {
  json extras = {{"version", kVersion},
                 {"title", scene_.title},
                 {"scale", {{"length", scene_.size}, {"unit", "m"}}},
                 {"run", RunExtras()}};
  if (scene_.legend) {
    json colors = json::array();
    for (int i = 0; i < kScaleColors; ++i) {
      const Color c = ScaleColor(i / (kScaleColors - 1.0));
      colors.push_back({Shortened(c[0]), Shortened(c[1]), Shortened(c[2])});
    }
    extras["legend"] = {{"quantity", scene_.legend->is_pressure ? "pressure" : "height"},
                        {"unit", scene_.legend->is_pressure ? "Pa" : "m"},
                        {"min", scene_.legend->least},
                        {"max", scene_.legend->greatest},
                        {"map", "viridis"},
                        {"colors", colors}};
  }
  if (scene_.inset) {
    extras["inset"] = {{"origin", JsonOf(scene_.inset->origin)},
                       {"axis", JsonOf(scene_.inset->axis)},
                       {"factor", scene_.inset->factor},
                       {"radius", scene_.inset->radius}};
  }
  if (!scene_.metrics.empty()) extras["metrics"] = json::parse(scene_.metrics);
  return extras;
}

}  // namespace

std::string ToGlb(const Scene& scene) { return GlbWriter(scene).Write(); }

}  // namespace view
VOLCONTACT_NAMESPACE_END
