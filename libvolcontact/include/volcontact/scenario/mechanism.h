// What joins and drives the bodies of a scenario: joints and their coordinates, springs, limits,
// friction, motors, bushings, couplings, loops, and sensors (docs/scenarios.md).
//
// Component volcontact::scenario. Plain values in SI units and radians. "Effort" is the force [N]
// or torque [N·m] that goes with a coordinate [m or rad]. An index of -1 is the ground.
#pragma once

#include <Eigen/Core>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/math/pose.h"
#include "volcontact/scenario/profile.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

enum class JointType {
  kFree,
  kSlider,
  kPin,
  kPlanar,
  kBall,
  kTranslation,
  kWeld,
  kScrew,
  kCylindrical,
  kUniversal,
  kGimbal
};

struct JointCoordinate {
  const char* name;
  bool is_angle;  ///< [rad], else [m]
};

/// The form of the initial state of a joint.
enum class JointStart {
  kCoordinates,  ///< a number for each coordinate and its rate
  kPose,         ///< pose and velocities of the body in the world
  kPosition,     ///< the same of a body that does not turn
  kOrientation   ///< the turn of the pose, and the angular velocity, in the world
};

/// Properties of a type of joint.
struct JointKind {
  JointType type;
  const char* name;  ///< in files
  JointStart start;
  /// In the order of the joint's own; empty where these are no plain numbers (quaternions).
  std::vector<JointCoordinate> coordinates;
};

/// All types, in the order of JointType.
VOLCONTACT_EXPORT const std::vector<JointKind>& JointKinds();
VOLCONTACT_EXPORT const JointKind& KindOf(JointType type);

/// One coordinate of the joint of a body.
struct CoordinateRef {
  int body = -1;
  int index = 0;  ///< in JointKind::coordinates
};

/// The motion of the coordinate of a driven joint, with any effort: its value or its rate over
/// time.
struct JointMotion {
  TimeProfile profile;
  bool of_position = false;
};

/// A spring and damper on a coordinate.
struct SpringSpec {
  CoordinateRef at;
  double stiffness = 0.0;  ///< [N/m, or N·m/rad]
  double damping = 0.0;    ///< [N·s/m, or N·m·s/rad]
  double rest = 0.0;       ///< coordinate without effort [m or rad]
};

/// A stop of a coordinate at either end: k x (1 + damping ẋ) at depth x, which never pulls.
struct LimitSpec {
  CoordinateRef at;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  double stiffness = 0.0;  ///< k [N/m, or N·m/rad]
  double damping = 0.0;    ///< [s/m, or s/rad]
};

/// Dry and viscous friction in a coordinate.
struct JointFrictionSpec {
  CoordinateRef at;
  double coulomb = 0.0;    ///< effort of dry friction [N or N·m]
  double viscous = 0.0;    ///< [N·s/m, or N·m·s/rad]
  double v_epsilon = 0.0;  ///< slower motion has less than all of the dry friction [m/s, rad/s]
};

/// An effort on a coordinate, that a law and a profile over time decide.
struct MotorSpec {
  enum class Target { kEffort, kRate, kPosition };

  std::string name;
  CoordinateRef at;
  Target target = Target::kEffort;
  TimeProfile profile;  ///< of the target
  /// Effort per position error and per rate error: k (target − q) + c (rate of target − q̇).
  double stiffness = 0.0, damping = 0.0;
  double limit = std::numeric_limits<double>::infinity();  ///< of the effort's size
};

/// A spring and damper along the line of two points.
struct PointSpringSpec {
  int a = -1, b = -1;
  Eigen::Vector3d point_a = Eigen::Vector3d::Zero(), point_b = Eigen::Vector3d::Zero();
  double stiffness = 0.0;      ///< [N/m]
  double damping = 0.0;        ///< [N·s/m]
  std::optional<double> rest;  ///< length without force [m]; without it that at the start
};

/// Springs and dampers between two frames, along and about the axes of frame_a; angles are those
/// about x, y and z in turn that bring frame_a to frame_b.
struct BushingSpec {
  int a = -1, b = -1;
  Pose frame_a, frame_b;
  Eigen::Vector3d stiffness = Eigen::Vector3d::Zero();          ///< [N/m]
  Eigen::Vector3d angular_stiffness = Eigen::Vector3d::Zero();  ///< [N·m/rad]
  Eigen::Vector3d damping = Eigen::Vector3d::Zero();            ///< [N·s/m]
  Eigen::Vector3d angular_damping = Eigen::Vector3d::Zero();    ///< [N·m·s/rad]
};

/// q_b = ratio q_a + offset: gears, rack and pinion, nut on a spindle.
struct CouplingSpec {
  CoordinateRef a, b;
  double ratio = 0.0;
  std::optional<double> offset;  ///< without it what the coordinates have at the start
};

/// A constraint that closes a loop of bodies.
struct LoopSpec {
  enum class Type {
    kBall,          ///< the origins of both frames coincide
    kWeld,          ///< both frames coincide
    kRod,           ///< the origins keep a distance
    kPointOnPlane,  ///< the origin of frame_b stays in the plane z = 0 of frame_a
    kPointOnLine    ///< the origin of frame_b stays on the z axis of frame_a
  };

  std::string name;
  Type type = Type::kBall;
  int a = -1, b = -1;
  Pose frame_a, frame_b;         ///< in the bodies' frames
  std::optional<double> length;  ///< of the rod [m]; without it the distance at the start
};

/// Pose and motion of a frame seen from another frame.
struct PoseSensor {
  int of = -1, seen_from = -1;
  Pose frame_of, frame_seen_from;
};

/// Distance of two points, and its rate.
struct DistanceSensor {
  int a = -1, b = -1;
  Eigen::Vector3d point_a = Eigen::Vector3d::Zero(), point_b = Eigen::Vector3d::Zero();
};

/// Coordinates and rates of a body's joint, and the wrench by which the joint acts on the body.
struct JointSensor {
  int body = -1;
  bool in_joint_frame = false;  ///< components along the joint's frame in the body, else W's
};

/// The wrench by which a loop's constraint acts on b, at the origin of its frame_b, in W.
struct LoopSensor {
  int loop = -1;
};

/// Kinetic and potential energy of a body; of gravity, from the origin of W.
struct EnergySensor {
  int body = -1;
};

/// The wrench of a contact on its a, along the axes and about the origin of a frame.
struct ContactForceSensor {
  int contact = -1;
  int body = -1;
  Pose frame;
};

struct SensorSpec {
  std::string name;
  std::variant<PoseSensor, DistanceSensor, JointSensor, LoopSensor, EnergySensor,
               ContactForceSensor>
      what;
};

/// What joins and drives the bodies beside their joints.
struct Mechanism {
  std::vector<SpringSpec> springs;
  std::vector<LimitSpec> limits;
  std::vector<JointFrictionSpec> frictions;
  std::vector<MotorSpec> motors;
  std::vector<PointSpringSpec> point_springs;
  std::vector<BushingSpec> bushings;
  std::vector<CouplingSpec> couplings;
  std::vector<LoopSpec> loops;
  std::vector<SensorSpec> sensors;
};

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
