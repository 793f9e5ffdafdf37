#include "io/named_body.h"

#include <algorithm>
#include <string_view>
#include <system_error>

#include "io/messages.h"
#include "volcontact/io/printable.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

constexpr std::string_view kSeparated[] = {".step#", ".stp#", ".3mf#", ".amf#", ".gltf#", ".glb#"};

}  // namespace

std::optional<NamedBody> NamedBodyIn(const std::filesystem::path& path) {
  const std::string text = path.string(), lower = LowerCase(text);
  std::size_t hash = std::string::npos;
  for (const std::string_view separated : kSeparated) {
    const std::size_t at = lower.find(separated);
    if (at != std::string::npos) hash = std::min(hash, at + separated.size() - 1);
  }
  std::error_code error;
  if (hash == std::string::npos || std::filesystem::exists(path, error)) return std::nullopt;
  if (hash + 1 == text.size()) {
    throw InvalidInput(Printable(text) +
                       ": names no body after the #; add its name or number, or drop the #");
  }
  return NamedBody{text.substr(0, hash), text.substr(hash + 1)};
}

VOLCONTACT_NAMESPACE_END
