#include <algorithm>
#include <utility>

#include "solids/mesh_check/mesh_topology.h"

namespace volcontact {
namespace {

struct Step {
  int from, to, face;
};

class ChainWalk {
 public:
  ChainWalk(const TriangleMesh& mesh, const std::vector<MeshEdge>& boundary)
      : position_(mesh.vertices.size(), -1) {
    std::vector<int> arrivals;
    for (const MeshEdge& edge : boundary) {
      const auto& face = mesh.faces[edge.face];
      steps_.push_back({face[edge.corner], face[(edge.corner + 1) % 3], edge.face});
      arrivals.push_back(steps_.back().to);
    }
    std::stable_sort(steps_.begin(), steps_.end(),
                     [](const Step& a, const Step& b) { return a.from < b.from; });
    std::sort(arrivals.begin(), arrivals.end());
    used_.assign(steps_.size(), false);
    // Open chains first, from where nothing arrives; what is left then are rings.
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (!std::binary_search(arrivals.begin(), arrivals.end(), steps_[i].from)) Walk(i);
    }
    for (std::size_t i = 0; i < steps_.size(); ++i) Walk(i);
  }

  std::vector<BoundaryChain> TakeChains() { return std::move(chains_); }

 private:
  // Walks as far as it goes; wherever the path meets itself, a ring is cut off.
  void Walk(std::size_t start) {
    if (used_[start]) return;
    std::vector<Step> path;
    for (std::size_t i = start; i < steps_.size(); i = Next(path, start)) {
      used_[i] = true;
      position_[steps_[i].from] = static_cast<int>(path.size());
      path.push_back(steps_[i]);
      const int met = position_[steps_[i].to];
      if (met < 0) continue;
      Emit(path, static_cast<std::size_t>(met), true);
      path.resize(static_cast<std::size_t>(met));
    }
    Emit(path, 0, false);
  }

  // The next unused step from the end of the path; none where the path has come to an end.
  std::size_t Next(const std::vector<Step>& path, std::size_t start) const {
    const int vertex = path.empty() ? steps_[start].from : path.back().to;
    auto step = std::lower_bound(steps_.begin(), steps_.end(), vertex,
                                 [](const Step& s, int v) { return s.from < v; });
    for (; step != steps_.end() && step->from == vertex; ++step) {
      const auto i = static_cast<std::size_t>(step - steps_.begin());
      if (!used_[i]) return i;
    }
    return steps_.size();
  }

  void Emit(const std::vector<Step>& path, std::size_t begin, bool closed) {
    if (begin == path.size()) return;
    BoundaryChain chain;
    chain.closed = closed;
    for (std::size_t k = begin; k < path.size(); ++k) {
      chain.vertices.push_back(path[k].from);
      chain.faces.push_back(path[k].face);
      position_[path[k].from] = -1;
    }
    if (!closed) chain.vertices.push_back(path.back().to);
    chains_.push_back(std::move(chain));
  }

  std::vector<Step> steps_;  // by their first vertex
  std::vector<bool> used_;
  std::vector<int> position_;  // of a vertex in the path; -1 outside
  std::vector<BoundaryChain> chains_;
};

}  // namespace

std::vector<BoundaryChain> JoinBoundary(const TriangleMesh& mesh,
                                        const std::vector<MeshEdge>& boundary) {
  return ChainWalk(mesh, boundary).TakeChains();
}

}  // namespace volcontact
