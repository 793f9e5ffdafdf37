// The room `mesh_repair`: repair of a mesh, step by step; a step counts if the check improves.
#include "volcontact/solids/mesh_repair.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>
#include <utility>

#include "solids/mesh_check/mesh_filter.h"
#include "solids/mesh_check/mesh_topology.h"
#include "solids/mesh_check/number_list.h"
#include "solids/mesh_check/self_crossings.h"
#include "solids/mesh_check/shell_mass.h"
#include "solids/mesh_check/shell_nesting.h"
#include "solids/mesh_repair/bent_filling.h"
#include "solids/mesh_repair/duplicate_faces.h"
#include "solids/mesh_repair/hole_filling.h"
#include "solids/mesh_repair/sliver_removal.h"
#include "solids/mesh_repair/vertex_welding.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

// A hole, the faces that fill it, and whether they may stay.
struct Filling {
  std::size_t edges, first_face, last_face;
  double bend = 0.0;  // of a rim that is not planar [m]
  bool stays = true;
};

Eigen::Vector3d AreaOf(const TriangleMesh& mesh, const std::array<int, 3>& face) {
  const auto& v = mesh.vertices;
  return 0.5 * (v[face[1]] - v[face[0]]).cross(v[face[2]] - v[face[0]]);
}

// Faces that were added, dropped or moved, for the volume that they bound with a point to be known
// only when all is done.
class RepairedParts {
 public:
  // Faces that count together, as those of one hole do.
  void Add(const TriangleMesh& mesh, const std::vector<std::array<int, 3>>& faces) {
    Part part;
    for (const auto& face : faces) {
      const Eigen::Vector3d area = AreaOf(mesh, face);
      part.area += area;
      part.moment += area.dot(mesh.vertices[face[0]]);
      area_ += area.norm();
    }
    parts_.push_back(part);
  }
  void AddArea(double area) { area_ += area; }
  void AddVolume(double volume) { volume_ += volume; }

  double area() const { return area_; }
  double VolumeAbout(const Eigen::Vector3d& apex) const {
    double volume = volume_;
    for (const Part& part : parts_) volume += std::abs(part.moment - part.area.dot(apex)) / 3.0;
    return volume;
  }

 private:
  struct Part {
    Eigen::Vector3d area = Eigen::Vector3d::Zero();
    double moment = 0.0;  // Σ area·p
  };
  std::vector<Part> parts_;
  double area_ = 0.0, volume_ = 0.0;
};

class Repair {
 public:
  Repair(const TriangleMesh& mesh, const RepairOptions& options)
      : mesh_(mesh), options_(options), originals_(mesh.faces.size()) {
    std::iota(originals_.begin(), originals_.end(), 0);
  }

  RepairResult Run() {
    DropFacesOf({FaceState::kBadIndex, FaceState::kBadVertex},
                "that name points which do not exist");
    JoinVertices();
    DropFacesOf({FaceState::kRepeatedVertex}, "with a vertex twice");
    if (options_.weld > 0.0) Weld();
    DropDuplicates();
    TurnFaces();
    FillHoles();
    Report(DissolveSlivers(&mesh_), "joined {} faces without area to their neighbours");
    TurnShells();
    DropUnusedVertices();
    RepairResult result{std::move(mesh_), std::move(changes_), {}, {}};
    Measure(&result);
    return result;
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

  void Weld() {
    const Welding welding = WeldVertices(mesh_.vertices, OpenVertices(mesh_), options_.weld);
    if (welding.joined == 0) return;
    changes_.push_back(fmt::format("joined {} vertices at open edges to others within {:.3g} m",
                                   welding.joined, welding.farthest));
    joined_ += welding.joined;
    for (auto& face : mesh_.faces) {
      const double before = AreaOf(mesh_, face).norm();
      double move = 0.0;
      for (int& v : face) {
        const int first = welding.first[v];
        move = std::max(move, (mesh_.vertices[v] - mesh_.vertices[first]).norm());
        v = first;
      }
      if (move == 0.0) continue;
      const double after = AreaOf(mesh_, face).norm();
      repaired_.AddArea(std::abs(after - before));
      repaired_.AddVolume(std::max(before, after) * move);
    }
    DropFacesOf({FaceState::kRepeatedVertex}, "that were no wider than the welding");
  }

  void DropDuplicates() {
    const DuplicateFaces duplicates = FindDuplicates(mesh_);
    Report(duplicates.copies, "dropped {} copies of faces");
    Report(duplicates.cancelled, "dropped {} faces that lay on each other in opposite directions");
    for (const int f : duplicates.cancelled)
      repaired_.AddArea(AreaOf(mesh_, mesh_.faces[f]).norm());
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
    Report(turned, "turned {} faces to match their neighbours");
  }

  void FillHoles() {
    std::vector<Filling> fillings;
    const MeshTopology topology = AnalyzeTopology(mesh_);
    for (const BoundaryChain& chain : JoinBoundary(mesh_, topology.boundary)) {
      if (!chain.closed) continue;
      auto faces = FillRing(mesh_.vertices, chain.vertices);
      double bend = 0.0;
      if (faces.empty()) {
        faces = FillBentRing(mesh_.vertices, chain.vertices);
        bend = BendOf(mesh_.vertices, chain.vertices);
      }
      if (faces.empty()) continue;
      const std::size_t first = mesh_.faces.size();
      mesh_.faces.insert(mesh_.faces.end(), faces.begin(), faces.end());
      fillings.push_back({chain.vertices.size(), first, mesh_.faces.size(), bend});
    }
    if (fillings.empty()) return;
    originals_.resize(mesh_.faces.size(), -1);
    RefuseCrossing(&fillings);
    std::vector<int> edges, dropped;
    std::size_t faces = 0;
    double bend = 0.0;
    for (const Filling& filling : fillings) {
      if (filling.stays) {
        edges.push_back(static_cast<int>(filling.edges));
        faces += filling.last_face - filling.first_face;
        bend = std::max(bend, filling.bend);
        repaired_.Add(mesh_,
                      {mesh_.faces.begin() + static_cast<std::ptrdiff_t>(filling.first_face),
                       mesh_.faces.begin() + static_cast<std::ptrdiff_t>(filling.last_face)});
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
    if (bend > 0.0) {
      changes_.back() += fmt::format("; the rim of one leaves its plane by {:.3g} m", bend);
    }
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
      if (shells[s].depth > 0) repaired_.AddVolume(std::abs(shells[s].volume));
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

  void Measure(RepairResult* result) const {
    const TriangleMesh& mesh = result->mesh;
    double area = 0.0;
    for (const auto& face : mesh.faces) area += AreaOf(mesh, face).norm();
    if (area > 0.0) result->area_change = repaired_.area() / area;
    const MeshTopology topology = AnalyzeTopology(mesh);
    if (mesh.faces.empty() || !topology.boundary.empty() || !topology.odd.empty()) return;
    const MeshMass mass = MassWithin(mesh, mesh.vertices.front());
    if (!(mass.volume > 0.0)) return;
    result->volume_change = repaired_.VolumeAbout(mass.centroid) / mass.volume;
  }

  TriangleMesh mesh_;
  const RepairOptions options_;
  RepairedParts repaired_;
  std::size_t joined_ = 0;      // vertices that are no longer named because of that
  std::vector<int> originals_;  // of each face; -1 where it fills a hole
  std::vector<std::string> changes_;
};

}  // namespace

RepairResult RepairMesh(const TriangleMesh& mesh, const RepairOptions& options) {
  RequireFewFaces(mesh);
  if (!(options.weld >= 0.0 && std::isfinite(options.weld))) {
    throw InvalidInput(
        fmt::format("RepairMesh: the distance to weld is {} m; it must not be negative, and finite",
                    options.weld));
  }
  RepairResult result = Repair(mesh, options).Run();
  if (!mesh.deviations.empty()) {
    const double most = *std::max_element(mesh.deviations.begin(), mesh.deviations.end());
    result.mesh.deviations.assign(result.mesh.faces.size(), most);
  }
  return result;
}

VOLCONTACT_NAMESPACE_END
