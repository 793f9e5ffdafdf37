#include "volcontact/forces/contact_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

constexpr double kStepsPerTimeConstant = 16.0;
constexpr double kLeastPathSteps = 8.0, kMostPathSteps = 200'000.0;

// The shortest time in which a part of the state forgets what it was [s]; infinite for none.
double ShortestTimeConstant(const ContactParameters& parameters) {
  double shortest = std::numeric_limits<double>::infinity();
  const auto add = [&](double constant) {
    if (constant > 0.0) shortest = std::min(shortest, constant);
  };
  if (const auto* law = std::get_if<BristleFriction>(&parameters.friction)) {
    add(law->sigma1 / law->sigma0);
    add(law->tau_dwell);
  } else if (const auto* clutch = std::get_if<ClutchFriction>(&parameters.friction)) {
    add(clutch->damping / clutch->stiffness);
  }
  add(parameters.tau_relaxation);
  return shortest;
}

template <class Value>
Value Between(const Value& a, const Value& b, double s) {
  return (1.0 - s) * a + s * b;
}

ContactGeometry GeometryBetween(const ContactGeometry& a, const ContactGeometry& b, double s) {
  ContactGeometry geometry;
  geometry.touching = true;
  geometry.point_W = Between(a.point_W, b.point_W, s);
  geometry.normal_W = Between(a.normal_W, b.normal_W, s);
  // Opposite normals have none between them.
  const double length = geometry.normal_W.norm();
  geometry.normal_W = length > 0.0 ? (geometry.normal_W / length).eval() : b.normal_W;
  geometry.depth = Between(a.depth, b.depth, s);
  geometry.volume = Between(a.volume, b.volume, s);
  geometry.inertia_W = Between(a.inertia_W, b.inertia_W, s);
  geometry.contact_area = Between(a.contact_area, b.contact_area, s);
  geometry.gyration_radius = Between(a.gyration_radius, b.gyration_radius, s);
  return geometry;
}

ContactMotion MotionBetween(const ContactMotion& a, const ContactMotion& b, double s) {
  return {Between(a.normal_speed, b.normal_speed, s),
          Between(a.tangential_velocity_W, b.tangential_velocity_W, s), Between(a.spin, b.spin, s),
          Between(a.rolling_velocity_W, b.rolling_velocity_W, s)};
}

ContactState After(ContactState state, const ContactStateRate& rate, double h) {
  state.friction.deflection_W += h * rate.deflection_W;
  state.friction.twist += h * rate.twist;
  state.friction.dwell += h * rate.dwell;
  state.relaxation += h * rate.relaxation;
  return state;
}

ContactStateRate MeanOfStages(const ContactStateRate (&k)[4]) {
  const auto mean = [&](auto member) -> std::decay_t<decltype(k[0].*member)> {
    return (k[0].*member + 2.0 * (k[1].*member + k[2].*member) + k[3].*member) / 6.0;
  };
  return {mean(&ContactStateRate::deflection_W), mean(&ContactStateRate::twist),
          mean(&ContactStateRate::dwell), mean(&ContactStateRate::relaxation)};
}

}  // namespace

ContactState FollowContact(const ContactModel& model, const ContactState& state,
                           const ContactInstant& from, const ContactInstant& to,
                           const std::vector<PressureSample>& pressure) {
  const double duration = to.time - from.time;
  if (!(duration > 0.0 && std::isfinite(duration))) {
    throw InvalidInput(
        fmt::format("the time {} s does not follow {} s; times must ascend", to.time, from.time));
  }
  const double constant = ShortestTimeConstant(model.parameters());
  const double steps =
      std::max(kLeastPathSteps, std::ceil(kStepsPerTimeConstant * duration / constant));
  if (steps > kMostPathSteps) {
    throw InvalidInput(fmt::format(
        "{} s to {} s is too long a time for a contact that forgets its state in {:.2g} s; give "
        "instants at most {:.2g} s apart",
        from.time, to.time, constant, kMostPathSteps / kStepsPerTimeConstant * constant));
  }
  const auto rate = [&](const ContactState& present, double s) {
    return model
        .Evaluate(GeometryBetween(from.geometry, to.geometry, s),
                  MotionBetween(from.motion, to.motion, s), present, pressure)
        .rate;
  };
  ContactState present = state;
  const double h = duration / steps;
  for (double i = 0.0; i < steps; i += 1.0) {
    ContactStateRate k[4];
    k[0] = rate(present, i / steps);
    k[1] = rate(After(present, k[0], 0.5 * h), (i + 0.5) / steps);
    k[2] = rate(After(present, k[1], 0.5 * h), (i + 0.5) / steps);
    k[3] = rate(After(present, k[2], h), (i + 1.0) / steps);
    present = After(present, MeanOfStages(k), h);
  }
  ContactModel::Transport(to.geometry.normal_W, &present);
  return present;
}

VOLCONTACT_NAMESPACE_END
