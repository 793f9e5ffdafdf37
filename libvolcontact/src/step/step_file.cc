#include "volcontact/step/step_file.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "io/meshes/mesh_bodies.h"
#include "io/messages.h"
#include "math/time_limit.h"
#include "step/step_choice.h"
#include "step/step_part.h"
#include "step/step_process.h"
#include "step/step_solid.h"
#include "volcontact/io/printable.h"
#include "volcontact/math/error.h"
#include "volcontact/math/run_within.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/triangle_mesh.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

// Parts that are larger or smaller [m] may have the wrong unit.
constexpr double kLargestPart = 20.0, kSmallestPart = 1e-4;

// Whether the parts that two meshes stand for have volume in common for certain, or the time was
// over before that was known.
bool MayOverlap(const Solid& a, const Solid& b) {
  if (Intersect(a.Bounds(), b.Bounds()).IsEmpty()) return false;
  QueryOptions options;
  options.bound_distance = false;
  const Metrics metrics = PreparedPair(a, b).QueryRelative(Pose(), options);
  if (TimeLimit::IsOver()) return true;
  return metrics.volume_bounds && (*metrics.volume_bounds)[0] > 0.0;
}

TriangleMesh Placed(TriangleMesh mesh, const Pose& X_FS) {
  for (Eigen::Vector3d& vertex : mesh.vertices) vertex = X_FS * vertex;
  return mesh;
}

Solid SolidOf(const StepPart& part) {
  if (part.exact) return *part.exact;
  return part.hybrid ? *part.hybrid : Mesh(part.mesh);
}

std::vector<Solid> Joined(const std::vector<TriangleMesh>& meshes) {
  std::vector<const TriangleMesh*> parts;
  std::vector<Solid> solids;
  for (const TriangleMesh& mesh : meshes) {
    parts.push_back(&mesh);
    solids.push_back(Mesh(mesh));
  }
  return JoinedMeshes(
      parts, [&](std::size_t a, std::size_t b) { return MayOverlap(solids[a], solids[b]); });
}

std::vector<SolidBody> ReadBodiesOfStep(const std::filesystem::path& path,
                                        const ReadOptions& options) {
  return ReadStepBodies(path, StepOptions{options});
}

SolidFile ReadStepSolid(const std::filesystem::path& path, const ReadOptions& options) {
  return ReadStep(path, StepOptions{options});
}

// Whether Open CASCADE's word for a unit is that of this option.
bool IsWordFor(const std::string& units, const std::string& word) {
  static const std::map<std::string, std::string> kWords = {
      {"m", "metre"}, {"mm", "millimetre"}, {"cm", "centimetre"}, {"in", "inch"}};
  const auto found = kWords.find(units);
  return found != kWords.end() && found->second == LowerCase(word);
}

void RequireSound(const StepOptions& options) {
  const double relative = options.relative_deviation;
  if (!(relative > 0.0 && relative <= kMostStepDeviation)) {
    throw InvalidInput(fmt::format("ReadStep: relative_deviation is {}; it must lie in (0, {}]",
                                   relative, kMostStepDeviation));
  }
  if (!(options.deviation >= 0.0 && std::isfinite(options.deviation))) {
    throw InvalidInput(
        fmt::format("ReadStep: the deviation is {} m; it must be a distance", options.deviation));
  }
  if (options.override_units && options.units.empty()) {
    throw InvalidInput("ReadStep: override_units needs units, which are empty");
  }
  if (!(options.max_seconds > 0.0)) {
    throw InvalidInput(
        fmt::format("ReadStep: max_seconds is {}; it must be above 0", options.max_seconds));
  }
}

// A file that is being read. What its functions throw names the file.
class OpenStepFile {
 public:
  /// A solid of its own is made of each chosen body, or one of all.
  OpenStepFile(const std::filesystem::path& path, const StepOptions& options, bool one_by_one)
      : options_(options),
        one_by_one_(one_by_one),
        origin_(Printable(path.string())),
        unit_{options.units.empty() ? 0.0 : MetresPerUnit(options.units), options.override_units},
        process_(path, unit_),
        choice_(ChoiceOf(bodies())) {
    Named([&] { chosen_ = choice_.Chosen(options.body); });
  }

  /// All chosen bodies as one solid.
  SolidFile AsOne() {
    std::vector<Solid> solids;
    std::vector<TriangleMesh> meshes;
    for (const int i : chosen_) {
      const StepPart& part = PartOf(i);
      const Pose& X_FS = Body(i).X_FS;
      if (part.exact || part.hybrid) {
        solids.push_back(SolidOf(part).Posed(X_FS));
      } else {
        meshes.push_back(Placed(part.mesh, X_FS));
      }
    }
    SolidFile result;
    result.notes = Notes();
    if (chosen_.size() == 1) result.name = NameOf(chosen_.front());
    for (Solid& mesh : Joined(meshes)) solids.push_back(std::move(mesh));
    result.solid = solids.size() == 1 ? solids.front() : Union(std::move(solids));
    return result;
  }

  std::vector<StepBody> OneByOne() {
    std::vector<StepBody> result;
    for (const int i : chosen_) result.push_back(BodyOf(i));
    return result;
  }

 private:
  const std::vector<StepInstance>& bodies() const { return process_.bodies(); }
  const StepInstance& Body(int i) const { return bodies()[static_cast<std::size_t>(i)]; }

  const std::string& NameOf(int i) const { return choice_.names()[static_cast<std::size_t>(i)]; }

  StepBody BodyOf(int i) {
    StepBody body;
    body.number = i + 1;
    body.name = NameOf(i);
    const Pose& X_FS = Body(i).X_FS;
    try {
      const StepPart& part = PartOf(i);
      body.exact = part.exact.has_value();
      if (part.hybrid) body.mesh = Mesh(part.mesh).Posed(X_FS);
      body.why = part.why;
      body.deviation = part.deviation;
      for (const double deviation : part.mesh.deviations) {
        body.deviation = std::max(body.deviation, deviation);
      }
      body.volume = part.volume;
      body.centroid = X_FS * part.centroid;
      body.solid = SolidOf(part).Posed(X_FS);
    } catch (const OutOfTime&) {
      throw;
    } catch (const InvalidInput& error) {
      body.why = error.what();
    }
    return body;
  }

  // The solid of a body, read when it is first asked for.
  const StepPart& PartOf(int body) {
    const int solid = Body(body).solid;
    const auto found = parts_.find(solid);
    if (found != parts_.end()) return found->second;
    Named([&] { parts_.emplace(solid, ReadStepPart(&process_, solid, MayBeHybrids(), options_)); });
    return parts_.at(solid);
  }

  // What is to be said of the file, once the parts of all chosen bodies have been asked for.
  std::vector<std::string> Notes() const {
    const auto exact = std::ranges::count_if(
        chosen_, [&](int i) { return parts_.at(Body(i).solid).exact.has_value(); });
    std::vector<std::string> notes = {fmt::format(
        "{}: {} of {} solids are exact, by their planes, quadrics and tori; the unit of the "
        "file is {}",
        origin_, exact, chosen_.size(), WordsOfUnit())};
    if (options_.body.empty() && bodies().size() > 1) {
      notes.push_back(choice_.NoteOfSeveral(origin_));
    }
    notes.insert(notes.end(), process_.notes().begin(), process_.notes().end());
    for (const auto& [solid, part] : parts_) {
      if (!part.note.empty()) notes.push_back(origin_ + ": " + part.note);
    }
    AddSizeNote(&notes);
    return notes;
  }

  std::string WordsOfUnit() const {
    const std::string& named = process_.unit();
    const std::string unit = named.empty() ? "not named, and taken as " : named;
    if (unit_.IsUsed(named))
      return unit + (named.empty() ? "" : ", overridden by ") + options_.units;
    if (named.empty()) return unit + "the millimetre";
    if (options_.units.empty() || IsWordFor(options_.units, named)) return unit;
    return unit + fmt::format("; the units {} were not used", options_.units);
  }

  // Some programs write metres and call them millimetres, or the other way round.
  void AddSizeNote(std::vector<std::string>* notes) const {
    double size = 0.0;
    for (const auto& [solid, part] : parts_) {
      size = std::max(size, 2.0 * SolidOf(part).Bounds().HalfExtents().maxCoeff());
    }
    if (size >= kSmallestPart && size <= kLargestPart) return;
    notes->push_back(fmt::format(
        "{}: is {:.3g} m long by its unit; if that is wrong, name the right one and override it: "
        "--units mm --override-units, units and override_units of ReadOptions",
        origin_, size));
  }

  // A union of several would be more meshes than a query takes.
  bool MayBeHybrids() const { return one_by_one_ || chosen_.size() == 1; }

  template <class Work>
  void Named(const Work& work) const {
    try {
      work();
    } catch (const OutOfTime& error) {
      throw OutOfTime(origin_ + ": " + error.what());
    } catch (const InvalidInput& error) {
      throw InvalidInput(origin_ + ": " + error.what());
    }
  }

  const StepOptions& options_;
  const bool one_by_one_;
  const std::string origin_;
  const StepUnit unit_;
  StepProcess process_;
  const BodyChoice choice_;
  std::vector<int> chosen_;
  std::map<int, StepPart> parts_;
};

// Calls read() within the time that the options give it.
template <class Read>
auto InTime(const std::filesystem::path& path, const StepOptions& options, const Read& read) {
  RequireSound(options);
  decltype(read()) result;
  RunWithin(options.max_seconds,
            Printable(path.string()) + ": is not read within the time limit; raise --max-seconds",
            [&] { result = read(); });
  return result;
}

}  // namespace

SolidFile ReadStep(const std::filesystem::path& path, const StepOptions& options) {
  return InTime(path, options, [&] { return OpenStepFile(path, options, false).AsOne(); });
}

std::vector<StepBody> ReadStepBodies(const std::filesystem::path& path,
                                     const StepOptions& options) {
  return InTime(path, options, [&] { return OpenStepFile(path, options, true).OneByOne(); });
}

void EnableStepFiles() {
  AddSolidReader(".step", ReadStepSolid, ReadBodiesOfStep);
  AddSolidReader(".stp", ReadStepSolid, ReadBodiesOfStep);
}

VOLCONTACT_NAMESPACE_END
