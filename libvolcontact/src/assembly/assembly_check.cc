#include "volcontact/assembly/assembly_check.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

#include "math/parallel.h"
#include "math/time_limit.h"
#include "volcontact/math/aabb.h"
#include "volcontact/math/error.h"
#include "volcontact/math/pose.h"
#include "volcontact/overlap/prepared_pair.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

// Placements of bodies come from products of some transformations, in doubles.
constexpr double kTouchDepth = 1e-9;

// The share of the remaining time that one pair may take: a hard pair leaves most of it to the
// others.
constexpr double kShareOfTime = 0.25;

constexpr char kNoTime[] = "the time ended before these bodies were compared; raise --max-seconds";

// 0 where they meet.
double GapBetween(const Aabb& a, const Aabb& b) {
  const Eigen::Vector3d gap = (a.min - b.max).cwiseMax(b.min - a.max).cwiseMax(0.0);
  return gap.norm();
}

// Edges of the box with the moments of an overlap.
Eigen::Vector3d ExtentsOf(const Metrics& overlap) {
  const Eigen::Matrix3d& I = overlap.inertia_W;
  const Eigen::Matrix3d J = 0.5 * I.trace() * Eigen::Matrix3d::Identity() - I;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(J, Eigen::EigenvaluesOnly);
  constexpr double kBoxMoments = 12.0;
  return (kBoxMoments / overlap.volume * solver.eigenvalues()).cwiseMax(0.0).cwiseSqrt();
}

class AssemblyCheck {
 public:
  AssemblyCheck(const std::vector<AssemblyBody>& bodies, const AssemblyOptions& options)
      : bodies_(bodies), options_(options) {
    for (const AssemblyBody& body : bodies) boxes_.push_back(body.solid.Bounds());
  }

  std::vector<AssemblyPair> Run() const {
    std::vector<AssemblyPair> pairs = NearPairs();
    const TimeLimit limit(options_.query.max_seconds);
    const TimeLimit* const of_all = TimeLimit::Current();
    // It ends comparisons, and not the loop over them.
    const TimeLimit::Shared none(nullptr);
    ParallelFor(pairs.size(), options_.query.threads, [&](std::size_t i, int /*worker*/) {
      const TimeLimit::Shared shared(of_all);
      CompareInTime(&pairs[i]);
    });
    std::erase_if(pairs, [&](const AssemblyPair& pair) {
      return pair.relation == BodyRelation::kApart &&
             pair.metrics.distance.value_or(0.0) > options_.near;
    });
    return pairs;
  }

 private:
  const Aabb& BoxOf(int body) const { return boxes_[static_cast<std::size_t>(body)]; }
  const AssemblyBody& At(int body) const { return bodies_[static_cast<std::size_t>(body)]; }
  double DeviationOf(const AssemblyPair& pair) const {
    return At(pair.a).deviation + At(pair.b).deviation;
  }

  std::vector<AssemblyPair> NearPairs() const {
    std::vector<AssemblyPair> pairs;
    const int count = static_cast<int>(bodies_.size());
    for (int a = 0; a < count; ++a) {
      for (int b = a + 1; b < count; ++b) {
        AssemblyPair pair;
        pair.a = a;
        pair.b = b;
        if (BoxOf(a).IsEmpty() || BoxOf(b).IsEmpty()) continue;
        const double gap = GapBetween(BoxOf(a), BoxOf(b)) - DeviationOf(pair);
        if (gap <= options_.near) pairs.push_back(std::move(pair));
      }
    }
    return pairs;
  }

  void CompareInTime(AssemblyPair* pair) const {
    const TimeLimit limit(kShareOfTime * TimeLimit::SecondsLeft());
    if (!TimeLimit::IsOver() && TimeLimit::EndsInTime([&] { Compare(pair); })) return;
    pair->metrics.undecided = true;
    pair->metrics.converged = false;
    pair->metrics.warnings.emplace_back(kNoTime);
  }

  void Compare(AssemblyPair* pair) const {
    QueryOptions query = options_.query;
    query.threads = 1;
    query.max_seconds = std::numeric_limits<double>::infinity();
    const AssemblyBody &a = At(pair->a), &b = At(pair->b);
    const bool by_meshes = a.mesh && b.mesh;
    const PreparedPair prepared(by_meshes ? *a.mesh : a.solid, by_meshes ? *b.mesh : b.solid);
    pair->metrics = prepared.Query(Pose(), Pose(), query);
    pair->relation = RelationOf(*pair);
  }

  BodyRelation RelationOf(const AssemblyPair& pair) const {
    const Metrics& metrics = pair.metrics;
    if (!metrics.overlap && metrics.distance.value_or(0.0) > 0.0) return BodyRelation::kApart;
    double low = metrics.volume - metrics.volume_error;
    double high = metrics.volume + metrics.volume_error;
    if (metrics.undecided) {
      if (!metrics.volume_bounds) return BodyRelation::kUndecided;
      low = (*metrics.volume_bounds)[0];
      high = (*metrics.volume_bounds)[1];
    }
    const double thin = TouchDepth(pair) * AreaOf(pair);
    if (low > thin) return BodyRelation::kInterfering;
    // Without an overlap, nothing tells over which area the deviation of a mesh may hide one.
    const bool hidden =
        !metrics.overlap && metrics.volume_error > 0.0 && DeviationOf(pair) > TouchDepth(pair);
    return high <= thin && !hidden ? BodyRelation::kTouching : BodyRelation::kUndecided;
  }

  double TouchDepth(const AssemblyPair& pair) const {
    if (options_.touch_depth) return *options_.touch_depth;
    return kTouchDepth * 2.0 *
           std::max(BoxOf(pair.a).HalfExtents().norm(), BoxOf(pair.b).HalfExtents().norm());
  }

  // About that of the faces that meet: of a box with the overlap's moments, for a ring around a pin
  // has much less area across any direction; without an overlap of what the bodies' boxes share.
  double AreaOf(const AssemblyPair& pair) const {
    Eigen::Vector3d size = 2.0 * Intersect(BoxOf(pair.a), BoxOf(pair.b)).HalfExtents();
    if (pair.metrics.overlap) size = ExtentsOf(pair.metrics);
    size = size.cwiseMax(0.0);
    return size.x() * size.y() + size.y() * size.z() + size.z() * size.x();
  }

  const std::vector<AssemblyBody>& bodies_;
  const AssemblyOptions& options_;
  std::vector<Aabb> boxes_;
};

void RequireSound(const std::vector<AssemblyBody>& bodies, const AssemblyOptions& options) {
  const auto is_distance = [](double d) { return d >= 0.0 && std::isfinite(d); };
  if (!is_distance(options.near)) {
    throw InvalidInput(
        fmt::format("CheckAssembly: near is {} m; it must be a distance", options.near));
  }
  if (options.touch_depth && !is_distance(*options.touch_depth)) {
    throw InvalidInput(fmt::format("CheckAssembly: touch_depth is {} m; it must be a distance",
                                   *options.touch_depth));
  }
  if (!(options.query.max_seconds > 0.0)) {
    throw InvalidInput(fmt::format("CheckAssembly: max_seconds is {}; it must be above 0",
                                   options.query.max_seconds));
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (is_distance(bodies[i].deviation)) continue;
    throw InvalidInput(
        fmt::format("CheckAssembly: the deviation of body {} is {} m; it must be a "
                    "distance",
                    i, bodies[i].deviation));
  }
}

}  // namespace

std::string_view BodyRelationName(BodyRelation relation) {
  switch (relation) {
    case BodyRelation::kApart:
      return "apart";
    case BodyRelation::kTouching:
      return "touching";
    case BodyRelation::kInterfering:
      return "interfering";
    default:
      return "undecided";
  }
}

std::vector<AssemblyPair> CheckAssembly(const std::vector<AssemblyBody>& bodies,
                                        const AssemblyOptions& options) {
  RequireSound(bodies, options);
  return AssemblyCheck(bodies, options).Run();
}

VOLCONTACT_NAMESPACE_END
