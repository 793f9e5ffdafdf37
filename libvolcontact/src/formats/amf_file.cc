#include "formats/amf_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/model_unit.h"
#include "formats/xml_reader.h"
#include "formats/zip_reader.h"
#include "io/meshes/object_tree.h"
#include "io/messages.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

std::string KeyOf(std::string_view id) { return "object " + Shown(id); }

// Elements whose text is a number, and what they belong to.
constexpr std::string_view kCoordinates[] = {"x", "y", "z"}, kCorners[] = {"v1", "v2", "v3"},
                           kTurns[] = {"rx", "ry", "rz"},
                           kShifts[] = {"deltax", "deltay", "deltaz"};

// The place of a name in such a list, or −1.
int PlaceIn(std::span<const std::string_view> names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

// Turns about x, then y, then z [degrees], exact by right angles.
Eigen::Matrix3d Turned(const Eigen::Vector3d& degrees) {
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  for (int axis = 0; axis < 3; ++axis) {
    const double angle = degrees[axis] * std::numbers::pi / 180.0;
    R = Eigen::AngleAxisd(angle, Eigen::Vector3d::Unit(axis)).toRotationMatrix() * R;
  }
  return R;
}

class AmfHandler : public XmlHandler {
 public:
  explicit AmfHandler(const std::string& origin) : origin_(origin), tree_(origin) {}

  void Begin(std::string_view name, const XmlAttributes& attributes) override;
  void End(std::string_view name, std::string_view text) override;
  MeshBodies TakeBodies();

 private:
  // An instance of an object in a constellation.
  struct Instance {
    std::string object;
    Eigen::Vector3d shift = Eigen::Vector3d::Zero(), degrees = Eigen::Vector3d::Zero();
  };

  FileObject& Open();
  void EndName(std::string_view text);
  void EndTriangle();
  void EndInstance();

  const std::string& origin_;
  ObjectTree tree_;
  LengthUnit unit_;
  std::vector<std::string> path_;  // names of the elements that are open
  FileObject* object_ = nullptr;   // the object or constellation that is open
  std::vector<Eigen::Vector3d> vertices_;
  std::unordered_map<int, int> numbers_;  // of these in the volume that is open
  Eigen::Vector3d point_ = Eigen::Vector3d::Zero();
  std::array<int, 3> corners_{};
  Instance instance_;
  bool is_name_ = false, is_support_ = false;
  std::size_t supports_ = 0, bent_ = 0;
};

FileObject& AmfHandler::Open() {
  if (object_ == nullptr) throw InvalidInput("stands outside of an object; export the file again");
  return *object_;
}

void AmfHandler::Begin(std::string_view name, const XmlAttributes& attributes) {
  const std::optional<std::string_view> type = attributes.Find("type");
  if (path_.empty()) {
    if (name != "amf") throw InvalidInput("is no AMF file; export it again");
    unit_ = ModelUnit(attributes.ValueOr("unit", "millimeter"));
  } else if (name == "object" || name == "constellation") {
    if (object_ != nullptr) throw InvalidInput("is inside another object; export the file again");
    object_ = &tree_.Add(KeyOf(attributes.Value("id")));
    vertices_.clear();
  } else if (name == "volume") {
    is_support_ = type == "support";
    if (is_support_) ++supports_;
    Open().meshes.emplace_back();
    numbers_.clear();
  } else if (name == "instance") {
    instance_ = {KeyOf(attributes.Value("objectid"))};
  } else if (name == "triangle") {
    corners_ = {-1, -1, -1};
  } else if (name == "coordinates") {
    point_.setConstant(std::nan(""));
  } else if (name == "normal" || name == "edge") {
    ++bent_;
  }
  is_name_ = name == "metadata" && type == "name";
  path_.emplace_back(name);
}

void AmfHandler::EndName(std::string_view text) {
  if (object_ == nullptr || path_.empty()) return;
  if (path_.back() == "volume" && !object_->meshes.empty()) object_->meshes.back().name = text;
  if (path_.back() == "object" || path_.back() == "constellation") object_->name = text;
}

void AmfHandler::EndTriangle() {
  if (Open().meshes.empty())
    throw InvalidInput("stands outside of a volume; export the file again");
  for (const int corner : corners_) {
    if (corner >= 0 && static_cast<std::size_t>(corner) < vertices_.size()) continue;
    throw InvalidInput(corner < 0 ? std::string("a triangle lacks a corner; export the file again")
                                  : fmt::format("a triangle names vertex {}; there are {} (from 0)",
                                                corner, vertices_.size()));
  }
  // Volumes share the vertices of their object, and each keeps its own.
  TriangleMesh& mesh = object_->meshes.back().mesh;
  for (int& corner : corners_) {
    const auto [at, is_new] = numbers_.try_emplace(corner, static_cast<int>(mesh.vertices.size()));
    if (is_new) mesh.vertices.push_back(vertices_[static_cast<std::size_t>(corner)]);
    corner = at->second;
  }
  mesh.faces.push_back(corners_);
}

void AmfHandler::EndInstance() {
  PlacedObject placed{instance_.object, Eigen::Affine3d::Identity()};
  placed.X_PO.linear() = Turned(instance_.degrees);
  placed.X_PO.translation() = instance_.shift;
  Open().parts.push_back(placed);
}

void AmfHandler::End(std::string_view name, std::string_view text) {
  path_.pop_back();
  const std::string parent = path_.empty() ? "" : path_.back();
  const int coordinate = PlaceIn(kCoordinates, name), corner = PlaceIn(kCorners, name);
  const int turn = PlaceIn(kTurns, name), shift = PlaceIn(kShifts, name);
  if (coordinate >= 0 && parent == "coordinates") {
    point_[coordinate] = XmlNumber(text, name);
  } else if (corner >= 0 && parent == "triangle") {
    corners_[static_cast<std::size_t>(corner)] = XmlIndex(text, name);
  } else if (turn >= 0 && parent == "instance") {
    instance_.degrees[turn] = XmlNumber(text, name);
  } else if (shift >= 0 && parent == "instance") {
    instance_.shift[shift] = XmlNumber(text, name);
  } else if (name == "coordinates") {
    if (!point_.allFinite())
      throw InvalidInput("a vertex lacks a coordinate; export the file again");
    vertices_.push_back(point_);
  } else if (name == "triangle") {
    EndTriangle();
  } else if (name == "instance") {
    EndInstance();
  } else if (name == "volume" && is_support_) {
    object_->meshes.pop_back();
  } else if (name == "object" || name == "constellation") {
    object_ = nullptr;
  } else if (is_name_) {
    EndName(XmlTrimmed(text));
  }
  is_name_ = false;
}

MeshBodies AmfHandler::TakeBodies() {
  const std::vector<PlacedObject> roots = tree_.Roots();
  if (roots.empty() && !tree_.IsEmpty()) {
    throw InvalidInput(origin_ + ": its constellations contain each other; export the file again");
  }
  MeshBodies result{tree_.Placed(roots, unit_), {}};
  if (supports_ > 0) {
    result.notes.push_back(
        fmt::format("{}: {} volumes that only support others were left out", origin_, supports_));
  }
  if (bent_ > 0) {
    result.notes.push_back(origin_ + ": curved triangles were taken as flat");
  }
  return result;
}

}  // namespace

MeshBodies ParseAmf(const std::string& data, const std::string& origin,
                    const std::filesystem::path&) {
  AmfHandler handler(origin);
  XmlReader reader(origin, &handler);
  if (ZipReader::IsZip(data)) {
    ZipReader zip(data, origin);
    const std::string member = zip.FirstEndingIn(".amf");
    if (!zip.Read(member, [&](std::string_view piece) { reader.Add(piece); })) {
      throw InvalidInput(origin + ": has no .amf file in it; export it again");
    }
  } else {
    reader.Add(data);
  }
  reader.Finish();
  return handler.TakeBodies();
}

VOLCONTACT_NAMESPACE_END
