// How messages name places in a JSON document.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The two kinds of files, which differ in nothing but the words of their messages. A solid is a
/// deep tree, and its places are JSON pointers (RFC 6901), such as /union/1/sphere; settings, such
/// as contact files and scenarios, are addressed by name, as --set does: bodies[0].pose.t.
enum class JsonDialect { kSolid, kSettings };

/// The place of a member or an item of what stands at `place`, printable, the key cut to a length
/// that fits a message.
std::string MemberPlace(JsonDialect dialect, const std::string& place, std::string_view key);
std::string ItemPlace(JsonDialect dialect, const std::string& place, std::size_t index);

/// "part.json: at /union/1".
std::string PlaceInFile(JsonDialect dialect, const std::string& origin, const std::string& place);

VOLCONTACT_NAMESPACE_END
