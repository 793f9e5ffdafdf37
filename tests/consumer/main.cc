// A user's first program: a unit-diameter ball whose lower half is below the ground.
#include <volcontact/volcontact.h>

#include <cmath>
#include <cstdio>

int main() {
  const auto ball = volcontact::Sphere(0.5);
  const auto ground = volcontact::HalfSpace();
  const double volume = volcontact::Query(ball, ground).volume;
  const double expected = std::acos(-1.0) / 12;  // half of (4/3) pi r^3 at r = 1/2 [m³]
  std::printf("volume %.17g, expected %.17g\n", volume, expected);
  return std::abs(volume - expected) <= 1e-6 * expected ? 0 : 1;
}
