#include "scenario/resting_body.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

using Eigen::Vector3d;

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
  return body.solid ? CubeEdge(*body.solid) : std::numeric_limits<double>::infinity();
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

Lowering LoweringOf(const RestingBody& resting, const Vector3d& gravity) {
  return {*resting.body->solid, *resting.other->solid, resting.body->pose, resting.other->pose,
          gravity.normalized()};
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
