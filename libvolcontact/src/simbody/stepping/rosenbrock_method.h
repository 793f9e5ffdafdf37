// A linearly implicit method with four stages.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {

/// In the form (1/(h γ) − J) U_i = f(t + c_i h, y + Σ a_ij U_j) + Σ C_ij U_j / h + g_i h ∂f/∂t,
/// with y + Σ m_i U_i at the end and Σ e_i U_i for its error, j < i. On the way there, at t + s h,
/// it is y + Σ w_i U_i with w = dense (s, s², s³).
struct RosenbrockMethod {
  double gamma;
  Eigen::Matrix4d a, C;
  Eigen::Vector4d c, g, m, e;
  Eigen::Matrix<double, 4, 3> dense;
};

/// The weights with which a method of four stages is of third order on the way, too: of second with
/// any matrix for J. What is stiff then errs no more than at the step's beginning, of which at most
/// 0.72 are left with opposite sign; on the cubic that has the rates of both ends it would err by
/// the error of the end times the stiffness and an eighth of the step.
inline Eigen::Matrix<double, 4, 3> DenseWeights(const Eigen::Matrix4d& alpha,
                                                const Eigen::Matrix4d& gamma) {
  const Eigen::Vector4d at = alpha.rowwise().sum();
  Eigen::Matrix4d conditions;
  conditions.row(0).setOnes();
  conditions.row(1) = at;
  conditions.row(2) = gamma.rowwise().sum();
  conditions.row(3) = at.cwiseAbs2();
  Eigen::Matrix<double, 4, 3> wanted = Eigen::Matrix<double, 4, 3>::Zero();
  wanted(0, 0) = 1.0;
  wanted(1, 1) = 1.0 / 2.0;
  wanted(3, 2) = 1.0 / 3.0;
  return gamma.transpose().inverse() * conditions.fullPivLu().solve(wanted);
}

/// ROS34PW2 of Rang and Angermann, BIT 45 (2005): third order with any matrix for J, with an
/// embedded method of second; L-stable and stiffly accurate, so that what is stiff ends a step in
/// its equilibrium.
inline RosenbrockMethod Ros34Pw2() {
  RosenbrockMethod method;
  Eigen::Matrix4d alpha = Eigen::Matrix4d::Zero(), gamma = Eigen::Matrix4d::Zero();
  alpha(1, 0) = 8.7173304301691801e-01;
  alpha(2, 0) = 8.4457060015369423e-01;
  alpha(2, 1) = -1.1299064236484185e-01;
  alpha(3, 2) = 1.0;
  gamma.diagonal().setConstant(4.3586652150845900e-01);
  gamma(1, 0) = -8.7173304301691801e-01;
  gamma(2, 0) = -9.0338057013044082e-01;
  gamma(2, 1) = 5.4180672388095326e-02;
  gamma(3, 0) = 2.4212380706095346e-01;
  gamma(3, 1) = -1.2232505839045147e+00;
  gamma(3, 2) = 5.4526025533510214e-01;
  const Eigen::Vector4d end{2.4212380706095346e-01, -1.2232505839045147e+00, 1.5452602553351020e+00,
                            4.3586652150845900e-01};
  const Eigen::Vector4d embedded{3.7810903145819369e-01, -9.6042292212423178e-02, 0.5,
                                 2.1793326075422950e-01};
  const Eigen::Matrix4d inverse = gamma.inverse();
  method.gamma = gamma(0, 0);
  method.a = alpha * inverse;
  method.C = Eigen::Matrix4d(gamma.diagonal().cwiseInverse().asDiagonal()) - inverse;
  method.c = alpha.rowwise().sum();
  method.g = gamma.rowwise().sum();
  method.m = inverse.transpose() * end;
  method.e = inverse.transpose() * (end - embedded);
  method.dense = DenseWeights(alpha, gamma);
  return method;
}

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
