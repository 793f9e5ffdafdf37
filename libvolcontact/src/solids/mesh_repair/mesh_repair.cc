// The room `mesh_repair`: how a mesh is mended, step by step, where the check tells that it helped.
#include "volcontact/solids/mesh_repair.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

#include "solids/mesh_check/mesh_filter.h"
#include "solids/mesh_check/mesh_topology.h"
#include "solids/mesh_check/number_list.h"
#include "solids/mesh_check/self_crossings.h"
#include "solids/mesh_check/shell_mass.h"
#include "solids/mesh_check/shell_nesting.h"
#include "solids/mesh_repair/duplicate_faces.h"
#include "solids/mesh_repair/hole_filling.h"
#include "solids/mesh_repair/sliver_removal.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

// A hole, the faces that fill it, and whether they may stay.
struct Filling {
  std::size_t edges, first_face, last_face;
  bool stays = true;
};

class Repair {
 public:
  explicit Repair(const TriangleMesh& mesh) : mesh_(mesh), originals_(mesh.faces.size()) {
    std::iota(originals_.begin(), originals_.end(), 0);
  }

  RepairResult Run() {
    DropFacesOf({FaceState::kBadIndex, FaceState::kBadVertex},
                "that name what is no vertex or no point");
    JoinVertices();
    DropFacesOf({FaceState::kRepeatedVertex}, "with a vertex twice");
    DropDuplicates();
    TurnFaces();
    FillHoles();
    Report(DissolveSlivers(&mesh_), "joined {} faces without area to their neighbours");
    TurnShells();
    DropUnusedVertices();
    return {std::move(mesh_), std::move(changes_)};
  }

 private:
  // `what` with the number of faces, and the first of them as numbered in the input.
  void Report(const std::vector<int>& faces, std::string_view what) {
    if (faces.empty()) return;
    std::vector<int> known;
    for (const int f : faces) {
      if (originals_[f] >= 0) known.push_back(originals_[f]);
    }
    std::string line = fmt::format(fmt::runtime(what), faces.size());
    if (!known.empty()) line += fmt::format(" ({})", Listed(known));
    changes_.push_back(std::move(line));
  }

  // `dropped` is in ascending order.
  void Drop(const std::vector<int>& dropped) {
    std::size_t kept = 0;
    auto next = dropped.begin();
    for (std::size_t f = 0; f < mesh_.faces.size(); ++f) {
      if (next != dropped.end() && *next == static_cast<int>(f)) {
        ++next;
        continue;
      }
      mesh_.faces[kept] = mesh_.faces[f];
      originals_[kept++] = originals_[f];
    }
    mesh_.faces.resize(kept);
    originals_.resize(kept);
  }

  void DropFacesOf(std::initializer_list<FaceState> states, std::string_view what) {
    std::vector<int> dropped;
    for (std::size_t f = 0; f < mesh_.faces.size(); ++f) {
      const FaceState state = StateOf(mesh_, mesh_.faces[f]);
      if (std::find(states.begin(), states.end(), state) == states.end()) continue;
      dropped.push_back(static_cast<int>(f));
    }
    Report(dropped, fmt::format("dropped {{}} faces {}", what));
    Drop(dropped);
  }

  void JoinVertices() {
    const std::vector<int> first = FirstEqualVertices(mesh_.vertices);
    std::vector<bool> joined(first.size(), false);
    for (auto& face : mesh_.faces) {
      for (int& v : face) {
        joined[v] = first[v] != v;
        v = first[v];
      }
    }
    joined_ = static_cast<std::size_t>(std::count(joined.begin(), joined.end(), true));
    if (joined_ > 0) changes_.push_back(fmt::format("joined {} vertices to equal ones", joined_));
  }

  void DropDuplicates() {
    const DuplicateFaces duplicates = FindDuplicates(mesh_);
    Report(duplicates.copies, "dropped {} copies of faces");
    Report(duplicates.cancelled,
           "dropped {} faces that lay on each other, turned against each other");
    std::vector<int> dropped;
    std::merge(duplicates.copies.begin(), duplicates.copies.end(), duplicates.cancelled.begin(),
               duplicates.cancelled.end(), std::back_inserter(dropped));
    Drop(dropped);
  }

  void TurnFaces() {
    const MeshTopology topology = AnalyzeTopology(mesh_);
    std::vector<int> turned;
    for (std::size_t f = 0; f < mesh_.faces.size(); ++f) {
      if (!topology.flipped[f]) continue;
      std::swap(mesh_.faces[f][1], mesh_.faces[f][2]);
      turned.push_back(static_cast<int>(f));
    }
    Report(turned, "turned {} faces to look the way their neighbours do");
  }

  void FillHoles() {
    std::vector<Filling> fillings;
    const MeshTopology topology = AnalyzeTopology(mesh_);
    for (const BoundaryChain& chain : JoinBoundary(mesh_, topology.boundary)) {
      if (!chain.closed) continue;
      const auto faces = FillRing(mesh_.vertices, chain.vertices);
      if (faces.empty()) continue;
      const std::size_t first = mesh_.faces.size();
      mesh_.faces.insert(mesh_.faces.end(), faces.begin(), faces.end());
      fillings.push_back({chain.vertices.size(), first, mesh_.faces.size()});
    }
    if (fillings.empty()) return;
    originals_.resize(mesh_.faces.size(), -1);
    RefuseCrossing(&fillings);
    std::vector<int> edges, dropped;
    std::size_t faces = 0;
    for (const Filling& filling : fillings) {
      if (filling.stays) {
        edges.push_back(static_cast<int>(filling.edges));
        faces += filling.last_face - filling.first_face;
        continue;
      }
      for (std::size_t f = filling.first_face; f < filling.last_face; ++f) {
        dropped.push_back(static_cast<int>(f));
      }
    }
    Drop(dropped);
    if (edges.empty()) return;
    changes_.push_back(fmt::format("filled {} holes of {} edges with {} faces", edges.size(),
                                   Listed(edges), faces));
  }

  // A filling that meets any other face was not meant: a hole may have an island, or be the rim of
  // a sheet.
  void RefuseCrossing(std::vector<Filling>* fillings) const {
    const MeshPart part = SearchableFaces(mesh_);
    const SelfCrossings crossings = FindSelfCrossings(part.mesh);
    const auto refuse = [&](int face) {
      const auto f = static_cast<std::size_t>(face);
      const auto after = std::upper_bound(
          fillings->begin(), fillings->end(), f,
          [](std::size_t g, const Filling& filling) { return g < filling.first_face; });
      if (after != fillings->begin()) std::prev(after)->stays = false;
    };
    ForEachDuplicate(SortedFaces(mesh_), [&](const FaceKey* first, const FaceKey* last) {
      for (const FaceKey* key = first; key != last; ++key) refuse(key->face);
    });
    for (const auto& [a, b] : crossings.pairs) {
      refuse(part.originals[a]);
      refuse(part.originals[b]);
    }
    if (crossings.complete) return;
    for (Filling& filling : *fillings) filling.stays = false;
  }

  void TurnShells() {
    const MeshTopology topology = AnalyzeTopology(mesh_);
    std::vector<MeshShell> shells = MeasureShells(mesh_, topology);
    const ShellNesting nesting = Nest(topology, shells);
    if (!nesting.complete) return;
    std::vector<int> turned;
    for (std::size_t s = 0; s < shells.size(); ++s) {
      shells[s].depth = nesting.places[s].depth;
      if (!IsInsideOut(shells[s])) continue;
      turned.push_back(static_cast<int>(s));
      changes_.push_back(
          fmt::format("turned a shell of {} faces {}", shells[s].faces,
                      shells[s].depth % 2 == 0 ? "outward" : "inward, for a cavity"));
    }
    for (std::size_t f = 0; f < mesh_.faces.size(); ++f) {
      if (std::binary_search(turned.begin(), turned.end(), topology.shell[f])) {
        std::swap(mesh_.faces[f][1], mesh_.faces[f][2]);
      }
    }
  }

  ShellNesting Nest(const MeshTopology& topology, const std::vector<MeshShell>& shells) const {
    std::vector<bool> closed;
    closed.reserve(shells.size());
    for (const MeshShell& shell : shells) closed.push_back(shell.closed);
    ShellPairs crossing;
    if (shells.size() > 1) {
      const MeshPart part = SearchableFaces(mesh_);
      crossing = CrossingShells(FindSelfCrossings(part.mesh), part.originals, topology.shell);
    }
    return NestShells(mesh_, topology.shell, closed, crossing);
  }

  void DropUnusedVertices() {
    std::vector<int> number(mesh_.vertices.size(), -1);
    for (const auto& face : mesh_.faces) {
      for (const int v : face) number[v] = 0;
    }
    int kept = 0;
    for (std::size_t v = 0; v < number.size(); ++v) {
      if (number[v] < 0) continue;
      mesh_.vertices[kept] = mesh_.vertices[v];
      number[v] = kept++;
    }
    const std::size_t dropped = number.size() - static_cast<std::size_t>(kept);
    if (dropped == 0) return;
    mesh_.vertices.resize(static_cast<std::size_t>(kept));
    for (auto& face : mesh_.faces) {
      for (int& v : face) v = number[v];
    }
    if (dropped == joined_) return;
    changes_.push_back(fmt::format("dropped {} vertices that no face names", dropped - joined_));
  }

  TriangleMesh mesh_;
  std::size_t joined_ = 0;      // vertices that are no longer named because of that
  std::vector<int> originals_;  // of each face; -1 where it fills a hole
  std::vector<std::string> changes_;
};

}  // namespace

RepairResult RepairMesh(const TriangleMesh& mesh) {
  RequireFewFaces(mesh);
  return Repair(mesh).Run();
}

VOLCONTACT_NAMESPACE_END
