#include "volcontact/overlap/prepared_pair.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "math/parallel.h"
#include "math/time_limit.h"
#include "overlap/query/deviation_doubt.h"
#include "overlap/query/metrics_builder.h"
#include "overlap/query/pair_solver.h"
#include "overlap/query/regions/query_input.h"
#include "overlap/query/regions/workspace.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

void ValidatePoses(const Pose& X_WA, const Pose& X_WB) {
  ValidatePose(X_WA, "pose of A");
  ValidatePose(X_WB, "pose of B");
}

// By the volume, largest first; equal ones by their centroids.
bool ComesBefore(const Metrics& a, const Metrics& b) {
  if (a.volume != b.volume) return a.volume > b.volume;
  return std::lexicographical_compare(a.centroid_W.begin(), a.centroid_W.end(),
                                      b.centroid_W.begin(), b.centroid_W.end());
}

// What was moved from holds nothing.
template <class Impl>
const Impl& Made(const std::unique_ptr<const Impl>& impl) {
  if (impl != nullptr) return *impl;
  throw InvalidInput(
      "PreparedPair: was moved from and holds no solids; use the pair that it was moved to, or "
      "assign one");
}

bool IsIdentity(const Rigid& X) {
  const Rigid identity;
  return X.R == identity.R && X.t == identity.t;
}

// What was found in A's frame without its outer poses, S.
Separation InWorld(const NearestPair& found, const Rigid& X_WS) {
  Separation separation;
  separation.distance_bound = found.lower;
  if (!found.HasPoints() || !(found.lower > 0.0)) return separation;
  const NearestPair world = found.Moved(X_WS.RotationDouble(), Round(X_WS.t));
  separation.nearest_W = {{world.x, world.y}};
  return separation;
}

}  // namespace

// P and Q are the frames of the solids, A and B those without the solids' own outer poses, in which
// the solver works.
struct PreparedPair::Impl {
  Solid A, B;
  Rigid X_PA, X_QB;
  bool moves_A, moves_B;  // these are not the identity, which most are: products cost some 0.1 µs
  std::unique_ptr<const PairSolver> solver;
  DeviationDoubt doubt;

  Impl(const Unposed& a, const Unposed& b)
      : A(a.solid),
        B(b.solid),
        X_PA(a.X_PS),
        X_QB(b.X_PS),
        moves_A(!IsIdentity(X_PA)),
        moves_B(!IsIdentity(X_QB)),
        solver(MakePairSolver(a.solid, b.solid)),
        doubt(a.solid, b.solid) {}

  Rigid WorldOfA(const Rigid& X_WP) const { return moves_A ? X_WP * X_PA : X_WP; }
  Rigid WorldOfB(const Rigid& X_WQ) const { return moves_B ? X_WQ * X_QB : X_WQ; }
  Rigid RelativeOf(const Rigid& X_WP, const Rigid& X_WQ) const {
    return RelativePose(WorldOfA(X_WP), WorldOfB(X_WQ));
  }

  // A bound of the distance of the solids that the meshes stand for.
  double Nearer(double distance) const { return std::max(0.0, distance - doubt.Approach()); }

  Metrics Query(const Rigid& X_WP, const Rigid& X_WQ, const QueryOptions& options) const;
  // The bounds that follow from the overlap's box, after a query was given up.
  RawAnswer GiveUp(const Rigid& X_AB, const QueryOptions& options) const {
    return GivenUp(Intersect(A.Bounds(), Transformed(B.Bounds(), X_AB)), options.method);
  }
  // take(i, query(i, options)) for each i < count, on one thread each; of the first alone where the
  // time limit for all of them is over before the others begin.
  template <class Query, class Take>
  static std::size_t Each(std::size_t count, const QueryOptions& options, Query query, Take take) {
    std::atomic<std::size_t> reached = count;
    const TimeLimit limit(options.max_seconds);
    const TimeLimit* const of_all = TimeLimit::Current();
    QueryOptions single = options;
    single.threads = 1;
    single.max_seconds = std::numeric_limits<double>::infinity();
    // It ends queries, and not the loop over them.
    const TimeLimit::Shared none(nullptr);
    ParallelFor(count, options.threads, [&](std::size_t i, int) {
      const TimeLimit::Shared shared(of_all);
      if (!TimeLimit::IsOver()) {
        take(i, query(i, single));
        return;
      }
      std::size_t first = reached.load();
      while (i < first && !reached.compare_exchange_weak(first, i)) continue;
    });
    return reached;
  }
  template <class Query>
  static std::vector<Metrics> Batch(std::size_t count, const QueryOptions& options, Query query) {
    std::vector<Metrics> results(count);
    results.resize(Each(count, options, query, [&](std::size_t i, Metrics&& metrics) {
      results[i] = std::move(metrics);
    }));
    return results;
  }
  std::vector<VolumeSample> Samples(const Pose& X_WA, const Pose& X_WB, const SampleAxis* axis_W,
                                    const QueryOptions& options) const;
};

Metrics PreparedPair::Impl::Query(const Rigid& X_WP, const Rigid& X_WQ,
                                  const QueryOptions& options) const {
  const Stopwatch stopwatch;
  Workspace& workspace = ThreadWorkspace();
  const Rigid X_WS = WorldOfA(X_WP), X_AB = RelativePose(X_WS, WorldOfB(X_WQ));
  const TimeLimit limit(options.max_seconds);
  RawAnswer answer;
  const bool is_done =
      TimeLimit::EndsInTime([&] { answer = solver->Query(X_AB, options, &workspace); });
  if (!is_done) answer = GiveUp(X_AB, options);
  if (limit.HasExpired()) TakeBoundsOf(GiveUp(X_AB, options), &answer);
  Separation apart;
  if (options.bound_distance && MayBeApart(answer) && !answer.distance) {
    TimeLimit::EndsBeforeLimit([&] {
      TimeLimit::Enforce();
      apart = InWorld(solver->Separate(X_AB, answer.raw.converged, &workspace), X_WS);
    });
    answer.distance = apart.distance_bound;
    if (apart.distance_bound > 0.0) TakeSeparated(&answer);
  }
  // Sums that find nothing do not prove that there is nothing.
  if (!answer.raw.converged && MayBeApart(answer)) {
    TimeLimit::EndsBeforeLimit([&] {
      TimeLimit::Enforce();
      if (solver->IsSeparationProven(X_AB, &workspace)) TakeSeparated(&answer);
    });
  }
  HoldToBounds(options.tolerance, &answer);
  Metrics metrics = BuildMetrics(answer, X_WS, options);
  metrics.nearest_W = apart.nearest_W;
  if (limit.HasExpired()) {
    // That they are apart is certain, however it was found.
    if (!(answer.distance > 0.0)) NoteTimeLimit(limit, &metrics);
    ResetThreadWorkspace();
  }
  if (!doubt.IsNone()) {
    AddDoubt(doubt.Volume(X_AB), &metrics);
    if (metrics.distance) metrics.distance = Nearer(*metrics.distance);
  }
  metrics.stats.seconds = stopwatch.Seconds();
  return metrics;
}

PreparedPair::PreparedPair(const Solid& A, const Solid& B)
    : impl_(std::make_unique<const Impl>(Unposed(A), Unposed(B))) {}
PreparedPair::~PreparedPair() = default;
PreparedPair::PreparedPair(PreparedPair&&) noexcept = default;
PreparedPair& PreparedPair::operator=(PreparedPair&&) noexcept = default;

Metrics PreparedPair::Query(const Pose& X_WA, const Pose& X_WB, const QueryOptions& options) const {
  ValidateOptions(options);
  ValidatePoses(X_WA, X_WB);
  return Made(impl_).Query(Rigid(X_WA), Rigid(X_WB), options);
}

Metrics PreparedPair::QueryRelative(const Pose& X_AB, const QueryOptions& options) const {
  ValidateOptions(options);
  ValidatePose(X_AB, "pose of B in A");
  return Made(impl_).Query(Rigid(), Rigid(X_AB), options);
}

std::vector<Metrics> PreparedPair::QueryPatches(const Pose& X_WA, const Pose& X_WB,
                                                const QueryOptions& options) const {
  ValidateOptions(options);
  ValidatePoses(X_WA, X_WB);
  const Stopwatch stopwatch;
  const Rigid X_WP(X_WA), X_AB = Made(impl_).RelativeOf(X_WP, Rigid(X_WB));
  const TimeLimit limit(options.max_seconds);
  const double doubt = Made(impl_).doubt.Volume(X_AB);
  std::vector<Metrics> patches;
  const auto take = [&](RawAnswer& answer) {
    patches.push_back(BuildMetrics(answer, Made(impl_).WorldOfA(X_WP), options));
    NoteTimeLimit(limit, &patches.back());
    AddDoubt(doubt, &patches.back());
  };
  const bool is_done = TimeLimit::EndsInTime(
      [&] { Made(impl_).solver->Patches(X_AB, options, &ThreadWorkspace(), take); });
  if (!is_done) {
    RawAnswer rest = Made(impl_).GiveUp(X_AB, options);
    HoldToBounds(options.tolerance, &rest);
    rest.warnings.emplace_back(
        "the time limit ended the search for patches; this patch stands for all that were not "
        "separated");
    take(rest);
  }
  if (limit.HasExpired()) ResetThreadWorkspace();
  for (Metrics& patch : patches) patch.stats.seconds = stopwatch.Seconds();
  std::stable_sort(patches.begin(), patches.end(), ComesBefore);
  return patches;
}

std::vector<Metrics> PreparedPair::QueryRelativeBatch(const std::vector<Pose>& poses_AB,
                                                      const QueryOptions& options) const {
  ValidateOptions(options);
  for (std::size_t i = 0; i < poses_AB.size(); ++i) {
    ValidatePose(poses_AB[i], fmt::format("pose {} of the batch", i));
  }
  return Made(impl_).Batch(poses_AB.size(), options,
                           [&](std::size_t i, const QueryOptions& single) {
                             return Made(impl_).Query(Rigid(), Rigid(poses_AB[i]), single);
                           });
}

std::vector<Metrics> PreparedPair::QueryBatch(const std::vector<PosePair>& poses_W,
                                              const QueryOptions& options) const {
  ValidateOptions(options);
  for (std::size_t i = 0; i < poses_W.size(); ++i) {
    ValidatePose(poses_W[i].X_WA, fmt::format("pose {} of A", i));
    ValidatePose(poses_W[i].X_WB, fmt::format("pose {} of B", i));
  }
  return Made(impl_).Batch(poses_W.size(), options, [&](std::size_t i, const QueryOptions& single) {
    return Made(impl_).Query(Rigid(poses_W[i].X_WA), Rigid(poses_W[i].X_WB), single);
  });
}

std::size_t PreparedPair::QueryEach(std::size_t count, const Pose* X_WA, const Pose* X_WB,
                                    const QueryOptions& options, const TakeMetrics& take) const {
  ValidateOptions(options);
  const auto query = [&](std::size_t i, const QueryOptions& single) {
    try {
      ValidatePoses(X_WA[i], X_WB[i]);
      return Made(impl_).Query(Rigid(X_WA[i]), Rigid(X_WB[i]), single);
    } catch (const InvalidInput& error) {
      throw InvalidInput(fmt::format("query {} of the batch: {}", i, error.what()));
    }
  };
  return Made(impl_).Each(count, options, query, take);
}

std::vector<VolumeSample> PreparedPair::SampleVolume(const Pose& X_WA, const Pose& X_WB,
                                                     const QueryOptions& options) const {
  ValidateOptions(options);
  ValidatePoses(X_WA, X_WB);
  return Made(impl_).Samples(X_WA, X_WB, nullptr, options);
}

std::vector<VolumeSample> PreparedPair::SampleVolumeAbout(const SampleAxis& axis_W,
                                                          const Pose& X_WA, const Pose& X_WB,
                                                          const QueryOptions& options) const {
  ValidateOptions(options);
  ValidatePoses(X_WA, X_WB);
  if (!axis_W.point.allFinite() || !(std::abs(axis_W.direction.norm() - 1.0) < 1e-6)) {
    throw InvalidInput("the line's direction must be a unit vector, and its point finite");
  }
  return Made(impl_).Samples(X_WA, X_WB, &axis_W, options);
}

std::vector<VolumeSample> PreparedPair::Impl::Samples(const Pose& X_WA, const Pose& X_WB,
                                                      const SampleAxis* axis_W,
                                                      const QueryOptions& options) const {
  const Rigid X_WP(X_WA), X_WS = WorldOfA(X_WP);
  const Eigen::Matrix3d R_WS = X_WS.RotationDouble();
  const Eigen::Vector3d t_WS = Round(X_WS.t);
  std::optional<SampleAxis> axis_S;
  if (axis_W != nullptr) {
    axis_S = {Round(X_WS.Inverse() * ToDoubleDouble(axis_W->point)),
              R_WS.transpose() * axis_W->direction};
  }
  const TimeLimit limit(options.max_seconds);
  std::vector<VolumeSample> samples;
  const bool is_done = TimeLimit::EndsInTime([&] {
    samples = solver->Samples(RelativeOf(X_WP, Rigid(X_WB)), axis_S, options, &ThreadWorkspace());
  });
  if (!is_done) {
    ResetThreadWorkspace();
    throw InvalidInput(fmt::format(
        "max_seconds {}: ended before samples were found; allow more time", options.max_seconds));
  }
  for (VolumeSample& sample : samples) {
    sample.point_W = t_WS + R_WS * sample.point_W;
  }
  return samples;
}

OverlapProof PreparedPair::Overlaps(const Pose& X_WA, const Pose& X_WB) const {
  ValidatePoses(X_WA, X_WB);
  return Made(impl_).solver->ProveOverlap(Made(impl_).RelativeOf(Rigid(X_WA), Rigid(X_WB)),
                                          &ThreadWorkspace());
}

double PreparedPair::DistanceBound(const Pose& X_WA, const Pose& X_WB) const {
  return Separate(X_WA, X_WB).distance_bound;
}

Separation PreparedPair::Separate(const Pose& X_WA, const Pose& X_WB) const {
  ValidatePoses(X_WA, X_WB);
  const Rigid X_WP(X_WA);
  const NearestPair found = Made(impl_).solver->Separate(Made(impl_).RelativeOf(X_WP, Rigid(X_WB)),
                                                         false, &ThreadWorkspace());
  return InWorld(found, Made(impl_).WorldOfA(X_WP));
}

double PreparedPair::EventFunction(const Pose& X_WA, const Pose& X_WB) const {
  const Metrics metrics = Query(X_WA, X_WB);
  if (metrics.overlap) return -std::cbrt(metrics.volume);
  if (Made(impl_).doubt.IsNone()) return metrics.distance.value();
  const Rigid X_AB = Made(impl_).RelativeOf(Rigid(X_WA), Rigid(X_WB));
  return Made(impl_).solver->Separate(X_AB, false, &ThreadWorkspace()).lower;
}

Metrics Query(const Solid& A, const Solid& B, const QueryOptions& options) {
  return PreparedPair(A, B).QueryRelative(Pose{}, options);
}

VOLCONTACT_NAMESPACE_END
