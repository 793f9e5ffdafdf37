// A prepared pair with the solids it was made of.
#pragma once

#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/solid.h"

namespace volcontact::python {

struct Pair {
  Solid A, B;
  PreparedPair prepared;
};

}  // namespace volcontact::python
