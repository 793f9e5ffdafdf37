// Stiffnesses that scenarios leave to us: of a depth at rest, or of the bodies' materials.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "scenario/contact_members.h"
#include "scenario/scenario_parts.h"
#include "volcontact/forces/contact_estimate.h"
#include "volcontact/forces/stiffness_estimates.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

using Eigen::Vector3d;

// Of the body's size, the depth at rest where neither it nor a material is given: it does not show,
// and steps are as long as that allows.
constexpr double kSizeToDepth = 1e-3;
// Of the body's size, how near the first touch is told; below all depths that queries see well.
constexpr double kTouch = 1e-9;
// Of the queries that tell volumes at depths.
constexpr double kVolumeTolerance = 1e-6;
// Of the body's size: it has missed the other one when it has moved on as far.
constexpr double kFarthest = 1e3;
constexpr int kMostMoves = 300;

bool IsStill(const BodySpec* body) { return body == nullptr || body->fixed; }

bool IsPlaced(const BodySpec& body) {
  const JointStart start = KindOf(body.joint).start;
  return body.fixed || start == JointStart::kPose || start == JointStart::kPosition;
}

// The bodies of a contact: what rests, and on what.
struct Resting {
  const BodySpec* body;
  const BodySpec* other;
  double size;  // [m], the edge of a cube of the body's volume
};

double SizeOf(const BodySpec& body) {
  if (!body.solid || !body.solid->Bounds().IsBounded()) {
    return std::numeric_limits<double>::infinity();
  }
  QueryOptions options;
  options.tolerance = 1e-3;
  return std::cbrt(ComputeMassProperties(*body.solid, options).volume);
}

// Of two bodies that move the upper one rests, by their places at the start.
Resting RestingOf(const JsonCursor& input, const ContactSpec& contact, const Scenario& read) {
  const auto body = [&](int i) {
    return i < 0 ? nullptr : &read.bodies[static_cast<std::size_t>(i)];
  };
  const BodySpec *a = body(contact.a), *b = body(contact.b);
  const bool b_rests = !IsStill(b) && (IsStill(a) || read.gravity.dot(a->pose.t - b->pose.t) > 0.0);
  Resting resting{b_rests ? b : a, b_rests ? a : b, 0.0};
  if (IsStill(resting.body) || resting.other == nullptr || !resting.body->solid ||
      !resting.other->solid) {
    input.Fail("\"auto\" needs two bodies with a \"solid\" each, of which one moves");
  }
  resting.size = SizeOf(*resting.body);
  if (std::isinf(resting.size)) {
    input.Fail(fmt::format("\"auto\" needs a bounded \"solid\" of \"{}\", which rests",
                           resting.body->name));
  }
  return resting;
}

// The resting body moved along gravity from its start until it touches the other one.
class Lowering {
 public:
  Lowering(const Resting& resting, const Vector3d& along)
      : pair_(*resting.body->solid, *resting.other->solid),
        start_(resting.body->pose),
        other_(resting.other->pose),
        along_(along),
        size_(resting.size) {}

  // Whether it touches, from where on depths count.
  bool FindTouch() {
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

  Indentation At(double depth) const {
    QueryOptions options;
    options.tolerance = kVolumeTolerance;
    options.bound_distance = false;
    const Metrics metrics = pair_.Query(Moved(touch_ + depth), other_, options);
    // Moving it along gravity adds −a · along, with the area vector that drives it out.
    return {metrics.volume, -metrics.area_vector_W.dot(along_)};
  }

 private:
  Pose Moved(double way) const { return {start_.t + way * along_, start_.q}; }
  double Distance(double way) const { return pair_.EventFunction(Moved(way), other_); }

  PreparedPair pair_;
  Pose start_, other_;
  Vector3d along_;
  double size_, touch_ = 0.0;
};

// Of bodies on joints, whose places are not known here: spheres of the same volumes.
IndentationLaw SpheresOf(const Resting& resting) {
  const double to_radius = std::cbrt(3.0 / (4.0 * M_PI));
  const double radius =
      EffectiveRadius(to_radius * resting.size, to_radius * SizeOf(*resting.other));
  return [radius](double depth) {
    return Indentation{M_PI * radius * depth * depth, 2.0 * M_PI * radius * depth};
  };
}

IndentationLaw LawOf(const JsonCursor& input, const Resting& resting, const Vector3d& gravity,
                     std::string* of_what) {
  if (!IsPlaced(*resting.body) || !IsPlaced(*resting.other)) {
    *of_what = ", as of spheres of the same volumes";
    return SpheresOf(resting);
  }
  const auto lowering = std::make_shared<Lowering>(resting, gravity.normalized());
  if (!lowering->FindTouch()) {
    input.Fail(fmt::format(
        "\"auto\" looks for the depth at rest along gravity, where \"{}\" does not meet \"{}\" "
        "from its start; give a number, which `volcontact estimate contact` computes",
        resting.body->name, resting.other->name));
  }
  return [lowering](double depth) { return lowering->At(depth); };
}

double EffectiveModulusOf(const Resting& resting) {
  const auto elastic = [](const BodySpec& body) {
    if (!body.material) return ElasticMaterial();
    return ElasticMaterial{body.material->modulus, body.material->poisson.value_or(kCommonPoisson)};
  };
  if (!resting.body->material && !resting.other->material) {
    return std::numeric_limits<double>::infinity();
  }
  return EffectiveModulus(elastic(*resting.body), elastic(*resting.other));
}

double MassThatRests(const Resting& resting) {
  const double mass = resting.body->mass;
  return IsStill(resting.other) ? mass : 1.0 / (1.0 / mass + 1.0 / resting.other->mass);
}

}  // namespace

double ChooseStiffness(const JsonCursor& input, const ContactSpec& contact, const Scenario& read,
                       std::vector<std::string>* notes) {
  const JsonCursor normal = input.Member("normal"), stiffness = normal.Member("stiffness");
  const double g = read.gravity.norm();
  if (!(g > 0.0)) {
    stiffness.Fail("\"auto\" needs \"gravity\" for the load at rest; give a number");
  }
  const Resting resting = RestingOf(stiffness, contact, read);
  ContactKnowns known;
  known.mass = MassThatRests(resting);
  known.force = resting.body->mass * g;
  known.effective_modulus = EffectiveModulusOf(resting);
  known.max_depth = 0.5 * resting.size;
  known.restitution = normal.Number("restitution", 1.0);
  if (normal.Has("rest_depth")) {
    known.depth = normal.Member("rest_depth").PositiveNumber();
  } else if (std::isinf(known.effective_modulus)) {
    known.depth = kSizeToDepth * resting.size;
  }
  std::string of_what;
  const IndentationLaw law = LawOf(stiffness, resting, read.gravity, &of_what);
  try {
    const ContactEstimate estimate = EstimateContact(known, law);
    notes->push_back(fmt::format(
        "contact \"{}\": stiffness {:.4g} N/m^3 chosen: {} rests {:.3g} m deep under {:.4g} N{}; "
        "explicit steps of {:.2g} s",
        contact.name, estimate.stiffness, resting.body->name, estimate.depth, known.force, of_what,
        estimate.step.step));
    return estimate.stiffness;
  } catch (const InvalidInput& error) {
    stiffness.Fail(error.what());
  }
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
