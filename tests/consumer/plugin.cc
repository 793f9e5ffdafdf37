// A shared module with the library inside, as a simulator or an interpreter loads it.
#include <volcontact/volcontact.h>

extern "C" __attribute__((visibility("default"))) double OverlapOfHalfBall(double radius) {
  try {
    return volcontact::Query(volcontact::Sphere(radius), volcontact::HalfSpace()).volume;
  } catch (const volcontact::InvalidInput&) {
    return -1.0;
  }
}
