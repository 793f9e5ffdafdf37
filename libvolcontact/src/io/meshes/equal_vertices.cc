#include "io/meshes/equal_vertices.h"

#include <cstdint>
#include <cstring>
#include <unordered_map>
#include <utility>
#include <vector>

#include "math/time_limit.h"

namespace volcontact {
namespace {

constexpr std::size_t kVerticesBetweenLooks = 1 << 14;  // at the time limit

struct Hash {
  std::size_t operator()(const Eigen::Vector3d& p) const {
    std::size_t hash = 0;
    for (int i = 0; i < 3; ++i) {
      const double x = p[i] + 0.0;  // −0 is 0
      std::uint64_t bits = 0;
      std::memcpy(&bits, &x, sizeof(bits));
      hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 29;
    }
    return hash;
  }
};

}  // namespace

void JoinEqualVertices(TriangleMesh* mesh) {
  std::vector<bool> used(mesh->vertices.size());
  for (const auto& face : mesh->faces) {
    for (const int v : face) used[static_cast<std::size_t>(v)] = true;
  }
  std::unordered_map<Eigen::Vector3d, int, Hash> number;
  std::vector<int> joined(mesh->vertices.size());
  std::vector<Eigen::Vector3d> distinct;
  for (std::size_t v = 0; v < mesh->vertices.size(); ++v) {
    if (v % kVerticesBetweenLooks == 0) TimeLimit::Enforce();
    if (!used[v]) continue;
    const auto [entry, is_new] =
        number.try_emplace(mesh->vertices[v], static_cast<int>(distinct.size()));
    if (is_new) distinct.push_back(mesh->vertices[v]);
    joined[v] = entry->second;
  }
  mesh->vertices = std::move(distinct);
  for (auto& face : mesh->faces) {
    for (int& v : face) v = joined[static_cast<std::size_t>(v)];
  }
}

}  // namespace volcontact
