#include "formats/three_mf_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "formats/three_mf_model.h"
#include "formats/xml_reader.h"
#include "formats/zip_reader.h"
#include "io/meshes/object_tree.h"
#include "io/messages.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

constexpr std::string_view kRelationshipEnd = "/3dmodel";
constexpr char kRelationships[] = "_rels/.rels", kUsualModel[] = "3D/3dmodel.model";
// Where slicers say that a mesh is no material, and the words for that: the model itself does not
// say so.
constexpr const char* kSettings[] = {"Metadata/model_settings.config",
                                     "Metadata/Slic3r_PE_model.config"};
constexpr std::string_view kNoMaterial[] = {
    "negative_part",  "modifier_part",     "support_blocker", "support_enforcer",
    "NegativeVolume", "ParameterModifier", "SupportBlocker",  "SupportEnforcer"};
// More files of objects than any program writes.
constexpr std::size_t kMostModels = 1000;

// Where the package says that its model is.
class Relationships : public XmlHandler {
 public:
  void Begin(std::string_view name, const XmlAttributes& attributes) override {
    if (!name.ends_with("Relationship")) return;
    if (attributes.ValueOr("Type", "").ends_with(kRelationshipEnd)) {
      model = attributes.ValueOr("Target", "");
    }
  }
  void End(std::string_view, std::string_view) override {}

  std::string model;
};

class Package {
 public:
  Package(const std::string& data, const std::string& origin)
      : origin_(origin), zip_(data, origin), tree_(origin) {}

  MeshBodies Read() {
    const std::string root = RootModel();
    ThreeMfModel model;
    ReadModel(root, &model);
    const LengthUnit unit = model.unit;
    std::vector<PlacedObject> built = model.built;
    ReadOthers();
    MeshBodies result;
    if (built.empty()) {
      built = tree_.Roots();
      result.notes.push_back(origin_ + ": builds no object; all of its objects were read");
    }
    std::erase_if(built, [&](const PlacedObject& item) { return supports_.contains(item.object); });
    result.bodies = tree_.Placed(built, unit);
    if (!supports_.empty()) {
      result.notes.push_back(fmt::format("{}: {} objects that only support others were left out",
                                         origin_, supports_.size()));
    }
    if (HasNoMaterial()) {
      result.notes.push_back(
          origin_ +
          ": the settings of a slicer mark parts as negative volumes, modifiers or supports; these "
          "were read as material, too: choose bodies by name, or export the part alone");
    }
    return result;
  }

 private:
  std::string RootModel() {
    Relationships relationships;
    XmlReader reader(fmt::format("{}: {}", origin_, kRelationships), &relationships);
    const bool is_there =
        zip_.Read(kRelationships, [&](std::string_view piece) { reader.Add(piece); });
    if (is_there) reader.Finish();
    return relationships.model.empty() ? kUsualModel : relationships.model;
  }

  bool HasNoMaterial() {
    for (const char* member : kSettings) {
      std::string text;
      zip_.Read(member, [&](std::string_view piece) { text += piece; });
      const auto has = [&](std::string_view word) { return text.find(word) != std::string::npos; };
      if (std::ranges::any_of(kNoMaterial, has)) return true;
    }
    return false;
  }

  void ReadModel(const std::string& path, ThreeMfModel* model) {
    const std::string member = path.substr(path.starts_with('/') ? 1 : 0);
    const std::string place = fmt::format("{}: {}", origin_, Shown(member));
    ThreeMfHandler handler('/' + member, &tree_, model);
    XmlReader reader(place, &handler);
    if (!zip_.Read(member, [&](std::string_view piece) { reader.Add(piece); })) {
      throw InvalidInput(place + ": is not in the file; export it again");
    }
    reader.Finish();
    read_.insert(member);
    std::ranges::copy(model->others, std::back_inserter(waiting_));
    supports_.insert(model->supports.begin(), model->supports.end());
  }

  // Models that items and components name by a path, in the unit of the first one.
  void ReadOthers() {
    for (; !waiting_.empty(); waiting_.pop_front()) {
      const std::string path = waiting_.front();
      if (read_.contains(path.substr(path.starts_with('/') ? 1 : 0))) continue;
      if (read_.size() >= kMostModels) {
        throw InvalidInput(
            fmt::format("{}: has more than {} models in it; split it", origin_, kMostModels));
      }
      ThreeMfModel model;
      ReadModel(path, &model);
    }
  }

  const std::string& origin_;
  ZipReader zip_;
  ObjectTree tree_;
  std::deque<std::string> waiting_;
  std::set<std::string> read_, supports_;
};

}  // namespace

MeshBodies ParseThreeMf(const std::string& data, const std::string& origin,
                        const std::filesystem::path&) {
  if (!ZipReader::IsZip(data)) {
    throw InvalidInput(origin + ": is no zip file, which a .3mf file is; export it again");
  }
  return Package(data, origin).Read();
}

VOLCONTACT_NAMESPACE_END
