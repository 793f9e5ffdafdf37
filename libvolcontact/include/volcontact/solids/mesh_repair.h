// Repairs a triangle mesh.
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
  /// How much the result may differ from the part that was meant, relative to its volume. Counts
  /// the volume between the part's centroid and the faces that were added, dropped or moved, hole
  /// by hole, and the shells that were turned inward. Turning faces, and dropping copies and faces
  /// without area, changes nothing. Empty if the result bounds no volume.
  std::optional<double> volume_change;
  /// The area of those faces, relative to all. Empty if no face remains.
  std::optional<double> area_change;
};

/// Options for repairs that are not safe by themselves. A plain value.
struct RepairOptions {
  /// Join vertices at open edges within this distance [m].
  double weld = 0.0;
};

/// Drops faces that name points which do not exist. Joins equal vertices, and near ones if
/// requested. Drops degenerate faces, copies of faces and faces that cancel. Turns faces to match
/// their neighbours. Fills holes of at most 64 edges if the filling crosses nothing and the rim is
/// nearly planar (no face over it leans by more than 45°). Turns shells outward (those at odd depth
/// inward), and drops unused vertices. If the mesh has deviations, all faces get the greatest one.
/// What cannot be done safely stays: CheckMesh says whether the result is sound. Throws
/// InvalidInput for more faces than Mesh accepts, and for a distance that is negative or not
/// finite. Any number of threads may call it at a time.
VOLCONTACT_EXPORT RepairResult RepairMesh(const TriangleMesh& mesh,
                                          const RepairOptions& options = {});

/// A distance for RepairOptions::weld, and its effect.
struct WeldProposal {
  double distance = 0.0;  ///< [m], one digit
  std::size_t open_edges = 0, open_edges_left = 0;
};

/// A distance that joins vertices at open edges, with gaps of less than a twentieth of these edges
/// and a thousandth of the part. Empty if there are none, or if it closes no edge.
VOLCONTACT_EXPORT std::optional<WeldProposal> ProposeWelding(const TriangleMesh& mesh);

VOLCONTACT_NAMESPACE_END
