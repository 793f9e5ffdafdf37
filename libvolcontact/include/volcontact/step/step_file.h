// Solids from STEP files, read by Open CASCADE.
//
// Component volcontact::step; the rest of the library does without Open CASCADE.
#pragma once

#include <filesystem>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/io/solid_file.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Options of reading a STEP file. A plain value. Defects are not accepted, whatever they say.
struct StepOptions : ReadOptions {
  /// Without a `deviation` in metres: that relative to the size of the solid, in (0, 0.1].
  double relative_deviation = 1e-4;
  /// Mesh all solids, also those that could be exact.
  bool only_meshes = false;
};

/// A body of a STEP file, where the file's assemblies place it.
using StepBody = SolidBody;

/// Reads the union of all bodies of a STEP file, or one of them, in metres by the file's own unit
/// (ReadOptions::override_units).
/// A solid whose faces lie on planes, quadrics (cylinders, cones, spheres; ellipsoids and other
/// elliptic ones) and tori becomes exact CSG if that is certain. Its expression must contain every
/// face once, have the volume, centroid and inertia of Open CASCADE to 1e-6, and contain the points
/// that Open CASCADE finds inside. Any other solid becomes a closed mesh, with a note that states
/// its deviation, which queries take into account (TriangleMesh::deviations). In a file with one
/// body, and for a chosen body, cylinders, cones, spheres and tori are cut into the mesh exactly if
/// that is certain; only its other curved faces deviate. Of several bodies that are read as one
/// solid they are not. Meshes that are separate or only touch become one. Entities on the colour,
/// name or description of parts may be damaged. Throws InvalidInput with one line that names the
/// file and the cure for a file that cannot be read or holds no closed solid, and for a solid that
/// has no sound mesh or whose mesh has another volume.
///
/// Cost: milliseconds for each face, and the time of their mass properties. Open CASCADE works in a
/// child process, which ends before the call does.
VOLCONTACT_EXPORT SolidFile ReadStep(const std::filesystem::path& path,
                                     const StepOptions& options = {});

/// The bodies of a STEP file, or the one that the options choose, each as ReadStep reads one. A
/// solid that is placed several times is read once. Throws as ReadStep does, except for bodies
/// without a sound mesh, which come without a solid.
VOLCONTACT_EXPORT std::vector<StepBody> ReadStepBodies(const std::filesystem::path& path,
                                                       const StepOptions& options = {});

/// Makes ReadSolid and ReadBodies also read .step and .stp files.
VOLCONTACT_EXPORT void EnableStepFiles();

VOLCONTACT_NAMESPACE_END
