// Pairs of parts for this library, CGAL and Manifold alike, and their tessellations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "random_parts.h"

namespace volcontact::bench {

struct Scene {
  Part A, B;            ///< in one frame
  double volume = 0.0;  ///< of the overlap, by this library at 1e-12 with A and B exchanged [m³]

  long TriangleCount(int f) const { return A.TriangleCount(f) + B.TriangleCount(f); }
};

struct SceneFamily {
  std::string name;  ///< in names of benchmarks
  Scene (*make)(Draw&);
};
const std::vector<SceneFamily>& SceneFamilies();

/// The first `count` scenes of a family, always the same.
std::vector<Scene> MakeScenes(const SceneFamily& family, int count);

/// The meshes of a part's primitives.
struct PartMeshes {
  std::vector<TriangleMesh> bodies, holes;
};
PartMeshes Tessellate(const Part& part, int f, Fit fit);

/// A part's surface, its primitives' meshes combined by CGAL's corefinement; nothing when a step
/// does not give a manifold.
std::optional<TriangleMesh> Combine(const PartMeshes& meshes);

/// A scene tessellated, and its two parts.
struct MeshedScene {
  PartMeshes primitives_a, primitives_b;
  TriangleMesh A, B;
  double tessellating = 0.0, combining = 0.0;  ///< CPU time [s]
  double volume = 0.0;                         ///< of the overlap of A and B [m³]
};

/// Nothing when corefinement fails.
std::optional<MeshedScene> MeshScene(const Scene& scene, int f, Fit fit);

}  // namespace volcontact::bench
