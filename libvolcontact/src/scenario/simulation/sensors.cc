#include "scenario/simulation/sensors.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

using SimTK::SpatialVec;
using SimTK::State;
using SimTK::Transform;
using SimTK::Vec3;
using Names = std::vector<std::string>;

const Names kWrenchColumns = {"fx", "fy", "fz", "tx", "ty", "tz"};

void AppendVector(const Vec3& v, std::vector<double>* row) {
  row->insert(row->end(), {v[0], v[1], v[2]});
}

void AppendWrench(const SpatialVec& wrench, std::vector<double>* row) {
  AppendVector(wrench[1], row);
  AppendVector(wrench[0], row);
}

// What a sensor is read off.
struct Reading {
  const Scenario& scenario;
  const Model& model;
  const State& state;

  const SimTK::MobilizedBody& Body(int i) const {
    return model.bodies[static_cast<std::size_t>(i)];
  }
  PlacedFrame Frame(int body, const Pose& frame) const {
    return model.Placed(scenario, body, frame);
  }
};

Names ColumnsOf(const PoseSensor&, const Scenario&) {
  return {"x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"};
}

// The motion that an observer sees who moves with the other frame, along that frame's axes.
void AppendOf(const PoseSensor& sensor, const Reading& at, std::vector<double>* row) {
  const PlacedFrame of = at.Frame(sensor.of, sensor.frame_of);
  const PlacedFrame from = at.Frame(sensor.seen_from, sensor.frame_seen_from);
  const Transform X_WF = from.InWorld(at.state), X_WG = of.InWorld(at.state);
  const Transform X_FG = ~X_WF * X_WG;
  const SpatialVec V_F = from.Velocity(at.state), V_G = of.Velocity(at.state);
  const Vec3 carried = V_F[1] + V_F[0] % (X_WG.p() - X_WF.p());
  const SimTK::Quaternion q = X_FG.R().convertRotationToQuaternion();
  AppendVector(X_FG.p(), row);
  row->insert(row->end(), {q[0], q[1], q[2], q[3]});
  AppendVector(~X_WF.R() * (V_G[1] - carried), row);
  AppendVector(~X_WF.R() * (V_G[0] - V_F[0]), row);
}

Names ColumnsOf(const DistanceSensor&, const Scenario&) { return {"distance", "rate"}; }

void AppendOf(const DistanceSensor& sensor, const Reading& at, std::vector<double>* row) {
  const PlacedFrame a = at.Frame(sensor.a, {sensor.point_a, Pose().q});
  const PlacedFrame b = at.Frame(sensor.b, {sensor.point_b, Pose().q});
  const Vec3 line = b.InWorld(at.state).p() - a.InWorld(at.state).p();
  const double distance = line.norm();
  const Vec3 v = b.Velocity(at.state)[1] - a.Velocity(at.state)[1];
  row->insert(row->end(), {distance, distance > 0.0 ? dot(line, v) / distance : v.norm()});
}

Names ColumnsOf(const JointSensor& sensor, const Scenario& scenario) {
  Names names;
  const BodySpec& body = scenario.bodies[static_cast<std::size_t>(sensor.body)];
  for (const JointCoordinate& coordinate : KindOf(body.joint).coordinates) {
    names.emplace_back(coordinate.name);
    names.push_back(std::string(coordinate.name) + "_rate");
  }
  names.insert(names.end(), kWrenchColumns.begin(), kWrenchColumns.end());
  return names;
}

void AppendOf(const JointSensor& sensor, const Reading& at, std::vector<double>* row) {
  const BodySpec& spec = at.scenario.bodies[static_cast<std::size_t>(sensor.body)];
  const SimTK::MobilizedBody& body = at.Body(sensor.body);
  for (std::size_t i = 0; i < KindOf(spec.joint).coordinates.size(); ++i) {
    const PlacedCoordinate coordinate{body, static_cast<int>(i)};
    row->insert(row->end(), {coordinate.Value(at.state), coordinate.Rate(at.state)});
  }
  SpatialVec wrench = body.findMobilizerReactionOnBodyAtMInGround(at.state);
  if (sensor.in_joint_frame) {
    const SimTK::Rotation R_WM =
        body.getBodyRotation(at.state) * body.getOutboardFrame(at.state).R();
    wrench = {~R_WM * wrench[0], ~R_WM * wrench[1]};
  }
  AppendWrench(wrench, row);
}

Names ColumnsOf(const LoopSensor&, const Scenario&) { return kWrenchColumns; }

void AppendOf(const LoopSensor& sensor, const Reading& at, std::vector<double>* row) {
  AppendWrench(at.model.constraints.WrenchOfLoop(sensor.loop, at.state), row);
}

Names ColumnsOf(const EnergySensor&, const Scenario&) { return {"kinetic", "potential"}; }

void AppendOf(const EnergySensor& sensor, const Reading& at, std::vector<double>* row) {
  const SimTK::MobilizedBody& body = at.Body(sensor.body);
  const SpatialVec& V = body.getBodyVelocity(at.state);
  const SpatialVec momentum = body.getBodySpatialInertiaInGround(at.state) * V;
  const Vec3 centre = body.findMassCenterLocationInGround(at.state);
  const Vec3 gravity = ToSimbody(at.scenario.gravity);
  row->insert(row->end(), {0.5 * (dot(V[0], momentum[0]) + dot(V[1], momentum[1])),
                           -body.getBodyMass(at.state) * dot(gravity, centre)});
}

Names ColumnsOf(const ContactForceSensor&, const Scenario&) { return kWrenchColumns; }

void AppendOf(const ContactForceSensor& sensor, const Reading& at, std::vector<double>* row) {
  const Transform X_WF = at.Frame(sensor.body, sensor.frame).InWorld(at.state);
  const ModelContact& contact = at.model.contacts[static_cast<std::size_t>(sensor.contact)];
  SpatialVec sum(Vec3(0), Vec3(0));
  for (const SimbodyContact& element : contact.elements) {
    for (const ContactEvaluation& now : element.EvaluatePatches(at.state)) {
      const Vec3 force = ToSimbody(now.force.force_W);
      sum[1] += force;
      sum[0] += ToSimbody(now.force.torque_W) + (ToSimbody(now.force.point_W) - X_WF.p()) % force;
    }
  }
  AppendWrench({~X_WF.R() * sum[0], ~X_WF.R() * sum[1]}, row);
}

}  // namespace

std::vector<std::string> SensorColumns(const Scenario& scenario) {
  Names names;
  for (const MotorSpec& motor : scenario.mechanism.motors) {
    for (const char* column : {".target", ".effort", ".power"}) {
      names.push_back(motor.name + column);
    }
  }
  for (const SensorSpec& sensor : scenario.mechanism.sensors) {
    const Names columns =
        std::visit([&](const auto& what) { return ColumnsOf(what, scenario); }, sensor.what);
    for (const std::string& column : columns) names.push_back(sensor.name + "." + column);
  }
  return names;
}

void AppendSensors(const Scenario& scenario, const Model& model, const State& state,
                   std::vector<double>* row) {
  for (const Motor* motor : model.motors) {
    row->insert(row->end(),
                {motor->Target(state), motor->Effort(state), motor->PowersIn(state).work});
  }
  const Reading reading{scenario, model, state};
  for (const SensorSpec& sensor : scenario.mechanism.sensors) {
    std::visit([&](const auto& what) { AppendOf(what, reading, row); }, sensor.what);
  }
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
