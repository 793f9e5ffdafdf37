// How fine a simulation has to be: the time step of explicit integrators, and the voxel size.
//
// All functions throw InvalidInput that names the parameter, its value and the allowed range, and
// may be called by any number of threads at a time. The structs are plain values.
#pragma once

#include <limits>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The values that determine the time scales of a contact.
struct StepKnowns {
  double mass = 0.0;  ///< m [kg], > 0; of two free bodies (1/m_a + 1/m_b)^-1
  /// df_n/dx [N/m], > 0, at the greatest expected depth: k_v Indenter::Area(x), or 1.5 k √x of a
  /// point contact.
  double normal_stiffness = 0.0;
  double normal_force = 0.0;  ///< f_n >= 0 [N], the greatest expected: bristles stiffen with it
  double sigma0 = 0.0;        ///< bristle stiffness [1/m], >= 0; 0 without bristles
  double sigma1 = 0.0;        ///< bristle damping [s/m], >= 0
};

/// Time scales of a contact [s], infinite if there is no such motion, and the step that they allow.
struct StepEstimate {
  static constexpr double kNone = std::numeric_limits<double>::infinity();

  double normal_period = kNone;   ///< 2π √(m/(df_n/dx)); an impact lasts half of it or more
  double bristle_period = kNone;  ///< 2π/ω, ω = √(σ0 f_n/m), of a body that sticks
  double bristle_time_constant = kNone;  ///< τ_br = σ1/σ0, of bristles under a body that slides
  /// 1/(ω (ζ + √(ζ² − 1))), the fast decay of a body that sticks with ζ = σ1 f_n/(2 m ω) > 1:
  /// bristle damping too strong for the load.
  double overdamped_time_constant = kNone;
  /// One twentieth of the shortest period, a time constant τ counting as the period 2πτ.
  double step = kNone;
};

/// The time step for explicit integrators of order 3 and higher, which are then stable (h ω = 0.31,
/// where order 4 allows 2.8) and follow an impact in about ten steps; Runge-Kutta of order 4
/// returns the speed of an elastic impact within 0.1 %, found at its first contact. Integrators for
/// stiff equations are bound by accuracy only.
VOLCONTACT_EXPORT StepEstimate SuggestStep(const StepKnowns& known);

/// The edge (δ_f/k_v)^(1/3) [m] of the voxel that carries the `small_force` δ_f > 0 [N], one that
/// the dynamics do not notice: 1e-3 to 1e-6 of the acting forces (Gonthier 2007, Section 4.5). For
/// Method::kVoxel; the other methods have no voxels.
VOLCONTACT_EXPORT double VoxelSize(double small_force, double stiffness);

VOLCONTACT_NAMESPACE_END
