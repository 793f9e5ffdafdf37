// A ball thrown onto the ground: volumetric contact in a Simbody model.
//
//   find_package(volcontact 0.3 CONFIG REQUIRED COMPONENTS simbody)
//   add_executable(bouncing_ball bouncing_ball.cc)
//   set_target_properties(bouncing_ball PROPERTIES CXX_STANDARD 17)  # Simbody is not C++20
//   target_link_libraries(bouncing_ball PRIVATE volcontact::simbody)
#include <volcontact/simbody/simbody_contact.h>
#include <volcontact/volcontact.h>

#include <cmath>
#include <cstdio>

int main() {
  using SimTK::Vec3;
  constexpr double kRadius = 0.1, kMass = 2.0;

  // The Simbody model: a ball that moves freely, and gravity.
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter(system);
  SimTK::GeneralForceSubsystem forces(system);
  SimTK::Force::Gravity gravity(forces, matter, Vec3(0, 0, -9.81));
  const SimTK::Body::Rigid body(
      SimTK::MassProperties(kMass, Vec3(0), SimTK::Inertia(0.4 * kMass * kRadius * kRadius)));
  SimTK::MobilizedBody::Free ball(matter.Ground(), body);

  // The contact: geometry, a normal law, a friction law.
  volcontact::VolumetricNormal normal;
  normal.stiffness_a = 1e8;  // [N/m³]; the ground is rigid
  normal.damping.restitution = 0.7;
  volcontact::BristleFriction friction;
  friction.mu_s = 0.5;
  friction.mu_c = 0.4;
  friction.sigma0 = 1e4;
  friction.sigma1 = 300.0;
  volcontact::ContactParameters parameters;
  parameters.normal = normal;
  parameters.friction = friction;
  const volcontact::SolidPair solids{volcontact::Sphere(kRadius), volcontact::HalfSpace()};
  const volcontact::SimbodyContact contact(&system, &forces, ball, matter.Ground(), solids,
                                           parameters);

  SimTK::State state = system.realizeTopology();
  ball.setQToFitTranslation(state, Vec3(0, 0, 0.3));
  ball.setUToFitLinearVelocity(state, Vec3(1, 0, 0));
  contact.SetErrorWeights(&state, 1.0);
  system.realize(state, SimTK::Stage::Dynamics);
  const double energy_before = system.calcEnergy(state);

  SimTK::RungeKuttaMersonIntegrator integrator(system);
  integrator.setAccuracy(1e-8);
  SimTK::TimeStepper stepper(system, integrator);
  stepper.initialize(state);
  for (int i = 1; i <= 20; ++i) {
    stepper.stepTo(0.1 * i);
    const SimTK::State& now = stepper.getState();
    system.realize(now, SimTK::Stage::Dynamics);
    const volcontact::ContactEvaluation seen = contact.Evaluate(now);
    std::printf("t = %.1f s  height %.4f m  bounces %d  normal force %.3g N\n", now.getTime(),
                ball.getBodyOriginLocation(now)[2], contact.TouchCount(now),
                seen.force.normal_W.norm());
  }

  // Simbody counts what the contact stores as potential energy; what it lost, the ledger tells.
  const SimTK::State& end = stepper.getState();
  const volcontact::ContactEnergies books = contact.Energies(end);
  const double energy = system.calcEnergy(end) + books.Dissipated() + books.lost - books.made;
  std::printf("energy at the start %.9f J, at the end with losses %.9f J\n", energy_before, energy);
  return std::abs(energy - energy_before) < 1e-6 * energy_before ? 0 : 1;
}
