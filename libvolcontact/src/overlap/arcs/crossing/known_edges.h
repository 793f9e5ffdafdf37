// Edges of a region that are known before the search: those of one of its bodies.
#pragma once

#include <optional>
#include <vector>

#include "overlap/arcs/edges/edges.h"
#include "overlap/cells/cell.h"
#include "overlap/frame/local_problem.h"
#include "overlap/frame/owner.h"
#include "solids/implicit/expression.h"

namespace volcontact {

/// The edges of a body of which a region is the part in others. What they point to must outlive the
/// use.
struct KnownEdges {
  Owner body = Owner::kA;        ///< the owner of its surfaces in the region's set
  const Edges* edges = nullptr;  ///< all of the body, with surfaces numbered its own way
  const std::vector<Cell>* boxes = nullptr;                 ///< around their pieces
  const std::vector<std::optional<Cell>>* faces = nullptr;  ///< as Boundary has them
  LocalFrame frame;           ///< in whose scaled coordinates these are, from the set's frame
  std::vector<int> surfaces;  ///< in the set, by number of the body's; −1: not there
  Expression others;          ///< where the region is, in the body, over the set's surfaces
};

}  // namespace volcontact
