// Expressions of solids that meet themselves at a surface, without the surface within them.
#pragma once

#include "solids/implicit/expression.h"

namespace volcontact {

/// The same set, in which operands of an And that lie on both sides of a surface are told apart by
/// it: (p or s <= 0) and (q or s >= 0) becomes (s <= 0 and q) or (s >= 0 and p). So the bore and
/// the counterbore that end at one plane, or the parts of a capsule, leave nothing of the plane
/// within their union, of which the closed literals of the first form hold a disc: there bounds by
/// cells and of distances would end. What would grow by more than a small factor stays as it is.
Expression ExpandShared(const Expression& expression);

}  // namespace volcontact
