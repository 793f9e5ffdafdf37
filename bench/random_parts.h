// Primitives that are solids and triangle meshes alike, parts of a few of them, and random ones.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <random>
#include <vector>

#include "volcontact/volcontact.h"

namespace volcontact::bench {

/// How a tessellation lies with its solid: with its vertices on the surface, as modellers make
/// them, or scaled about its middle, a cylinder across its axis only, to the volume of the solid.
enum class Fit { kInscribed, kSameVolume };

/// A posed box, ball or cylinder about z.
struct Primitive {
  enum class Kind { kBox, kSphere, kCylinder };
  Kind kind = Kind::kBox;
  Eigen::Vector3d size = Eigen::Vector3d::Ones();  ///< edges; radius; radius and height [m]
  Pose X_PS;                                       ///< in the frame of its part

  operator Solid() const;  // NOLINT(google-explicit-constructor): it is one, in few numbers
  /// With 5 f segments around a cylinder, and a ball of 20 f² triangles.
  TriangleMesh Tessellated(int f, Fit fit) const;
  long TriangleCount(int f) const;
};

/// The union of `bodies` without `holes`.
struct Part {
  std::vector<Primitive> bodies, holes;

  Solid MakeSolid() const;
  /// The triangles in the meshes of all its primitives.
  long TriangleCount(int f) const;
};

/// Draws numbers, poses and primitives some 1 m large about the origin.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}

  double Between(double low, double high);
  Eigen::Vector3d Vector(double low, double high);
  /// At most `reach` [m] from the origin along each axis, turned uniformly.
  Pose Near(double reach);
  Primitive SomeBox();
  Primitive SomeSphere();
  Primitive SomeCylinder();
  std::vector<Primitive> SomeCylinders(int count);

 private:
  std::mt19937_64 engine_;
};

}  // namespace volcontact::bench
