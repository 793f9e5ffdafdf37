// A ball falls onto the ground, bounces and comes to rest: contact in a simulator of your own, here
// one of the simplest, with steps of a microsecond.
#include <volcontact/volcontact.h>

#include <cmath>
#include <cstdio>

int main() {
  using namespace volcontact;
  constexpr double kRadius = 0.05, kMass = 0.5, kGravity = 9.81, kStep = 1e-6, kEnd = 0.5;

  const PreparedPair pair(Sphere(kRadius), HalfSpace());
  VolumetricNormal normal;
  normal.stiffness_a = 1e9;  // [N/m³]
  normal.damping.restitution = 0.5;
  BristleFriction friction;
  friction.mu_s = 0.5;
  friction.mu_c = 0.4;
  friction.sigma0 = 1e4;
  friction.sigma1 = 50.0;
  ContactParameters parameters;
  parameters.normal = normal;
  parameters.friction = friction;
  const ContactModel model(parameters);

  ContactState state;
  Pose X_WA{{0.0, 0.0, kRadius + 0.05}};
  const Pose X_WB;
  Twist V_A{{0.5, 0.0, 0.0}};
  const Twist V_B;
  double highest_force = 0.0;
  for (int i = 0; i < kEnd / kStep; ++i) {
    const Metrics metrics = pair.Query(X_WA, X_WB);
    const Eigen::Vector3d last = state.touching ? state.normal_W : Eigen::Vector3d::Zero();
    const ContactGeometry geometry = GeometryOf(metrics, model.parameters().direction, last);
    const ContactMotion motion =
        MotionAt(geometry.point_W, geometry.normal_W, X_WA, V_A, X_WB, V_B);
    if (!geometry.touching)
      state = {};
    else if (!state.touching)
      state = model.Touch(geometry, motion);
    const ContactForce f =
        model.Evaluate(geometry, motion, state);  // f.force_W, f.torque_W at f.point_W

    // The ball does not turn here, for short.
    V_A.velocity_W += kStep * (f.force_W / kMass - kGravity * Eigen::Vector3d::UnitZ());
    X_WA.t += kStep * V_A.velocity_W;
    state.friction.deflection_W += kStep * f.rate.deflection_W;
    state.friction.dwell += kStep * f.rate.dwell;
    ContactModel::Transport(geometry.normal_W, &state);
    highest_force = std::fmax(highest_force, f.force_W.z());
  }
  std::printf("height %.6f m, speed %.2g m/s, greatest force %.0f N\n", X_WA.t.z() - kRadius,
              V_A.velocity_W.norm(), highest_force);
  return std::abs(X_WA.t.z() - kRadius) < 1e-3 && V_A.velocity_W.norm() < 0.1 ? 0 : 1;
}
