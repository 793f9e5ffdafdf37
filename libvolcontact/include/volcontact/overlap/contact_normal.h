// The contact normal of an overlap.
#pragma once

#include <Eigen/Core>
#include <array>

#include "volcontact/export.h"
#include "volcontact/math/matrix6.h"

VOLCONTACT_NAMESPACE_BEGIN

struct ContactNormalOptions {
  int max_iterations = 15;         ///< n_i, >= 1
  double angle_tolerance = 1e-10;  ///< θ_ε [rad], > 0; 1° reproduces the thesis
  double previous_ratio = 0.95;    ///< r_n in [0, 1]
  /// Previous normal in the frame of J, or zero when there is none.
  Eigen::Vector3d previous = Eigen::Vector3d::Zero();
};

struct ContactNormal {
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< unit, from B toward A
  int iterations = 0;
  bool converged = false;
  /// Weight in [0, 1] of the eigenvector against the geometric estimate (1: the eigenvector).
  double eigenvector_weight = 0.0;
};

/// Contact normal from the central inertia J_v [m⁵] and the area vector a [m²] of the overlap: the
/// eigenvector of J_v's largest eigenvalue nearest a, by shifted inverse iteration (Gonthier 2007,
/// App. A.3.3, with the shift that makes it converge to the largest eigenvalue; see
/// docs/theory.md). If the eigenvalues are close together, or the eigenvector is far from a, the
/// result passes continuously to a/|a|. The sign always follows a. If |a| is negligible and the
/// largest eigenvalue is single, the result is its eigenvector, on the previous normal's side if
/// there is one, else with its largest component positive. If the eigenvalue is not single either,
/// the result is zero. A pure function: safe from any thread; about 0.3 µs, no memory.
VOLCONTACT_EXPORT ContactNormal ComputeContactNormal(const Eigen::Matrix3d& inertia,
                                                     const Eigen::Vector3d& area_vector,
                                                     const ContactNormalOptions& options = {});

/// The derivative of that normal by motions, from those of J_v and a. It is exact where the weights
/// are smooth, that is except at the start and the end of their transition. If the eigenvector
/// counts, the sign follows a, which must not be zero (InvalidInput). A pure function: safe from
/// any thread; about 1 µs, no memory.
VOLCONTACT_EXPORT Matrix36 ContactNormalDerivative(
    const Eigen::Matrix3d& inertia, const Eigen::Vector3d& area_vector,
    const std::array<Eigen::Matrix3d, 6>& inertia_derivative, const Matrix36& area_derivative);

VOLCONTACT_NAMESPACE_END
