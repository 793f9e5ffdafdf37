// What is known of a statement.
#pragma once

#include <cstdint>

namespace volcontact {

enum class Truth : std::uint8_t { kFalse, kTrue, kUnknown };

/// The opposite truth; what is unknown stays so.
inline Truth Not(Truth truth) {
  if (truth == Truth::kUnknown) return truth;
  return truth == Truth::kTrue ? Truth::kFalse : Truth::kTrue;
}

inline Truth ToTruth(bool value) { return value ? Truth::kTrue : Truth::kFalse; }

}  // namespace volcontact
