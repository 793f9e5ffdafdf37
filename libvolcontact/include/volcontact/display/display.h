// Triangulated surfaces for display, from the exact solids.
//
// Points lie on the exact surfaces, normals are theirs, and sharp edges stay sharp. The deviation
// is that of the triangles from the surfaces between their points. For pictures, files and sums
// over surfaces; contact never uses them. Any number of threads may call these functions at a time.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/math/aabb.h"
#include "volcontact/math/pose.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN

/// A plain value. Each call checks the fields, and throws InvalidInput with the name and the range
/// of a wrong one.
struct DisplayOptions {
  /// Greatest distance between the triangles and the exact surface [m], >= 0. 0 chooses it: for a
  /// solid 1/500 of the greatest extent of the drawing; for an overlap also 1/2000 of its mean
  /// height, so that its volume is correct to about 1e-3 for any thickness. If most_triangles is
  /// too small for that, as for long thin rings of contact, it is coarser, up to 1/10 of the
  /// height.
  double deviation = 0.0;
  /// Angle between the normals of two faces [rad], in [0, pi], from which the edge between them is
  /// drawn; faces of a mesh that meet at less are shaded as one smooth face.
  double sharp_angle = 0.35;
  /// Refinement ends at this many triangles, >= 1; DisplayMesh::complete is then false.
  std::size_t most_triangles = 1'000'000;
};

/// A triangulated surface. A plain value that owns its lists.
struct DisplayMesh {
  /// Points [m] and the outward unit normals of the exact surface there. A point on a sharp edge
  /// stands once for each face that meets there, with that face's normal.
  std::vector<Eigen::Vector3d> points, normals;
  /// Indices of points; seen from outside, counterclockwise.
  std::vector<std::array<std::uint32_t, 3>> triangles;
  /// Sharp edges as polylines of two points [m] and more; a closed one ends at its first point.
  std::vector<std::vector<Eigen::Vector3d>> edges;
  /// The deviation that was requested, or chosen [m].
  double deviation = 0.0;
  /// False if most_triangles ended the refinement: parts are coarser than the deviation, or
  /// missing.
  bool complete = true;
};

/// The boundary of a solid, in the solid's frame, within the box `clip`; where the box cuts the
/// solid the surface is open. The solid's own bounds are used if they are smaller. Faces on which
/// parts of the solid meet are not drawn. Throws InvalidInput for a bad option, and if the drawing
/// would be unbounded: a half-space needs a box. An empty solid has an empty mesh. Cost: 5 to 10 µs
/// for each triangle, so 1 to 20 ms for primitives, and a second for parts of a hundred of them.
VOLCONTACT_EXPORT DisplayMesh DisplaySurface(const Solid& solid, const DisplayOptions& options = {},
                                             const Aabb& clip = Aabb::Everything());

/// The owner of a face of an overlap; kBoth if faces of A and B coincide.
enum class DisplayOwner : std::uint8_t { kA, kB, kBoth };

/// The boundary of A ∩ B. A plain value that owns its lists.
struct OverlapDisplay {
  /// In the world frame; empty without overlap.
  DisplayMesh mesh;
  /// For each triangle.
  std::vector<DisplayOwner> owners;
  /// The curves where A's boundary crosses B's, as polylines like DisplayMesh::edges [m]; sharp or
  /// not.
  std::vector<std::vector<Eigen::Vector3d>> arcs;
};

/// The boundary of the overlap of two solids for the given world poses of their frames: A's faces
/// inside B, B's inside A, and common faces once. If A and B consist of at most 64 meshes, boxes,
/// slabs and half-spaces (4 of them unbounded) and no mesh crosses itself, the surface is closed:
/// points of one vertex are equal, and every edge has as many triangles on either side. Its volume
/// is that of the query but for the rounding of points. Cost: about 0.1 ms for each pair of
/// triangles that cross. Other overlaps may have open edges. First makes a query to find the
/// overlap. Throws InvalidInput for a bad option or pose, and if the overlap is unbounded.
VOLCONTACT_EXPORT OverlapDisplay DisplayOverlap(const Solid& A, const Pose& X_WA, const Solid& B,
                                                const Pose& X_WB,
                                                const DisplayOptions& options = {});

/// The faces of an overlap that look along the normal, with the overlap's height below them. A
/// plain value that owns its lists.
struct PatchDisplay {
  /// In the world frame. The edges are those of the overlap's that bound the patch or lie on it.
  DisplayMesh mesh;
  /// For each point [m]: the length of the overlap from it against the normal.
  std::vector<double> heights;
};

/// The contact patch of an overlap. Think of the overlap as columns along `normal_W`: each stands
/// below one point of the patch. The sum over triangles of projected area times mean height is the
/// volume of the overlap's mesh, to 1e-3. With stiffness times height, the pressure, it is the
/// normal force. Triangles are divided until heights are linear on them, which adds at most 50,000.
/// Throws InvalidInput if the normal is zero or not finite; it need not have unit length.
VOLCONTACT_EXPORT PatchDisplay DisplayPatch(const OverlapDisplay& overlap,
                                            const Eigen::Vector3d& normal_W);

VOLCONTACT_NAMESPACE_END
