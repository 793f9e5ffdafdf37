// Friction of a contact in an implicit step, as a function of the velocity (v along two tangents,
// and the spin) at its end.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "volcontact/forces/contact_in_step.h"

namespace volcontact {

/// Against the velocity: two forces and a torque, whose slope is symmetric and not negative.
struct SlidingForce {
  Eigen::Vector3d load = Eigen::Vector3d::Zero();
  Eigen::Matrix3d slope = Eigen::Matrix3d::Zero();
  double potential = 0.0;  ///< [W]
};

/// Sets what friction reads at the velocity `sliding`; the normal force is there already.
void LagFriction(const FrictionLaw& law, const FrictionAlongTangents& start,
                 const ContactGeometry& geometry, const Eigen::Vector3d& sliding, double step,
                 StepLag* lag);

SlidingForce FrictionInStep(const FrictionLaw& law, const StepLag& lag,
                            const ContactGeometry& geometry, const Eigen::Vector3d& sliding,
                            const std::vector<PressureSample>* pressure,
                            const Eigen::Matrix<double, 3, 2>& tangents);

/// The load's derivative by the state that the step begins with.
Eigen::Matrix3d FrictionByState(const FrictionLaw& law, const StepLag& lag,
                                const ContactGeometry& geometry, const Eigen::Vector3d& sliding,
                                double step);

/// `load`: that of FrictionInStep at the velocity `sliding`.
FrictionAlongTangents FrictionAfter(const FrictionLaw& law, const FrictionAlongTangents& start,
                                    const StepLag& lag, const ContactGeometry& geometry,
                                    const Eigen::Vector3d& sliding, const Eigen::Vector3d& load,
                                    double step);

/// What bent springs would give back at most in a step, over its length [W].
double HeldByFriction(const StepLag& lag, const ContactGeometry& geometry);

}  // namespace volcontact
