// Values of a JSON document by their paths, such as contacts.0.normal.restitution.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
/// Sets the value at a path. Throws InvalidInput where the path leads through something that is
/// neither an object nor a list, or beyond the end of a list.
VOLCONTACT_EXPORT void SetValue(const std::string& path, const nlohmann::json& value,
                                nlohmann::json* document);

/// The same of `path=value`, where the value is JSON, or else a text.
VOLCONTACT_EXPORT void ApplySetting(const std::string& setting, nlohmann::json* document);

VOLCONTACT_NAMESPACE_END
