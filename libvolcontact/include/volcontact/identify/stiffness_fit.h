// Contact stiffness from quasi-static presses: volumetric and Hertz's (Boos 2011, Sections 3.1.1
// and 3.3.1).
//
// Component volcontact::identify.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/identify/least_squares.h"
#include "volcontact/identify/measurements.h"
#include "volcontact/identify/press.h"
#include "volcontact/identify/shared_vectors.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace identify {

/// A slow press.
struct PressData {
  Eigen::VectorXd position;  ///< p, growing into the contact [m]
  Eigen::VectorXd force;     ///< F, positive when pressed [N]
  /// Progress of the press, from 0 at the first row to 1 at the last; empty: evenly by rows.
  Eigen::VectorXd progress = {};
};

/// The columns position (displacement, p), force (normal_force, F) and, for the progress, time (t)
/// where it is there. Adds what to know about them to `notes`. Throws InvalidInput as
/// ReadMeasurements does, and where the time does not grow from the first row to the last.
VOLCONTACT_EXPORT PressData ReadPress(const MeasurementSource& source,
                                      std::vector<std::string>* notes);

/// Errors of the force sensor that are found with the other parameters.
struct BaselineUnknowns {
  bool offset = false;  ///< a constant
  bool drift = false;   ///< a straight line by the progress, zero at the first row
};

/// Which parameters are unknown beside the contact point.
struct VolumetricUnknowns {
  std::optional<double> stiffness;  ///< k_V if it is known [N/m³]
  bool tilt = false;                ///< the tilt angle γ of A is unknown
  BaselineUnknowns baseline = {};
};

/// Names of the fitted parameters.
inline constexpr char kContactPoint[] = "contact_point";      ///< p0 [m]
inline constexpr char kStiffness[] = "stiffness";             ///< k_V [N/m³]
inline constexpr char kTilt[] = "tilt";                       ///< γ [rad]
inline constexpr char kHertzStiffness[] = "hertz_stiffness";  ///< k [N/m^1.5]
inline constexpr char kForceOffset[] = "force_offset";        ///< [N]
inline constexpr char kForceDrift[] = "force_drift";          ///< over the whole press [N]

/// F = k_V V(p − p0) in the least squares (Boos 2011, Eqs. (3.1)–(3.4)): the contact point, then
/// the stiffness, the tilt, the offset and the drift where they are unknown. Throws InvalidInput,
/// beginning with `where`, for data in which no contact shows. Cost: some hundred queries a
/// position, ten times that with the tilt.
VOLCONTACT_EXPORT LeastSquaresFit FitVolumetric(const PressData& data, const Press& press,
                                                const VolumetricUnknowns& unknowns,
                                                const FitOptions& options,
                                                const std::string& where);

/// F = k (p − p0)^1.5 (Boos 2011, Eq. (3.5)): the contact point, the stiffness, and the baseline
/// where it is unknown. As above.
VOLCONTACT_EXPORT LeastSquaresFit FitHertz(const PressData& data, const FitOptions& options,
                                           const std::string& where,
                                           const BaselineUnknowns& baseline = {});

/// The forces that a fit gives at positions [N], for plots.
VOLCONTACT_EXPORT Eigen::VectorXd VolumetricForce(const Eigen::VectorXd& position,
                                                  const Press& press, double stiffness,
                                                  double contact_point, double tilt);
VOLCONTACT_EXPORT Eigen::VectorXd HertzForce(const Eigen::VectorXd& position, double stiffness,
                                             double contact_point);

}  // namespace identify
VOLCONTACT_NAMESPACE_END
