// Linearly implicit methods.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <vector>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {

/// In the form (1/(h γ) − J) U_i = f(t + c_i h, y + Σ a_ij U_j) + Σ C_ij U_j / h + g_i h ∂f/∂t,
/// with y + Σ m_i U_i at the end and Σ e_i U_i for its error, j < i. On the way there, at t + s h,
/// it is y + Σ w_i U_i with w = dense (s, s², s³).
struct RosenbrockMethod {
  int stages;
  double order_of_error;  ///< the power of h with which it grows
  double gamma;
  Eigen::MatrixXd a, C;
  Eigen::VectorXd c, g, m, e;
  Eigen::Matrix<double, Eigen::Dynamic, 3> dense;
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
  method.stages = 4;
  method.order_of_error = 3.0;
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

/// Rodas4P2 of Steinebach, "Improvement of Rosenbrock-Wanner method RODASP" (2020): fourth order
/// where J is exact, also of what is stiff and driven, as a contact that rolls; with an embedded
/// method of third, and of third on the way. L-stable and stiffly accurate. With any other matrix
/// it is of second order, and what is stiff may hide its error.
inline RosenbrockMethod Rodas4P2() {
  RosenbrockMethod method;
  method.stages = 6;
  method.order_of_error = 4.0;
  method.gamma = 0.25;
  const auto rows = [](const std::vector<double>& below) {
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(6, 6);
    auto next = below.begin();
    for (int i = 1; i < 6; ++i) {
      for (int j = 0; j < i; ++j) matrix(i, j) = *next++;
    }
    return matrix;
  };
  method.a = rows({3.0, 0.906377755268814, -0.189707390391685, 3.758617027739064, 1.161741776019525,
                   -0.849258085312803, 7.089566927282776, 4.573591406461604, -8.423496976860259,
                   -0.959280113459775, 7.089566927282776, 4.573591406461604, -8.423496976860259,
                   -0.959280113459775, 1.0});
  method.C = rows({-12.0, -6.354581592719008, 0.338972550544623, -8.575016317114033,
                   -7.606483992117508, 12.22499765012482, -5.888975457523102, -8.157396617841821,
                   24.805546872612922, 12.790401512796979, -4.408651676063871, -6.692003137674639,
                   24.625568527593117, 16.627521966636085, -5.714285714285718});
  method.c = Eigen::Matrix<double, 6, 1>{0.0, 0.75, 0.321448134013046, 0.519745732277726, 1.0, 1.0};
  method.g =
      Eigen::Matrix<double, 6, 1>{0.25, -0.5, -0.189532918363016, 0.085612108792769, 0.0, 0.0};
  method.e = Eigen::VectorXd::Unit(6, 5);
  method.m = Eigen::VectorXd(method.a.row(5)) + method.e;
  // As published: of s (1 − s) and s² (1 − s), beside s m.
  const Eigen::Matrix<double, 6, 1> of_second{-5.323528268423303, -10.042123754867493,
                                              17.175254928256965, -5.079931171878093,
                                              -0.016185991706112, 0.0};
  const Eigen::Matrix<double, 6, 1> of_third{6.984505741529879,  6.914061169603662,
                                             -0.849178943070653, 18.104410789349338,
                                             -3.516963011559032, 0.0};
  method.dense.resize(6, 3);
  method.dense << method.m + of_second, of_third - of_second, -of_third;
  return method;
}

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
