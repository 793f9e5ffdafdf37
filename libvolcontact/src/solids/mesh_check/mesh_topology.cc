#include "solids/mesh_check/mesh_topology.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "solids/mesh_check/disjoint_sets.h"

namespace volcontact {
namespace {

EdgeRemark Remark(const MeshEdge* first, const MeshEdge* last) {
  EdgeRemark remark{first->low, first->high, {}};
  for (const MeshEdge* edge = first; edge != last; ++edge) remark.faces.push_back(edge->face);
  std::sort(remark.faces.begin(), remark.faces.end());
  return remark;
}

class Analysis {
 public:
  explicit Analysis(const TriangleMesh& mesh) : faces_(mesh.faces), edges_(SortedEdges(mesh)) {
    twins_.assign(3 * faces_.size(), -1);
  }

  MeshTopology Run() {
    ForEachEdgeGroup(edges_,
                     [&](const MeshEdge* first, const MeshEdge* last) { Classify(first, last); });
    std::sort(result_.boundary.begin(), result_.boundary.end(),
              [](const MeshEdge& a, const MeshEdge& b) {
                return std::tuple(a.face, a.corner) < std::tuple(b.face, b.corner);
              });
    FindPatches();
    JoinPatches();
    return std::move(result_);
  }

 private:
  void Classify(const MeshEdge* first, const MeshEdge* last) {
    const auto count = last - first;
    if (count == 1) return result_.boundary.push_back(*first);
    if (count == 2) {
      twins_[3 * first[0].face + first[0].corner] = 3 * first[1].face + first[1].corner;
      twins_[3 * first[1].face + first[1].corner] = 3 * first[0].face + first[0].corner;
      return;
    }
    if (count % 2 == 1) return result_.odd.push_back(Remark(first, last));
    long balance = 0;
    for (const MeshEdge* edge = first; edge != last; ++edge) balance += edge->forward ? 1 : -1;
    if (balance == 0) {
      ++result_.balanced;
    } else {
      result_.unbalanced.push_back(Remark(first, last));
    }
  }

  int FromOf(int half_edge) const { return faces_[half_edge / 3][half_edge % 3]; }

  void FindPatches() {
    const std::size_t count = faces_.size();
    result_.patch.assign(count, -1);
    result_.flipped.assign(count, false);
    std::vector<int> members;
    for (std::size_t f = 0; f < count; ++f) {
      if (result_.patch[f] >= 0) continue;
      const int patch = static_cast<int>(result_.one_sided.size());
      result_.one_sided.push_back(false);
      result_.patch[f] = patch;
      members.assign(1, static_cast<int>(f));
      std::size_t turned = 0;
      for (std::size_t k = 0; k < members.size(); ++k) {
        Spread(members[k], patch, &members);
        turned += result_.flipped[members[k]] ? 1 : 0;
      }
      const bool one_sided = result_.one_sided[patch];
      const bool majority = 2 * turned > members.size();
      if (!one_sided && !majority) continue;
      for (const int g : members) result_.flipped[g] = !one_sided && !result_.flipped[g];
    }
  }

  // Gives the neighbours of a face its patch, and how they are turned against it.
  void Spread(int face, int patch, std::vector<int>* members) {
    for (int half = 3 * face; half < 3 * face + 3; ++half) {
      const int twin = twins_[half];
      if (twin < 0) continue;
      const int other = twin / 3;
      const bool flipped = result_.flipped[face] != (FromOf(half) == FromOf(twin));
      if (result_.patch[other] < 0) {
        result_.patch[other] = patch;
        result_.flipped[other] = flipped;
        members->push_back(other);
      } else if (result_.flipped[other] != flipped && !Reported(half, twin)) {
        result_.one_sided[patch] = true;
        const int a = FromOf(half), b = faces_[face][(half % 3 + 1) % 3];
        result_.twisted.push_back(
            {std::min(a, b), std::max(a, b), {std::min(face, other), std::max(face, other)}});
      }
    }
  }

  // Both sides of an edge come to the same contradiction.
  bool Reported(int half, int twin) {
    const auto [low, high] = std::minmax(half, twin);
    return !contradictions_.emplace(low, high).second;
  }

  void JoinPatches() {
    DisjointSets sets(static_cast<int>(result_.one_sided.size()));
    ForEachEdgeGroup(edges_, [&](const MeshEdge* first, const MeshEdge* last) {
      if (last - first > 2) JoinAt(first, last, &sets);
    });
    std::vector<int> number(result_.one_sided.size(), -1);
    result_.shell.resize(faces_.size());
    for (std::size_t f = 0; f < faces_.size(); ++f) {
      int& shell = number[sets.Find(result_.patch[f])];
      if (shell < 0) shell = result_.shells++;
      result_.shell[f] = shell;
    }
  }

  // Patches with an odd number of faces at an edge do not close there by themselves.
  void JoinAt(const MeshEdge* first, const MeshEdge* last, DisjointSets* sets) {
    std::vector<int> patches;
    for (const MeshEdge* edge = first; edge != last; ++edge) {
      patches.push_back(result_.patch[edge->face]);
    }
    std::sort(patches.begin(), patches.end());
    int single = -1;
    for (std::size_t i = 0; i < patches.size();) {
      std::size_t j = i;
      while (j < patches.size() && patches[j] == patches[i]) ++j;
      if ((j - i) % 2 == 1) {
        if (single >= 0) sets->Join(single, patches[i]);
        single = patches[i];
      }
      i = j;
    }
  }

  const std::vector<std::array<int, 3>>& faces_;
  std::vector<MeshEdge> edges_;
  std::vector<int> twins_;  // half-edges 3·face + corner
  std::set<std::pair<int, int>> contradictions_;
  MeshTopology result_;
};

}  // namespace

MeshTopology AnalyzeTopology(const TriangleMesh& mesh) { return Analysis(mesh).Run(); }

std::vector<int> FirstEqualVertices(const std::vector<Eigen::Vector3d>& vertices) {
  std::vector<int> first(vertices.size()), order;
  std::iota(first.begin(), first.end(), 0);
  for (const int v : first) {
    if (vertices[v].allFinite()) order.push_back(v);
  }
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const Eigen::Vector3d &p = vertices[a], &q = vertices[b];
    return std::tuple(p.x(), p.y(), p.z(), a) < std::tuple(q.x(), q.y(), q.z(), b);
  });
  for (std::size_t k = 1; k < order.size(); ++k) {
    if (vertices[order[k]] == vertices[order[k - 1]]) first[order[k]] = first[order[k - 1]];
  }
  return first;
}

std::vector<FaceKey> SortedFaces(const TriangleMesh& mesh) {
  std::vector<FaceKey> keys;
  keys.reserve(mesh.faces.size());
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    std::array<int, 3> v = mesh.faces[f];
    std::rotate(v.begin(), std::min_element(v.begin(), v.end()), v.end());
    const bool forward = v[1] <= v[2];
    if (!forward) std::swap(v[1], v[2]);
    keys.push_back({v, static_cast<int>(f), forward});
  }
  std::sort(keys.begin(), keys.end(), [](const FaceKey& a, const FaceKey& b) {
    return std::tie(a.vertices, a.face) < std::tie(b.vertices, b.face);
  });
  return keys;
}

}  // namespace volcontact
