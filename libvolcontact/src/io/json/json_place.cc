#include "io/json/json_place.h"

#include <fmt/format.h>

#include "io/messages.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

constexpr std::size_t kLongestKey = 60;

// A key as a token of a JSON pointer.
std::string PointerToken(std::string_view key) {
  std::string token;
  for (const char c : Printable(key)) {
    if (c == '~') {
      token += "~0";
    } else if (c == '/') {
      token += "~1";
    } else {
      token += c;
    }
  }
  return token;
}

}  // namespace

std::string MemberPlace(JsonDialect dialect, const std::string& place, std::string_view key) {
  const std::string_view shown = key.substr(0, kLongestKey);
  if (dialect == JsonDialect::kSolid) return place + '/' + PointerToken(shown);
  return place.empty() ? Printable(shown) : place + '.' + Printable(shown);
}

std::string ItemPlace(JsonDialect dialect, const std::string& place, std::size_t index) {
  if (dialect == JsonDialect::kSolid) return fmt::format("{}/{}", place, index);
  return fmt::format("{}[{}]", place, index);
}

std::string PlaceInFile(JsonDialect dialect, const std::string& origin, const std::string& place) {
  const char* const top = dialect == JsonDialect::kSolid ? "/" : "the top";
  return fmt::format("{}: at {}", origin, place.empty() ? top : place);
}

VOLCONTACT_NAMESPACE_END
