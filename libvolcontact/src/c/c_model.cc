// Contact models and their forces.
#include <limits>

#include "c/c_support.h"
#include "volcontact/contact/contact_geometry.h"
#include "volcontact/contact/contact_motion.h"
#include "volcontact/forces/contact_model.h"

struct vc_model {
  volcontact::ContactModel model;
};

namespace volcontact::c {
namespace {

Twist ToTwist(const vc_twist* twist, const char* name) {
  const vc_twist& t = Required(twist, name);
  Twist result{ToVector(t.velocity), ToVector(t.angular_velocity)};
  if (!result.velocity_W.allFinite() || !result.angular_velocity_W.allFinite()) {
    throw InvalidInput(std::string(name) + " is not finite");
  }
  return result;
}

vc_parameters DefaultParameters() {
  const VolumetricNormal normal;
  const BristleFriction friction;
  vc_parameters parameters = {};
  parameters.stiffness_b = normal.stiffness_b;
  parameters.restitution = normal.damping.restitution;
  parameters.v_small = normal.damping.v_small;
  parameters.v_stribeck = friction.v_stribeck;
  return parameters;
}

ContactGeometry ToGeometry(const vc_metrics& from, ContactDirection direction,
                           const Eigen::Vector3d& last_normal_W) {
  Metrics metrics;
  metrics.overlap = from.overlap != 0;
  metrics.centroid_W = ToVector(from.centroid);
  metrics.normal_W = ToVector(from.normal);
  metrics.area_normal_W = ToVector(from.area_normal);
  metrics.area_vector_W = ToVector(from.area_vector);
  metrics.volume = from.volume;
  metrics.inertia_W = Eigen::Map<const Eigen::Matrix3d>(from.inertia);
  metrics.contact_area = from.contact_area;
  return GeometryOf(metrics, direction, last_normal_W);
}

ContactParameters ToParameters(const vc_parameters& from) {
  ContactParameters to;
  VolumetricNormal normal{from.stiffness_a, from.stiffness_b, {}};
  normal.damping.restitution = from.restitution;
  normal.damping.v_small = from.v_small;
  to.normal = normal;
  if (from.mu_s != 0.0 || from.mu_c != 0.0) {
    to.friction = BristleFriction{from.mu_s,   from.mu_c,       from.sigma0,    from.sigma1,
                                  from.sigma2, from.v_stribeck, from.tau_dwell, 0.0};
  }
  if (from.eigenvector_direction != 0) to.direction = ContactDirection::kEigenvector;
  if (from.thesis_rolling != 0) to.rolling = RollingInertia::kThesis;
  to.contact_plate = from.no_contact_plate == 0;
  to.tau_relaxation = from.tau_relaxation;
  return to;
}

ContactState ToState(const vc_state& from) {
  ContactState to;
  to.touching = from.touching != 0;
  to.impact_speed = from.impact_speed;
  to.normal_W = ToVector(from.normal);
  to.friction = {ToVector(from.deflection), from.twist, from.dwell};
  to.relaxation = from.relaxation;
  return to;
}

vc_state ToC(const ContactState& from) {
  vc_state to = {};
  to.touching = from.touching;
  to.impact_speed = from.impact_speed;
  Store(from.normal_W, to.normal);
  Store(from.friction.deflection_W, to.deflection);
  to.twist = from.friction.twist;
  to.dwell = from.friction.dwell;
  to.relaxation = from.relaxation;
  return to;
}

vc_force ToC(const ContactForce& from) {
  vc_force to = {};
  Store(from.point_W, to.point);
  Store(from.force_W, to.force);
  Store(from.torque_W, to.torque);
  Store(from.normal_W, to.normal);
  Store(from.tangential_W, to.tangential);
  Store(from.rolling_W, to.rolling);
  Store(from.spinning_W, to.spinning);
  Store(from.rate.deflection_W, to.deflection_rate);
  to.twist_rate = from.rate.twist;
  to.dwell_rate = from.rate.dwell;
  to.relaxation_rate = from.rate.relaxation;
  to.power_dissipated = from.powers.Dissipated();
  to.power_stored = from.powers.Total() - to.power_dissipated;
  return to;
}

}  // namespace
}  // namespace volcontact::c

using namespace volcontact::c;
using volcontact::ContactModel;

vc_status vc_parameters_init(vc_parameters* parameters) {
  return Guarded([&] {
    Answer(DefaultParameters(), RoomFor(parameters, "parameters"), parameters);
    return VC_OK;
  });
}

vc_status vc_model_create(const vc_parameters* parameters, vc_model** model) {
  return Created(model, "model", [&] {
    return ContactModel(ToParameters(Given(parameters, "parameters", DefaultParameters())));
  });
}

void vc_model_free(vc_model* model) { delete model; }

vc_status vc_model_evaluate(const vc_model* model, const vc_metrics* metrics, const vc_pose* pose_a,
                            const vc_twist* twist_a, const vc_pose* pose_b, const vc_twist* twist_b,
                            vc_state* state, vc_force* force) {
  return Guarded([&] {
    const ContactModel& contact = Required(model, "model").model;
    const std::size_t force_size = RoomFor(force, "force");
    volcontact::ContactState now = ToState(Given<vc_state>(state, "state"));
    const Eigen::Vector3d last_normal_W =
        now.touching ? now.normal_W : Eigen::Vector3d::Zero().eval();
    const volcontact::ContactGeometry geometry =
        ToGeometry(Given(metrics, "metrics"), contact.parameters().direction, last_normal_W);
    const volcontact::ContactMotion motion = MotionAt(
        geometry.point_W, geometry.normal_W, ToPose(pose_a, "pose_a"), ToTwist(twist_a, "twist_a"),
        ToPose(pose_b, "pose_b"), ToTwist(twist_b, "twist_b"));
    if (!geometry.touching || !now.touching) now = contact.Touch(geometry, motion);
    ContactModel::Transport(geometry.normal_W, &now);
    const volcontact::ContactForce result = contact.Evaluate(geometry, motion, now);
    if (!result.force_W.allFinite() || !result.torque_W.allFinite()) {
      throw volcontact::InvalidInput("the forces are not finite; check metrics and state");
    }
    Answer(ToC(result), force_size, force);
    Answer(ToC(now), RoomFor(state, "state"), state);
    return VC_OK;
  });
}
