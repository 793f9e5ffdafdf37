// Models made by hand with Simbody's own classes.
#pragma once

#include <memory>

#include "volcontact/simbody/simbody_contact.h"
#include "volcontact/simbody/simbody_contact_set.h"
#include "volcontact/solids/primitives.h"

namespace volcontact {

inline constexpr double kRadius = 0.1, kMass = 0.7, kStiffness = 1e8;

inline ContactParameters Parameters(double restitution, double tau_relaxation = 0) {
  ContactParameters parameters;
  VolumetricNormal normal;
  normal.stiffness_a = normal.stiffness_b = 2 * kStiffness;
  normal.damping.restitution = restitution;
  parameters.normal = normal;
  parameters.tau_relaxation = tau_relaxation;
  return parameters;
}

inline BristleFriction Bristles() {
  BristleFriction friction;
  friction.mu_s = 0.5;
  friction.mu_c = 0.4;
  friction.sigma0 = 1e4;
  friction.sigma1 = 60;
  return friction;
}

inline SimTK::Body::Rigid BallBody(double radius = kRadius) {
  return SimTK::Body::Rigid(
      SimTK::MassProperties(kMass, SimTK::Vec3(0), SimTK::Inertia(0.4 * kMass * radius * radius)));
}

// A system without bodies yet.
struct EmptyModel {
  EmptyModel() : matter(system), forces(system) {}

  SimTK::MobilizedBody::Free AddBall(double radius = kRadius) {
    return {matter.Ground(), BallBody(radius)};
  }

  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter;
  SimTK::GeneralForceSubsystem forces;
};

}  // namespace volcontact
