// The scene of a run: the bodies of a scenario as they moved.
//
// Component volcontact::view.
#pragma once

#include <cstddef>
#include <filesystem>

#include "volcontact/export.h"
#include "volcontact/view/scene.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {

/// Options for drawing a run. A plain value.
struct RunView {
  std::size_t every = 0;          ///< take every how-many-th row; 0: as few as `most_times` asks
  std::size_t most_times = 2000;  ///< where `every` is 0
  double deviation = 0.0;         ///< DisplayOptions::deviation
  /// Where to look first for files of solids that the scenario names; then in the run's folder, and
  /// in that of the scenario when it ran.
  std::filesystem::path solids;
};

/// The scene of the run in a folder that RunVariant wrote: the solids, or stand-ins of bodies
/// without (spheres and shapes of point contacts, rods from joint to joint), their motion, trails
/// of their centres of mass, and forces, torques and contact points as the time series has them.
/// Throws InvalidInput that names the file, for a folder that holds no run, and for files of solids
/// that are not found. Cost: that of reading the run and of its bodies' surfaces.
VOLCONTACT_EXPORT Scene MakeRunScene(const std::filesystem::path& folder, const RunView& view = {});

}  // namespace view
VOLCONTACT_NAMESPACE_END
