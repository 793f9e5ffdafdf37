// A model of a 3MF file: one of the XML files in it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "formats/xml_reader.h"
#include "io/length_unit.h"
#include "io/meshes/object_tree.h"

namespace volcontact {

/// What a model holds beside its objects.
struct ThreeMfModel {
  LengthUnit unit;
  std::vector<PlacedObject> built;
  std::set<std::string> others;    ///< paths of models that it names
  std::set<std::string> supports;  ///< keys of objects that only support others
};

/// Reads a model. Its objects go into a tree, under keys with the path of the model: ids of
/// different models may be equal.
class ThreeMfHandler : public XmlHandler {
 public:
  ThreeMfHandler(std::string path, ObjectTree* tree, ThreeMfModel* model)
      : path_(std::move(path)), tree_(*tree), model_(*model) {}

  void Begin(std::string_view name, const XmlAttributes& attributes) override;
  void End(std::string_view name, std::string_view text) override;
  void BindPrefix(const std::string& prefix, const std::string& space) override {
    spaces_[prefix] = space;
  }

 private:
  void BeginModel(const XmlAttributes& attributes);
  void BeginObject(const XmlAttributes& attributes);
  void AddVertex(const XmlAttributes& attributes);
  void AddTriangle(const XmlAttributes& attributes);
  PlacedObject Placed(const XmlAttributes& attributes);
  TriangleMesh& OpenMesh();

  std::string path_;
  ObjectTree& tree_;
  ThreeMfModel& model_;
  std::map<std::string, std::string> spaces_;  // by prefix
  FileObject* object_ = nullptr;               // that is open
};

}  // namespace volcontact
