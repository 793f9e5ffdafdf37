// Random contacts: every normal law with every friction law.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <cstdint>
#include <variant>
#include <vector>

#include "support/random_solids.h"
#include "volcontact/forces/contact_model.h"

namespace volcontact::testing {

inline double LogUniform(Random* random, double low, double high) {
  return std::exp(random->Uniform(std::log(low), std::log(high)));
}

inline std::vector<NormalLaw> RandomNormalLaws(Random* random) {
  std::vector<NormalLaw> laws;
  for (const RestitutionLaw law : {RestitutionLaw::kExact, RestitutionLaw::kHuntCrossley,
                                   RestitutionLaw::kLankaraniNikravesh}) {
    const RestitutionDamping damping{random->Uniform(0.05, 1.0), law,
                                     LogUniform(random, 1e-4, 1e-2)};
    laws.push_back(
        VolumetricNormal{LogUniform(random, 1e6, 1e10), LogUniform(random, 1e6, 1e10), damping});
    laws.push_back(PowerNormal{LogUniform(random, 1e3, 1e9), random->Uniform(0.5, 2.5), damping});
  }
  laws.push_back(
      AzadFeatherstoneNormal{LogUniform(random, 1e4, 1e9), LogUniform(random, 1.0, 1e4)});
  laws.push_back(LinearNormal{LogUniform(random, 1e3, 1e7), LogUniform(random, 1.0, 1e4)});
  return laws;
}

inline BristleFriction RandomBristles(Random* random) {
  BristleFriction p;
  p.mu_c = random->Uniform(0.05, 1.0);
  p.mu_s = p.mu_c * random->Uniform(1.0, 2.0);
  p.sigma0 = LogUniform(random, 1e3, 1e6);
  p.sigma1 = LogUniform(random, 0.1, 5.0) * 2.0 * std::sqrt(p.sigma0 / 9.81);
  p.sigma2 = random->Uniform(0.0, 0.5);
  p.v_stribeck = LogUniform(random, 1e-4, 1e-1);
  p.tau_dwell = random->Uniform(0.0, 1.0) < 0.3 ? 0.0 : LogUniform(random, 1e-2, 10.0);
  p.v_epsilon = p.v_stribeck * LogUniform(random, 1e-4, 0.1);
  return p;
}

inline std::vector<FrictionLaw> RandomFrictionLaws(Random* random) {
  return {NoFriction{}, CoulombFriction{random->Uniform(0.0, 1.0), LogUniform(random, 1e-5, 1e-2)},
          RandomBristles(random),
          ClutchFriction{random->Uniform(0.0, 1.0), LogUniform(random, 1e4, 1e8),
                         LogUniform(random, 1.0, 1e4), random->Uniform(0.0, 10.0)}};
}

struct SampleContact {
  ContactGeometry geometry;
  Pose X_WA, X_WB;
  Twist A, B;
  ContactState state;

  ContactMotion Motion() const {
    return MotionAt(geometry.point_W, geometry.normal_W, X_WA, A, X_WB, B);
  }
};

/// A contact with a state as its friction law may leave it, the normal of the state a little off.
inline SampleContact RandomContact(Random* random, const FrictionLaw& friction) {
  SampleContact c;
  ContactGeometry& g = c.geometry;
  g.touching = true;
  g.point_W = random->UniformVector(-1.0, 1.0);
  g.normal_W = random->UnitVector();
  g.depth = LogUniform(random, 1e-6, 1e-2);
  g.volume = LogUniform(random, 1e-10, 1e-4);
  // A box's, with a random frame.
  const Eigen::Matrix3d R = random->PoseAt(Eigen::Vector3d::Zero()).Rotation();
  const double size = LogUniform(random, 1e-3, 1e-1);
  const Eigen::Vector3d q =
      Eigen::Vector3d(random->Uniform(0.1, 1.0), random->Uniform(0.1, 1.0), 0.01) * size * size;
  const Eigen::Vector3d J(q[1] + q[2], q[0] + q[2], q[0] + q[1]);
  g.inertia_W = g.volume * R * J.asDiagonal() * R.transpose();
  g.gyration_radius = std::sqrt(g.normal_W.dot(g.inertia_W * g.normal_W) / g.volume);
  g.contact_area = g.volume / LogUniform(random, 1e-5, 1e-2);

  const double speed = LogUniform(random, 1e-6, 3.0), turn = LogUniform(random, 1e-5, 30.0);
  c.X_WA = random->PoseAt(random->UniformVector(-1.0, 1.0));
  c.X_WB = random->PoseAt(random->UniformVector(-1.0, 1.0));
  c.B = {random->UniformVector(-1.0, 1.0), random->UniformVector(-1.0, 1.0)};
  // A moves with B, but for the relative motion.
  c.A.angular_velocity_W = c.B.angular_velocity_W + turn * random->UniformVector(-1.0, 1.0);
  c.A.velocity_W = c.B.velocity_W + c.B.angular_velocity_W.cross(g.point_W - c.X_WB.t) -
                   c.A.angular_velocity_W.cross(g.point_W - c.X_WA.t) +
                   speed * random->UniformVector(-1.0, 1.0);

  ContactState& s = c.state;
  s.touching = true;
  s.impact_speed = LogUniform(random, 1e-5, 3.0);
  s.normal_W = (g.normal_W + 0.1 * random->UniformVector(-1.0, 1.0)).normalized();
  double length = 1e-4;
  if (const auto* p = std::get_if<BristleFriction>(&friction)) length = p->mu_s / p->sigma0;
  const Eigen::Vector3d z = length * random->UniformVector(-1.0, 1.0);
  s.friction.deflection_W = z - s.normal_W * s.normal_W.dot(z);
  s.friction.twist = length / g.gyration_radius * random->Uniform(-1.0, 1.0);
  s.friction.dwell = random->Uniform(0.0, 1.0);
  return c;
}

/// Calls check(parameters, contact) for random contacts of every combination of laws.
template <typename Check>
void ForRandomContacts(std::uint64_t seed, int rounds, const Check& check) {
  Random random(seed);
  for (int round = 0; round < rounds; ++round) {
    const std::vector<FrictionLaw> frictions = RandomFrictionLaws(&random);
    for (const NormalLaw& normal : RandomNormalLaws(&random)) {
      for (const FrictionLaw& friction : frictions) {
        ContactParameters parameters;
        parameters.normal = normal;
        parameters.friction = friction;
        const RollingInertia kinds[] = {RollingInertia::kExact, RollingInertia::kThesis,
                                        RollingInertia::kNone};
        parameters.rolling = kinds[round % 3];
        parameters.contact_plate = round % 2 == 0;
        check(parameters, RandomContact(&random, friction));
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

}  // namespace volcontact::testing
