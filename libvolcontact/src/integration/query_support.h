// What queries and mass properties share.
#pragma once

#include <chrono>

#include "integration/mesh_csg.h"
#include "integration/mesh_pair.h"
#include "integration/octree.h"
#include "integration/patch.h"
#include "solids/solid_node.h"
#include "volcontact/integration/interference.h"

namespace volcontact {

using Clock = std::chrono::steady_clock;

inline double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Throws InvalidInput that names the option and its range.
void ValidateOptions(const QueryOptions& options);

/// Throws InvalidInput: `what` has no bounded box.
[[noreturn]] void ThrowUnbounded(const char* what);

/// Scratch memory of one thread's queries.
struct Workspace {
  SurfaceSet set;
  LocalProblem problem;
  Octree octree;
  Patch patch;
  MeshWorkspace meshes;
  MeshCsgWorkspace mesh_csg;
};

/// That of the calling thread.
Workspace& ThreadWorkspace();

/// A solid without the poses it was given last, and those poses in one. Surfaces are compiled in a
/// frame near the solid, so that they keep their digits however far from the origin it was put.
struct Unposed {
  Solid solid;
  Rigid X_PS;

  explicit Unposed(const Solid& posed) : solid(posed) {
    SolidNode node = posed.node();
    for (const Pose& pose : node.poses) X_PS = X_PS * Rigid(pose);
    node.poses.clear();
    solid = Solid(std::make_shared<const SolidNode>(std::move(node)));
  }
};

}  // namespace volcontact
