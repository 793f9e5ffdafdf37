// Primitives of the project's own solid format.
#pragma once

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>

#include "io/json/json_cursor.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN

/// A key of a shape, and the reader of its value.
struct ShapeKey {
  std::string_view key;
  Solid (*read)(const JsonCursor& at);
};

/// All primitives.
std::span<const ShapeKey> PrimitiveKeys();

/// Makes a solid. A message of its factory is put at the place that the solid was read from.
template <class Make>
Solid MakeAt(const JsonCursor& at, Make make) {
  try {
    return make();
  } catch (const InvalidInput& error) {
    const std::string& unit = at.source().unit_name;
    at.Fail(error.what() + (unit == "m" ? "" : fmt::format(" (in m; the file is in {})", unit)));
  }
}

VOLCONTACT_NAMESPACE_END
