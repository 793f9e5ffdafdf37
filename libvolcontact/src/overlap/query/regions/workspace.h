// Scratch memory of queries.
#pragma once

#include <array>
#include <optional>

#include "overlap/arcs/arc_method.h"
#include "overlap/cells/locate.h"
#include "overlap/cells/operands/fetch_overlap.h"
#include "overlap/closed_forms/closed_form.h"
#include "overlap/columns/column_method.h"
#include "overlap/meridian/meridian_method.h"
#include "overlap/mesh_arcs/flat_projection.h"
#include "overlap/meshes/mesh_overlap.h"
#include "overlap/meshes/sums/mesh_half_space.h"
#include "overlap/mixed/mixed_overlap.h"
#include "overlap/query/regions/polyhedral_hessian.h"

namespace volcontact {

/// Scratch memory of one thread's queries, of all kinds of pairs. Its parts keep what they have
/// allocated.
struct Workspace {
  OverlapFetcher fetcher;
  SurfaceSet set, turned;
  SurfaceSet merged;                // of `set`, for columns
  std::array<KnownEdges, 2> known;  // of the set as it was fetched
  Locator locator;
  LocalProblem problem;
  MeridianMethod meridian;
  ArcMethod arcs;
  ColumnMethod columns;
  MeshOverlap mesh_overlap;
  FlatProjection flat_projection;
  MeshCutter mesh_cutter;
  FlatHessian flat_hessian;
  ClosedFormEdges closed_form_edges;
  std::optional<MeshTree> box;  // in place of a slab or a half-space beside a mesh
  MixedWorkspace mixed;
};

/// That of the calling thread; it lives as long as the thread.
Workspace& ThreadWorkspace();

/// Makes it new: what a time limit has ended may have left it in any state.
void ResetThreadWorkspace();

}  // namespace volcontact
