// Restitution against the speed of impact: three laws, each with one parameter.
//
// Component volcontact::identify. Functions of values: any thread.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/identify/least_squares.h"
#include "volcontact/identify/measurements.h"
#include "volcontact/identify/shared_vectors.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace identify {

/// Free impacts.
struct Rebounds {
  Eigen::VectorXd speed;        ///< of impact, > 0 [m/s]
  Eigen::VectorXd restitution;  ///< the speed of the rebound over that of the impact
};

/// The columns impact_speed (speed, v), and restitution (e) or rebound_speed. Adds what to know
/// about them to `notes`. Throws InvalidInput as ReadMeasurements does, and for a restitution below
/// 0 or well above 1.
VOLCONTACT_EXPORT Rebounds ReadRebounds(const MeasurementSource& source,
                                        std::vector<std::string>* notes);

/// The restitution e in (0, 1] of a free impact with the damping D = −a |v_n^i| >= 0 at the speed
/// of first contact: the inverse of D = d(e)/e (Gonthier 2007, Eq. (3.23)), to rounding.
VOLCONTACT_EXPORT double RestitutionOfDamping(double damping_at_impact);
/// Its derivative, −2/3 at D = 0.
VOLCONTACT_EXPORT double RestitutionSlope(double damping_at_impact);

/// The restitution of √z (k z + λ ż), never tensile (Azad & Featherstone 2014, Eq. (11)), without
/// gravity: a function of β = λ |v|^(1/5) k^(−3/5) m^(−2/5) >= 0 alone. Error below 1e-11, and
/// 3e-9 of the value for β > 1e6. Cost: some 15 µs.
VOLCONTACT_EXPORT double RestitutionAzadFeatherstone(double beta);

/// The dependence of the restitution on the speed.
enum class RestitutionModel {
  kConstant,          ///< e: damping a inversely proportional to the speed (Gonthier 2007)
  kHuntCrossley,      ///< a constant factor 3α/2; e ≈ 1 − α |v| at low speed
  kAzadFeatherstone,  ///< β at 1 m/s: e is nearly linear in log |v|
};

/// The parameter's name: restitution, alpha [s/m] or beta [(s/m)^(1/5)].
VOLCONTACT_EXPORT const char* ParameterName(RestitutionModel model);

/// The restitution of a model at a speed > 0 [m/s].
VOLCONTACT_EXPORT double Restitution(RestitutionModel model, double parameter, double speed);

/// The parameter by least squares over measured restitutions, all counting alike. Throws
/// InvalidInput, beginning with `where`.
VOLCONTACT_EXPORT LeastSquaresFit FitRestitution(RestitutionModel model,
                                                 const Eigen::VectorXd& speed,
                                                 const Eigen::VectorXd& restitution,
                                                 const FitOptions& options,
                                                 const std::string& where);

/// Why the restitutions determine no parameter, before any fit: none is above 0. Empty if one is.
VOLCONTACT_EXPORT std::string ReasonForNoRebound(const Eigen::VectorXd& restitution);

/// Why the restitutions do not determine the parameter of a fit; else empty. If no impact loses
/// speed, or none rebounds, the law's restitution is at the end of its range, 1 or 0, for any
/// parameter.
VOLCONTACT_EXPORT std::string ReasonUndetermined(RestitutionModel model, double parameter,
                                                 const Eigen::VectorXd& speed,
                                                 const Eigen::VectorXd& restitution);

}  // namespace identify
VOLCONTACT_NAMESPACE_END
