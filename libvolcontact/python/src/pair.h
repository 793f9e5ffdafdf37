// A prepared pair with the solids it was made of.
#pragma once

#include <memory>

#include "volcontact/contact/division.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/solid.h"

namespace volcontact::python {

struct Pair : std::enable_shared_from_this<Pair> {
  Solid A, B;
  PreparedPair prepared;
  std::unique_ptr<DirectionWatch> watch;  // of forces from its metrics

  Pair(const Solid& a, const Solid& b)
      : A(a), B(b), prepared(a, b), watch(std::make_unique<DirectionWatch>(a, b)) {}
};

}  // namespace volcontact::python
