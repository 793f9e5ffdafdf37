// What a call says that refuses its input.
#pragma once

#include <string>

#include "volcontact/math/error.h"

namespace volcontact {

/// The message of the InvalidInput that the call throws, or "accepted".
template <class Call>
std::string MessageOf(const Call& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace volcontact
