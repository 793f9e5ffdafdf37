// Scenarios: bodies, what connects and drives them, their contacts, and how to integrate their
// motion (docs/scenarios.md, which tells the meaning of every member).
//
// Component volcontact::scenario. Plain values in SI units and radians; frames by monogram: W is
// the world, B a body's frame. What ReadScenario returns has been checked; a scenario made
// otherwise is checked by Simulator only as far as it must.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "volcontact/contact/contact_shape_spec.h"
#include "volcontact/export.h"
#include "volcontact/forces/contact_model.h"
#include "volcontact/io/material_table.h"
#include "volcontact/math/pose.h"
#include "volcontact/scenario/mechanism.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

struct BodySpec {
  std::string name;
  std::optional<Solid> solid;                                ///< in the body's frame
  std::optional<Material> material;                          ///< for stiffnesses to be chosen
  bool fixed = false;                                        ///< part of the ground
  double mass = 0.0;                                         ///< [kg]
  Eigen::Vector3d center_of_mass = Eigen::Vector3d::Zero();  ///< in the body's frame [m]
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();         ///< about the centre of mass [kg·m²]
  JointType joint = JointType::kFree;
  double lead = 0.0;              ///< of a screw: way for a turn [m]
  int parent = -1;                ///< index of a body listed before, or -1, the ground
  Pose frame_parent, frame_body;  ///< of the joint, in the parent's and in the body's frame
  /// Initial, X_WB and in W [m/s, rad/s]: of a free, translating or fixed body, or a ball joint's.
  Pose pose;
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();
  /// Initial, of the other joints: one number for each of their coordinates [m or rad, and 1/s].
  std::vector<double> coordinates, rates;
  std::optional<JointMotion> motion;  ///< of a joint with one coordinate
};

struct LoadSpec {
  int body = -1;
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), torque = Eigen::Vector3d::Zero();  ///< [N, N·m]
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< where the force acts, in the body's frame
  bool in_body_frame = false;                       ///< force and torque turn with the body
  std::optional<PiecewiseLinear> scale;             ///< times both
};

struct ContactSpec : ContactShapeSpec {
  std::string name;
  int a = -1, b = -1;  ///< bodies; -1 is the ground
  /// Elastic energy in the ledger is the energy that the normal springs would give if the bodies
  /// separated (SimbodyContact::StoredEnergy), at every output, not only at the start and the end.
  bool books_at_outputs = false;
  ContactParameters parameters;
  /// Friction state at the start, for a contact that was made before, at rest. Empty: a contact at
  /// the start is made then.
  std::optional<FrictionState> state;
};

enum class IntegratorMethod { kAdaptive, kStiff, kImplicit, kRk4, kRk3, kEuler };

struct IntegratorSpec {
  IntegratorMethod method = IntegratorMethod::kImplicit;
  double tolerance =
      1e-5;               ///< of those with error control; a file's kAdaptive and kStiff have 1e-9
  double step = 0.0;      ///< of the others [s]
  double max_step = 0.0;  ///< of those with error control [s]
  /// kImplicit: contacts make no energy, neither by the law nor by what steps err by.
  bool is_passive = false;

  bool has_error_control() const {
    return method == IntegratorMethod::kAdaptive || method == IntegratorMethod::kStiff ||
           method == IntegratorMethod::kImplicit;
  }
};

struct VOLCONTACT_EXPORT Scenario {
  std::string title;
  Eigen::Vector3d gravity{0.0, 0.0, -9.81};  ///< in W [m/s²]
  std::vector<BodySpec> bodies;
  Mechanism mechanism;
  std::vector<LoadSpec> loads;
  std::vector<ContactSpec> contacts;
  IntegratorSpec integrator;
  double end_time = 0.0;         ///< [s]
  double output_interval = 0.0;  ///< [s]
  /// Notes of the readers of the solids, such as a mesh that may be in another unit.
  std::vector<std::string> notes;

  /// Times at which a profile or a load has a corner, ascending: no step should cross them.
  std::vector<double> Corners() const;
};

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
