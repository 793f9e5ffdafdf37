// Estimates a whole contact from known values: stiffness, damping, friction, and the step that they
// allow.
//
// Functions throw InvalidInput that names the parameter, its value and the allowed range, and may
// be called by any number of threads at a time. The structs are plain values.
#pragma once

#include <functional>
#include <limits>
#include <optional>

#include "volcontact/export.h"
#include "volcontact/forces/friction_estimates.h"
#include "volcontact/forces/step_estimates.h"

VOLCONTACT_NAMESPACE_BEGIN

/// How the overlap of two bodies grows as one is pressed into the other.
struct Indentation {
  double volume = 0.0;  ///< V [m³]
  double area = 0.0;    ///< dV/dx [m²]
};
/// The overlap at a depth x > 0 [m]: of a formula (Indenter), or of a query.
using IndentationLaw = std::function<Indentation(double depth)>;

/// The law of two balls with the volumes of cubes of these edges [m], to leading order in the
/// depth; an infinite edge is a plane.
VOLCONTACT_EXPORT IndentationLaw IndentationOfBalls(double size_a, double size_b);

/// k_v [N/m³] with which a body sinks to x = `depth` [m] under the force of elastic half-spaces.
///
/// The body is taken for one of revolution, c r^m, with the same V and dV/dx: m = 2/(n − 1) of
/// V ~ x^n. Sneddon (1965) gives f = 2m/(m + 1) E* a x, with the patch's radius a from the radius
/// ρ of the section at the surface, π ρ² = dV/dx, and ρ/a = (√π Γ(m/2 + 1)/Γ(m/2 + 1/2))^(1/m).
/// For a ball this is Hertz's law (BallStiffness), for a flat end the punch's (PatchStiffness), and
/// a cone lies between. Bodies whose section does not grow with the depth (n <= 1) count as flat.
/// `effective_modulus`: E* [Pa] of EffectiveModulus.
VOLCONTACT_EXPORT double ElasticStiffness(double effective_modulus, double depth,
                                          const Indentation& at);

struct ContactKnowns {
  double force = 0.0;  ///< at rest [N], > 0
  double mass = 0.0;   ///< resting mass [kg], > 0; for two free bodies (1/m_a + 1/m_b)^-1
  /// E* [Pa]; infinite: the materials are unknown, and `depth` decides.
  double effective_modulus = std::numeric_limits<double>::infinity();
  /// Desired depth at rest [m]; empty: that of the materials.
  std::optional<double> depth;
  double max_depth =
      std::numeric_limits<double>::infinity();  ///< greatest depth of the law of indentation [m]
  double restitution = 0.5;                     ///< e, in (0, 1]
  double impact_speed = 0.0;                    ///< greatest expected [m/s]; 0: none
  double mu_s = 0.0;                            ///< 0: no friction
  double pre_sliding = FrictionKnowns().pre_sliding;  ///< [m]
};

struct ContactEstimate {
  double stiffness = 0.0;          ///< k_v of both bodies together [N/m³]
  double depth = 0.0;              ///< at rest [m]
  Indentation rest;                ///< there
  double elastic_stiffness = 0.0;  ///< k_v that the materials have there; infinite if not known
  double damping_at_impact = 0.0;  ///< d(e)/e of the restitution
  double v_small = 0.0;            ///< [m/s]
  std::optional<FrictionEstimate> friction;
  double greatest_depth = 0.0;  ///< at rest or in the impact [m], by V ~ x^n
  double greatest_force = 0.0;  ///< there [N]
  StepEstimate step;            ///< of explicit integrators, there
};

/// Chooses k_v so that the bodies have the desired depth at rest, exactly by the law of
/// indentation, or the depth of elastic half-spaces, and derives all other values. Calls
/// `indentation` about ten times. Also throws InvalidInput if the load presses the body beyond
/// `max_depth`.
VOLCONTACT_EXPORT ContactEstimate EstimateContact(const ContactKnowns& known,
                                                  const IndentationLaw& indentation);

VOLCONTACT_NAMESPACE_END
