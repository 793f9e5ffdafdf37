// Scenarios: what `volcontact simulate` is asked to simulate (docs/scenarios.md).
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "volcontact/contact/point_pairs.h"
#include "volcontact/forces/contact_model.h"
#include "volcontact/math/pose.h"
#include "volcontact/solids/solid.h"

namespace volcontact::tool {

/// A piecewise linear function of time, constant before its first and after its last point.
struct PiecewiseLinear {
  std::vector<double> times, values;  ///< times ascend; not empty

  double operator()(double t) const;
};

/// How a joint's coordinate is driven: its rate over time [m/s or rad/s].
struct JointMotion {
  std::optional<PiecewiseLinear> rates;
  /// Without `rates`: offset + amplitude sin(2π frequency t + phase).
  double amplitude = 0.0, frequency = 0.0, phase = 0.0, offset = 0.0;

  double Rate(double t) const;
  double Acceleration(double t) const;
};

enum class JointType { kFree, kSlider, kPin, kPlanar, kBall, kTranslation, kWeld };

struct BodySpec {
  std::string name;
  std::optional<Solid> solid;
  bool fixed = false;  ///< part of the ground
  double mass = 0.0;
  Eigen::Vector3d center_of_mass = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about the centre of mass [kg·m²]
  JointType joint = JointType::kFree;
  int parent = -1;  ///< index of a body listed before, or -1, the ground
  Pose frame_parent, frame_body;
  Pose pose;
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();
  std::vector<double> coordinates, rates;
  std::optional<JointMotion> motion;
};

struct SpringSpec {
  int body = -1;
  double stiffness = 0.0, damping = 0.0, rest = 0.0;
};

struct LoadSpec {
  int body = -1;
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), torque = Eigen::Vector3d::Zero();
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  bool in_body_frame = false;
  std::optional<PiecewiseLinear> scale;
};

struct ContactSpec {
  std::string name;
  int a = -1, b = -1;                   ///< bodies; -1 is the ground
  std::optional<PointPair> point_pair;  ///< without it the solids of the bodies
  Pose frame_a, frame_b;
  double tolerance = 1e-6;
  bool cells = false;
  ContactParameters parameters;
};

enum class IntegratorMethod { kAdaptive, kStiff, kRk4, kRk3, kEuler };

struct IntegratorSpec {
  IntegratorMethod method = IntegratorMethod::kAdaptive;
  double tolerance = 1e-9;  ///< of those with error control
  double step = 0.0;        ///< of the others [s]
  double max_step = 0.0;    ///< of those with error control [s]

  bool has_error_control() const {
    return method == IntegratorMethod::kAdaptive || method == IntegratorMethod::kStiff;
  }
};

struct Scenario {
  std::string title;
  Eigen::Vector3d gravity{0.0, 0.0, -9.81};
  std::vector<BodySpec> bodies;
  std::vector<SpringSpec> springs;
  std::vector<LoadSpec> loads;
  std::vector<ContactSpec> contacts;
  IntegratorSpec integrator;
  double end_time = 0.0;
  double output_interval = 0.0;

  /// Times at which a driven rate or a load has a corner, ascending: no step should cross them.
  std::vector<double> Corners() const;
};

}  // namespace volcontact::tool
