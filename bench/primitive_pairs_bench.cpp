// Any two of sphere, ellipsoid, cylinder, cone, torus and box at random poses, and the same pairs
// in shallow contact: time over the poses and the worst error of volume, centroid and inertia.
// Names: pair/<kind>_<kind>/method:../tol:../depth:moderate|1e-02..; a depth is the way back from
// first contact, in metres, where every solid is about one metre large.
//
// References: sums over edges at tolerance 1e-13 and, for the cases of tests/oracle/pairs.json, the
// values found there, which owe nothing to this library.

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "support.h"
#include "support/paths.h"
#include "volcontact/overlap/mass_properties.h"

namespace volcontact::bench {
namespace {

constexpr int kModeratePoses = 6, kShallowPoses = 3;
constexpr std::uint64_t kSeed = 20071;
// Deadlines of a single query, and of preparing all cases of a pairing [s].
constexpr double kQuerySeconds = 1.0, kPreparationSeconds = 5.0;
// Time the poses of a pairing are repeated for [s]; each counts by its best time.
constexpr double kRepeatSeconds = 0.03;

struct Kind {
  const char* name;
  Solid solid;
};

const std::vector<Kind>& Kinds() {
  static const std::vector<Kind> kinds = {
      {"sphere", Sphere(0.5)},          {"ellipsoid", Ellipsoid({0.6, 0.45, 0.35})},
      {"cylinder", Cylinder(0.4, 1.0)}, {"cone", Cone(0.5, 1.0)},
      {"torus", Torus(0.45, 0.18)},     {"box", Box({0.9, 0.7, 0.6})}};
  return kinds;
}

struct Reference {
  double volume = 0.0;
  Eigen::Vector3d centroid = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();

  // The largest of the relative errors of volume, centroid (by the radius of gyration) and inertia.
  double WorstError(const Metrics& metrics) const {
    const double gyration = std::sqrt(inertia.trace() / (2.0 * volume));
    return std::max(
        {std::abs(metrics.volume / volume - 1.0), (metrics.centroid_W - centroid).norm() / gyration,
         (metrics.inertia_W - inertia).cwiseAbs().maxCoeff() / inertia.cwiseAbs().maxCoeff()});
  }
};

struct Case {
  PosedPair posed;
  Reference reference;
  bool from_oracle = false;
};

// A prepared case as the numbers that cross from the guarded process: the pose of B in A, then the
// reference.
constexpr std::size_t kPoseNumbers = 7, kCaseNumbers = kPoseNumbers + 13;

void AppendCase(const Pose& pose, const Metrics& metrics, std::vector<double>* numbers) {
  numbers->insert(numbers->end(), pose.t.begin(), pose.t.end());
  numbers->insert(numbers->end(), pose.q.begin(), pose.q.end());
  numbers->push_back(metrics.volume);
  numbers->insert(numbers->end(), metrics.centroid_W.begin(), metrics.centroid_W.end());
  const auto inertia = metrics.inertia_W.reshaped();
  numbers->insert(numbers->end(), inertia.begin(), inertia.end());
}

Pose ReadPose(const double* p) { return {{p[0], p[1], p[2]}, {p[3], p[4], p[5], p[6]}}; }

Case ReadCase(const Solid& A, const Solid& B, const double* p) {
  const double* r = p + kPoseNumbers;
  const Reference reference = {r[0], {r[1], r[2], r[3]}, Eigen::Map<const Eigen::Matrix3d>(r + 4)};
  return {PosedPair{PreparedPair(A, B), Pose{}, ReadPose(p)}, reference};
}

// By sums over edges; where they fail, by what the library itself would choose.
Metrics ReferenceQuery(const PreparedPair& pair, const Pose& X_AB) {
  const Metrics metrics =
      pair.QueryRelative(X_AB, {.tolerance = 1e-13, .method = Method::kBoundary});
  if (metrics.overlap && metrics.converged) return metrics;
  const Metrics other = pair.QueryRelative(X_AB, {.tolerance = 1e-13});
  return other.overlap ? other : metrics;
}

// A random pose at which a fair part of the smaller solid, 2 to 40 percent, is inside the other.
Pose RandomOverlap(const PreparedPair& pair, double smaller_volume, std::mt19937_64& random) {
  std::uniform_real_distribution<double> distance(0.2, 1.0);
  while (true) {
    const Pose X_AB = RandomRotation(random, distance(random) * RandomDirection(random));
    const double part =
        pair.QueryRelative(X_AB, {.tolerance = 1e-3, .method = Method::kBoundary}).volume /
        smaller_volume;
    if (part > 0.02 && part < 0.4) return X_AB;
  }
}

// The pose's B drawn back against the contact normal until `depth` before it comes free.
Pose MovedToDepth(const PreparedPair& pair, const Pose& X_AB, double depth) {
  const Eigen::Vector3d away = -pair.QueryRelative(X_AB, {.tolerance = 1e-3}).normal_W;
  const auto moved = [&](double way) {
    Pose pose = X_AB;
    pose.t += way * away;
    return pose;
  };
  double overlapping = 0.0, free = 4.0;
  while (free - overlapping > 0.01 * depth) {
    const double middle = 0.5 * (overlapping + free);
    const bool overlap = pair.Overlaps(Pose{}, moved(middle)) == OverlapProof::kOverlap;
    (overlap ? overlapping : free) = middle;
  }
  return moved(overlapping - depth);
}

class Pairing {
 public:
  Pairing(const Kind& a, const Kind& b) : a_(a), b_(b) {}

  std::string Name() const { return fmt::format("pair/{}_{}", a_.name, b_.name); }

  // Cases of moderate overlap (depth 0) or of a given depth; empty when they cannot be prepared in
  // time. Prepared once.
  const std::vector<Case>& Cases(double depth) {
    const auto [entry, is_new] = cases_.try_emplace(depth);
    if (!is_new) return entry->second;
    entry->second = Prepare(depth);
    if (depth == 0.0) AddOracleCases(&entry->second);
    return entry->second;
  }

 private:
  std::vector<Case> Prepare(double depth) const {
    const auto numbers = RunGuarded(kPreparationSeconds, [&] {
      const PreparedPair pair(a_.solid, b_.solid);
      const double smaller =
          std::min(ComputeMassProperties(a_.solid).volume, ComputeMassProperties(b_.solid).volume);
      std::mt19937_64 random(kSeed);
      std::vector<double> result;
      for (int i = 0; i < (depth == 0.0 ? kModeratePoses : kShallowPoses); ++i) {
        Pose X_AB = RandomOverlap(pair, smaller, random);
        if (depth > 0.0) X_AB = MovedToDepth(pair, X_AB, depth);
        AppendCase(X_AB, ReferenceQuery(pair, X_AB), &result);
      }
      return result;
    });
    std::vector<Case> cases;
    if (!numbers) return cases;
    for (std::size_t i = 0; i + kCaseNumbers <= numbers->size(); i += kCaseNumbers) {
      cases.push_back(ReadCase(a_.solid, b_.solid, numbers->data() + i));
    }
    return cases;
  }

  void AddOracleCases(std::vector<Case>* cases) const;

  Kind a_, b_;
  std::map<double, std::vector<Case>> cases_;
};

const nlohmann::json& Oracle() {
  static const nlohmann::json oracle =
      nlohmann::json::parse(std::ifstream(std::string(TestsFolder()) + "/oracle/pairs.json"));
  return oracle;
}

void Pairing::AddOracleCases(std::vector<Case>* cases) const {
  for (const nlohmann::json& entry : Oracle()) {
    const auto& a = entry.at("a");
    const auto& b = entry.at("b");
    const bool same = a.contains(a_.name) && b.contains(b_.name);
    const bool swapped = a.contains(b_.name) && b.contains(a_.name);
    const bool infinite = (a.contains("cylinder") && !a["cylinder"].contains("height")) ||
                          (b.contains("cylinder") && !b["cylinder"].contains("height"));
    if (entry.at("group") != "ordinary" || !(same || swapped) || infinite) continue;
    Reference reference;
    reference.volume = entry.at("V");
    for (int i = 0; i < 3; ++i) reference.centroid[i] = entry.at("centroid").at(i);
    const std::array<double, 6> j = entry.at("J");
    reference.inertia << j[0], j[3], j[4], j[3], j[1], j[5], j[4], j[5], j[2];
    const std::string id = entry.at("id");
    PreparedPair pair(ParseSolidJson(a.dump(), id).solid, ParseSolidJson(b.dump(), id).solid);
    cases->push_back({PosedPair{std::move(pair), Pose{}, Pose{}}, reference, true});
  }
}

// What the timed queries of all cases came to.
struct Tally {
  std::vector<const Case*> cases;  // those that can be measured
  std::vector<double> best;        // time of each [s]
  double worst_error = 0.0, worst_oracle_error = 0.0;
  int left_out = 0;
  std::string last_reason;

  void Select(const std::vector<Case>& all, const QueryOptions& options) {
    for (const Case& one : all) {
      const std::string reason = ReasonToSkip(one.posed, options, kQuerySeconds);
      if (reason.empty()) {
        cases.push_back(&one);
      } else {
        ++left_out;
        last_reason = reason;
        // One query that hangs is likely not the only one: do not wait for all of them.
        if (reason.starts_with("no answer")) return cases.clear();
      }
    }
    best.assign(cases.size(), std::numeric_limits<double>::infinity());
  }

  void Measure(const QueryOptions& options) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      Metrics metrics;
      best[i] = std::min(
          best[i], SecondsOf(ThreadCpuSeconds, [&] { metrics = cases[i]->posed.Query(options); }));
      const double error = cases[i]->reference.WorstError(metrics);
      double& worst = cases[i]->from_oracle ? worst_oracle_error : worst_error;
      worst = std::max(worst, error);
    }
  }
};

void MeasurePairing(benchmark::State& state, Pairing& pairing, double depth,
                    const QueryOptions& options) {
  const std::vector<Case>& cases = pairing.Cases(depth);
  if (cases.empty()) return state.SkipWithError("the cases could not be prepared in time");
  Tally tally;
  tally.Select(cases, options);
  if (tally.cases.empty()) return state.SkipWithError(tally.last_reason.c_str());
  const double start = WallSeconds();
  for (auto _ : state) {
    do {
      tally.Measure(options);
    } while (WallSeconds() - start < kRepeatSeconds);
  }
  SetCounter(state, "median_us", 1e6 * Median(tally.best));
  SetCounter(state, "max_us", 1e6 * *std::max_element(tally.best.begin(), tally.best.end()));
  SetCounter(state, "worst_error", tally.worst_error);
  SetCounter(state, "oracle_error", tally.worst_oracle_error);
  SetCounter(state, "cases", static_cast<double>(tally.cases.size()));
  SetCounter(state, "left_out", tally.left_out);
}

void RegisterPairing(const std::shared_ptr<Pairing>& pairing, Method method, double tolerance,
                     double depth) {
  const Labels labels = {{"method", MethodName(method)},
                         {"tol", Scientific(tolerance)},
                         {"depth", depth == 0.0 ? "moderate" : Scientific(depth)}};
  QueryOptions options;
  options.method = method;
  options.tolerance = tolerance;
  Register(BenchmarkName(pairing->Name(), labels), [=](benchmark::State& state) {
    MeasurePairing(state, *pairing, depth, options);
  })->Iterations(1);
}

}  // namespace

void RegisterBenchmarks() {
  for (std::size_t i = 0; i < Kinds().size(); ++i) {
    for (std::size_t j = i; j < Kinds().size(); ++j) {
      const auto pairing = std::make_shared<Pairing>(Kinds()[i], Kinds()[j]);
      for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
        RegisterPairing(pairing, Method::kBoundary, tolerance, 0.0);
      }
      for (const double depth : {1e-2, 1e-4, 1e-6, 1e-8}) {
        RegisterPairing(pairing, Method::kBoundary, 1e-8, depth);
      }
    }
  }
}

}  // namespace volcontact::bench
