// Hysteretic damping from driven impacts (Boos 2011, Sections 3.1.2 and 3.3.2).
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
#include "volcontact/identify/statistics.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace identify {

/// One impact.
struct ImpactData {
  std::string label, place;  ///< the place for messages
  Eigen::VectorXd position;  ///< p, growing into the contact [m]
  Eigen::VectorXd velocity;  ///< dp/dt [m/s]
  Eigen::VectorXd force;     ///< F [N]
};

/// The columns position (displacement, p), force (normal_force, F), velocity (speed, v) or time
/// (t), and run where there are several impacts. Adds what to know about them to `notes`. Throws
/// InvalidInput as ReadMeasurements does, and where no speed is known or nothing moves.
VOLCONTACT_EXPORT std::vector<ImpactData> ReadImpacts(const MeasurementSource& source,
                                                      std::vector<std::string>* notes);

/// The velocity dp/dt by central differences of samples, one-sided at the ends (Boos 2011,
/// Eq. (3.8)). Throws InvalidInput, beginning with `where`, unless time grows from row to row.
VOLCONTACT_EXPORT Eigen::VectorXd CentralDifferences(const Eigen::VectorXd& time,
                                                     const Eigen::VectorXd& position,
                                                     const std::string& where);

/// The result of one impact.
struct ImpactDamping {
  std::string label;
  LeastSquaresFit fit;  ///< of minus the damping factor, and of the contact point if unknown
  double factor = 0.0, factor_error = 0.0;    ///< a <= 0 of a damper [s/m]
  double contact_point = 0.0;                 ///< p0 [m]
  double impact_speed = 0.0;                  ///< |v_n^i| [m/s]
  double damping = 0.0, damping_error = 0.0;  ///< −a |v_n^i|
};

/// Known values before the fit.
struct DampingKnowns {
  double stiffness = 0.0;               ///< k_V > 0 [N/m³]
  std::optional<double> contact_point;  ///< p0 [m]; empty: found for each impact
  std::optional<double> impact_speed;   ///< > 0 [m/s]; empty: that of the samples before contact
};

/// F = k_V V(p − p0) (1 − a dp/dt) >= 0 in the least squares (Boos 2011, Eqs. (3.6), (3.7), where a
/// has the opposite sign). Throws InvalidInput, beginning with the place, for data in which no
/// contact shows or no sample comes before it. Cost: some ten queries a sample.
VOLCONTACT_EXPORT ImpactDamping FitDamping(const ImpactData& data, const Press::Tilted& press,
                                           const DampingKnowns& known, const FitOptions& options);

/// All impacts together.
struct DampingRelation {
  CombinedEstimate damping;                        ///< D = −a |v_n^i|, of a = −D/|v_n^i|
  double least_speed = 0.0, greatest_speed = 0.0;  ///< [m/s]
  /// m of a ∝ |v|^−m, which is 1 where the inverse relation holds; from three speeds on.
  std::optional<LeastSquaresFit> exponent;
};

/// The relation over at least one impact.
VOLCONTACT_EXPORT DampingRelation Relate(const std::vector<ImpactDamping>& impacts);

/// Why the impacts do not determine the relation; else empty. Their speeds are all equal, or the
/// data show no damping.
VOLCONTACT_EXPORT std::string ReasonUndetermined(const DampingRelation& relation);

/// The restitution e of a damping D = d(e)/e (Gonthier 2007, Eq. (3.23)), its error by the slope
/// there.
VOLCONTACT_EXPORT Estimate RestitutionEstimate(const CombinedEstimate& damping);

}  // namespace identify
VOLCONTACT_NAMESPACE_END
