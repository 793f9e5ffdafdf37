#include "volcontact/solids/mesh_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "math/time_limit.h"
#include "solids/mesh_check/mesh_filter.h"
#include "solids/mesh_check/mesh_topology.h"
#include "solids/mesh_check/number_list.h"
#include "solids/mesh_check/self_crossings.h"
#include "solids/mesh_check/shell_mass.h"
#include "solids/mesh_check/shell_nesting.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

class Check {
 public:
  explicit Check(const TriangleMesh& mesh)
      : mesh_(mesh), sound_(SoundFaces(mesh)), first_equal_(FirstEqualVertices(mesh.vertices)) {}

  MeshReport Run() {
    report_.vertices = mesh_.vertices.size();
    report_.faces = mesh_.faces.size();
    if (mesh_.faces.empty()) {
      Add(DefectKind::kNoFaces, {}, {}, "there are no faces; a solid needs a closed surface");
    }
    CheckFaces();
    CheckVertices();
    CheckDuplicates();
    TimeLimit::Enforce();
    const MeshTopology topology = AnalyzeTopology(sound_.mesh);
    TimeLimit::Enforce();
    CheckEdges(topology);
    CheckTurns(topology);
    CheckShells(topology, CheckCrossings(topology));
    Measure();
    std::stable_sort(report_.defects.begin(), report_.defects.end(),
                     [](const MeshDefect& a, const MeshDefect& b) { return a.kind < b.kind; });
    return std::move(report_);
  }

 private:
  void Add(DefectKind kind, std::vector<int> faces, std::vector<int> vertices,
           std::string message) {
    if (report_.counts[static_cast<std::size_t>(kind)]++ >= MeshReport::kMaxListed) return;
    report_.defects.push_back({kind, std::move(faces), std::move(vertices), std::move(message)});
  }

  std::vector<int> Originals(std::vector<int> faces) const {
    for (int& f : faces) f = sound_.originals[f];
    return faces;
  }

  void CheckFaces() {
    for (std::size_t f = 0; f < mesh_.faces.size(); ++f) {
      const auto& face = mesh_.faces[f];
      const std::vector<int> vertices(face.begin(), face.end());
      const int number = static_cast<int>(f);
      const FaceState state = StateOf(mesh_, face);
      if (state == FaceState::kBadIndex || state == FaceState::kBadVertex) ++bad_faces_;
      if (state == FaceState::kBadIndex) {
        Add(DefectKind::kIndexOutOfRange, {number}, vertices,
            fmt::format("face {} names vertices {}; there are {}, numbered from 0; correct or "
                        "remove it",
                        f, fmt::join(face, ", "), mesh_.vertices.size()));
      } else if (state == FaceState::kRepeatedVertex) {
        Add(DefectKind::kDegenerateFace, {number}, vertices,
            fmt::format("face {} names a vertex twice ({}); remove it", f, fmt::join(face, ", ")));
      } else if (state == FaceState::kSound && HasNoArea(mesh_, face)) {
        Add(DefectKind::kDegenerateFace, {number}, vertices,
            fmt::format("face {} (vertices {}) has no area; remove it and join its neighbours", f,
                        fmt::join(face, ", ")));
      }
    }
  }

  void CheckVertices() {
    std::vector<bool> used(mesh_.vertices.size(), false);
    for (const auto& face : mesh_.faces) {
      for (const int v : face) {
        if (v >= 0 && static_cast<std::size_t>(v) < used.size()) used[v] = true;
      }
    }
    for (std::size_t v = 0; v < used.size(); ++v) {
      const Eigen::Vector3d& p = mesh_.vertices[v];
      if (!used[v] || IsUsable(p)) continue;
      Add(DefectKind::kVertexOutOfRange, {}, {static_cast<int>(v)},
          fmt::format("vertex {} is ({}, {}, {}); coordinates must be finite and within 1e30 m; "
                      "correct it",
                      v, p.x(), p.y(), p.z()));
    }
    const auto unused = std::count(used.begin(), used.end(), false);
    if (unused > 0) Note(fmt::format("{} vertices belong to no face", unused));
    for (std::size_t v = 0; v < used.size(); ++v) {
      const int first = first_equal_[v];
      if (used[v] && first != static_cast<int>(v) && used[first]) ++doubled_;
    }
    if (doubled_ > 0) {
      Note(fmt::format("{} vertices are equal to others but not shared", doubled_));
    }
  }

  // Equal after joining equal vertices: copies need not share theirs.
  void CheckDuplicates() {
    TriangleMesh joined{{}, sound_.mesh.faces};
    for (auto& face : joined.faces) {
      for (int& v : face) v = first_equal_[v];
    }
    ForEachDuplicate(SortedFaces(joined), [&](const FaceKey* first, const FaceKey* last) {
      const auto& [p, q, r] = first->vertices;
      if (p == q || q == r) return;
      for (const FaceKey* key = first + 1; key != last; ++key) {
        const bool same = key->forward == first->forward;
        const std::vector<int> faces = Originals({first->face, key->face});
        Add(DefectKind::kDuplicateFace, faces, {p, q, r},
            fmt::format("face {} has the vertices of face {}{}; remove one of them{}", faces[1],
                        faces[0], same ? "" : ", turned over", same ? "" : ", or both"));
      }
    });
  }

  void CheckEdges(const MeshTopology& topology) {
    const char* cure = doubled_ > 0 ? "join equal vertices, then close the remaining edges"
                                    : "volcontact check --repair fills it if that is safe";
    for (const BoundaryChain& chain : JoinBoundary(sound_.mesh, topology.boundary)) {
      Add(DefectKind::kOpenBoundary, Originals(chain.faces), chain.vertices,
          fmt::format("{} of {} edges with one face only, at vertices {}; {}",
                      chain.closed ? "a hole" : "a chain", chain.faces.size(),
                      Listed(chain.vertices), cure));
    }
    for (const EdgeRemark& edge : topology.odd) AddManyFaces(edge, "an odd number");
    for (const EdgeRemark& edge : topology.unbalanced) {
      AddManyFaces(edge, "different numbers in the two directions");
    }
    if (topology.balanced > 0) {
      Note(fmt::format("{} edges have four or more faces, with equal numbers in both directions",
                       topology.balanced));
    }
    report_.closed = !sound_.mesh.faces.empty() && bad_faces_ == 0 && topology.boundary.empty() &&
                     topology.odd.empty();
  }

  void AddManyFaces(const EdgeRemark& edge, std::string_view what) {
    const std::vector<int> faces = Originals(edge.faces);
    Add(DefectKind::kNonManifoldEdge, faces, {edge.low, edge.high},
        fmt::format("the edge between vertices {} and {} has {} faces ({}), {}; remove or turn "
                    "those that do not belong there",
                    edge.low, edge.high, faces.size(), Listed(faces), what));
  }

  void CheckTurns(const MeshTopology& topology) {
    for (std::size_t f = 0; f < topology.flipped.size(); ++f) {
      if (!topology.flipped[f]) continue;
      const auto& face = sound_.mesh.faces[f];
      Add(DefectKind::kFlippedFace, {sound_.originals[f]}, {face.begin(), face.end()},
          fmt::format("face {} is turned against its neighbours; swap two of its vertices",
                      sound_.originals[f]));
    }
    for (const EdgeRemark& edge : topology.twisted) {
      Add(DefectKind::kNonOrientable, Originals(edge.faces), {edge.low, edge.high},
          fmt::format("the surface has only one side, like a Moebius strip, as the edge between "
                      "vertices {} and {} shows; cut it and close both parts",
                      edge.low, edge.high));
    }
    report_.oriented = !sound_.mesh.faces.empty() && topology.unbalanced.empty() &&
                       topology.twisted.empty() && report_.count(DefectKind::kFlippedFace) == 0;
  }

  // Returns the pairs of shells that cross.
  ShellPairs CheckCrossings(const MeshTopology& topology) {
    const MeshPart part = SearchableFaces(sound_.mesh);
    const SelfCrossings crossings = FindSelfCrossings(part.mesh);
    for (const auto& [a, b] : crossings.pairs) {
      const std::vector<int> faces = Originals({part.originals[a], part.originals[b]});
      Add(DefectKind::kSelfIntersection, faces, {},
          fmt::format("faces {} and {} cross or overlap; unite their solids, or move them apart",
                      faces[0], faces[1]));
    }
    if (!crossings.complete) AddIncomplete("crossings");
    return CrossingShells(crossings, part.originals, topology.shell);
  }

  void AddIncomplete(std::string_view what) {
    Add(DefectKind::kSearchIncomplete, {}, {},
        fmt::format(
            "the search for {} stopped, because too many faces lie in one place; split the mesh",
            what));
  }

  void CheckShells(const MeshTopology& topology, const ShellPairs& crossing) {
    report_.shells = MeasureShells(sound_.mesh, topology);
    std::vector<bool> closed;
    for (MeshShell& shell : report_.shells) {
      closed.push_back(shell.closed);
      shell.first_face = sound_.originals[shell.first_face];
    }
    const ShellNesting nesting = NestShells(sound_.mesh, topology.shell, closed, crossing);
    if (!nesting.complete) AddIncomplete("shells inside each other");
    for (std::size_t s = 0; s < report_.shells.size(); ++s) {
      MeshShell& shell = report_.shells[s];
      shell.depth = nesting.places[s].depth;
      shell.parent = nesting.places[s].parent;
      if (!nesting.complete || !IsInsideOut(shell)) continue;
      Add(DefectKind::kInsideOut, {shell.first_face}, {},
          fmt::format(
              "the shell of face {} ({} faces, {} shells around it) has the volume {:g} "
              "m^3, but should be {}; turn its faces over, as volcontact check --repair does",
              shell.first_face, shell.faces, shell.depth, shell.volume,
              shell.depth % 2 == 0 ? "positive" : "negative, that of a cavity"));
    }
  }

  void Measure() {
    for (const auto& face : sound_.mesh.faces) {
      for (const int v : face) {
        report_.bounds.min = report_.bounds.min.cwiseMin(mesh_.vertices[v]);
        report_.bounds.max = report_.bounds.max.cwiseMax(mesh_.vertices[v]);
      }
    }
    if (report_.bounds.IsEmpty()) return;
    if (report_.closed && report_.oriented) {
      report_.mass = MassWithin(sound_.mesh, report_.bounds.Center());
    }
  }

  void Note(std::string note) { report_.notes.push_back(std::move(note)); }

  const TriangleMesh& mesh_;
  const MeshPart sound_;
  const std::vector<int> first_equal_;
  std::size_t bad_faces_ = 0;  // with an index out of range, or a vertex that is not finite
  std::size_t doubled_ = 0;    // vertices equal to an earlier one
  MeshReport report_;
};

}  // namespace

std::string_view DefectKindName(DefectKind kind) {
  constexpr std::array<std::string_view, kDefectKinds> kNames = {
      "no_faces",       "index_out_of_range", "vertex_out_of_range", "degenerate_face",
      "duplicate_face", "open_boundary",      "non_manifold_edge",   "flipped_face",
      "non_orientable", "self_intersection",  "inside_out",          "search_incomplete"};
  return kNames[static_cast<std::size_t>(kind)];
}

MeshReport CheckMesh(const TriangleMesh& mesh) {
  RequireFewFaces(mesh);
  return Check(mesh).Run();
}

VOLCONTACT_NAMESPACE_END
