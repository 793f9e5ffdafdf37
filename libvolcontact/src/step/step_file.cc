#include "volcontact/step/step_file.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/messages.h"
#include "step/step_csg.h"
#include "step/step_process.h"
#include "step/step_reader.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/mesh_check.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

constexpr double kMostDeviation = 0.1;
// Of the size; a finer mesh would be larger than memory.
constexpr double kLeastDeviation = 1e-8;

// A mesh whose volume is off by more than this, relative, and by so many times what the deviation
// that was asked for allows over its area, is not that of the solid.
constexpr double kLeastVolumeError = 0.01, kVolumeSlack = 10.0;

// How a solid is meshed, one after the other, until it is sound: what fails with one kind of
// surface, or with triangles of one size, mostly goes with others. Those after the first may not
// end, and are given this time [s].
struct MeshAttempt {
  StepMeshing meshing;
  double share;  // of the deviation
};
constexpr MeshAttempt kAttempts[] = {{StepMeshing::kAsItIs, 1.0},
                                     {StepMeshing::kCutInTwo, 1.0},
                                     {StepMeshing::kAsItIs, 0.25},
                                     {StepMeshing::kCutInTwo, 0.25},
                                     {StepMeshing::kSplines, 0.25}};
constexpr double kAttemptSeconds = 20.0;

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
  StepPart(StepProcess* process, int index, const StepOptions& options,
           const StepDeadline& deadline)
      : process_(*process), index_(index), options_(options), deadline_(deadline) {}

  void Read() {
    if (options_.only_meshes) {
      why_ = "meshes were asked for";
      return ReadMesh(process_.Describe(index_, false, deadline_));
    }
    const StepSolid step = process_.Describe(index_, true, deadline_);
    const auto classify = [&](const std::vector<Eigen::Vector3d>& points, double near) {
      return process_.Classify(index_, points, near, deadline_);
    };
    exact = ExactSolid(step, classify, deadline_, &why_);
    if (!exact) ReadMesh(step);
  }

  // One of the two.
  std::optional<Solid> exact;
  TriangleMesh mesh;

  const std::string& note() const { return note_; }

 private:
  // Metres.
  double DeviationFor(const StepSolid& step) const {
    const double size = (step.bounds.max - step.bounds.min).norm();
    if (!(options_.absolute_deviation > 0.0)) return options_.deviation * size;
    return std::clamp(options_.absolute_deviation, kLeastDeviation * size, kMostDeviation * size);
  }

  void ReadMesh(const StepSolid& step) {
    const double deviation = DeviationFor(step);
    std::string defect;
    for (const MeshAttempt& attempt : kAttempts) {
      const bool is_first = &attempt == kAttempts;
      const StepDeadline until = is_first ? deadline_ : deadline_.Within(kAttemptSeconds);
      try {
        mesh = process_.MeshOf(index_, attempt.share * deviation, attempt.meshing, until);
      } catch (const OutOfTime&) {
        if (deadline_.IsOver()) throw;
        break;  // the process is not asked any more
      }
      const std::string found = DefectOf(mesh);
      if (found.empty()) return Accept(step, deviation);
      if (defect.empty()) defect = found;
    }
    throw InvalidInput(fmt::format(
        "solid {} has no exact form ({}), and its mesh has defects: {}; export it as STL, and "
        "repair that with volcontact check",
        index_ + 1, why_, defect));
  }

  // Empty where the mesh bounds a solid.
  static std::string DefectOf(const TriangleMesh& mesh) {
    if (mesh.faces.empty()) return "a face of the solid cannot be triangulated";
    const MeshReport report = CheckMesh(mesh);
    if (!report.ok()) return report.defects[0].message;
    return report.mass && report.mass->volume > 0.0 ? "" : "it has no volume";
  }

  void Accept(const StepSolid& step, double asked) {
    const double volume = CheckMesh(mesh).mass->volume;
    const double off = std::abs(volume - step.mass.volume) / step.mass.volume;
    const double deviation = *std::max_element(mesh.deviations.begin(), mesh.deviations.end());
    const double expected = std::min(deviation, asked) * AreaOf(mesh) / step.mass.volume;
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
  }

  StepProcess& process_;
  const int index_;
  const StepOptions& options_;
  const StepDeadline& deadline_;
  std::string why_, note_;
};

// Whether the parts that two meshes stand for have volume in common for certain.
bool Overlap(const Solid& a, const Solid& b) {
  if (Intersect(a.Bounds(), b.Bounds()).IsEmpty()) return false;
  QueryOptions options;
  options.bound_distance = false;
  const Metrics metrics = PreparedPair(a, b).Query(Pose(), options);
  return metrics.volume_bounds && (*metrics.volume_bounds)[0] > 0.0;
}

void Append(const TriangleMesh& part, TriangleMesh* mesh) {
  const int first = static_cast<int>(mesh->vertices.size());
  mesh->vertices.insert(mesh->vertices.end(), part.vertices.begin(), part.vertices.end());
  for (const auto& [a, b, c] : part.faces) mesh->faces.push_back({first + a, first + b, first + c});
  mesh->deviations.insert(mesh->deviations.end(), part.deviations.begin(), part.deviations.end());
}

// Meshes that do not overlap are one mesh of several shells, which costs less than a union.
std::vector<Solid> JoinedMeshes(const std::vector<TriangleMesh>& meshes) {
  struct Group {
    TriangleMesh mesh;
    std::vector<Solid> parts;
  };
  std::vector<Group> groups;
  for (const TriangleMesh& mesh : meshes) {
    const Solid part = Mesh(mesh);
    auto group = std::ranges::find_if(groups, [&](const Group& one) {
      return std::ranges::none_of(one.parts,
                                  [&](const Solid& other) { return Overlap(part, other); });
    });
    if (group == groups.end()) group = groups.insert(group, Group());
    Append(mesh, &group->mesh);
    group->parts.push_back(part);
  }
  std::vector<Solid> solids;
  for (const Group& group : groups) solids.push_back(Mesh(group.mesh));
  return solids;
}

SolidFile ReadStepSolid(const std::filesystem::path& path, const ReadOptions& options) {
  StepOptions step;
  step.absolute_deviation = options.deviation;
  step.max_seconds = options.max_seconds;
  SolidFile file = ReadStep(path, step);
  if (!options.units.empty()) {
    file.notes.push_back(fmt::format("{}: says itself what its unit is; the units {} were not used",
                                     Printable(path.string()), options.units));
  }
  return file;
}

void RequireSound(const StepOptions& options) {
  if (!(options.deviation > 0.0 && options.deviation <= kMostDeviation)) {
    throw InvalidInput(fmt::format("ReadStep: the deviation is {}; it must lie in (0, {}]",
                                   options.deviation, kMostDeviation));
  }
  if (!(options.absolute_deviation >= 0.0 && std::isfinite(options.absolute_deviation))) {
    throw InvalidInput(fmt::format("ReadStep: the deviation is {} m; it must be a distance",
                                   options.absolute_deviation));
  }
  if (!(options.max_seconds > 0.0)) {
    throw InvalidInput(
        fmt::format("ReadStep: max_seconds is {}; it must be above 0", options.max_seconds));
  }
}

}  // namespace

SolidFile ReadStep(const std::filesystem::path& path, const StepOptions& options) {
  RequireSound(options);
  const StepDeadline deadline(options.max_seconds);
  const std::string origin = Printable(path.string());
  StepProcess process(path, deadline);
  std::vector<Solid> solids;
  std::vector<TriangleMesh> meshes;
  SolidFile file;
  file.notes = process.notes();
  for (int i = 0; i < process.size(); ++i) {
    StepPart part(&process, i, options, deadline);
    try {
      part.Read();
    } catch (const OutOfTime& error) {
      throw OutOfTime(origin + ": " + error.what());
    } catch (const InvalidInput& error) {
      throw InvalidInput(origin + ": " + error.what());
    }
    if (part.exact) {
      solids.push_back(*part.exact);
    } else {
      meshes.push_back(std::move(part.mesh));
      file.notes.push_back(origin + ": " + part.note());
    }
  }
  file.notes.insert(
      file.notes.begin(),
      fmt::format(
          "{}: {} of {} solids are exact, by their planes, cylinders, cones, spheres and "
          "tori; the unit of the file is {}",
          origin, solids.size(), process.size(),
          process.unit().empty() ? "not named, and taken as the millimetre" : process.unit()));
  for (Solid& mesh : JoinedMeshes(meshes)) solids.push_back(std::move(mesh));
  file.solid = solids.size() == 1 ? solids.front() : Union(std::move(solids));
  return file;
}

void EnableStepFiles() {
  AddSolidReader(".step", ReadStepSolid);
  AddSolidReader(".stp", ReadStepSolid);
}

VOLCONTACT_NAMESPACE_END
