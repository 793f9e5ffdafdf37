// What can be proved of two solids' overlap.
#pragma once

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// What a test for overlap has proved of two solids, roundings included.
enum class OverlapProof {
  kOverlap,    ///< their interiors meet
  kSeparated,  ///< their interiors do not meet; their boundaries may touch
  kUndecided,  ///< neither was proved within the effort that a test may spend: a touch, or nearly
               ///< one
};

VOLCONTACT_NAMESPACE_END
