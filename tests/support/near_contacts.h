// Meshes and other solids a known gap apart, or a known depth in each other.
//
// A point of the mesh's surface with a direction n of its normals is chosen, and the other solid's
// extreme point along -n put at the gap above it. Faces that rise above the plane across n there
// are looked at one by one; where one is nearer the place is given up. Nothing of it is the
// library's.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "volcontact/math/pose.h"
#include "volcontact/solids/solid.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact::testing {

double UniformNumber(std::mt19937_64* random, double low, double high);

using Triangle = std::array<Eigen::Vector3d, 3>;
Triangle FaceOf(const TriangleMesh& mesh, std::size_t face);
/// Unit, outwards.
Eigen::Vector3d NormalOf(const Triangle& t);

/// Where contacts begin on a mesh.
enum class Feature { kFace, kEdge, kVertex };

struct NearMesh {
  std::string name;
  TriangleMesh mesh;
  Solid solid;
  double size = 0.0;  ///< largest side of its box [m]
};

/// The meshes of data/meshes and five others: a sphere, a torus, a gear, a star, an L.
std::vector<NearMesh> NearMeshes();

/// A solid of which the hull is known.
struct NearSolid {
  std::string name;
  Solid solid;
  /// Its point farthest along u, in its frame.
  std::function<Eigen::Vector3d(const Eigen::Vector3d& u)> extreme;
  /// The point of its hull nearest to p, p itself inside; in its frame.
  std::function<Eigen::Vector3d(const Eigen::Vector3d& p)> nearest;
  /// Whether its extreme point along u is its own, and not only its hull's; of any u if empty.
  std::function<bool(const Eigen::Vector3d& u)> is_convex_at;
  bool is_half_space = false;
};

/// Kinds: sphere, capsule, cylinder, cone, ellipsoid, half-space, torus, drilled ball, dumb-bell (a
/// union), lens (an intersection of two balls), icosahedron (a mesh). Of about a tenth of the size.
constexpr int kNearKinds = 11;
NearSolid MakeNearSolid(int kind, double size, std::mt19937_64* random);

struct NearPlace {
  Pose X_MB;     ///< of the solid in the mesh's frame
  double truth;  ///< the distance; the depth below the surface if negative [m]
};

/// A place at `gap` (a depth if negative) from a random feature, in a random orientation; nothing
/// where that one did not do.
std::optional<NearPlace> PlaceNear(const NearMesh& mesh, const NearSolid& solid, Feature feature,
                                   double gap, std::mt19937_64* random);

}  // namespace volcontact::testing
