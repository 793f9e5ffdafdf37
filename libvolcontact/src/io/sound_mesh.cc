#include "io/sound_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "volcontact/math/error.h"
#include "volcontact/solids/mesh_check.h"

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

}  // namespace

Solid SoundMesh(const TriangleMesh& mesh, const ReadOptions& options, const std::string& origin,
                std::vector<std::string>* notes) {
  const MeshReport report = CheckMesh(mesh);
  if (report.ok()) return Mesh(mesh);
  const auto fatal = std::find_if_not(report.defects.begin(), report.defects.end(), LeavesAnAnswer);
  if (!options.accept_defects || fatal != report.defects.end()) {
    const MeshDefect& defect = fatal != report.defects.end() ? *fatal : report.defects.front();
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
  return Mesh(mesh);
}

}  // namespace volcontact
