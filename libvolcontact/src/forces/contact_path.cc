#include "volcontact/forces/contact_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "forces/bristle_motion.h"
#include "forces/normal_turn.h"
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

// Rates at an instant, of the model as a whole.
class ModelRates {
 public:
  ModelRates(const ContactModel& model, const ContactGeometry& geometry,
             const ContactMotion& motion, const std::vector<PressureSample>& pressure)
      : model_(&model), geometry_(geometry), motion_(motion), pressure_(&pressure) {}

  ContactStateRate operator()(const ContactState& state) const {
    return model_->Evaluate(geometry_, motion_, state, *pressure_).rate;
  }

 private:
  const ContactModel* model_;
  ContactGeometry geometry_;
  ContactMotion motion_;
  const std::vector<PressureSample>* pressure_;
};

// The same of bristles, which do not depend on the normal force: less than half of the cost.
class BristleRates {
 public:
  // `normal_W` is that of the states.
  BristleRates(const ContactModel& model, const ContactGeometry& geometry,
               const ContactMotion& motion, const Eigen::Vector3d& normal_W)
      : bristles_(std::get<BristleFriction>(model.parameters().friction),
                  InputOf(model, geometry, motion)),
        turn_(normal_W, geometry.normal_W),
        tau_relaxation_(model.parameters().tau_relaxation) {}

  ContactStateRate operator()(const ContactState& state) const {
    FrictionState turned = state.friction;
    turned.deflection_W = turn_.Tangent(turned.deflection_W);
    ContactStateRate rate;
    rate.deflection_W = turn_.Back(bristles_.DeflectionRate(bristles_.Load(turned), turned));
    rate.twist = bristles_.TwistRate(bristles_.SpinLoad(turned), turned);
    rate.dwell = bristles_.DwellRate(turned);
    if (tau_relaxation_ > 0.0) rate.relaxation = -state.relaxation / tau_relaxation_;
    return rate;
  }

 private:
  static FrictionInput InputOf(const ContactModel& model, const ContactGeometry& geometry,
                               const ContactMotion& motion) {
    FrictionInput input;
    input.velocity_W = model.SlidingVelocity(geometry, motion);
    input.spin = motion.spin;
    input.gyration_radius = geometry.gyration_radius;
    return input;
  }

  BristleMotion bristles_;
  NormalTurn turn_;
  double tau_relaxation_;
};

// Runge and Kutta's method of order 4; `rates_at` makes the rates at a part of the duration.
template <class RatesAt>
ContactState Integrated(const ContactState& state, double duration, double steps,
                        const RatesAt& rates_at) {
  ContactState present = state;
  const double h = duration / steps;
  auto end = rates_at(0.0);
  for (double i = 0.0; i < steps; i += 1.0) {
    const auto begin = end, middle = rates_at((i + 0.5) / steps);
    end = rates_at((i + 1.0) / steps);
    ContactStateRate k[4];
    k[0] = begin(present);
    k[1] = middle(After(present, k[0], 0.5 * h));
    k[2] = middle(After(present, k[1], 0.5 * h));
    k[3] = end(After(present, k[2], h));
    present = After(present, MeanOfStages(k), h);
  }
  return present;
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
        "the time from {} s to {} s is too long for a contact whose state decays in {:.2g} s; give "
        "instants at most {:.2g} s apart",
        from.time, to.time, constant, kMostPathSteps / kStepsPerTimeConstant * constant));
  }
  const auto geometry = [&](double s) { return GeometryBetween(from.geometry, to.geometry, s); };
  const auto motion = [&](double s) { return MotionBetween(from.motion, to.motion, s); };
  ContactState present;
  if (std::holds_alternative<BristleFriction>(model.parameters().friction)) {
    present = Integrated(state, duration, steps, [&](double s) {
      return BristleRates(model, geometry(s), motion(s), state.normal_W);
    });
  } else {
    present = Integrated(state, duration, steps, [&](double s) {
      return ModelRates(model, geometry(s), motion(s), pressure);
    });
  }
  ContactModel::Transport(to.geometry.normal_W, &present);
  return present;
}

VOLCONTACT_NAMESPACE_END
