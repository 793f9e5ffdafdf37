// One solid of a STEP file as ours: exact, or a mesh.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>

#include "step/step_process.h"
#include "volcontact/solids/solid.h"
#include "volcontact/solids/triangle_mesh.h"
#include "volcontact/step/step_file.h"

namespace volcontact {

/// In the solid's own frame.
struct StepPart {
  std::optional<Solid> exact;  ///< nothing: a mesh
  /// In place of the mesh, where some of the curved faces are exact, and that was asked for.
  std::optional<Solid> hybrid;
  TriangleMesh mesh;
  double deviation = 0.0;  ///< of the mesh, the greatest [m]
  std::string why;         ///< it is one
  /// Says so with figures; of an exact one, what the file leaves open, or nothing.
  std::string note;
  double volume = 0.0;  ///< as Open CASCADE has it
  Eigen::Vector3d centroid = Eigen::Vector3d::Zero();
};

/// Reads solid `index` of the process, with exact faces of a mesh where these may be. Throws
/// InvalidInput, and OutOfTime after the time limit, that do not name the file.
StepPart ReadStepPart(StepProcess* process, int index, bool hybrid, const StepOptions& options);

/// Whether the deviation can be one: relative ones lie below this.
inline constexpr double kMostStepDeviation = 0.1;

}  // namespace volcontact
