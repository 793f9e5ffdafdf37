// Strict parsing of JSON text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace volcontact {

/// Parses JSON text to a tree. Beyond the syntax it rejects what a plain parser lets pass: a key
/// that stands twice in one object, numbers beyond the range of doubles, nesting deeper than
/// kMaxNesting. Throws InvalidInput, beginning with `origin` and the line and column or the JSON
/// pointer.
nlohmann::json ParseJson(const std::string& text, const std::string& origin);

}  // namespace volcontact
