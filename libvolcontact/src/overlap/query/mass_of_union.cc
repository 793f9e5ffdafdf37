#include "overlap/query/mass_of_union.h"

#include <Eigen/Core>
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "overlap/query/metrics_builder.h"
#include "overlap/query/pair_solver.h"
#include "overlap/query/regions/query_input.h"
#include "solids/tree/solid_node.h"

namespace volcontact {
namespace {

// Three members at a time: more of them take longer than other ways.
constexpr std::size_t kMostMembers = 64;

// A volume that is part of the sum.
struct Summand {
  double volume = 0.0, error = 0.0, lower = 0.0, upper = 0.0;  // [m³]
};

class UnionSum {
 public:
  UnionSum(const std::vector<Solid>& members, const Aabb& bounds, const QueryOptions& options,
           Workspace* workspace)
      : options_(options), workspace_(*workspace) {
    options_.method = Method::kAuto;
    for (const Solid& member : members) members_.emplace_back(member);
    sum_.raw.X_AC.t = ToDoubleDouble(bounds.Center());
    sum_.method = Method::kBoundary;
    sum_.volume_bounds = {0.0, 0.0};
  }

  void AddMembers(const IntegrateSolid& integrate) {
    for (const Unposed& member : members_) {
      RawAnswer answer = integrate(member.solid);
      HoldToBounds(options_.tolerance, &answer);
      Add(answer, member.X_PS, 1.0);
    }
  }

  void SubtractPairs() {
    for (std::size_t i = 0; i < members_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Unposed &first = members_[i], &second = members_[j];
        const Rigid X_IJ = RelativePose(first.X_PS, second.X_PS);
        const Aabb box = Intersect(first.solid.Bounds(), Transformed(second.solid.Bounds(), X_IJ));
        if (box.IsEmpty()) continue;
        RawAnswer answer =
            MakePairSolver(first.solid, second.solid)->Query(X_IJ, options_, &workspace_);
        HoldToBounds(options_.tolerance, &answer);
        const Summand pair = Add(answer, first.X_PS, -1.0);
        if (pair.upper > 0.0) pairs_[{i, j}] = pair;
      }
    }
  }

  // What three members may have in common is no more than any two of them have.
  void BoundTriples() {
    for (const auto& [one, first] : pairs_) {
      for (const auto& [other, second] : pairs_) {
        const auto& [i, j] = one;
        const auto& [k, l] = other;  // i > j = k > l
        const auto third = pairs_.find({i, l});
        if (k != j || third == pairs_.end()) continue;
        const auto most = [](const Summand& pair) { return pair.volume + pair.error; };
        triples_ += std::min({most(first), most(second), most(third->second)});
        (*sum_.volume_bounds)[1] += std::min({first.upper, second.upper, third->second.upper});
      }
    }
  }

  std::optional<RawAnswer> Result() {
    RawMetrics& raw = sum_.raw;
    const double allowed = options_.tolerance * raw.moments.volume;
    if (!(triples_ <= allowed)) return std::nullopt;
    raw.volume_error += triples_;
    raw.converged = raw.volume_error <= allowed;
    return std::move(sum_);
  }

 private:
  // An answer with a pose X_PA, times a sign.
  Summand Add(const RawAnswer& answer, const Rigid& X_PA, double sign) {
    const RawMetrics& raw = answer.raw;
    const Rigid X_PC = X_PA * raw.X_AC;
    Eigen::Vector3d p;
    for (int i = 0; i < 3; ++i) p[i] = (X_PC.t[i] - sum_.raw.X_AC.t[i]).hi;
    VolumeMoments moments = raw.moments.Transformed(X_PC.RotationDouble(), p);
    moments *= sign;
    sum_.raw.moments += moments;
    Summand part{raw.moments.volume, raw.volume_error, 0.0, raw.moments.volume + raw.volume_error};
    if (answer.volume_bounds) {
      part.lower = (*answer.volume_bounds)[0];
      part.upper = (*answer.volume_bounds)[1];
    }
    if (!raw.converged) {
      part.error = std::max({part.error, part.upper - part.volume, part.volume - part.lower});
    }
    sum_.raw.volume_error += part.error;
    auto& [lower, upper] = *sum_.volume_bounds;
    lower += sign > 0.0 ? part.lower : -part.upper;
    upper += sign > 0.0 ? part.upper : -part.lower;
    lower = std::max(lower, 0.0);
    if (answer.method == Method::kColumns) sum_.method = Method::kColumns;
    sum_.cells += answer.cells;
    sum_.leaves += answer.leaves;
    sum_.edges += answer.edges;
    return part;
  }

  QueryOptions options_;
  Workspace& workspace_;
  std::vector<Unposed> members_;
  std::map<std::pair<std::size_t, std::size_t>, Summand> pairs_;  // that may overlap
  RawAnswer sum_;
  double triples_ = 0.0;
};

}  // namespace

std::optional<RawAnswer> SumUnion(const Solid& solid, const IntegrateSolid& integrate,
                                  const QueryOptions& options, Workspace* workspace) {
  const auto* boolean = std::get_if<BooleanShape>(&solid.node().shape);
  if (boolean == nullptr || boolean->kind != BooleanShape::Kind::kUnion) return std::nullopt;
  if (boolean->children.size() < 2 || boolean->children.size() > kMostMembers) return std::nullopt;
  const Aabb bounds = solid.Bounds();
  if (!bounds.IsBounded()) return std::nullopt;
  UnionSum sum(boolean->children, bounds, options, workspace);
  sum.AddMembers(integrate);
  sum.SubtractPairs();
  sum.BoundTriples();
  return sum.Result();
}

}  // namespace volcontact
