#include "volcontact/display/overlap_cells.h"

#include <fmt/format.h>

#include <optional>

#include "math/rigid.h"
#include "overlap/cells/bound_region.h"
#include "overlap/cells/cell_bounds.h"
#include "overlap/cells/locate.h"
#include "overlap/cells/operands/fetch_overlap.h"
#include "overlap/cells/operands/indexed_solid.h"
#include "solids/tree/mesh_leaves.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

constexpr int kMostCellLevels = 6;

// Goes down an octree over a problem's cube.
class CellWalk {
 public:
  CellWalk(const LocalProblem& problem, int levels)
      : problem_(problem), levels_(levels), states_(problem.surfaces.size(), Truth::kUnknown) {}

  // Cells in the scaled coordinates.
  void Visit(const Cell& cell, int level, const Undecided& parent) {
    for (const int s : parent.surfaces) {
      states_[static_cast<std::size_t>(s)] =
          Classify(Quadratize(problem_.surfaces[static_cast<std::size_t>(s)], cell));
    }
    Undecided left;
    left.AssignReduced(parent, states_);
    for (const int s : parent.surfaces) states_[static_cast<std::size_t>(s)] = Truth::kUnknown;
    const bool settled = left.expression.IsConstant();
    if (settled && !left.expression.ConstantValue()) return;
    if (settled || level == levels_) {
      const Eigen::Vector3d& half = problem_.frame.half;
      cells.push_back({half.cwiseProduct(cell.center), half.cwiseProduct(cell.half), settled});
      return;
    }
    for (int k = 0; k < 8; ++k) Visit(ChildOf(cell, k), level + 1, left);
  }

  std::vector<OverlapCell> cells;

 private:
  const LocalProblem& problem_;
  int levels_;
  std::vector<Truth> states_;
};

Pose Rounded(const Rigid& X) { return MakePose(X.RotationDouble(), Round(X.t)); }

}  // namespace

OverlapCells FindOverlapCells(const Solid& A, const Pose& X_WA, const Solid& B, const Pose& X_WB,
                              int levels) {
  if (levels < 0 || levels > kMostCellLevels) {
    throw InvalidInput(
        fmt::format("levels of cells: {} must lie between 0 and {}", levels, kMostCellLevels));
  }
  ValidatePose(X_WA, "pose of A");
  ValidatePose(X_WB, "pose of B");
  if (HoldsMesh(A) || HoldsMesh(B)) {
    throw InvalidInput("a mesh has no octree cells; take solids without meshes, or draw no cells");
  }
  const Rigid X_AB = RelativePose(X_WA, X_WB);
  SurfaceSet set;
  Aabb hint;
  OverlapFetcher().Run(IndexedSolid(A), IndexedSolid(B), X_AB, &set, &hint);
  const std::optional<Aabb> box = BoundRegion(set, hint);
  if (!box)
    throw InvalidInput(
        "the overlap of A and B is unbounded, so it has no cells; intersect one of them with a "
        "box");
  OverlapCells found;
  if (box->IsEmpty()) return found;
  LocalProblem problem;
  const Locator::Result located = Locator().Run(set, *box, &problem);
  if (located.empty) return found;
  Localize(set, located.frame, &problem);
  Undecided whole;
  whole.expression = problem.expression;
  whole.expression.FindSurfaces(&whole.surfaces);
  CellWalk walk(problem, levels);
  walk.Visit(Cell(), 0, whole);
  found.X_WC = Rounded(Rigid(X_WA) * located.frame.X_AC);
  found.cells = std::move(walk.cells);
  return found;
}

VOLCONTACT_NAMESPACE_END
