// Triangulated surfaces for display, from the exact solids.
//
// Points lie on the exact surfaces, normals are theirs, and sharp edges stay sharp: what is told of
// a mesh is how far its triangles are from the surfaces between their points. For pictures, files
// and sums over what is seen; contact itself never uses them. Any number of threads may call these
// functions at a time.
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

/// A plain value; each field is checked by the call that gets it, which throws InvalidInput that
/// names the field and its range.
struct DisplayOptions {
  /// Greatest distance between the triangles and the exact surface [m], >= 0. 0: of one solid 1/500
  /// of the greatest extent of what is drawn; of an overlap also 1/2000 of its mean height, so that
  /// its volume is right to about 1e-3 however thin it is; where most_triangles do not suffice for
  /// that, as on long thin rings of contact, coarser, up to 1/10 of the height.
  double deviation = 0.0;
  /// Angle between the normals of two faces [rad], in [0, pi], from which the edge between them is
  /// drawn; faces of a mesh that meet at less are shaded as one smooth face.
  double sharp_angle = 0.35;
  /// Refinement ends at this many triangles, >= 1; DisplayMesh::complete then tells that it did.
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
  /// The deviation that was asked for, or chosen [m].
  double deviation = 0.0;
  /// False where most_triangles ended the refinement: parts are coarser than the deviation, or
  /// missing.
  bool complete = true;
};

/// The boundary of a solid, in the solid's frame, as far as it lies in the box `clip`; where the
/// box cuts through the solid the surface is open. The solid's own bounds serve where they are
/// smaller. Faces on which parts of the solid meet are not drawn. Throws InvalidInput for a bad
/// option, and when what is to be drawn is unbounded: a half-space needs a box. An empty solid has
/// an empty mesh. Cost: 5 to 10 µs a triangle, so 1 to 20 ms for primitives, and a second for parts
/// of a hundred of them.
VOLCONTACT_EXPORT DisplayMesh DisplaySurface(const Solid& solid, const DisplayOptions& options = {},
                                             const Aabb& clip = Aabb::Everything());

/// Whose boundary a face of an overlap is part of; kBoth where faces of A and B coincide.
enum class DisplayOwner : std::uint8_t { kA, kB, kBoth };

/// The boundary of A ∩ B. A plain value that owns its lists.
struct OverlapDisplay {
  /// In the world frame; empty without overlap.
  DisplayMesh mesh;
  /// Of each triangle.
  std::vector<DisplayOwner> owners;
  /// The curves in which A's boundary crosses B's, as polylines like DisplayMesh::edges [m]; sharp
  /// or not.
  std::vector<std::vector<Eigen::Vector3d>> arcs;
};

/// The boundary of the overlap of two solids for the given world poses of their frames: A's faces
/// inside B, B's inside A, and once those that both have. Thin overlaps are meshed in their own
/// frame. Makes a query first, for where the overlap is. Throws InvalidInput for a bad option or
/// pose, and when the overlap is unbounded.
VOLCONTACT_EXPORT OverlapDisplay DisplayOverlap(const Solid& A, const Pose& X_WA, const Solid& B,
                                                const Pose& X_WB,
                                                const DisplayOptions& options = {});

/// The faces of an overlap that look along the normal, with the overlap's height below them. A
/// plain value that owns its lists.
struct PatchDisplay {
  /// In the world frame. The edges are those of the overlap's that bound the patch or lie on it.
  DisplayMesh mesh;
  /// Of each point [m]: how far one can go from it against the normal within the overlap.
  std::vector<double> heights;
};

/// The contact patch of an overlap: of the columns along `normal_W` that make up the overlap, each
/// stands below one point of the patch. The sum over triangles of area projected along the normal
/// times mean height is the volume of the overlap's mesh to 1e-3; of stiffness times height, the
/// pressure, it is the normal force. Triangles are divided until heights are linear on them, which
/// adds 50,000 at most. Throws InvalidInput when the normal is zero or not finite; it need not have
/// unit length.
VOLCONTACT_EXPORT PatchDisplay DisplayPatch(const OverlapDisplay& overlap,
                                            const Eigen::Vector3d& normal_W);

VOLCONTACT_NAMESPACE_END
