#include "overlap/arcs/crossing/boundary.h"

#include "overlap/arcs/crossing/torus_touch.h"
#include "overlap/cells/cell_bounds.h"
#include "overlap/frame/equal_surfaces.h"

namespace volcontact {
namespace {

// The cube is larger than the solid's box, so that the solid keeps off its sides.
constexpr double kRoomAroundSolid = 1.13;
// Surfaces no farther apart count as one.
constexpr double kCoincidentOfSolid = 2e-13;

}  // namespace

Boundary::Boundary(const ImplicitSolid& solid, const Aabb& bounds) : set_(SingleSolid(solid)) {
  // A single surface has no edges, wherever it goes.
  const bool is_single = solid.surfaces.size() <= 1;
  is_known_ = is_single || Find(bounds);
  if (is_known_ && !is_single) FindBoxes();
}

bool Boundary::Find(const Aabb& bounds) {
  if (bounds.IsEmpty() || !bounds.IsBounded() || !(bounds.HalfExtents().minCoeff() > 0.0))
    return false;
  LocalFrame frame = FrameOf(bounds);
  frame.half *= kRoomAroundSolid;
  Localize(set_, frame, &problem_);
  SimplifyInBox(&problem_);
  MergeEqualSurfaces(kCoincidentOfSolid, &problem_);
  // Edges of what was merged would not be those of the surfaces of a pair.
  if (!problem_.labels.empty() || problem_.expression.IsConstant()) return false;
  seams_.Choose(set_, &problem_);
  FindTorusTouches(set_, seams_, &problem_);
  return finder_.Run(problem_, set_.kinds, seams_, kCoincidentOfSolid);
}

void Boundary::FindBoxes() {
  for (const EdgePiece& piece : edges().pieces) {
    CurveCrossings along;
    along.Begin(edges().curves[piece.curve], piece.from, piece.to);
    Cell box;
    if (!along.BoxOf(&box)) box = Cell();
    boxes_.push_back(box);
  }
  faces_ = FaceBoxes(problem_, set_.kinds, seams_, edges(), boxes_);
}

}  // namespace volcontact
