// The exception thrown on input that has no meaning.
#pragma once

#include <stdexcept>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Thrown for invalid input: a value out of range, a malformed file, an unbounded overlap. The
/// message is one line that names what is wrong, where, and what to do about it. Lack of
/// convergence is never an exception; results report it. Holds its message; any number of threads
/// may read one.
class VOLCONTACT_EXPORT InvalidInput : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Thrown where there is no answer within a time limit, of reading (ReadOptions::max_seconds) or of
/// RunWithin.
class VOLCONTACT_EXPORT OutOfTime : public InvalidInput {
 public:
  using InvalidInput::InvalidInput;
};

VOLCONTACT_NAMESPACE_END
