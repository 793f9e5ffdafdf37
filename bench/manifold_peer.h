// Manifold's npm package, run by node.
#pragma once

#include <string>
#include <vector>

#include "peer_scenes.h"

namespace volcontact::bench {

struct ManifoldRun {
  double making = 0.0;        ///< the parts of the meshes of their primitives, CPU time [s]
  double intersecting = 0.0;  ///< and the volume, median CPU time [s]
  double volume = 0.0;        ///< [m³]
};

/// One for each scene; none, with the reason, where the package is missing or node fails.
std::vector<ManifoldRun> RunManifold(const std::vector<MeshedScene>& scenes, std::string* reason);

}  // namespace volcontact::bench
