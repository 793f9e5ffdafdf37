#include "volcontact/identify/press.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cstdint>
#include <limits>
#include <utility>

#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace identify {
namespace {

constexpr double kFirstPressStep = 1e-6, kFarthest = 1e4;  // of the search for the first touch [m]
// Finer than the steps of a double at any position of interest [m].
constexpr double kTouchWidth = 1e-18;

QueryOptions OptionsOf(double tolerance) {
  QueryOptions options;
  options.tolerance = tolerance;
  options.bound_distance = false;
  return options;
}

}  // namespace

Press::Press(const Solid& A, const Solid& B, const PressPath& path, double tolerance)
    : pair_(A, B), path_(path), options_(OptionsOf(tolerance)) {}

Press::Tilted::Tilted(const Press* press, double tilt) : press_(press), X_WA_(press->path_.X_WA) {
  if (tilt != 0.0) {
    const Eigen::Matrix3d turn =
        Eigen::AngleAxisd(tilt, press->path_.tilt_axis_W).toRotationMatrix();
    X_WA_ = MakePose(turn * X_WA_.Rotation(), X_WA_.t);
  }
  touch_ = FindTouch();
}

Metrics Press::Tilted::QueryAt(double travel) const {
  Pose X_WA = X_WA_;
  X_WA.t += travel * press_->path_.direction_W;
  Metrics metrics = press_->pair_.Query(X_WA, press_->path_.X_WB, press_->options_);
  press_->greatest_volume_ = std::max(press_->greatest_volume_, metrics.volume);
  if (!metrics.converged) {
    press_->worst_error_ = std::max(press_->worst_error_, metrics.volume_error);
  }
  return metrics;
}

PressedVolume Press::Tilted::At(double depth) const {
  if (!(depth > 0.0)) return {};
  const Metrics metrics = QueryAt(touch_ + depth);
  return {metrics.volume, -metrics.area_vector_W.dot(press_->path_.direction_W)};
}

// Steps of growing length back or forth until one end overlaps and the other does not, then
// bisection down to neighbouring doubles or 1e-18 m. Steps forward are limited by the distance, so
// that thin bodies are not jumped over.
double Press::Tilted::FindTouch() const {
  const auto overlap = [&](double travel) { return QueryAt(travel).volume > 0.0; };
  double apart = 0.0, inside = 0.0;
  if (overlap(0.0)) {
    for (double step = kFirstPressStep; overlap(apart); step *= 2.0) {
      inside = apart;
      apart -= step;
      if (step > kFarthest) {
        throw InvalidInput(
            "the solids overlap however far A moves back against `PressPath::direction_W`; reverse "
            "the direction");
      }
    }
  } else {
    for (double step = kFirstPressStep; !overlap(inside); step *= 2.0) {
      apart = inside;
      Pose X_WA = X_WA_;
      X_WA.t += apart * press_->path_.direction_W;
      inside += std::max(step, press_->pair_.DistanceBound(X_WA, press_->path_.X_WB));
      if (inside > kFarthest) {
        throw InvalidInput(
            "A never meets B along `PressPath::direction_W`; check the direction and the poses");
      }
    }
  }
  std::uintmax_t steps = std::numeric_limits<std::uintmax_t>::max();
  const auto bracket = boost::math::tools::bisect(
      [&](double travel) { return overlap(travel) ? 1.0 : -1.0; }, apart, inside,
      [](double low, double high) { return high - low <= kTouchWidth; }, steps);
  return bracket.second;
}

}  // namespace identify
VOLCONTACT_NAMESPACE_END
