#include "step/step_part.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <vector>

#include "math/time_limit.h"
#include "step/csg/step_csg.h"
#include "step/csg/step_hybrid.h"
#include "step/csg/step_joints.h"
#include "step/step_choice.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/mesh_check.h"

namespace volcontact {
namespace {

// Of the size; a finer mesh would be larger than memory.
constexpr double kLeastDeviation = 1e-8;

// A mesh whose volume is off by more than this, relative, and by so many times what the deviation
// that was asked for allows over its area, is not that of the solid.
constexpr double kLeastVolumeError = 0.01, kVolumeSlack = 10.0;

// How a solid is meshed, one after the other, until it is sound: what fails with one kind of
// surface, or with triangles of one size, mostly goes with others. They may not end, and the first
// and each other are given this time [s].
struct MeshAttempt {
  StepMeshing meshing;
  double share;  // of the deviation
};
constexpr MeshAttempt kAttempts[] = {{StepMeshing::kAsItIs, 1.0},
                                     {StepMeshing::kCutInTwo, 1.0},
                                     {StepMeshing::kAsItIs, 0.25},
                                     {StepMeshing::kCutInTwo, 0.25},
                                     {StepMeshing::kSplines, 0.25}};
constexpr double kFirstSeconds = 300.0, kAttemptSeconds = 20.0;
// Of a time limit what a search for exact faces may take: the mesh and the query need the rest.
constexpr double kShareOfSearch = 0.4;
// Points that Open CASCADE is asked about at a time, between two looks at the clock.
constexpr std::size_t kPointsAtOnce = 100;

// Of the size: edges of files that are farther from their faces are told of.
constexpr double kMostGap = 1e-5;

double AreaOf(const TriangleMesh& mesh) {
  double area = 0.0;
  for (std::size_t t = 0; t < mesh.faces.size(); ++t) area += 0.5 * AreaVectorOf(mesh, t).norm();
  return area;
}

class StepPartReader {
 public:
  StepPartReader(StepProcess* process, int index, const StepOptions& options)
      : process_(*process), index_(index), options_(options) {}

  StepPart Read(bool may_be_hybrid) {
    const StepSolid step = process_.Describe(index_, !options_.only_meshes);
    part_.volume = step.mass.volume;
    part_.centroid = step.mass.centroid;
    if (options_.only_meshes) {
      part_.why = "meshes were asked for";
      ReadMesh(step);
      return std::move(part_);
    }
    const bool is_searched =
        Search([&] { part_.exact = ExactSolid(step, Classifier(), &part_.why); });
    if (!is_searched) part_.why = "its exact form was not found within the time limit";
    if (part_.exact) {
      NoteGap(step);
      return std::move(part_);
    }
    const std::vector<int> origins = ReadMesh(step);
    if (!may_be_hybrid) return std::move(part_);
    std::optional<StepHybrid> hybrid;
    Search([&] { hybrid = HybridSolid(step, {part_.mesh, origins}, Classifier()); });
    if (hybrid) TakeHybrid(step, *hybrid);
    return std::move(part_);
  }

 private:
  // False where it was given up.
  template <class Work>
  static bool Search(const Work& work) {
    const TimeLimit limit(kShareOfSearch * TimeLimit::SecondsLeft());
    return TimeLimit::EndsInTime(work);
  }

  // It tells of some of the points if the time ends. An answer that has begun is waited for as long
  // as the whole part may take.
  StepClassifier Classifier() const {
    return [this](const std::vector<Eigen::Vector3d>& points, double near) {
      std::vector<StepPoint> told;
      for (std::size_t i = 0; i < points.size() && !TimeLimit::IsOver(); i += kPointsAtOnce) {
        const auto from = points.begin() + static_cast<std::ptrdiff_t>(i);
        const std::size_t count = std::min(kPointsAtOnce, points.size() - i);
        const TimeLimit::Shared of_part(limit_);
        std::ranges::move(
            process_.Classify(index_, {from, from + static_cast<std::ptrdiff_t>(count)}, near),
            std::back_inserter(told));
      }
      return told;
    };
  }

  void NoteGap(const StepSolid& step) {
    if (!(step.gap > kMostGap * step.Size())) return;
    part_.note = fmt::format(
        "{} is exact in its faces, but edges of the file miss these by up to {:.2g} m: its edges "
        "are where its faces meet",
        Name(), step.gap);
  }

  // Metres.
  double DeviationFor(const StepSolid& step) const {
    const double size = step.Size();
    if (!(options_.deviation > 0.0)) return options_.relative_deviation * size;
    return std::clamp(options_.deviation, kLeastDeviation * size, kMostStepDeviation * size);
  }

  // Of each triangle the face of the file, where that is known.
  std::vector<int> ReadMesh(const StepSolid& step) {
    const double deviation = DeviationFor(step);
    std::string defect;
    for (const MeshAttempt& attempt : kAttempts) {
      const bool is_first = &attempt == kAttempts;
      std::vector<int> origins;
      try {
        const TimeLimit of_attempt(is_first ? kFirstSeconds : kAttemptSeconds);
        StepMesh mesh = process_.MeshOf(index_, attempt.share * deviation, attempt.meshing);
        part_.mesh = std::move(mesh.mesh);
        origins = std::move(mesh.origins);
      } catch (const OutOfTime&) {
        if (TimeLimit::IsOver()) throw;
        if (is_first) defect = fmt::format("it takes more than {:.0f} s", kFirstSeconds);
        break;  // the process is not asked any more
      }
      const MeshReport report = CheckMesh(part_.mesh);
      if (report.ok() && report.mass && report.mass->volume > 0.0) {
        Accept(step, deviation, report.mass->volume);
        return origins;
      }
      if (defect.empty()) defect = DefectOf(report);
    }
    throw InvalidInput(
        fmt::format("{} has no exact form ({}), and its mesh has defects: {}; export it as STL, "
                    "and repair that "
                    "with volcontact check",
                    Name(), part_.why, defect));
  }

  // Of a mesh that bounds no solid.
  std::string DefectOf(const MeshReport& report) const {
    if (part_.mesh.faces.empty()) return "a face of the solid cannot be triangulated";
    return report.ok() ? "it has no volume" : report.defects[0].message;
  }

  void Accept(const StepSolid& step, double asked, double volume) {
    const TriangleMesh& mesh = part_.mesh;
    const double off = std::abs(volume - step.mass.volume) / step.mass.volume;
    part_.deviation = *std::ranges::max_element(mesh.deviations);
    const double expected = std::min(part_.deviation, asked) * AreaOf(mesh) / step.mass.volume;
    if (!(off <= std::max(kVolumeSlack * expected, kLeastVolumeError))) {
      throw InvalidInput(
          fmt::format("{} has no exact form ({}), and the volume of its mesh is off by {:.1e} of "
                      "itself, far more than the deviation of its surfaces; export it again, or as "
                      "STL, from the CAD program",
                      Name(), part_.why, off));
    }
    part_.note = fmt::format(
        "{} is a mesh of {} faces, within {:.2g} m of its surfaces; its volume is off by {:.1e} of "
        "itself: {}",
        Name(), mesh.faces.size(), part_.deviation, off, part_.why);
  }

  void TakeHybrid(const StepSolid& step, const StepHybrid& hybrid) {
    const auto curved = std::ranges::count_if(
        step.faces, [](const StepFace& face) { return face.surface != StepSurface::kPlane; });
    part_.hybrid = hybrid.solid;
    part_.deviation = hybrid.deviation;
    part_.note = fmt::format(
        "{} has its planes and {} of its {} curved faces exact, the others as triangles within "
        "{:.2g} m: {}",
        Name(), hybrid.exact, curved, part_.deviation, part_.why);
  }

  std::string Name() const { return Called(process_.bodies(), index_); }

  StepProcess& process_;
  const int index_;
  const StepOptions& options_;
  const TimeLimit* const limit_ = TimeLimit::Current();
  StepPart part_;
};

}  // namespace

StepPart ReadStepPart(StepProcess* process, int index, bool hybrid, const StepOptions& options) {
  return StepPartReader(process, index, options).Read(hybrid);
}

}  // namespace volcontact
