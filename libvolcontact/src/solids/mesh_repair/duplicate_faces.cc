#include "solids/mesh_repair/duplicate_faces.h"

#include <algorithm>
#include <cstdlib>

#include "solids/mesh/mesh_edges.h"
#include "solids/mesh_check/disjoint_sets.h"
#include "solids/mesh_check/mesh_topology.h"

namespace volcontact {
namespace {

class Duplicates {
 public:
  explicit Duplicates(const TriangleMesh& mesh)
      : mesh_(mesh),
        keys_(SortedFaces(mesh)),
        surfaces_(static_cast<int>(mesh.faces.size())),
        balance_(3 * mesh.faces.size()) {}

  DuplicateFaces Run() {
    bool any = false;
    ForEachDuplicate(keys_, [&](const FaceKey*, const FaceKey*) { any = true; });
    if (!any) return {};
    SumEdges();
    std::vector<bool> stays = FacesThatStay();
    ForEachDuplicate(keys_, [&](const FaceKey* first, const FaceKey* last) {
      const FaceKey* kept = Kept(first, last);
      if (kept == nullptr && !stays[surfaces_.Find(first->face)]) kept = first;
      for (const FaceKey* key = first; key != last; ++key) {
        if (key == kept) continue;
        (kept == nullptr ? result_.cancelled : result_.copies).push_back(key->face);
      }
    });
    std::sort(result_.copies.begin(), result_.copies.end());
    std::sort(result_.cancelled.begin(), result_.cancelled.end());
    return result_;
  }

 private:
  void SumEdges() {
    ForEachEdgeGroup(SortedEdges(mesh_), [&](const MeshEdge* first, const MeshEdge* last) {
      int sum = 0;
      for (const MeshEdge* edge = first; edge != last; ++edge) sum += edge->forward ? 1 : -1;
      for (const MeshEdge* edge = first; edge != last; ++edge) {
        balance_[3 * edge->face + edge->corner] = edge->forward ? sum : -sum;
        surfaces_.Join(first->face, edge->face);
      }
    });
  }

  // By the first face of a connected surface: whether any of its faces is not cancelled.
  std::vector<bool> FacesThatStay() {
    std::vector<bool> cancelled(mesh_.faces.size(), false), stays(mesh_.faces.size(), false);
    ForEachDuplicate(keys_, [&](const FaceKey* first, const FaceKey* last) {
      if (Kept(first, last) != nullptr) return;
      for (const FaceKey* key = first; key != last; ++key) cancelled[key->face] = true;
    });
    for (std::size_t f = 0; f < cancelled.size(); ++f) {
      if (!cancelled[f]) stays[surfaces_.Find(static_cast<int>(f))] = true;
    }
    return stays;
  }

  // The face of a group to keep, or null.
  const FaceKey* Kept(const FaceKey* first, const FaceKey* last) const {
    int net = 0;  // in the sense of the first
    for (const FaceKey* key = first; key != last; ++key)
      net += key->forward == first->forward ? 1 : -1;
    if (net == last - first) return first;
    // What the other faces miss at each edge; most edges decide.
    int vote = 0;
    for (int half = 3 * first->face; half < 3 * first->face + 3; ++half) {
      vote += std::clamp(net - balance_[half], -1, 1);
    }
    if (std::abs(vote) < 2) return nullptr;
    return std::find_if(first, last, [&](const FaceKey& key) {
      return (key.forward == first->forward) == (vote > 0);
    });
  }

  const TriangleMesh& mesh_;
  std::vector<FaceKey> keys_;
  DisjointSets surfaces_;
  std::vector<int> balance_;  // of half-edges 3·face + corner: faces in its direction less others
  DuplicateFaces result_;
};

}  // namespace

DuplicateFaces FindDuplicates(const TriangleMesh& mesh) { return Duplicates(mesh).Run(); }

}  // namespace volcontact
