// The faces of a mesh that can be reasoned about.
#pragma once

#include <vector>

#include "volcontact/solids/triangle_mesh.h"

namespace volcontact {

/// Coordinates beyond this have no use, and their sixth powers leave the range of doubles.
inline constexpr double kFarthestVertex = 1e30;

/// Throws InvalidInput for more faces than Mesh takes.
void RequireFewFaces(const TriangleMesh& mesh);

bool IsUsable(const Eigen::Vector3d& vertex);

enum class FaceState {
  kSound,
  kBadIndex,        ///< names a vertex that does not exist
  kBadVertex,       ///< a vertex is not finite or too far away
  kRepeatedVertex,  ///< names a vertex twice
};
FaceState StateOf(const TriangleMesh& mesh, const std::array<int, 3>& face);

/// Whether a sound face has no area, exactly.
bool HasNoArea(const TriangleMesh& mesh, const std::array<int, 3>& face);

/// Some faces of a mesh; vertices keep their numbers.
struct MeshPart {
  TriangleMesh mesh;
  std::vector<int> originals;  ///< of each face
};

/// The faces that are sound.
MeshPart SoundFaces(const TriangleMesh& mesh);

/// The sound faces, which have area, with equal vertices joined, and the first one of equal faces:
/// what FindSelfCrossings takes.
MeshPart SearchableFaces(const TriangleMesh& mesh);

}  // namespace volcontact
