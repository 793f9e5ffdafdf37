// Solids from STEP files, read by Open CASCADE.
//
// Component volcontact::step; the rest of the library does without Open CASCADE.
#pragma once

#include <filesystem>
#include <limits>

#include "volcontact/export.h"
#include "volcontact/io/solid_file.h"

VOLCONTACT_NAMESPACE_BEGIN

/// How a STEP file is read. A plain value.
struct StepOptions {
  /// Greatest distance of a mesh from the faces that it stands for, relative to the size of the
  /// solid; in (0, 0.1].
  double deviation = 1e-4;
  /// Mesh all solids, also those that could be exact.
  bool only_meshes = false;
  /// The deviation in metres, in place of the relative one where it is above 0.
  double absolute_deviation = 0.0;
  /// Time that reading may take [s], > 0; then it ends with OutOfTime.
  double max_seconds = std::numeric_limits<double>::infinity();
};

/// Reads the union of all solids of a STEP file, in metres by the file's own unit. A solid whose
/// faces lie on planes, cylinders, cones, spheres and tori becomes exact CSG where that is certain:
/// an expression is found in which every face stands once, and it has the volume, centroid and
/// inertia that Open CASCADE computes, to 1e-6, and holds the points that Open CASCADE says are
/// inside. Any other becomes a closed mesh, with a note that states its deviation, which queries
/// allow for (TriangleMesh::deviations). Meshes that are apart or only touch become one. Entities
/// that say how parts are drawn, named or described may be damaged. Throws InvalidInput with one
/// line that names the file and the cure, for a file that cannot be read or holds no closed solid,
/// and a solid that cannot be meshed soundly or whose mesh has another volume.
///
/// Cost: milliseconds a face, and what their mass properties take. Open CASCADE works in a child
/// process, which ends before the call does.
VOLCONTACT_EXPORT SolidFile ReadStep(const std::filesystem::path& path,
                                     const StepOptions& options = {});

/// From now on ReadSolid reads .step and .stp files, too.
VOLCONTACT_EXPORT void EnableStepFiles();

VOLCONTACT_NAMESPACE_END
