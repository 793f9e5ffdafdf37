#include "scenario/resting_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "volcontact/overlap/mass_properties.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

using Eigen::Vector3d;

// Relative to the body's size, the precision of the first touch: below all depths that queries
// see well.
constexpr double kTouch = 1e-9;
// Of the queries that tell volumes at depths.
constexpr double kVolumeTolerance = 1e-6;
// Of volumes from which sizes are taken.
constexpr double kSizeTolerance = 1e-3;
// Of the body's size: it has missed the other one when it has moved on as far.
constexpr double kFarthest = 1e3;
constexpr int kMostMoves = 300;

bool IsStill(const BodySpec* body) { return body == nullptr || body->fixed; }

}  // namespace

bool RestingBody::IsPlaced() const {
  const auto is_placed = [](const BodySpec& one) {
    const JointStart start = KindOf(one.joint).start;
    return one.fixed || start == JointStart::kPose || start == JointStart::kPosition;
  };
  return is_placed(*body) && is_placed(*other);
}

double SizeOf(const BodySpec& body) {
  if (!body.solid || !body.solid->Bounds().IsBounded()) {
    return std::numeric_limits<double>::infinity();
  }
  QueryOptions options;
  options.tolerance = kSizeTolerance;
  return std::cbrt(ComputeMassProperties(*body.solid, options).volume);
}

RestingBody RestingOf(const JsonCursor& input, const ContactSpec& contact, const Scenario& read) {
  const auto body = [&](int i) {
    return i < 0 ? nullptr : &read.bodies[static_cast<std::size_t>(i)];
  };
  const BodySpec *a = body(contact.a), *b = body(contact.b);
  const bool b_rests = !IsStill(b) && (IsStill(a) || read.gravity.dot(a->pose.t - b->pose.t) > 0.0);
  RestingBody resting{b_rests ? contact.b : contact.a, b_rests ? b : a, b_rests ? a : b, 0.0};
  if (IsStill(resting.body) || resting.other == nullptr || !resting.body->solid ||
      !resting.other->solid) {
    input.Fail("this needs two bodies with a \"solid\" each, of which one moves");
  }
  resting.size = SizeOf(*resting.body);
  if (std::isinf(resting.size)) {
    input.Fail(
        fmt::format("this needs a bounded \"solid\" of \"{}\", which rests", resting.body->name));
  }
  return resting;
}

Lowering::Lowering(const RestingBody& resting, const Vector3d& gravity)
    : pair_(*resting.body->solid, *resting.other->solid),
      start_(resting.body->pose),
      other_(resting.other->pose),
      along_(gravity.normalized()),
      size_(resting.size) {}

bool Lowering::FindTouch() {
  double way = 0.0, step = size_;
  for (; Distance(way) <= 0.0; step *= 2.0) {
    way -= step;
    if (-way > kFarthest * size_) return false;
  }
  // The distance bounds the way to the touch from below: nothing is passed.
  for (int i = 0; i < kMostMoves && way < kFarthest * size_; ++i) {
    const double distance = Distance(way);
    if (distance <= kTouch * size_) {
      touch_ = way;
      return true;
    }
    way += distance;
  }
  return false;
}

Metrics Lowering::QueryAt(double depth) const {
  QueryOptions options;
  options.tolerance = kVolumeTolerance;
  options.bound_distance = false;
  return pair_.Query(PoseAt(depth), other_, options);
}

// Moving it along gravity adds −a · along, with the area vector a that drives it out.
Indentation Lowering::At(double depth) const {
  const Metrics metrics = QueryAt(depth);
  return {metrics.volume, -metrics.area_vector_W.dot(along_)};
}

double Lowering::NormalShare(double depth) const {
  return -QueryAt(depth).area_normal_W.dot(along_);
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
