#include "overlap/query/regions/query_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "volcontact/math/error.h"

namespace volcontact {
namespace {

// More than what some products may lose to rounding.
constexpr double kRoundedUp = 1.0 + 1e-15;

}  // namespace

void ValidateOptions(const QueryOptions& options) {
  if (!(options.tolerance > 1e-14 && options.tolerance < 1.0)) {
    throw InvalidInput(fmt::format(
        "tolerance is {}; it must lie between 1e-14 and 1, both excluded", options.tolerance));
  }
  if (options.threads < 1) {
    throw InvalidInput(fmt::format("threads is {}; it must be at least 1", options.threads));
  }
  if (options.max_cells < 1) {
    throw InvalidInput(fmt::format("max_cells is {}; it must be at least 1", options.max_cells));
  }
  if (!(options.max_seconds > 0.0)) {
    throw InvalidInput(fmt::format("max_seconds is {}; it must be above 0", options.max_seconds));
  }
  if (!(options.bracket_width >= 0.0 && options.bracket_width < 1.0)) {
    throw InvalidInput(fmt::format("bracket_width is {}; it must be 0 or a relative width below 1",
                                   options.bracket_width));
  }
  if (options.method == Method::kVoxel &&
      !(options.voxel_size > 0.0 && std::isfinite(options.voxel_size))) {
    throw InvalidInput(fmt::format(
        "voxel_size is {}; the voxel method needs a positive finite edge length in metres",
        options.voxel_size));
  }
  if (!options.previous_normal_W.allFinite()) {
    throw InvalidInput("previous_normal_W must consist of finite numbers");
  }
}

RawAnswer GivenUp(const Aabb& box, Method asked) {
  RawAnswer answer;
  // The method auto begins with formulas, which take no time.
  answer.method = asked == Method::kAuto ? Method::kBoundary : asked;
  if (box.IsEmpty()) {
    answer.volume_bounds = {0.0, 0.0};
    return answer;
  }
  answer.raw.converged = false;
  if (!box.IsBounded()) return answer;
  answer.raw.X_AC.t = ToDoubleDouble(box.Center());
  const double most = 8.0 * box.HalfExtents().prod() * kRoundedUp;
  answer.volume_bounds = {0.0, most};
  answer.raw.volume_error = most;
  return answer;
}

void TakeBoundsOf(const RawAnswer& known, RawAnswer* answer) {
  if (!known.volume_bounds) return;
  if (!answer->volume_bounds) answer->volume_bounds = known.volume_bounds;
  auto& [lower, upper] = *answer->volume_bounds;
  upper = std::max(lower, std::min(upper, (*known.volume_bounds)[1]));
  answer->raw.converged = false;
}

bool MayBeApart(const RawAnswer& answer) {
  const bool is_proved = answer.volume_bounds && (*answer.volume_bounds)[0] > 0.0;
  return !answer.HasVolume() && !is_proved;
}

void TakeSeparated(RawAnswer* answer) {
  answer->raw.converged = true;
  answer->raw.volume_error = 0.0;
  answer->volume_bounds = {0.0, 0.0};
}

void NoteTimeLimit(const TimeLimit& limit, VolumeMetrics* metrics) {
  if (!limit.HasExpired()) return;
  metrics->converged = false;
  metrics->warnings.emplace_back("the time limit ended the query before it had converged");
}

void ThrowUnbounded(const char* what) {
  throw InvalidInput(std::string(what) +
                     " is unbounded, or cannot be proved to be bounded; intersect a solid with a "
                     "box that contains the part of interest");
}

}  // namespace volcontact
