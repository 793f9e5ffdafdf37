// Stiffnesses that scenarios leave to us: of a depth at rest, or of the bodies' materials.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "scenario/resting_body.h"
#include "scenario/scenario_parts.h"
#include "volcontact/forces/contact_estimate.h"
#include "volcontact/forces/stiffness_estimates.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

using Eigen::Vector3d;

// The depth at rest without a given depth or material, as a part of the body's size. It is not
// visible, and allows long steps.
constexpr double kSizeToDepth = 1e-3;

IndentationLaw LawOf(const JsonCursor& input, const RestingBody& resting, const Vector3d& gravity,
                     std::string* of_what) {
  // The places of bodies on joints are not known here.
  if (!resting.IsPlaced()) {
    *of_what = ", as of spheres of the same volumes";
    return IndentationOfBalls(resting.size, SizeOf(*resting.other));
  }
  const auto lowering = std::make_shared<Lowering>(LoweringOf(resting, gravity));
  if (!lowering->FindTouch()) {
    input.Fail(fmt::format(
        "\"auto\" looks for the depth at rest along gravity, where \"{}\" does not meet \"{}\" "
        "from its start; give a number, which `volcontact estimate contact` computes",
        resting.body->name, resting.other->name));
  }
  return [lowering](double depth) { return lowering->At(depth); };
}

double EffectiveModulusOf(const RestingBody& resting) {
  const auto elastic = [](const BodySpec& body) {
    if (!body.material) return ElasticMaterial();
    return ElasticMaterial{body.material->modulus, body.material->poisson.value_or(kCommonPoisson)};
  };
  if (!resting.body->material && !resting.other->material) {
    return std::numeric_limits<double>::infinity();
  }
  return EffectiveModulus(elastic(*resting.body), elastic(*resting.other));
}

double MassThatRests(const RestingBody& resting) {
  const double mass = resting.body->mass;
  return resting.other->fixed ? mass : 1.0 / (1.0 / mass + 1.0 / resting.other->mass);
}

}  // namespace

double ChooseStiffness(const JsonCursor& input, const ContactSpec& contact, const Scenario& read,
                       std::vector<std::string>* notes) {
  const JsonCursor normal = input.Member("normal"), stiffness = normal.Member("stiffness");
  const double g = read.gravity.norm();
  if (!(g > 0.0)) {
    stiffness.Fail("\"auto\" needs \"gravity\" for the load at rest; give a number");
  }
  const RestingBody resting = RestingOf(stiffness, contact, read);
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
        "steps of explicit integrators: at most {:.2g} s",
        contact.name, estimate.stiffness, resting.body->name, estimate.depth, known.force, of_what,
        estimate.step.step));
    return estimate.stiffness;
  } catch (const InvalidInput& error) {
    normal.Fail(error.what());
  }
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
