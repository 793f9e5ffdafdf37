// The area of the projection of a region of which the edges are known.
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>

#include "math/time_limit.h"
#include "overlap/arcs/arc_method.h"
#include "overlap/arcs/facing.h"
#include "overlap/arcs/lines/projection_scan.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Slightly beside the direction outlines keep off what they touch. Walls along it add to the
// projection in proportion to the first angles, which are so small that this does not count. What
// is seen from farther beside is extrapolated. No axes of parts lie at the angle around it.
constexpr std::array<double, 2> kBesides = {1e-7, 1e-6};
constexpr double kTilt = 1e-5, kCurvesTilt = 3e-5, kTiltAngle = 0.62;
// Outlines that differ from what lines find by more than this part are sought again.
constexpr double kOffScan = 3e-3;
// Cells for outlines, besides as many as the edges took.
constexpr long kProjectionCells = 4'000;

using SeenAlong = std::function<std::optional<double>(const Vector3d&)>;

// The projection from what is seen a little beside the direction, on both sides, and twice as far:
// walls along the direction add to that in proportion to the tilt, all else with its square.
std::optional<double> LookFromBeside(const Vector3d& direction, const Vector3d& tilt,
                                     const SeenAlong& along) {
  std::array<double, 2> seen = {};
  for (const int far : {0, 1}) {
    for (const double aside : {-1.0 - far, 1.0 + far}) {
      const std::optional<double> area = along((direction + aside * tilt).normalized());
      if (!area) return std::nullopt;
      seen[far] += 0.5 * *area;
    }
  }
  return 2.0 * seen[0] - seen[1];
}

// The projection along the direction, or along the first of those beside it for which it is known.
std::optional<double> LookAlong(const Vector3d& direction, const Vector3d& across,
                                const SeenAlong& along) {
  std::optional<double> area = along(direction);
  for (const double tilt : kBesides) {
    for (const Vector3d& way : {across, direction.cross(across).eval()}) {
      if (!area) area = along((direction + tilt * way).normalized());
    }
  }
  return area ? area : LookFromBeside(direction, kCurvesTilt * across, along);
}

}  // namespace

void ArcMethod::TakeProjection(const ContactAreaFound& projection, RawMetrics* raw) {
  raw->projected_area += projection.area;
  if (raw->area_warning == nullptr) raw->area_warning = projection.warning;
}

// The projection of all of the region that was summed last.
void ArcMethod::AddProjection(const SurfaceSet& set, const ArcMethodOptions& options,
                              ArcMethodResult* result) {
  SetAreaNoise(options.tolerance, &result->raw);
  if (!options.projection) return;
  const Vector3d direction = ProjectionAxis(result->raw);
  ContactAreaFound projection = std::abs(result->raw.area.dot(direction));
  if (!AreBodiesFacing(problem_, direction)) {
    const bool is_done = TimeLimit::EndsBeforeLimit(
        [&] { projection = Projection(set, options, direction, result); });
    if (!is_done) result->incomplete = ArcFailure::kNoOutline;
  }
  TakeProjection(projection, &result->raw);
}

// The area of the projection of the region that was summed last: along whole curves, or with the
// outlines that cells find. Where outlines of aligned parts cross each other or run along edges
// they do not from slightly tilted directions. Otherwise lines measure it.
ContactAreaFound ArcMethod::Projection(const SurfaceSet& set, const ArcMethodOptions& options,
                                       const Vector3d& direction, ArcMethodResult* result) {
  const double pieces = static_cast<double>(FoundEdges().pieces.size());
  const double precision = kAreaShare * options.tolerance / std::sqrt(1.0 + pieces);
  const Vector3d across = Eigen::AngleAxisd(kTiltAngle, direction) * direction.unitOrthogonal();
  if (by_curves_) {
    const auto along = [&](const Vector3d& n) {
      return projection_.Run(problem_, set.kinds, &curves_, n, precision, options.threads);
    };
    if (const auto area = LookAlong(direction, across, std::cref(along))) return *area;
    LocalFrame tight = problem_.frame;
    tight.half /= kRoom;
    ArcMethodResult again;
    if (Find(set, tight, options, Coincidence(options), &again) != ArcFailure::kNone) {
      result->incomplete = ArcFailure::kNoOutline;
      return {ScanProjection(problem_, direction), kAreaByLines};
    }
  }
  const long most = std::min(options.max_cells, kProjectionCells + finder_.cells());
  const auto along = [&](const Vector3d& n) {
    return projection_.Run(problem_, finder_, nodes_, n, precision, most, options.threads);
  };
  if (const auto area = along(direction)) {
    // Outlines along edges that also lie on sides of cells mislead: lines decide which is right.
    const double scanned = ScanProjection(problem_, direction);
    const double off = std::abs(*area - scanned);
    if (!(off > kOffScan * scanned)) return *area;
    const auto beside = LookFromBeside(direction, kTilt * across, std::cref(along));
    return beside && std::abs(*beside - scanned) < off ? *beside : *area;
  }
  if (const auto beside = LookFromBeside(direction, kTilt * across, std::cref(along)))
    return *beside;
  result->incomplete = ArcFailure::kNoOutline;
  return {ScanProjection(problem_, direction), kAreaByLines};
}

}  // namespace volcontact
