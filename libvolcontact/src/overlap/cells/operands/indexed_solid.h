// A compiled solid with an index of the places of its surfaces.
#pragma once

#include <vector>

#include "overlap/cells/operands/operand_tree.h"
#include "solids/implicit/implicit_solid.h"
#include "volcontact/math/aabb.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

/// A solid of few surfaces is taken as a whole; one of many has an OperandTree. Immutable.
class IndexedSolid {
 public:
  /// Compiles a solid. Cost near linear in its size; a large one is indexed by all processors.
  explicit IndexedSolid(const Solid& solid);

  const ImplicitSolid& whole() const { return whole_; }
  /// In the solid's frame.
  const Aabb& bounds() const { return bounds_; }

  /// Whether a part may be less than the whole.
  bool IsIndexed() const { return !tree_.IsEmpty(); }

  /// What a query needs of a solid, with memory to keep for the next one.
  struct Part {
    const ImplicitSolid* solid = nullptr;  ///< the whole, or `own`
    bool exact = false;                    ///< equivalent to the whole in the box
    ImplicitSolid own;
    std::vector<int> surfaces;  ///< which of the whole's its own are

    bool IsWhole() const { return solid != &own; }
  };
  /// The solid within a box of its frame: the surfaces that matter there, in the order of the
  /// whole. Where more than `max_literals` do the part contains the solid, and is not exact.
  void Fetch(const Aabb& box, int max_literals, Part* part) const;

 private:
  ImplicitSolid whole_;
  Aabb bounds_;
  OperandTree tree_;
};

}  // namespace volcontact
