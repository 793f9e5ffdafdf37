#include "scenario/simulation/joints.h"

#include "scenario/simulation/simbody_values.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

using SimTK::MobilizedBody;
using SimTK::SpatialVec;
using SimTK::State;
using SimTK::Transform;
using SimTK::Vec3;

constexpr double kRadiansOfTurn = 6.283185307179586;

SimTK::MassProperties MassOf(const BodySpec& body) {
  const Eigen::Matrix3d& J = body.inertia;
  const SimTK::Inertia central(J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2));
  const Vec3 com = ToSimbody(body.center_of_mass);
  return {body.mass, com, central.shiftFromMassCenter(com, body.mass)};
}

// A joint coordinate that is a given function of time, or whose rate is.
class DrivenJoint : public SimTK::Motion::Custom::Implementation {
 public:
  explicit DrivenJoint(const JointMotion& motion) : motion_(motion) {}
  SimTK::Motion::Level getLevel(const State&) const override {
    return motion_.of_position ? SimTK::Motion::Position : SimTK::Motion::Velocity;
  }
  void calcPrescribedPosition(const State& state, int, SimTK::Real* q) const override {
    q[0] = Now(state).value;
  }
  void calcPrescribedPositionDot(const State& state, int, SimTK::Real* q_dot) const override {
    q_dot[0] = Now(state).rate;
  }
  void calcPrescribedPositionDotDot(const State& state, int,
                                    SimTK::Real* q_dot_dot) const override {
    q_dot_dot[0] = Now(state).acceleration;
  }
  void calcPrescribedVelocity(const State& state, int, SimTK::Real* u) const override {
    u[0] = Now(state).value;
  }
  void calcPrescribedVelocityDot(const State& state, int, SimTK::Real* u_dot) const override {
    u_dot[0] = Now(state).rate;
  }
  SimTK::Motion::Custom::Implementation* clone() const override { return new DrivenJoint(*this); }

 private:
  ProfilePoint Now(const State& state) const { return Evaluate(motion_.profile, state.getTime()); }

  JointMotion motion_;
};

MobilizedBody MakeMobilizer(const BodySpec& body, MobilizedBody& parent, const Transform& X_PF) {
  const SimTK::Body::Rigid rigid(MassOf(body));
  const Transform X_BM = ToSimbody(body.frame_body);
  switch (body.joint) {
    case JointType::kFree:
      return MobilizedBody::Free(parent, X_PF, rigid, X_BM);
    case JointType::kSlider:
      return MobilizedBody::Slider(parent, X_PF, rigid, X_BM);
    case JointType::kPin:
      return MobilizedBody::Pin(parent, X_PF, rigid, X_BM);
    case JointType::kPlanar:
      return MobilizedBody::Planar(parent, X_PF, rigid, X_BM);
    case JointType::kBall:
      return MobilizedBody::Ball(parent, X_PF, rigid, X_BM);
    case JointType::kTranslation:
      return MobilizedBody::Translation(parent, X_PF, rigid, X_BM);
    case JointType::kScrew:
      return MobilizedBody::Screw(parent, X_PF, rigid, X_BM, body.lead / kRadiansOfTurn);
    case JointType::kCylindrical:
      return MobilizedBody::Cylinder(parent, X_PF, rigid, X_BM);
    case JointType::kUniversal:
      return MobilizedBody::Universal(parent, X_PF, rigid, X_BM);
    case JointType::kGimbal:
      return MobilizedBody::Gimbal(parent, X_PF, rigid, X_BM);
    case JointType::kWeld:
      break;
  }
  return MobilizedBody::Weld(parent, X_PF, rigid, X_BM);
}

}  // namespace

MobilizedBody MakeJoint(const BodySpec& body, MobilizedBody* parent, const Transform& X_PF) {
  MobilizedBody mobilized = MakeMobilizer(body, *parent, X_PF);
  if (body.motion) SimTK::Motion::Custom(mobilized, new DrivenJoint(*body.motion));
  return mobilized;
}

void SetInitial(const BodySpec& body, const MobilizedBody& mobilized, State* state) {
  // Copies, as the state that the frames are asked of is changed below.
  const Transform X_PF = mobilized.getInboardFrame(*state);   // NOLINT(performance-*)
  const Transform X_BM = mobilized.getOutboardFrame(*state);  // NOLINT(performance-*)
  const JointStart start = KindOf(body.joint).start;
  if (start == JointStart::kPose || start == JointStart::kPosition) {
    const Transform X_WB = ToSimbody(body.pose);
    mobilized.setQToFitTransform(*state, ~X_PF * X_WB * X_BM);
    const Vec3 w = ToSimbody(body.angular_velocity);
    const Vec3 v = ToSimbody(body.velocity) + w % (X_WB.R() * X_BM.p());
    mobilized.setUToFitVelocity(*state, SpatialVec(~X_PF.R() * w, ~X_PF.R() * v));
  } else if (start == JointStart::kOrientation) {
    // Given in the world; the joint's own refer to the parent, which has its place already.
    const MobilizedBody& parent = mobilized.getParentMobilizedBody();
    mobilized.getMatterSubsystem().getSystem().realize(*state, SimTK::Stage::Position);
    const SimTK::Rotation R_WF = parent.getBodyRotation(*state) * X_PF.R();
    mobilized.setQToFitRotation(*state, ~R_WF * ToSimbody(body.pose).R() * X_BM.R());
    mobilized.getMatterSubsystem().getSystem().realize(*state, SimTK::Stage::Velocity);
    const Vec3 w_PB = ToSimbody(body.angular_velocity) - parent.getBodyAngularVelocity(*state);
    mobilized.setUToFitAngularVelocity(*state, ~R_WF * w_PB);
  } else {
    for (int i = 0; i < mobilized.getNumQ(*state); ++i) {
      mobilized.setOneQ(*state, i, body.coordinates[static_cast<std::size_t>(i)]);
      mobilized.setOneU(*state, i, body.rates[static_cast<std::size_t>(i)]);
    }
  }
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
