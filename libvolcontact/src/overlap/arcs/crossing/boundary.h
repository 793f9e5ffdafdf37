// The edges of a solid, computed once, and the edges of a region that follow from them.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "math/rigid.h"
#include "overlap/arcs/crossing/curve_finder.h"
#include "overlap/arcs/crossing/face_boxes.h"
#include "overlap/arcs/edges/edges.h"
#include "overlap/arcs/edges/torus_seams.h"
#include "overlap/cells/cell.h"
#include "overlap/frame/local_problem.h"
#include "overlap/frame/surface_set.h"
#include "solids/implicit/implicit_solid.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

/// All edges of one solid, in its own frame. Immutable, and valid without the solid it was made of.
class Boundary {
 public:
  /// Cost: that of the sums over the solid's edges, once. A solid that goes to infinity, or has
  /// edges that are not known along whole curves, makes a boundary that is not known.
  Boundary(const ImplicitSolid& solid, const Aabb& bounds);
  Boundary(const Boundary&) = delete;
  Boundary& operator=(const Boundary&) = delete;

  /// Whether all edges are there.
  bool IsKnown() const { return is_known_; }
  /// Edges are in the scaled coordinates of this frame, which the solid's frame is the A of; their
  /// surfaces have the numbers that the solid's have.
  const LocalFrame& frame() const { return problem_.frame; }
  const Edges& edges() const { return finder_.edges(); }
  /// Around the pieces of the edges.
  const std::vector<Cell>& boxes() const { return boxes_; }
  /// Around the faces, by surface; empty for a single surface, which may go to infinity.
  const std::vector<std::optional<Cell>>& faces() const { return faces_; }

 private:
  bool Find(const Aabb& bounds);
  void FindBoxes();

  SurfaceSet set_;
  LocalProblem problem_;
  TorusSeams seams_;
  CurveFinder finder_;
  std::vector<Cell> boxes_;
  std::vector<std::optional<Cell>> faces_;
  bool is_known_ = false;
};

/// Makes a boundary when it is first asked for, by whichever thread.
class LazyBoundary {
 public:
  const Boundary& Get(const ImplicitSolid& solid, const Aabb& bounds) const {
    std::call_once(is_made_, [&] { boundary_ = std::make_unique<Boundary>(solid, bounds); });
    return *boundary_;
  }

 private:
  mutable std::once_flag is_made_;
  mutable std::unique_ptr<Boundary> boundary_;
};

}  // namespace volcontact
