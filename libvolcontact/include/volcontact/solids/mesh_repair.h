// Mending a triangle mesh.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/solids/triangle_mesh.h"

VOLCONTACT_NAMESPACE_BEGIN

/// A plain value that owns its lists: any number of threads may read one.
struct RepairResult {
  TriangleMesh mesh;
  std::vector<std::string> changes;  ///< one line each; empty when nothing was changed
  /// By how much the part may differ from what it was meant to be, relative to its volume: what
  /// faces that were added, dropped or moved bound with the part's centroid, hole by hole, and the
  /// shells that were turned inward. Turning faces, and dropping copies and faces without area,
  /// changes nothing. Nothing known where the result bounds no volume.
  std::optional<double> volume_change;
  /// The area of those faces, relative to all. Nothing known where none is left.
  std::optional<double> area_change;
};

/// What a repair may do beside what is safe. A plain value.
struct RepairOptions {
  /// Join vertices at open edges that are at most so far apart [m].
  double weld = 0.0;
};

/// Drops faces that name what is no vertex or no point, joins equal vertices and, where asked to,
/// near ones, drops degenerate faces, copies of faces and faces that cancel, turns faces to their
/// neighbours, fills holes of at most 64 edges where that crosses nothing and the rim is planar or
/// bent so little that no face over it leans by more than 45°, turns shells outward (those at odd
/// depth inward) and drops unused vertices. Faces of a mesh with deviations all get the greatest
/// one. What cannot be done safely is left: CheckMesh tells whether the result is sound. Throws
/// InvalidInput for more faces than Mesh takes, and for a distance that is negative or not finite.
/// Any number of threads may call it at a time.
VOLCONTACT_EXPORT RepairResult RepairMesh(const TriangleMesh& mesh,
                                          const RepairOptions& options = {});

/// A distance for RepairOptions::weld, and what it would do.
struct WeldProposal {
  double distance = 0.0;  ///< [m], one digit
  std::size_t open_edges = 0, open_edges_left = 0;
};

/// A distance that joins vertices at open edges with gaps of less than a twentieth of these edges
/// and a thousandth of the part; nothing where there are none, or that closes no edge.
VOLCONTACT_EXPORT std::optional<WeldProposal> ProposeWelding(const TriangleMesh& mesh);

VOLCONTACT_NAMESPACE_END
