#include <volcontact/volcontact.h>

#include <cstdio>

int main() {
  using namespace volcontact;
  const Solid peg = Cylinder(0.00995, 0.06);
  const Solid plate = Difference(Box({0.1, 0.1, 0.04}), {InfiniteCylinder(0.01)});
  const PreparedPair pair(peg, plate);  // once; then any number of poses, from any thread
  const Metrics m = pair.Query(Pose{{0.0001, 0.0, 0.0}}, Pose{});  // X_WA, X_WB
  std::printf("%.4f mm^3\n", m.volume * 1e9);

  const ContactModel model({VolumetricNormal{.stiffness_a = 1e11}, CoulombFriction{.mu = 0.2}});
  const ContactGeometry contact = GeometryOf(m);
  const ContactMotion motion = MotionAt(contact.point_W, contact.normal_W, Pose{{0.0001, 0.0, 0.0}},
                                        Twist{{0.0, 0.0, -0.01}}, Pose{}, Twist{});
  const ContactForce f = model.Evaluate(contact, motion, model.Touch(contact, motion));
  std::printf("force on the peg %g %g %g N\n", f.force_W.x(), f.force_W.y(), f.force_W.z());
}
