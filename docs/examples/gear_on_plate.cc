// A gear, as a mesh, falls onto a plate and comes to rest on its face: a mesh in a Simbody model,
// and the stiffness of its contact.
//
//   gear_on_plate gear.obj
#include <volcontact/simbody/simbody_contact.h>
#include <volcontact/volcontact.h>

#include <cmath>
#include <cstdio>

int main(int argc, char** argv) {
  using SimTK::Vec3;
  constexpr double kDensity = 7800.0, kGravity = 9.81, kStiffness = 1e7;  // steel on rubber; [N/m³]
  if (argc != 2) {
    std::fprintf(stderr, "usage: gear_on_plate gear.obj\n");
    return 2;
  }

  // The shape, and what it weighs.
  const volcontact::Solid gear = volcontact::ReadSolid(argv[1]).solid;
  const volcontact::Solid plate = volcontact::HalfSpace();  // as large as may be
  const volcontact::MassProperties shape = volcontact::ComputeMassProperties(gear);
  const double mass = kDensity * shape.volume;
  const Eigen::Vector3d c = shape.centroid_W;
  const Eigen::Matrix3d J = kDensity * shape.inertia_W;
  const SimTK::Inertia central(J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2));
  const Vec3 center(c.x(), c.y(), c.z());

  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter(system);
  SimTK::GeneralForceSubsystem forces(system);
  SimTK::Force::Gravity gravity(forces, matter, Vec3(0, 0, -kGravity));
  const SimTK::Body::Rigid rigid(
      SimTK::MassProperties(mass, center, central.shiftFromMassCenter(center, mass)));
  SimTK::MobilizedBody::Free body(matter.Ground(), rigid);

  volcontact::ContactParameters parameters;
  volcontact::VolumetricNormal normal;
  normal.stiffness_a = kStiffness;
  normal.damping.restitution = 0.2;
  parameters.normal = normal;
  const volcontact::SolidPair solids{gear, plate};
  const volcontact::SimbodyContact contact(&system, &forces, body, matter.Ground(), solids,
                                           parameters);

  // It is dropped a little tilted, with one edge lowest.
  SimTK::State state = system.realizeTopology();
  const SimTK::Rotation tilt(0.02, SimTK::UnitVec3(1, 0.3, 0));
  body.setQToFitTransform(state, SimTK::Transform(tilt, Vec3(0, 0, 0.01)));
  contact.SetErrorWeights(&state, 1e-3);
  system.realize(state, SimTK::Stage::Dynamics);
  const double energy_before = system.calcEnergy(state);

  SimTK::RungeKuttaMersonIntegrator integrator(system);
  integrator.setAccuracy(1e-9);
  SimTK::TimeStepper stepper(system, integrator);
  stepper.initialize(state);
  stepper.stepTo(1.0);
  const SimTK::State& rest = stepper.getState();
  system.realize(rest, SimTK::Stage::Dynamics);

  // At rest the spring carries the weight: V = m g / k_V.
  const volcontact::ContactEvaluation seen = contact.Evaluate(rest);
  const double volume = mass * kGravity / kStiffness;
  std::printf("volume at rest %.9g m^3, weight over stiffness %.9g m^3, impacts %d\n",
              seen.geometry.volume, volume, contact.TouchCount(rest));

  // The books close: what has been lost is what has fallen.
  const volcontact::ContactEnergies books = contact.Energies(rest);
  const double energy = system.calcEnergy(rest) + books.Dissipated() + books.lost - books.made;
  std::printf("energy at the start %.9f J, at the end with losses %.9f J\n", energy_before, energy);

  // Pressed down, it pushes back with k_V times the area of its face.
  const volcontact::Matrix6 stiffness = contact.Linearize(rest).at(0).stiffness;
  const double expected = kStiffness * seen.geometry.contact_area;
  std::printf("stiffness %.9g N/m, of its face %.9g N/m, natural frequency %.1f Hz\n",
              stiffness(2, 2), expected, std::sqrt(stiffness(2, 2) / mass) / (2.0 * M_PI));

  const bool is_right = std::abs(seen.geometry.volume - volume) < 1e-6 * volume &&
                        std::abs(energy - energy_before) < 1e-6 * energy_before &&
                        std::abs(stiffness(2, 2) - expected) < 1e-6 * expected;
  return is_right ? 0 : 1;
}
