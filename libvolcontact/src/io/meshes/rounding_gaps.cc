#include "io/meshes/rounding_gaps.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>
#include <vector>

#include "solids/mesh_repair/vertex_welding.h"

namespace volcontact {
namespace {

// The distance of two equal points whose coordinates were each rounded to single precision,
// relative to the largest coordinate.
constexpr double kSingleRounding = 0x1p-22;

bool HasThreeCorners(const std::array<int, 3>& face) {
  return face[0] != face[1] && face[1] != face[2] && face[2] != face[0];
}

TriangleMesh WithThreeCorners(const TriangleMesh& mesh) {
  TriangleMesh kept{mesh.vertices, {}};
  std::copy_if(mesh.faces.begin(), mesh.faces.end(), std::back_inserter(kept.faces),
               HasThreeCorners);
  return kept;
}

}  // namespace

void CloseRoundingGaps(TriangleMesh* mesh) {
  const TriangleMesh sound = WithThreeCorners(*mesh);
  const std::vector<int> open = OpenVertices(sound);
  if (open.empty()) return;
  double largest = 0.0;
  for (const Eigen::Vector3d& p : mesh->vertices) {
    largest = std::max(largest, p.cwiseAbs().maxCoeff());
  }
  const Welding welding = WeldVertices(mesh->vertices, open, kSingleRounding * largest);
  if (welding.joined == 0) return;
  TriangleMesh joined = sound;
  for (auto& face : joined.faces) {
    for (int& v : face) v = welding.first[static_cast<std::size_t>(v)];
  }
  joined = WithThreeCorners(joined);
  if (OpenVertices(joined).size() < open.size()) *mesh = std::move(joined);
}

}  // namespace volcontact
