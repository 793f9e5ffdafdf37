#include "io/json/document_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "io/json/json_document.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

// A message shows so many characters of a value that stands in the way of a path.
constexpr std::size_t kLongestShown = 40;

}  // namespace

void SetValue(const std::string& path, const nlohmann::json& value, nlohmann::json* document) {
  nlohmann::json* at = document;
  std::size_t begin = 0;
  while (true) {
    const std::size_t dot = std::min(path.find('.', begin), path.size());
    const std::string key = path.substr(begin, dot - begin);
    if (at->is_array()) {
      std::size_t index = 0;
      const auto end = std::from_chars(key.data(), key.data() + key.size(), index);
      if (end.ec != std::errc() || end.ptr != key.data() + key.size() || index >= at->size()) {
        throw InvalidInput(fmt::format("{}: \"{}\" is not an item of a list of {}, counted from 0",
                                       path, key, at->size()));
      }
      at = &(*at)[index];
    } else if (at->is_object() || at->is_null()) {
      at = &(*at)[key];
    } else {
      throw InvalidInput(fmt::format("{}: nothing can be named \"{}\" within {}", path, key,
                                     at->dump().substr(0, kLongestShown)));
    }
    if (dot == path.size()) break;
    begin = dot + 1;
  }
  *at = value;
}

void ApplySetting(const std::string& setting, nlohmann::json* document) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InvalidInput(fmt::format(
        "--set {}: expected path=value, such as contacts.0.normal.restitution=0.3", setting));
  }
  const std::string text = setting.substr(equals + 1);
  const bool is_json = nlohmann::json::accept(text);
  SetValue(
      setting.substr(0, equals),
      is_json ? ParseJson(text, "--set " + setting, JsonDialect::kSettings) : nlohmann::json(text),
      document);
}

VOLCONTACT_NAMESPACE_END
