// Decides which body owns a face on a common surface, if the owners of the surface do not.
#pragma once

#include <vector>

#include "overlap/frame/local_problem.h"
#include "overlap/frame/surface_set.h"

namespace volcontact {

/// A's and B's own expressions over the surfaces of a set.
struct OwnExpressions {
  Expression of_A = Expression::Constant(true), of_B = Expression::Constant(true);
};

/// The expression of each body in a set: the set's own, or derived from the owners of its surfaces.
OwnExpressions OwnExpressionsOf(const SurfaceSet& set);

/// A face of A ∩ B on a surface s that both ask for, on the same side of it, counts half for B.
/// Where A goes on beyond s it is B's alone, where B does A's: with σ(F) the integral of n over the
/// part on s of a region's boundary, B's is
///   ½ σ(A ∩ B) + ½ σ(A' ∩ B) − ½ σ(A ∩ B'),
/// where A' is what A holds whichever side of s is taken, and B' likewise. Both further regions are
/// parts of A ∩ B, and mostly empty.
struct FaceShare {
  double factor;  ///< ½ or −½, of the region's faces that B owns
  SurfaceSet
      region;  ///< A' ∩ B or A ∩ B', where of its surfaces s alone is B's, and the others nobody's
};

/// The further regions that are not empty by their expressions, of the surfaces that a problem in a
/// frame about the set's region still holds. Cost: nothing where A and B
/// share no surface there, else a copy of the set for each.
void FindFaceShares(const SurfaceSet& set, const LocalProblem& problem,
                    std::vector<FaceShare>* shares);

}  // namespace volcontact
