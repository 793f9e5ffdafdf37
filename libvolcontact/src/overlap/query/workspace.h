// What queries and mass properties share.
#pragma once

#include <chrono>

#include "overlap/columns/column_method.h"
#include "overlap/meshes/mesh_pair.h"
#include "overlap/mixed/mesh_csg.h"
#include "overlap/polar/polar_method.h"
#include "solids/tree/solid_node.h"
#include "volcontact/overlap/prepared_pair.h"

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
  ColumnMethod columns;
  PolarMethod polar;
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
