// Whether an expression is a solid of a file, and how nearly.
#pragma once

#include "step/step_solid.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

struct StepProof {
  /// All faces stand on the expression's boundary, with their sides, and it has the mass that Open
  /// CASCADE gives, to what the file leaves open of that.
  bool is_right = false;
  bool converged = true;  ///< the mass, where it was asked for
  double volume = 0.0;
  double off = 0.0;  ///< by how much of it the volume differs from Open CASCADE's
};

/// Nothing here goes by the clock but the time limit.
StepProof ProofOf(const Solid& solid, const StepSolid& step);

}  // namespace volcontact
