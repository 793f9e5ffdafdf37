#include "io/meshes/sound_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "volcontact/math/error.h"
#include "volcontact/solids/mesh_check.h"
#include "volcontact/solids/mesh_repair.h"

namespace volcontact {
namespace {

bool LeavesAnAnswer(const MeshDefect& defect) {
  switch (defect.kind) {
    case DefectKind::kDegenerateFace:
    case DefectKind::kDuplicateFace:
    case DefectKind::kSelfIntersection:
    case DefectKind::kInsideOut:
    case DefectKind::kSearchIncomplete:
      return true;
    default:
      return false;
  }
}

// What to do about open edges that lie next to each other; empty where none do.
std::string WeldingCure(const TriangleMesh& mesh) {
  const std::optional<WeldProposal> proposal = ProposeWelding(mesh);
  if (!proposal) return "";
  const std::string left = proposal->open_edges_left == 0
                               ? "closes the mesh"
                               : fmt::format("leaves {} of {} edges open",
                                             proposal->open_edges_left, proposal->open_edges);
  return fmt::format(
      "vertices at open edges lie next to each other: volcontact check --repair FILE --weld {:g} "
      "joins them, and {}",
      proposal->distance, left);
}

// Throws for defects that are not accepted, without the file's name; the others become notes.
void NoteDefects(const TriangleMesh& mesh, const ReadOptions& options, const std::string& origin,
                 std::vector<std::string>* notes) {
  const MeshReport report = CheckMesh(mesh);
  if (report.ok()) return;
  const auto fatal = std::find_if_not(report.defects.begin(), report.defects.end(), LeavesAnAnswer);
  if (!options.accept_defects || fatal != report.defects.end()) {
    const MeshDefect& defect = fatal != report.defects.end() ? *fatal : report.defects.front();
    if (defect.kind == DefectKind::kOpenBoundary) {
      const std::string cure = WeldingCure(mesh);
      if (!cure.empty()) throw InvalidInput(cure);
    }
    const std::size_t all =
        std::accumulate(report.counts.begin(), report.counts.end(), std::size_t{0});
    throw InvalidInput(defect.message +
                       (all > 1
                            ? fmt::format(" ({} defects in all; volcontact check lists them)", all)
                            : std::string()));
  }
  for (const MeshDefect& defect : report.defects) {
    notes->push_back(fmt::format("{}: accepted: {}", origin, defect.message));
  }
}

}  // namespace

void RefuseDefects(const TriangleMesh& mesh, const ReadOptions& options, const std::string& origin,
                   std::vector<std::string>* notes) {
  try {
    NoteDefects(mesh, options, origin, notes);
  } catch (const InvalidInput& error) {
    throw InvalidInput(origin + ": " + error.what());
  }
}

Solid SoundMesh(const TriangleMesh& mesh, const ReadOptions& options, const std::string& origin,
                std::vector<std::string>* notes) {
  NoteDefects(mesh, options, origin, notes);
  return Mesh(mesh);
}

}  // namespace volcontact
