// Friction experiments, translational or rotational, made alike: coefficients over travel and speed
// (Boos 2011, Sections 5.1 and 5.3).
//
// Component volcontact::identify.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/identify/measurements.h"
#include "volcontact/identify/shared_vectors.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace identify {

/// The kind of an experiment.
enum class FrictionExperiment {
  kSlow,         ///< slow acceleration from rest: break-away
  kSteady,       ///< constant speed: sliding
  kOscillation,  ///< to and fro: dwell and Stribeck's velocity
};

/// One run. Of a rotation, travel and speeds are those at the gyration radius.
struct FrictionRun {
  std::string label, place;  ///< the place for messages
  Eigen::VectorXd time;      ///< [s]; empty if none was recorded
  Eigen::VectorXd
      travel;  ///< from the first sample [m], as recorded or from the speed over time; may be empty
  Eigen::VectorXd speed;          ///< in the direction of the measured friction, signed [m/s]
  Eigen::VectorXd average_speed;  ///< v_avg, other motion included (Boos 2011, Eq. (4.8)) [m/s]
  /// f_t/f_n, or τ/(r_gyr f_n) (Boos 2011, Eqs. (5.4), (5.13)), positive against a positive speed.
  Eigen::VectorXd coefficient;
  /// C_v or C_ω, the share of the speed in the average (Boos 2011, Eqs. (4.31), (4.33)); 1 at rest.
  Eigen::VectorXd share;
  bool rotational = false;  ///< friction was measured as a torque
  bool mixed = false;       ///< the other motion was recorded, too
};

/// All runs of a file by experiment, and what to know about how they were read.
struct FrictionRuns {
  std::vector<FrictionRun> slow, steady, oscillation;
  std::vector<std::string> notes;
};

/// Reads the columns friction_force or friction_torque, normal_force, position, velocity, angle,
/// angular_velocity, time, run and experiment (slow, steady, oscillation). Rotation takes the
/// gyration radius [m]. `experiment` stands for the column where there is none. Steady rows without
/// runs are points of their own. Throws InvalidInput that names the file, the place and the cure.
VOLCONTACT_EXPORT FrictionRuns ReadFriction(const MeasurementSource& source,
                                            std::optional<double> gyration_radius,
                                            const std::string& experiment);

}  // namespace identify
VOLCONTACT_NAMESPACE_END
