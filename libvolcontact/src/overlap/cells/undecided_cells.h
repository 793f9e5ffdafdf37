// The undecided part of a region's expression in any box of its cube.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "overlap/cells/cell.h"
#include "overlap/cells/cell_bounds.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

/// A tree of cells, each halved along its longest side in metres, that reach over their neighbours,
/// each being twice as wide as its place among them: so every box lies in a cell hardly larger than
/// itself, wherever it is, and has to ask about the surfaces of that cell alone, not about all.
/// Cells are made when a box first needs them. Keeps its memory. Cost: of a new cell that of the
/// surfaces in the one around it.
class UndecidedCells {
 public:
  /// `problem` must outlive the use; `whole`: what the region is, over its surfaces.
  void Begin(const LocalProblem& problem, const Undecided& whole);
  /// What is undecided in a cell around a box in the cube: it depends on the box alone, and is
  /// valid until the next Begin.
  const Undecided& Around(const Cell& box);

 private:
  struct Node {
    Cell place;
    const Undecided* left;
    std::array<int, 8> children = {};  // 0: not made
  };

  int ChildAround(int node, int k, const Cell& place);

  const LocalProblem* problem_ = nullptr;
  Undecided whole_;
  UndecidedPool pool_;
  std::vector<Node> nodes_;  // the first is the cube
};

}  // namespace volcontact
