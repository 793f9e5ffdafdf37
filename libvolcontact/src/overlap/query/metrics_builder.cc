#include "overlap/query/metrics_builder.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "math/time_limit.h"
#include "overlap/certify/certify.h"

namespace volcontact {
namespace {

// Sums of some thousand terms of one sign round by no more than this, relatively.
constexpr double kSummationError = 64.0 * std::numeric_limits<double>::epsilon();
// The area seen along a direction close to the normal is that direction's component of an area
// vector, to second order in the angle: close means a cosine above this.
constexpr double kAlongNormal = 0.9;

// If the area vector along the normal exceeds the projection by more than this part, faces lie
// behind each other: both are known better.
constexpr double kSameProjection = 1e-4;

constexpr const char* kOnlyBounds =
    "the search ended at max_cells: the volume is the middle of its certain bounds, and there is "
    "no inertia, area or normal; raise max_cells";
constexpr const char* kUndecided =
    "neither an overlap nor its absence was proved: the volume is the middle of its certain bounds";
constexpr const char* kAreaOfVector =
    "the contact area is the component of the area vector along the normal, because faces lie "
    "behind each other; it is larger than the projection";
constexpr const char* kAreaInTime =
    "the contact area may be too small: it is the component of the area vector along the normal, "
    "because the time limit ended the search for the outline";

void WarnOfWideBounds(double asked, VolumeMetrics* metrics) {
  if (asked == 0.0 || metrics->method == Method::kVoxel) return;
  if (!metrics->volume_bounds) {
    metrics->warnings.push_back("bracket_width: this method has no volume bounds");
    return;
  }
  const auto [lower, upper] = *metrics->volume_bounds;
  if (upper - lower <= asked * upper) return;
  metrics->warnings.push_back(fmt::format(
      "the relative width of the volume bounds is {:.2g}, not {:.2g}: max_cells was "
      "reached, or there are no narrower bounds for such solids; ask for a larger width",
      (upper - lower) / upper, asked));
}

void WarnOfOtherMethod(const RawAnswer& answer, Method asked, VolumeMetrics* metrics) {
  if (asked != Method::kBoundary || answer.method == asked) return;
  metrics->warnings.push_back(fmt::format(
      "sums over the boundary failed{}{}; columns answered for all or a part of the overlap",
      answer.fallback.empty() ? "" : ": ", answer.fallback));
}

void StoreVolume(const RawAnswer& answer, const Rigid& X_WC, const QueryOptions& options,
                 VolumeMetrics* metrics) {
  const RawMetrics& raw = answer.raw;
  metrics->method = answer.method;
  metrics->volume_bounds = answer.volume_bounds;
  metrics->tolerance = options.tolerance;
  metrics->converged = raw.converged;
  metrics->stats = {answer.cells,    answer.leaves, 0.0,
                    options.threads, answer.edges,  answer.fallback};
  metrics->warnings = answer.warnings;
  WarnOfOtherMethod(answer, options.method, metrics);
  // Nothing found is not nothing there.
  if (!raw.converged) metrics->volume_error = raw.volume_error;
  if (!answer.HasVolume()) return;
  WarnOfWideBounds(options.bracket_width, metrics);
  const VolumeMoments& moments = raw.moments;
  const Eigen::Matrix3d R_WC = X_WC.RotationDouble();
  metrics->volume = moments.volume;
  if (answer.undecided) return;
  metrics->volume_error = std::max(raw.volume_error, kSummationError * moments.volume);
  metrics->centroid_W = Round(X_WC * ToDoubleDouble(moments.Centroid()));
  metrics->inertia_W = R_WC * moments.CentralInertia() * R_WC.transpose();
  metrics->inertia_W = 0.5 * (metrics->inertia_W + metrics->inertia_W.transpose()).eval();
}

// Along the unit normal in C.
ContactAreaFound ContactArea(const RawAnswer& answer, const Eigen::Vector3d& normal) {
  if (answer.contact_area) {
    ContactAreaFound found(0.0, kAreaInTime);
    TimeLimit::EndsInTime([&] { found = answer.contact_area(normal); });
    return found;
  }
  // Columns follow the normal of a coarser pass.
  const Eigen::Vector3d& top = answer.raw.top;
  if (top.z() > 0.0 && std::abs(normal.z()) > kAlongNormal) return std::abs(top.dot(normal));
  return {answer.raw.projected_area, answer.raw.area_warning};
}

// Along the unit normal in C, or none.
void StoreContactArea(const RawAnswer& answer, const Eigen::Vector3d& normal, Metrics* metrics) {
  // There is nothing to project along.
  if (normal.isZero()) return;
  // In each interval of a line the faces of B in A that look up and those that look down differ by
  // one at most: where lines meet the overlap once the projection is no less than this.
  const double least = std::abs(answer.raw.area.dot(normal));
  const ContactAreaFound found = ContactArea(answer, normal);
  metrics->contact_area = std::max(found.area, least);
  if (found.warning != nullptr) {
    metrics->warnings.emplace_back(found.warning);
  } else if (answer.raw.converged && least > (1.0 + kSameProjection) * found.area) {
    metrics->warnings.emplace_back(kAreaOfVector);
  }
  if (metrics->contact_area > 0.0) metrics->mean_height = metrics->volume / metrics->contact_area;
}

void StoreContact(const RawAnswer& answer, const Eigen::Matrix3d& R_WC, const QueryOptions& options,
                  Metrics* metrics) {
  const RawMetrics& raw = answer.raw;
  const VolumeMoments& moments = raw.moments;
  metrics->area_vector_W = R_WC * raw.area;
  metrics->area_moment_W = R_WC * (raw.torque - moments.Centroid().cross(raw.area));
  const Eigen::Vector3d normal = NormalOf(raw, R_WC.transpose() * options.previous_normal_W);
  metrics->normal_W = R_WC * normal;
  metrics->area_normal_W = R_WC * AreaNormalOf(raw);
  if (options.contact_area) {
    StoreContactArea(answer, normal, metrics);
  } else {
    metrics->contact_area = metrics->mean_height = std::numeric_limits<double>::quiet_NaN();
  }
  if (normal.isZero()) return;
  const double about_normal = normal.dot(moments.CentralInertia() * normal) / moments.volume;
  metrics->gyration_radius = std::sqrt(std::max(0.0, about_normal));
}

// About the centroid and in the axes of W.
void StoreDerivatives(const RawAnswer& answer, const Rigid& X_WA, double tolerance,
                      Metrics* metrics) {
  const RawDerivatives& derivatives = answer.derivatives;
  if (!derivatives.known) {
    metrics->warnings.push_back(fmt::format("no Hessian: {}", derivatives.reason));
    return;
  }
  const Rigid& X_AC = derivatives.X_AC;
  const Vector3dd centroid_A = answer.raw.X_AC * ToDoubleDouble(answer.raw.moments.Centroid());
  const Eigen::Matrix3d R_WC = (X_WA * X_AC).RotationDouble();
  const Eigen::Vector3d p_WC = -(R_WC * Round(X_AC.Inverse() * centroid_A));
  const VolumeDerivatives values = derivatives.values.Transformed(R_WC, p_WC);
  metrics->hessian_W = values.Hessian();
  metrics->centroid_derivative_W = values.first / metrics->volume;
  metrics->inertia_derivative_W.emplace();
  for (std::size_t k = 0; k < 6; ++k) {
    (*metrics->inertia_derivative_W)[k] = InertiaFromSecond(values.second[k]);
  }
  if (derivatives.reason != nullptr) metrics->warnings.emplace_back(derivatives.reason);
  if (values.error > tolerance) {
    metrics->warnings.push_back(
        fmt::format("the Hessian may be off by {:.0e} of its largest entries", values.error));
  }
}

}  // namespace

void HoldToBounds(double tolerance, RawAnswer* answer) {
  if (!answer->volume_bounds) return;
  const auto [lower, upper] = *answer->volume_bounds;
  HoldWithin({lower, upper}, tolerance, &answer->raw);
  if (answer->raw.converged || answer->HasVolume()) return;
  if (!(upper > 0.0)) return;
  RawMetrics unknown;
  unknown.X_AC = answer->raw.X_AC;
  unknown.moments.volume = 0.5 * (lower + upper);
  unknown.volume_error = 0.5 * (upper - lower);
  unknown.converged = false;
  answer->raw = unknown;
  answer->contact_area = nullptr;
  answer->undecided = !(lower > 0.0);
  answer->warnings.emplace_back(answer->undecided ? kUndecided : kOnlyBounds);
}

Metrics BuildMetrics(const RawAnswer& answer, const Rigid& X_WA, const QueryOptions& options) {
  Metrics metrics;
  const Rigid X_WC = X_WA * answer.raw.X_AC;
  StoreVolume(answer, X_WC, options, &metrics);
  metrics.overlap = answer.HasVolume() && !answer.undecided;
  metrics.undecided = answer.undecided;
  if (!metrics.overlap) {
    metrics.distance = answer.distance;
    return metrics;
  }
  metrics.distance = 0.0;
  StoreContact(answer, X_WC.RotationDouble(), options, &metrics);
  if (options.hessian) StoreDerivatives(answer, X_WA, options.tolerance, &metrics);
  return metrics;
}

MassProperties BuildMassProperties(const RawAnswer& answer, const Rigid& X_WA,
                                   const QueryOptions& options) {
  MassProperties mass;
  StoreVolume(answer, X_WA * answer.raw.X_AC, options, &mass);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(mass.inertia_W);
  mass.principal_moments = solver.eigenvalues();
  mass.principal_axes = solver.eigenvectors();
  if (mass.principal_axes.determinant() < 0.0) mass.principal_axes.col(2) *= -1.0;
  return mass;
}

}  // namespace volcontact
