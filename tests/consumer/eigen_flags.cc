// A user with flags of his own for Eigen: layouts of what passes to and from the library, and
// answers, as text that has to be the same whatever the flags. Memory that Eigen takes on both
// sides must not be mixed up: this runs under the address sanitizer where there is one.
#include <volcontact/volcontact.h>

#include <Eigen/Dense>
#include <cstdio>

namespace {

template <class T>
void PrintLayout(const char* name) {
  std::printf("%s: %zu bytes, aligned to %zu\n", name, sizeof(T), alignof(T));
}

void PrintLayouts() {
  using namespace volcontact;
  PrintLayout<Aabb>("Aabb");
  PrintLayout<CellContact>("CellContact");
  PrintLayout<ContactForce>("ContactForce");
  PrintLayout<ContactGeometry>("ContactGeometry");
  PrintLayout<ContactMotion>("ContactMotion");
  PrintLayout<ContactNormal>("ContactNormal");
  PrintLayout<ContactParameters>("ContactParameters");
  PrintLayout<ContactState>("ContactState");
  PrintLayout<FrictionForce>("FrictionForce");
  PrintLayout<FrictionInput>("FrictionInput");
  PrintLayout<MassProperties>("MassProperties");
  PrintLayout<MeshReport>("MeshReport");
  PrintLayout<Metrics>("Metrics");
  PrintLayout<PointContact>("PointContact");
  PrintLayout<Pose>("Pose");
  PrintLayout<QuadricMatrix>("QuadricMatrix");
  PrintLayout<QueryOptions>("QueryOptions");
  PrintLayout<TriangleMesh>("TriangleMesh");
  PrintLayout<Twist>("Twist");
  PrintLayout<VolumeMoments>("VolumeMoments");
  PrintLayout<VolumeSample>("VolumeSample");
}

}  // namespace

int main() {
  PrintLayouts();
  const volcontact::Solid peg = volcontact::Cylinder(0.00995, 0.06);
  const volcontact::Solid plate = volcontact::Difference(volcontact::Box({0.1, 0.1, 0.04}),
                                                         {volcontact::InfiniteCylinder(0.01)});
  const volcontact::PreparedPair pair(peg, plate);
  volcontact::QuadricMatrix unit_ball = volcontact::QuadricMatrix::Identity();
  unit_ball(3, 3) = -1.0;
  const volcontact::PreparedPair balls(volcontact::Quadric(unit_ball), volcontact::Sphere(1.0));
  for (int i = 1; i <= 5; ++i) {
    // Larger than Eigen keeps on the stack, so taken from the heap by the flags of this file.
    Eigen::MatrixXd own = Eigen::MatrixXd::Identity(20 + i, 20 + i) * 3.0;
    const volcontact::Metrics a =
        pair.Query(volcontact::Pose{{1e-4 * i, 0.0, 0.0}}, volcontact::Pose{});
    own.conservativeResize(30, 30);
    const volcontact::Metrics b =
        balls.Query(volcontact::Pose{{0.3 * i, 0.0, 0.0}}, volcontact::Pose{});
    const Eigen::VectorXd x =
        own.topLeftCorner(20, 20).fullPivLu().solve(Eigen::VectorXd::Ones(20));
    std::printf("%.17g %.17g %.6f\n", a.volume, b.volume, x.sum());
  }
  try {
    volcontact::Sphere(-1.0);
  } catch (const volcontact::InvalidInput&) {
    std::printf("a negative radius is refused\n");
    return 0;
  }
  return 1;
}
