// The separate regions that the operands of a union make.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "overlap/cells/locate.h"
#include "overlap/frame/local_problem.h"
#include "overlap/frame/surface_set.h"
#include "solids/mesh_check/disjoint_sets.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

/// Takes a region R ∩ (B1 ∪ ... ∪ Bn) apart: operands of which the boxes meet, with R or without,
/// make one region, which is located with the surfaces near it and none of the other operands. So
/// bodies that touch in many places are told apart without a search for gaps between them.
class OperandSplit {
 public:
  /// Where the set's expression holds; all of that lies in the frame's box.
  struct Region {
    SurfaceSet set;
    LocalFrame frame;
  };

  /// Finds the regions of a set that lies in a box: they have no point in common, which is
  /// certified. False where there are no two of them, or no union, or one of too many operands, or
  /// A and B share a surface. Cost: some ten microseconds for each operand, and for each region.
  bool Run(const SurfaceSet& set, const Aabb& box);

  std::size_t size() const { return used_; }
  /// Valid until the next run.
  const Region& operator[](std::size_t n) const { return regions_[n]; }
  long cells() const { return cells_; }
  /// Around all regions.
  Aabb Bounds() const;

 private:
  // An operand of the union, by the last node of its subtree; the first one of its group; and a box
  // around it, or around its region.
  struct Operand {
    int root;
    std::size_t group;
    Aabb box;
  };

  void FindUnion(const Expression& expression);
  void Append(const SurfaceSet& set, int root, bool in_and, SurfaceSet* taken);
  void Take(const SurfaceSet& set, const std::vector<int>& roots, const std::vector<int>& rest,
            SurfaceSet* taken);
  bool Bound(const SurfaceSet& set, const std::vector<int>& rest, Operand* operand);
  std::size_t Group();
  void AddGroup(const SurfaceSet& set, std::size_t group);

  // Scratch memory, kept from run to run.
  Locator locator_;
  LocalProblem problem_;
  SurfaceSet own_, near_;
  std::vector<int> rest_, roots_, one_;  // nodes of the set's expression
  std::vector<int> labels_;              // by surface of the set
  std::vector<Expression::Node> nodes_;
  std::vector<Operand> operands_;
  DisjointSets joined_{0};          // operands, by their boxes
  std::vector<std::size_t> sizes_;  // of groups
  std::deque<Region> regions_;      // of which so many are there
  std::size_t used_ = 0;
  long cells_ = 0;
};

}  // namespace volcontact
