// The derivative of the elastic force of a volumetric contact by the motion of a body, for implicit
// integrators, modal analysis and optimisers.
#pragma once

#include "volcontact/contact/contact_geometry.h"
#include "volcontact/export.h"
#include "volcontact/math/matrix6.h"
#include "volcontact/overlap/metrics.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The elastic wrench (f [N], τ [N·m]) on A in W: f = k_v V n along the direction n, acting at the
/// centroid of the overlap; τ about `point_W`. B gets the opposite. Zero without overlap, or
/// without an area vector. `stiffness` is k_v of the pair [N/m³] (SeriesStiffness), > 0 and finite,
/// else InvalidInput. Some nanoseconds; any number of threads.
VOLCONTACT_EXPORT Vector6 ElasticWrench(const Metrics& metrics, double stiffness,
                                        const Eigen::Vector3d& point_W,
                                        ContactDirection direction = ContactDirection::kAreaVector);

/// Its derivative by the motion of A: ∂(f, τ)/∂(d, w) with τ about the present centroid, held
/// fixed; d is the translation along the axes of W [m] and w the rotation about that point [rad].
/// [N/m, N; N, N·m] by blocks. Exact: V changes by −a·d − m·w, a by the Hessian, the normal also
/// with J_v, and the point of attack with the centroid. It is the negative of a stiffness matrix in
/// structural mechanics. It is not symmetric, because this force has no potential in general. Zero
/// without overlap. Throws InvalidInput if the metrics have no Hessian (QueryOptions::hessian) or
/// no area vector, and for `stiffness` as above. About 1 µs; any number of threads.
VOLCONTACT_EXPORT Matrix6
ElasticWrenchDerivative(const Metrics& metrics, double stiffness,
                        ContactDirection direction = ContactDirection::kAreaVector);

VOLCONTACT_NAMESPACE_END
