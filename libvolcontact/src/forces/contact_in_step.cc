#include "volcontact/forces/contact_in_step.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "forces/friction_in_step.h"
#include "forces/law_limits.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Radii of gyration at which a patch tips over its rim: twice is that of a ring of two.
constexpr double kRim = 2.0;

// w^q. The exponent of prisms is one.
double Raised(double w, double q) { return q == 1.0 ? w : std::pow(w, q); }

// ∫ (α + β w) w^q dw from 0.
double Integral(double w, double q, double alpha, double beta) {
  return std::pow(w, q + 1.0) * (alpha / (q + 1.0) + beta * w / (q + 2.0));
}

Matrix3d RollingInertiaOf(const ContactGeometry& geometry, RollingInertia kind) {
  const Vector3d& n = geometry.normal_W;
  const Matrix3d across = Matrix3d::Identity() - n * n.transpose();
  if (kind == RollingInertia::kThesis) return across * geometry.inertia_W * across;
  const Matrix3d second =
      0.5 * geometry.inertia_W.trace() * Matrix3d::Identity() - geometry.inertia_W;
  const Matrix3d spread = across * second * across;
  return spread.trace() * across - spread;
}

}  // namespace

StepLaws::StepLaws(const ContactModel& model) : model_(model), normal_(model.parameters().normal) {
  const NormalLaw& law = model.parameters().normal;
  if (std::holds_alternative<LinearNormal>(law) ||
      std::holds_alternative<AzadFeatherstoneNormal>(law)) {
    throw InvalidInput(
        "implicit steps do not support the linear and the Azad-Featherstone normal law; take the "
        "volumetric law, or the power law of points");
  }
}

double StepLaws::Stiffness() const {
  const NormalLaw& law = model_.parameters().normal;
  if (const auto* volumetric = std::get_if<VolumetricNormal>(&law)) return volumetric->Stiffness();
  return std::get<PowerNormal>(law).stiffness;
}

double StepLaws::CompressionPower() const {
  const auto* power = std::get_if<PowerNormal>(&model_.parameters().normal);
  return power == nullptr ? 1.0 : power->exponent;
}

double StepLaws::DampingFactor(double impact_speed) const {
  // The factor of these laws does not depend on the compression.
  return normal_.Evaluate(1.0, 0.0, impact_speed).damping_factor;
}

ContactInStep::ContactInStep(const StepLaws& laws, const NearbyContact& nearby,
                             const StepState& state, const Vector6& reached, double step,
                             const std::vector<PressureSample>* pressure)
    : laws_(&laws),
      nearby_(nearby),
      state_(state),
      reached_(reached),
      step_(step),
      pressure_(pressure) {
  const FrictionLaw& friction = laws.model().parameters().friction;
  if (std::holds_alternative<PatchCoulombFriction>(friction) &&
      (pressure == nullptr || pressure->empty())) {
    throw InvalidInput("patch Coulomb friction needs the pressure of the contact");
  }
  SetFriction();
  SetNormal();
  SetTurning();
}

void ContactInStep::SetNormal() {
  damping_ = laws_->DampingFactor(state_.contact.impact_speed);
  const double q = laws_->CompressionPower(), relaxation = state_.contact.relaxation;
  const double k = laws_->Stiffness();
  if (relaxation > 0.0) {
    // What relaxation takes off moves the end of the reach; a line is what has both.
    const double tau = laws_->model().parameters().tau_relaxation;
    const double left = nearby_.compression() - relaxation * std::exp(-step_ / tau);
    length_ = nearby_.compression() / nearby_.slope();
    reach_ = left / nearby_.slope();
    power_ = q;
  } else {
    length_ = reach_ = nearby_.reach();
    power_ = q * nearby_.exponent();
  }
  strength_ = k * Raised(nearby_.compression(), q);
  left_at_start_ = std::max(LeftOver(0.0), 0.0);
  // Springs are not trusted with more than what was put into them.
  const double wound = ElasticEnergy(left_at_start_), stored = std::max(state_.stored, 0.0);
  given_back_ = wound > stored ? stored / wound : 1.0;
  if (given_back_ < 1.0) lost_ = (1.0 - given_back_) * Raised(left_at_start_, power_);
}

// Bristles bent under a lighter load hold less than their bend says under this one.
void ContactInStep::UnbendBristles(StepLag* lag) const {
  const double bent = step_ * HeldByFriction(*lag, nearby_.geometry());
  if (!(bent > state_.bent)) return;
  lag->unbend = state_.bent / bent;
  lag->bent *= lag->unbend;
  lag->twist *= lag->unbend;
}

void ContactInStep::SetTurning() {
  const ContactParameters& parameters = laws_->model().parameters();
  if (!std::holds_alternative<VolumetricNormal>(parameters.normal)) return;
  const double k = laws_->Stiffness();
  tilting_ = k * step_ * nearby_.tilting();
  if (parameters.rolling == RollingInertia::kNone) return;
  rolling_ = -k * damping_ * RollingInertiaOf(nearby_.geometry(), parameters.rolling);
}

void ContactInStep::SetFriction() {
  const ContactGeometry& geometry = nearby_.geometry();
  const Vector3d& n = geometry.normal_W;
  const Vector3d first = n.unitOrthogonal();
  tangents_ << first, n.cross(first);
  plate_ = laws_->model().PlateOffset(geometry);
  for (int i = 0; i < 2; ++i) {
    sliding_.col(i) << tangents_.col(i), plate_.cross(Vector3d(tangents_.col(i)));
  }
  sliding_.col(2) << Vector3d::Zero(), n;
  friction_.bent = tangents_.transpose() * state_.contact.friction.deflection_W;
  friction_.twist = state_.contact.friction.twist;
  friction_.dwell = state_.contact.friction.dwell;
}

double ContactInStep::LeftOver(double parting_speed) const {
  return (reach_ - step_ * (parting_speed - nearby_.parting().dot(reached_))) / length_;
}

double ContactInStep::ElasticForce(double w) const {
  return w > 0.0 ? strength_ * Raised(w, power_) : 0.0;
}

double ContactInStep::ElasticEnergy(double w) const {
  return w > 0.0 ? strength_ * length_ / (power_ + 1.0) * std::pow(w, power_ + 1.0) : 0.0;
}

// With w for the velocity the force is F(w) (α + β w), not below zero. Up to w at the start F is
// the spring's as far as it has energy to give; beyond, what is pressed more is added.
struct ContactInStep::NormalLine {
  double w, alpha, beta;
  double start;  // w from which there is a force
};

ContactInStep::NormalLine ContactInStep::LineOf(double parting_speed, const StepLag& lag) const {
  NormalLine line;
  line.w = LeftOver(parting_speed);
  line.beta = -damping_ * length_ / step_;
  line.alpha = 1.0 + damping_ * (parting_speed + lag.approach) - line.beta * line.w;
  line.start = line.beta > 0.0 ? std::max(-line.alpha / line.beta, 0.0) : 0.0;
  return line;
}

ContactInStep::NormalPart ContactInStep::Normal(double parting_speed, const StepLag& lag) const {
  NormalPart part;
  const auto [w, alpha, beta, start] = LineOf(parting_speed, lag);
  if (!(w > start)) return part;
  const bool is_above = w > std::max(left_at_start_, start);
  const double factor = alpha + beta * w, raised = Raised(w, power_);
  const double spring = is_above ? raised - lost_ : given_back_ * raised;
  const double rise = (is_above ? 1.0 : given_back_) * raised * power_ / w;
  part.force = strength_ * spring * factor;
  part.slope = strength_ * step_ / length_ * (rise * factor + spring * beta);
  return part;
}

double ContactInStep::NormalPotential(double parting_speed, const StepLag& lag) const {
  const NormalLine line = LineOf(parting_speed, lag);
  if (!(line.w > line.start)) return 0.0;
  const auto integral = [&](double from, double to, double q) {
    return Integral(to, q, line.alpha, line.beta) - Integral(from, q, line.alpha, line.beta);
  };
  const double below = std::min(line.w, left_at_start_);
  const double above = std::max(left_at_start_, line.start);
  double sum = 0.0;
  if (below > line.start) sum = given_back_ * integral(line.start, below, power_);
  if (line.w > above) {
    sum += integral(above, line.w, power_) - lost_ * integral(above, line.w, 0.0);
  }
  return strength_ * length_ / step_ * sum;
}

StepLag ContactInStep::BeginLag(const Vector6& twist, bool is_cautious) const {
  StepLag lag;
  lag.is_cautious = is_cautious;
  const Vector3d v = twist.head<3>();
  if (!is_cautious) {
    lag.approach = nearby_.geometry().normal_W.dot(v) - nearby_.parting().dot(twist);
  }
  return lag;
}

StepLag ContactInStep::LagAt(const Vector6& twist, bool is_cautious) const {
  const StepLag begun = BeginLag(twist, is_cautious);
  return LagUnder(Normal(nearby_.parting().dot(twist), begun).force, twist, begun);
}

StepLag ContactInStep::FirstLag(const Vector6& guess, bool is_cautious) const {
  return LagUnder(state_.normal_force, guess, BeginLag(guess, is_cautious));
}

StepLag ContactInStep::LagUnder(double normal_force, const Vector6& twist,
                                const StepLag& begun) const {
  StepLag lag = begun;
  lag.normal_force = normal_force;
  const ContactGeometry& geometry = nearby_.geometry();
  Vector6 push;
  push << geometry.normal_W, Vector3d::Zero();
  if (!lag.is_cautious) lag.correction = normal_force * (push - nearby_.parting());
  const Vector3d turned = twist.tail<3>() - (lag.is_cautious ? Vector3d(Vector3d::Zero())
                                                             : Vector3d(reached_.tail<3>()));
  const Vector3d tilt = tilting_ * turned;
  const double most = normal_force * kRim * geometry.gyration_radius, torque = tilt.norm();
  lag.tilting = torque > 0.0 ? most * std::sqrt(std::max(turned.dot(tilt), 0.0)) / torque
                             : std::numeric_limits<double>::infinity();
  const double speed = nearby_.parting().dot(twist);
  const double left = 1.0 + damping_ * (speed + lag.approach);
  lag.rolling =
      std::clamp(left / kParting, 0.0, 1.0) * Raised(std::clamp(LeftOver(speed), 0.0, 1.0), power_);
  const Vector3d sliding = sliding_.transpose() * twist;
  LagFriction(laws_->model().parameters().friction, friction_, geometry, sliding, step_, &lag);
  UnbendBristles(&lag);
  return lag;
}

double ContactInStep::AddNormal(const Vector6& twist, const StepLag& lag, bool with_slope,
                                StepForce* to) const {
  const Vector6& g = nearby_.parting();
  const NormalPart part = Normal(g.dot(twist), lag);
  to->wrench += part.force * g;
  if (with_slope) to->damping += part.slope * g * g.transpose();
  return part.force;
}

struct ContactInStep::TurningPart {
  Matrix3d roll;
  Vector3d tilt, rolled;  // torques
  double root;            // of the power of tilting
  double part;            // of it that there is at the rim
};

ContactInStep::TurningPart ContactInStep::TurningAt(const Vector6& twist,
                                                    const StepLag& lag) const {
  const Vector3d w = twist.tail<3>();
  const Vector3d turned = lag.is_cautious ? w : Vector3d(w - reached_.tail<3>());
  TurningPart at;
  at.roll = lag.rolling * rolling_;
  at.tilt = tilting_ * turned;
  at.rolled = at.roll * w;
  at.root = std::sqrt(std::max(turned.dot(at.tilt), 0.0));
  at.part = at.root > lag.tilting ? lag.tilting / at.root : 1.0;
  return at;
}

void ContactInStep::AddTurning(const Vector6& twist, const StepLag& lag, bool with_slope,
                               StepForce* to) const {
  const TurningPart at = TurningAt(twist, lag);
  to->wrench.tail<3>() -= at.part * at.tilt + at.rolled;
  if (!with_slope) return;
  auto slope = to->damping.bottomRightCorner<3, 3>();
  slope += at.part * tilting_ + at.roll;
  if (at.part < 1.0) slope -= at.part / (at.root * at.root) * at.tilt * at.tilt.transpose();
}

Vector3d ContactInStep::AddFriction(const Vector6& twist, const StepLag& lag, bool with_slope,
                                    StepForce* to) const {
  const Vector3d sliding = sliding_.transpose() * twist;
  const SlidingForce friction = FrictionInStep(laws_->model().parameters().friction, lag,
                                               nearby_.geometry(), sliding, pressure_, tangents_);
  to->wrench -= sliding_ * friction.load;
  if (with_slope) to->damping += sliding_ * friction.slope * sliding_.transpose();
  return friction.load;
}

// Sets the wrench, and adds to the damping.
ContactInStep::Loads ContactInStep::AddLoads(const Vector6& twist, const StepLag& lag,
                                             bool with_slope, StepForce* to) const {
  Loads loads;
  to->wrench = lag.correction;
  loads.normal = AddNormal(twist, lag, with_slope, to);
  AddTurning(twist, lag, with_slope, to);
  loads.friction = AddFriction(twist, lag, with_slope, to);
  loads.wrench = to->wrench;
  return loads;
}

ContactInStep::Loads ContactInStep::LoadsAt(const Vector6& twist, const StepLag& lag) const {
  StepForce sum;
  return AddLoads(twist, lag, false, &sum);
}

StepForce ContactInStep::Evaluate(const Vector6& twist, const StepLag& lag) const {
  StepForce result;
  AddLoads(twist, lag, true, &result);
  return result;
}

Vector6 ContactInStep::WrenchAt(const Vector6& twist, const StepLag& lag) const {
  return LoadsAt(twist, lag).wrench;
}

double ContactInStep::Potential(const Vector6& twist, const StepLag& lag) const {
  const TurningPart at = TurningAt(twist, lag);
  const Vector3d w = twist.tail<3>(), sliding = sliding_.transpose() * twist;
  const double turning =
      0.5 * w.dot(at.rolled) + at.part * at.root * at.root * (1.0 - 0.5 * at.part);
  return NormalPotential(nearby_.parting().dot(twist), lag) + turning - lag.correction.dot(twist) +
         FrictionInStep(laws_->model().parameters().friction, lag, nearby_.geometry(), sliding,
                        pressure_, tangents_)
             .potential;
}

Eigen::Matrix<double, 6, 3> ContactInStep::StateDerivative(const Vector6& twist,
                                                           const StepLag& lag) const {
  const Vector3d sliding = sliding_.transpose() * twist;
  return sliding_ *
         FrictionByState(laws_->model().parameters().friction, lag, nearby_.geometry(), sliding,
                         step_) *
         lag.unbend;
}

ContactForce ContactInStep::ForceAt(const Vector6& twist, const StepLag& lag, double share) const {
  ContactForce force;
  const ContactGeometry& geometry = nearby_.geometry();
  const Vector3d& n = geometry.normal_W;
  const double speed = nearby_.parting().dot(twist);
  const Loads loads = LoadsAt(twist, lag);
  const Vector6 wrench = share * loads.wrench;
  const Vector3d sliding = sliding_.transpose() * twist, load = share * loads.friction;
  force.point_W = geometry.point_W;
  force.plate_W = geometry.point_W + plate_;
  force.force_W = wrench.head<3>();
  force.torque_W = wrench.tail<3>();
  force.tangential_W = -tangents_ * load.head<2>();
  force.normal_W = force.force_W - force.tangential_W;
  force.spinning_W = -load[2] * n;
  force.rolling_W = force.torque_W - force.spinning_W - plate_.cross(force.tangential_W);
  const double elastic = ElasticForce(LeftOver(speed));
  force.powers.elastic = -elastic * speed;
  force.powers.normal_damping = (elastic - share * loads.normal) * speed;
  force.powers.rolling = -force.rolling_W.dot(Vector3d(twist.tail<3>()));
  force.powers.bristle = load.head<2>().dot(sliding.head<2>());
  force.powers.spin = load[2] * sliding[2];
  return force;
}

StepState ContactInStep::StateAfter(const Vector6& twist, const StepLag& lag) const {
  StepState after = state_;
  const Loads loads = LoadsAt(twist, lag);
  const double speed = nearby_.parting().dot(twist);
  const Vector3d sliding = sliding_.transpose() * twist;
  after.twist = twist;
  after.wrench = loads.wrench;
  if (nearby_.is_second_order()) after.exponent = nearby_.exponent();
  after.normal_force = loads.normal;
  ContactState& contact = after.contact;
  contact.touching = true;
  contact.normal_W = nearby_.geometry().normal_W;
  FrictionAlongTangents start = friction_;
  start.bent *= lag.unbend;
  start.twist *= lag.unbend;
  const FrictionAlongTangents bent =
      FrictionAfter(laws_->model().parameters().friction, start, lag, nearby_.geometry(), sliding,
                    loads.friction, step_);
  contact.friction.deflection_W = tangents_ * bent.bent;
  contact.friction.twist = bent.twist;
  contact.friction.dwell = bent.dwell;
  const double tau = laws_->model().parameters().tau_relaxation;
  if (tau > 0.0) contact.relaxation *= std::exp(-step_ / tau);
  const double rubbed = step_ * loads.friction.dot(sliding);
  after.bent = std::clamp(
      state_.bent + rubbed, 0.0,
      laws_->model().BristleEnergy(nearby_.geometry(), after.normal_force, contact.friction));
  after.stored = std::clamp(state_.stored - step_ * loads.wrench.dot(twist) - rubbed, 0.0,
                            ElasticEnergy(LeftOver(speed)));
  return after;
}

bool ContactInStep::Trusts(const Vector6& twist) const {
  return nearby_.Trusts(step_ * (twist - reached_));
}

VOLCONTACT_NAMESPACE_END
