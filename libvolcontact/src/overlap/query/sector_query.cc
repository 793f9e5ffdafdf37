#include "overlap/query/sector_query.h"

#include <cmath>

#include "overlap/query/metrics_builder.h"
#include "overlap/query/pair_solver.h"
#include "overlap/query/regions/query_input.h"
#include "overlap/query/regions/workspace.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

// Whether sums over edges give all that is asked for.
bool AreSumsEnough(const QueryOptions& options) {
  const bool is_by_edges = options.method == Method::kAuto || options.method == Method::kBoundary;
  const bool is_bounded = options.bound_volume || options.certify || options.bracket_width > 0.0;
  return is_by_edges && !is_bounded && !options.contact_area && std::isinf(options.max_seconds);
}

}  // namespace

SectorQuery::SectorQuery(const Solid& A, const Solid& B, bool is_A_cut, int count,
                         const Rigid& X_SF)
    : is_A_cut_(is_A_cut), count_(count) {
  const Unposed a(A), b(B);
  X_PA_ = a.X_PS;
  X_QB_ = b.X_PS;
  X_SF_ = (is_A_cut ? a : b).X_PS.Inverse() * X_SF;
  solver_ = MakePairSolver(a.solid, b.solid);
}

SectorQuery::~SectorQuery() = default;

std::vector<std::optional<Metrics>> SectorQuery::Query(const Pose& X_WA, const Pose& X_WB,
                                                       const QueryOptions& options) const {
  ValidateOptions(options);
  ValidatePose(X_WA, "pose of A");
  ValidatePose(X_WB, "pose of B");
  if (!AreSumsEnough(options)) return {};
  const Rigid X_WS = Rigid(X_WA) * X_PA_, X_AB = RelativePose(X_WS, Rigid(X_WB) * X_QB_);
  const Sectors sectors = {count_, is_A_cut_ ? Owner::kA : Owner::kB,
                           is_A_cut_ ? X_SF_ : X_AB * X_SF_};
  std::vector<std::optional<Metrics>> all;
  for (const std::optional<RawAnswer>& answer :
       solver_->QuerySectors(X_AB, sectors, options, &ThreadWorkspace())) {
    std::optional<Metrics>& metrics = all.emplace_back();
    if (answer) metrics = BuildMetrics(*answer, X_WS, options);
  }
  return all;
}

VOLCONTACT_NAMESPACE_END
