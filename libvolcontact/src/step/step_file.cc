#include "volcontact/step/step_file.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/messages.h"
#include "step/step_csg.h"
#include "step/step_reader.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/mesh_check.h"
#include "volcontact/solids/mesh_repair.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

constexpr int kPoints = 400;
constexpr double kMostDeviation = 0.1;
// Faces of a mesh meet in the same points but for their rounding.
constexpr double kMeshWeld = 1e-9;

// A mesh whose volume is off by more than this, relative, and by so many times what the deviation
// that was asked for allows over its area, is not that of the solid.
constexpr double kLeastVolumeError = 0.01, kVolumeSlack = 10.0;

double AreaOf(const TriangleMesh& mesh) {
  const auto at = [&](int v) -> const Eigen::Vector3d& {
    return mesh.vertices[static_cast<std::size_t>(v)];
  };
  double area = 0.0;
  for (const auto& f : mesh.faces) {
    area += 0.5 * (at(f[1]) - at(f[0])).cross(at(f[2]) - at(f[0])).norm();
  }
  return area;
}

// One solid of a file, and what is to be said of it.
class StepPart {
 public:
  StepPart(const StepReader& reader, int index, const StepOptions& options)
      : reader_(reader), index_(index), options_(options) {}

  Solid Read() {
    if (!options_.only_meshes) {
      const StepSolid step = reader_.Describe(index_, kPoints);
      if (const std::optional<Solid> solid = ExactSolid(step, &why_)) {
        exact_ = true;
        return *solid;
      }
      return ReadMesh(step);
    }
    why_ = "meshes were asked for";
    return ReadMesh(reader_.Describe(index_, 0));
  }

  bool exact() const { return exact_; }
  const std::string& note() const { return note_; }

 private:
  Solid ReadMesh(const StepSolid& step) {
    const double size = (step.bounds.max - step.bounds.min).norm();
    const StepMesh raw = reader_.MeshOf(index_, options_.deviation * size);
    const TriangleMesh mesh = RepairMesh(raw.mesh, {kMeshWeld * size}).mesh;
    const MeshReport report = CheckMesh(mesh);
    if (!report.ok() || !report.mass) {
      throw InvalidInput(fmt::format(
          "solid {} has no exact form ({}), and its mesh has defects: {}; export it as STL, and "
          "repair that with volcontact check",
          index_ + 1, why_, report.defects.empty() ? "no volume" : report.defects[0].message));
    }
    const double off = std::abs(report.mass->volume - step.mass.volume) / step.mass.volume;
    const double deviation = std::max(raw.deviation, 0.0);
    const double expected =
        std::min(deviation, options_.deviation * size) * AreaOf(mesh) / step.mass.volume;
    if (!(off <= std::max(kVolumeSlack * expected, kLeastVolumeError))) {
      throw InvalidInput(fmt::format(
          "solid {} has no exact form ({}), and the volume of its mesh is off by {:.1e} of it, far "
          "more than its surfaces are; export it anew, or as STL, from the CAD program",
          index_ + 1, why_, off));
    }
    note_ = fmt::format(
        "solid {} is a mesh of {} faces, within {:.2g} m of its surfaces; its volume is off by "
        "{:.1e} of it: {}",
        index_ + 1, mesh.faces.size(), deviation, off, why_);
    return Mesh(mesh);
  }

  const StepReader& reader_;
  const int index_;
  const StepOptions& options_;
  bool exact_ = false;
  std::string why_, note_;
};

SolidFile ReadStepSolid(const std::filesystem::path& path, const ReadOptions& options) {
  SolidFile file = ReadStep(path);
  if (!options.units.empty()) {
    file.notes.push_back(fmt::format("{}: says itself what its unit is; the units {} were not used",
                                     Printable(path.string()), options.units));
  }
  return file;
}

}  // namespace

SolidFile ReadStep(const std::filesystem::path& path, const StepOptions& options) {
  if (!(options.deviation > 0.0 && options.deviation <= kMostDeviation)) {
    throw InvalidInput(fmt::format("ReadStep: the deviation is {}; it must lie in (0, {}]",
                                   options.deviation, kMostDeviation));
  }
  const std::string origin = Printable(path.string());
  const StepReader reader(path);
  std::vector<Solid> solids;
  SolidFile file;
  int exact = 0;
  for (int i = 0; i < reader.size(); ++i) {
    StepPart part(reader, i, options);
    try {
      solids.push_back(part.Read());
    } catch (const InvalidInput& error) {
      throw InvalidInput(origin + ": " + error.what());
    }
    if (part.exact()) {
      ++exact;
    } else {
      file.notes.push_back(origin + ": " + part.note());
    }
  }
  file.notes.insert(
      file.notes.begin(),
      fmt::format(
          "{}: {} of {} solids are exact, by their planes, cylinders, cones, spheres and "
          "tori; the unit of the file is {}",
          origin, exact, reader.size(),
          reader.unit().empty() ? "not named, and taken as the millimetre" : reader.unit()));
  file.solid = solids.size() == 1 ? solids.front() : Union(std::move(solids));
  return file;
}

void EnableStepFiles() {
  AddSolidReader(".step", ReadStepSolid);
  AddSolidReader(".stp", ReadStepSolid);
}

VOLCONTACT_NAMESPACE_END
