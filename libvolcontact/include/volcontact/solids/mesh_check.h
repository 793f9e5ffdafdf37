// Finds the defects of a triangle mesh.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/math/aabb.h"
#include "volcontact/solids/triangle_mesh.h"

VOLCONTACT_NAMESPACE_BEGIN

enum class DefectKind {
  kNoFaces,
  kIndexOutOfRange,   ///< a face names a vertex that does not exist
  kVertexOutOfRange,  ///< a vertex is not finite or beyond 1e30 m
  kDegenerateFace,    ///< a repeated vertex, or exactly no area
  kDuplicateFace,     ///< the vertices of an earlier face, turned either way
  kOpenBoundary,      ///< a chain of edges with one face
  kNonManifoldEdge,   ///< more than two faces that do not close the surface
  kFlippedFace,       ///< turned against most of the faces it is connected with
  kNonOrientable,     ///< a surface with one side
  kSelfIntersection,  ///< two faces cross or overlap
  kInsideOut,         ///< a shell whose faces look the wrong way
  kSearchIncomplete,  ///< too many faces in one place to search for all crossings
};
inline constexpr std::size_t kDefectKinds = 12;

/// "open_boundary" for kOpenBoundary, and so on.
VOLCONTACT_EXPORT std::string_view DefectKindName(DefectKind kind);

/// Faces and vertices are numbers of the mesh, from 0. A boundary lists its vertices in order. As
/// all types here a plain value that owns its lists: any number of threads may read one.
struct MeshDefect {
  DefectKind kind;
  std::vector<int> faces;
  std::vector<int> vertices;
  std::string message;  ///< one line: what is wrong, where, and what to do
};

/// Faces that are connected by edges. Two shells that touch along an edge are separate.
struct MeshShell {
  int faces = 0;
  int first_face = 0;
  bool closed = true;
  bool oriented = true;
  double volume = 0.0;  ///< [m³], negative for a cavity; 0 unless closed and oriented, or noise
  int depth = 0;        ///< number of closed shells around it
  int parent = -1;      ///< the innermost of them, as an index of shells
};

/// Mass properties at unit density. If the volume is zero, the centroid is the centre of the
/// bounds, and the inertia is zero.
struct MeshMass {
  double volume = 0.0;                                 ///< [m³]
  Eigen::Vector3d centroid = Eigen::Vector3d::Zero();  ///< [m]
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();   ///< about the centroid [m⁵]
};

struct MeshReport {
  std::size_t vertices = 0;
  std::size_t faces = 0;
  bool closed = false;    ///< no edge has an odd number of faces
  bool oriented = false;  ///< no face is turned against a neighbour
  std::vector<MeshShell> shells;
  Aabb bounds = Aabb::Nothing();  ///< of the faces that can be used
  std::optional<MeshMass> mass;   ///< of a mesh that is closed and oriented
  /// At most kMaxListed of a kind, by kind.
  std::vector<MeshDefect> defects;
  std::array<std::size_t, kDefectKinds> counts{};  ///< of all defects, by kind
  std::vector<std::string> notes;                  ///< remarks that are not defects

  static constexpr std::size_t kMaxListed = 20;

  /// The mesh bounds a solid: Mesh accepts it, and its metrics are valid.
  bool ok() const { return defects.empty(); }
  std::size_t count(DefectKind kind) const { return counts[static_cast<std::size_t>(kind)]; }
};

/// Searches any mesh for all kinds of defects. Decisions are exact. Touching is not
/// self-intersection. One crossing is not detected: a surface that passes through another along
/// edges that both have there. About 2 µs for each face, more if many faces lie in one place.
/// Throws InvalidInput for more faces than Mesh accepts. Any number of threads may call it at a
/// time; memory is proportional to the number of faces.
VOLCONTACT_EXPORT MeshReport CheckMesh(const TriangleMesh& mesh);

VOLCONTACT_NAMESPACE_END
