// The parts of a glTF model, put together piece by piece.
#pragma once

#include <tiny_gltf.h>

#include <Eigen/Core>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "volcontact/view/scene.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {

/// Channels of a node's motion: either one value for each time, or none.
struct NodeMotion {
  std::vector<Eigen::Vector3d> translations;
  std::vector<std::array<double, 4>> rotations;  ///< w, x, y, z, neighbours in one hemisphere
  std::vector<double> scales;
};

/// One model with one buffer, one scene, and a root node that turns our z up into glTF's y up.
class GltfBuilder {
 public:
  GltfBuilder();

  /// Accessors over the buffer; vectors as floats.
  int AddPoints(const std::vector<Eigen::Vector3d>& points);
  int AddNormals(const std::vector<Eigen::Vector3d>& normals);
  int AddColors(const std::vector<Color>& colors);
  int AddScalars(const std::vector<double>& values);
  int AddIndices(const std::vector<std::uint32_t>& indices, std::size_t points);

  /// A colour of opacity `alpha`; `lit` by the viewer's lights.
  int AddMaterial(const std::string& name, const Color& color, double alpha, bool lit);
  int AddMesh(const std::string& name, tinygltf::Primitive primitive);
  /// Below `parent`, with what is ours in "extras"; `mesh` may be −1.
  int AddNode(const std::string& name, int mesh, const nlohmann::json& extras, int parent);
  int root() const { return 0; }
  void SetPose(int node, const Eigen::Vector3d& t, const std::array<double, 4>& q, double scale);
  /// Moves a node through the times of SetTimes.
  void Animate(int node, const NodeMotion& motion);
  /// Before Animate: [s], ascending as floats.
  void SetTimes(const std::vector<double>& times);

  /// The whole, as a binary file. Throws InvalidInput when it is too large for one.
  std::string Finish(const nlohmann::json& scene_extras);

 private:
  int AddAccessor(const void* data, std::size_t bytes, std::size_t count, int type, int component,
                  int target);
  int AddFloats(const std::vector<float>& values, int type, int parts, int target);
  void SetBounds(int accessor, const std::vector<float>& values, int parts);
  void AddChannel(int node, const char* path, int output);

  tinygltf::Model model_;
  tinygltf::Animation animation_;
  int times_ = -1;
};

}  // namespace view
VOLCONTACT_NAMESPACE_END
