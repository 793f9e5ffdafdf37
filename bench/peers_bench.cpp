// The same pairs of parts by this library, by CGAL's corefinement and by Manifold: the peers on
// tessellations as coarse as errors of 1e-3, 1e-4 and 1e-5 of V in each of some scenes allow, and
// on these meshes this library, too.
//
// Names: peer/<family>/method:volcontact/tol:../scenes:..,
// peer/<family>/fit:../target:../method:cgal|mesh|manifold/scenes:.. and
// peer/<family>/method:extrapolation/scenes:..; choose by --benchmark_filter: with scenes:2 a quick
// run, with scenes:5 a full one.
// Counters, over the scenes: median_us and max_us of each scene's median, worst_error of V, and
// prepare_ms, of a prepared pair or of the parts from meshes; with meshes also segments about a
// cylinder, triangles, and tessellate_ms. All times are CPU times.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "corefinement/corefinement.h"
#include "manifold_peer.h"
#include "peer_scenes.h"
#include "support.h"

namespace volcontact::bench {
namespace {

// Tessellations are tried until the worst error is at most the target and over this part of it.
constexpr double kNearTarget = 0.75, kAim = 0.9;
constexpr int kTries = 5, kCoarsest = 2;

// How much is measured.
struct Effort {
  int scenes;
  double seconds;  // in which corefinement meshes and intersects one
};
constexpr Effort kQuick = {2, 2.0}, kFull = {5, 15.0};

double RelativeError(double volume, const Scene& scene) {
  return std::abs(volume / scene.volume - 1.0);
}

// What the scenes of one benchmark came to.
struct Tally {
  std::vector<double> times, preparing;  // [s]
  double worst_error = 0.0;

  void Add(double time, double prepare, double error) {
    times.push_back(time);
    preparing.push_back(prepare);
    worst_error = std::max(worst_error, error);
  }
  void Report(benchmark::State& state) const {
    SetCounter(state, "median_us", 1e6 * Median(times));
    SetCounter(state, "max_us", 1e6 * *std::max_element(times.begin(), times.end()));
    SetCounter(state, "prepare_ms", 1e3 * Median(preparing));
    SetCounter(state, "worst_error", worst_error);
  }
};

// The meshes of all scenes of a family at one fineness.
struct Meshing {
  int f = 0;
  std::vector<MeshedScene> scenes;
  double worst_error = 0.0, slowest = 0.0;  // CPU time of MeshScene [s]
};

// The scenes of one family, and the meshes found for them.
class FamilyRun {
 public:
  FamilyRun(const SceneFamily& family, const Effort& effort) : family_(family), effort_(effort) {}

  const std::vector<Scene>& Scenes() {
    if (scenes_.empty()) scenes_ = MakeScenes(family_, effort_.scenes);
    return scenes_;
  }
  // The coarsest meshes found that meet a target, kept until another is asked for; nothing where
  // none does, and then `reason` says why.
  const Meshing* Find(Fit fit, double target, std::string* reason) {
    if (found_for_ != std::pair(fit, target)) {
      found_.reset();
      found_for_ = {fit, target};
      reason_ = Search(fit, target);
    }
    *reason = reason_;
    return found_ ? &*found_ : nullptr;
  }
  // The largest relative difference of V in a scene from what its finest inscribed mesh and one
  // half as fine tend to; their error falls with f⁻², but for what the cuts between the solids add.
  // Nothing where there are no two such meshes.
  std::optional<double> DifferenceFromLimit();

 private:
  std::optional<Meshing> MeshAll(int f, Fit fit);
  double Forecast(long triangles) const;
  std::string Search(Fit fit, double target);

  const SceneFamily& family_;
  Effort effort_;
  std::vector<Scene> scenes_;
  std::map<int, std::vector<double>> inscribed_;  // V of the scenes by f
  std::map<Fit, std::pair<int, double>> last_;    // f and the error there
  std::map<long, double> costs_;                  // of the slowest scene by its triangles [s]
  std::pair<Fit, double> found_for_ = {Fit::kInscribed, 0.0};
  std::optional<Meshing> found_;
  std::string reason_;
};

std::optional<double> FamilyRun::DifferenceFromLimit() {
  if (inscribed_.empty()) return std::nullopt;
  const int f = inscribed_.rbegin()->first, half = f / 2;
  if (half < kCoarsest) return std::nullopt;
  if (!inscribed_.contains(half) && !MeshAll(half, Fit::kInscribed)) return std::nullopt;
  const std::vector<double>&fine = inscribed_.at(f), &coarse = inscribed_.at(half);
  const double ratio = std::pow(static_cast<double>(f) / half, 2);
  double worst = 0.0;
  for (std::size_t i = 0; i < Scenes().size(); ++i) {
    const double limit = fine[i] + (fine[i] - coarse[i]) / (ratio - 1.0);
    worst = std::max(worst, RelativeError(limit, Scenes()[i]));
  }
  return worst;
}

std::optional<Meshing> FamilyRun::MeshAll(int f, Fit fit) {
  Meshing meshing;
  meshing.f = f;
  std::vector<double> volumes;
  for (const Scene& scene : Scenes()) {
    std::optional<MeshedScene> meshed;
    const double seconds = SecondsOf(ThreadCpuSeconds, [&] { meshed = MeshScene(scene, f, fit); });
    if (!meshed) return std::nullopt;
    meshing.slowest = std::max(meshing.slowest, seconds);
    meshing.worst_error = std::max(meshing.worst_error, RelativeError(meshed->volume, scene));
    volumes.push_back(meshed->volume);
    meshing.scenes.push_back(std::move(*meshed));
  }
  if (fit == Fit::kInscribed) inscribed_[f] = std::move(volumes);
  return meshing;
}

// From the two finest meshes so far, by the power of the number of triangles between them.
double FamilyRun::Forecast(long triangles) const {
  if (costs_.size() < 2) return 0.0;
  const auto [fine, fine_cost] = *costs_.rbegin();
  const auto [coarse, coarse_cost] = *std::next(costs_.rbegin());
  const auto log_ratio = [](double a, double b) { return std::log(a / b); };
  const double power = log_ratio(fine_cost, coarse_cost) /
                       log_ratio(static_cast<double>(fine), static_cast<double>(coarse));
  const double growth = static_cast<double>(triangles) / static_cast<double>(fine);
  return fine_cost * std::pow(growth, std::clamp(power, 1.0, 2.0));
}

std::string FamilyRun::Search(Fit fit, double target) {
  auto& [last_f, error] = last_.try_emplace(fit, kCoarsest, target).first->second;
  std::set<int> tried;
  for (int tries = 0; tries < kTries; ++tries) {
    const int finer = static_cast<int>(std::ceil(last_f * std::sqrt(error / (kAim * target))));
    const int f = tries == 0 && error <= target ? last_f : std::max(kCoarsest, finer);
    if (!tried.insert(f).second) break;
    const long triangles = Scenes().front().TriangleCount(f);
    if (const double seconds = Forecast(triangles); seconds > effort_.seconds) {
      return fmt::format("{:.1e}: CGAL would take {:.0f} s", static_cast<double>(triangles),
                         seconds);
    }
    std::optional<Meshing> meshing = MeshAll(f, fit);
    if (!meshing) return fmt::format("{:.1e}: corefinement fails", static_cast<double>(triangles));
    costs_[triangles] = meshing->slowest;
    last_f = f;
    error = meshing->worst_error;
    if (error <= target && (!found_ || f < found_->f)) found_ = std::move(meshing);
    if (error <= target && error > kNearTarget * target) break;
  }
  return found_ ? "" : fmt::format("not found in {} tries", kTries);
}

void MeasureVolcontact(benchmark::State& state, FamilyRun& family, double tolerance) {
  QueryOptions options;
  options.tolerance = tolerance;
  options.bound_distance = false;
  Tally tally;
  for (auto _ : state) {
    for (const Scene& scene : family.Scenes()) {
      const Solid A = scene.A.MakeSolid(), B = scene.B.MakeSolid();
      std::optional<PreparedPair> pair;
      const double preparing = SecondsOf(ThreadCpuSeconds, [&] { pair.emplace(A, B); });
      Metrics metrics;
      const double time = MedianSeconds([&] {
        return SecondsOf(ThreadCpuSeconds, [&] { metrics = pair->Query(Pose(), Pose(), options); });
      });
      if (!metrics.converged) return state.SkipWithError("not converged");
      tally.Add(time, preparing, RelativeError(metrics.volume, scene));
    }
  }
  tally.Report(state);
}

// What measures the scenes at their tessellations; returns why it cannot, or nothing.
using MeasureMeshes = std::string (*)(const std::vector<Scene>&, const Meshing&, Tally*);

std::string RunCgal(const std::vector<Scene>& scenes, const Meshing& meshing, Tally* tally) {
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const MeshedScene& meshed = meshing.scenes[i];
    double volume = 0.0;
    const double time = MedianSeconds([&] {
      // It changes the meshes: a run begins with copies, which are not timed.
      const auto corefinement = testing::MakeCorefinement(
          testing::Constructions::kInexact, meshed.A, meshed.B, Eigen::Vector3d::Zero());
      return SecondsOf(ThreadCpuSeconds, [&] {
        corefinement->Run();
        volume = corefinement->Volume();
      });
    });
    tally->Add(time, meshed.combining, RelativeError(volume, scenes[i]));
  }
  return "";
}

std::string RunMesh(const std::vector<Scene>& scenes, const Meshing& meshing, Tally* tally) {
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const MeshedScene& meshed = meshing.scenes[i];
    std::optional<PreparedPair> pair;
    const double preparing = SecondsOf(ThreadCpuSeconds, [&] {
      pair.emplace(volcontact::Mesh(meshed.A), volcontact::Mesh(meshed.B));
    });
    QueryOptions options;
    options.bound_distance = false;
    double volume = 0.0;
    const double time = MedianSeconds([&] {
      return SecondsOf(ThreadCpuSeconds,
                       [&] { volume = pair->QueryRelative(Pose(), options).volume; });
    });
    tally->Add(time, meshed.combining + preparing, RelativeError(volume, scenes[i]));
  }
  return "";
}

std::string RunManifoldOn(const std::vector<Scene>& scenes, const Meshing& meshing, Tally* tally) {
  std::string reason;
  const std::vector<ManifoldRun> runs = RunManifold(meshing.scenes, &reason);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    tally->Add(runs[i].intersecting, runs[i].making, RelativeError(runs[i].volume, scenes[i]));
  }
  return reason;
}

void MeasurePeer(benchmark::State& state, FamilyRun& family, Fit fit, double target,
                 MeasureMeshes measure) {
  std::string reason;
  Tally tally;
  std::vector<double> tessellating;
  const Meshing* meshing = nullptr;
  for (auto _ : state) {
    meshing = family.Find(fit, target, &reason);
    if (meshing) reason = measure(family.Scenes(), *meshing, &tally);
  }
  if (!reason.empty()) return state.SkipWithError(reason.c_str());
  for (const MeshedScene& scene : meshing->scenes) tessellating.push_back(scene.tessellating);
  tally.Report(state);
  SetCounter(state, "tessellate_ms", 1e3 * Median(tessellating));
  SetCounter(state, "segments", 5 * meshing->f);
  SetCounter(state, "triangles",
             static_cast<double>(family.Scenes().front().TriangleCount(meshing->f)));
}

void RegisterFamily(const SceneFamily& family, const Effort& effort) {
  const auto run = std::make_shared<FamilyRun>(family, effort);
  const auto name = [&](Labels labels) {
    labels.emplace_back("scenes", std::to_string(effort.scenes));
    return BenchmarkName("peer/" + family.name, labels);
  };
  for (int exponent = 3; exponent <= 10; ++exponent) {
    const double tolerance = std::pow(10.0, -exponent);
    Register(name({{"method", "volcontact"}, {"tol", Scientific(tolerance)}}),
             [=](benchmark::State& state) { MeasureVolcontact(state, *run, tolerance); })
        ->Iterations(1);
  }
  const std::pair<const char*, MeasureMeshes> peers[] = {
      {"cgal", RunCgal}, {"mesh", RunMesh}, {"manifold", RunManifoldOn}};
  const std::pair<const char*, Fit> fits[] = {{"inscribed", Fit::kInscribed},
                                              {"same_volume", Fit::kSameVolume}};
  for (const auto& [fit_name, fit] : fits) {
    for (const double target : {1e-3, 1e-4, 1e-5}) {
      for (const auto& [method, measure] : peers) {
        Register(name({{"fit", fit_name}, {"target", Scientific(target)}, {"method", method}}),
                 [=, fit = fit, measure = measure](benchmark::State& state) {
                   MeasurePeer(state, *run, fit, target, measure);
                 })
            ->Iterations(1);
      }
    }
  }
  Register(name({{"method", "extrapolation"}}), [=](benchmark::State& state) {
    std::optional<double> difference;
    for (auto _ : state) difference = run->DifferenceFromLimit();
    if (!difference) return state.SkipWithError("fewer than two tessellations");
    SetCounter(state, "worst_error", *difference);
  })->Iterations(1);
}

}  // namespace

void RegisterBenchmarks() {
  for (const Effort& effort : {kQuick, kFull}) {
    for (const SceneFamily& family : SceneFamilies()) RegisterFamily(family, effort);
  }
}

}  // namespace volcontact::bench
