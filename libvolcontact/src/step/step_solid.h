// The room `step`: solids of STEP files. What Open CASCADE knows of a solid, in plain numbers [m].
#pragma once

#include <Eigen/Core>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "volcontact/math/aabb.h"
#include "volcontact/math/pose.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact {

/// The unit that a caller gives to the lengths of a file.
struct StepUnit {
  double metres = 0.0;     ///< 0: none is given
  bool overrides = false;  ///< the one that the file names, else only where it names none
  bool IsUsed(const std::string& named) const {
    return metres > 0.0 && (overrides || named.empty());
  }
};

enum class StepSurface { kPlane, kCylinder, kCone, kSphere, kTorus, kQuadric, kOther };

/// Connected faces of one surface.
struct StepFace {
  StepSurface surface = StepSurface::kOther;
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< columns; z along the axis or normal
  /// Of a cone at the origin; of a torus the major one, negative for the lemon within a torus that
  /// crosses its axis: (ρ − radius)² + z² = minor² holds for all sheets.
  double radius = 0.0;
  double minor = 0.0;  ///< of a torus; of a cone the tangent of its half angle
  /// Of a quadric that is none of the others the factors of x², y², z², z and 1 in its own frame:
  /// ellipsoids, elliptic cylinders and so on.
  Eigen::Matrix<double, 5, 1> quadric = Eigen::Matrix<double, 5, 1>::Zero();
  /// The material lies where Height() <= 0: behind a plane whose z points outward, in the ball, …;
  /// else on the other side.
  bool inside = true;
  std::vector<Eigen::Vector3d> inner;    ///< points of the face off its edges,
  std::vector<Eigen::Vector3d> samples;  ///< and with points of these
  std::set<int> neighbours;              ///< faces with which it shares an edge
  std::vector<int> numbers = {};         ///< of the faces of the file that it is joined from

  /// About the distance from the surface, negative inside it.
  double Height(const Eigen::Vector3d& p) const;
  /// The direction in which it grows; not finite where there is none, as on an axis.
  Eigen::Vector3d Up(const Eigen::Vector3d& p) const;
  /// Turns the frame so that its z is along this.
  void SetAxis(const Eigen::Vector3d& z);
};

/// A length that is rounded to so many steps a metre.
double Rounded(double length, double per_metre);

/// The axis of the frame, with its sign, that a unit vector is off by rounding only; else nothing.
std::optional<Eigen::Vector3d> AlongFrame(const Eigen::Vector3d& axis);

/// A surface without the rounding of its numbers, so that faces which lie on each other do, and
/// axes meet: lengths are rounded to so many steps a metre, and an axis along one of the frame's is
/// that. Where it is askew, its origin is left as it is.
StepFace Tidied(StepFace face, double per_metre);

/// With neighbouring faces of one surface joined to one: files cut cylinders in two. `size` is that
/// of the solid [m].
std::vector<StepFace> JoinedFaces(std::vector<StepFace> faces, double size);

/// A point that is off the boundary of a solid [m].
struct StepPoint {
  Eigen::Vector3d p;
  bool inside;
};

struct StepMass {
  double volume = 0.0;
  Eigen::Vector3d centroid = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about the centroid, unit density
  /// What the file leaves open of it, relative: edges that miss their faces by their tolerance, and
  /// faces whose splines stand for quadrics and tori.
  double doubt = 0.0;
};

/// A box around that of a solid which keeps off its faces.
Aabb AroundBounds(const Aabb& bounds);

struct StepSolid {
  std::vector<StepFace> faces;
  /// Surfaces without faces that run along the edges of faces and across these: planes through an
  /// axis, across it, or of an edge; of tori cones, too.
  std::vector<StepFace> separators;
  Aabb bounds = Aabb::Nothing();
  StepMass mass;
  double gap = 0.0;  ///< by how much edges of the file miss their faces at most [m]

  /// The diagonal of its box [m]: what tolerances are relative to.
  double Size() const { return (bounds.max - bounds.min).norm(); }
};

/// What is meshed: the solid as it is; with faces that close on themselves cut in two; with all
/// surfaces as splines. The shape is the same, but not every mesher gets along with each of them.
enum class StepMeshing { kAsItIs, kCutInTwo, kSplines };

/// A mesh of a solid, and of each triangle the number of the file's face that it lies on; without
/// these where other faces were meshed.
struct StepMesh {
  TriangleMesh mesh;
  std::vector<int> origins;
};

/// A body of a file: one of its solids, where the file places it.
struct StepInstance {
  std::string name;  ///< empty where the file has none
  int solid = 0;
  Pose X_FS;  ///< the solid's own frame S in that of the file
};

}  // namespace volcontact
