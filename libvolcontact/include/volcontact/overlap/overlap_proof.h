// The result of a proof about the overlap of two solids.
#pragma once

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The result of a test for overlap, rounding included.
enum class OverlapProof {
  kOverlap,    ///< their interiors meet
  kSeparated,  ///< their interiors do not meet; their boundaries may touch
  kUndecided,  ///< neither was proved within the effort that a test may spend: a touch, or nearly
               ///< one
};

VOLCONTACT_NAMESPACE_END
