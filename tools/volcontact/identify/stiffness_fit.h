// Contact stiffness from quasi-static presses: volumetric and Hertz's (Boos 2011, Sections 3.1.1
// and 3.3.1).
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>

#include "identify/least_squares.h"
#include "identify/press.h"

namespace volcontact::tool {

/// A slow press.
struct PressData {
  Eigen::VectorXd position;  ///< p, growing into the contact [m]
  Eigen::VectorXd force;     ///< F, positive when pressed [N]
};

/// Which parameters are unknown beside the contact point.
struct VolumetricUnknowns {
  std::optional<double> stiffness;  ///< k_V if it is known [N/m³]
  bool tilt = false;                ///< the angle γ by which A stands askew is unknown
};

/// Names of the fitted parameters.
inline constexpr char kContactPoint[] = "contact_point";  ///< p0 [m]
inline constexpr char kStiffness[] = "stiffness";         ///< k_V [N/m³]
inline constexpr char kTilt[] = "tilt";                   ///< γ [rad]
inline constexpr char kHertzStiffness[] = "hertz_stiffness";

/// F = k_V V(p − p0) in the least squares (Boos 2011, Eqs. (3.1)–(3.4)): the contact point, then
/// the stiffness and the tilt where they are unknown. Throws InvalidInput, beginning with `where`,
/// for data in which no contact shows.
LeastSquaresFit FitVolumetric(const PressData& data, const Press& press,
                              const VolumetricUnknowns& unknowns, const FitOptions& options,
                              const std::string& where);

/// F = k (p − p0)^1.5 (Boos 2011, Eq. (3.5)): the contact point and the stiffness. As above.
LeastSquaresFit FitHertz(const PressData& data, const FitOptions& options,
                         const std::string& where);

/// The forces that a fit gives at positions [N], for plots.
Eigen::VectorXd VolumetricForce(const Eigen::VectorXd& position, const Press& press,
                                double stiffness, double contact_point, double tilt);
Eigen::VectorXd HertzForce(const Eigen::VectorXd& position, double stiffness, double contact_point);

}  // namespace volcontact::tool
