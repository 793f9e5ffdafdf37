// How the elastic force of a volumetric contact changes when a body moves: what implicit
// integrators, modal analysis and optimisers need.
#pragma once

#include "volcontact/export.h"
#include "volcontact/math/matrix6.h"
#include "volcontact/overlap/metrics.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The elastic wrench (f [N], τ [N·m]) on A in W: f = k_v V a/|a| along the area vector, from B
/// toward A, acting at the centroid of the overlap; τ about `point_W`. B gets the opposite. Zero
/// without overlap, or without an area vector. `stiffness` is k_v of the pair [N/m³]
/// (SeriesStiffness), > 0 and finite, else InvalidInput. Some nanoseconds; any number of threads.
VOLCONTACT_EXPORT Vector6 ElasticWrench(const Metrics& metrics, double stiffness,
                                        const Eigen::Vector3d& point_W);

/// Its derivative by the motion of A: ∂(f, τ)/∂(d, w) with τ about the present centroid, held
/// fixed, d the translation along the axes of W [m] and w the rotation about that point [rad]:
/// [N/m, N; N, N·m] by blocks. Exact: V changes by −a·d − m·w, a by the Hessian, the point of
/// attack with the centroid. It is the negative of what structural mechanics calls a stiffness
/// matrix, and not symmetric, for this force has no potential in general; where the area vector
/// keeps its direction and passes through the centroid's path it has. Zero without overlap. Throws
/// InvalidInput where the metrics have no Hessian (QueryOptions::hessian), no area vector, and for
/// `stiffness` as above. Some 100 ns; any number of threads.
VOLCONTACT_EXPORT Matrix6 ElasticWrenchDerivative(const Metrics& metrics, double stiffness);

VOLCONTACT_NAMESPACE_END
