#include "volcontact/io/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <iterator>

VOLCONTACT_NAMESPACE_BEGIN
namespace {

struct CodeRange {
  std::uint32_t first, last;
};

// Controls of both sets, marks and overrides of direction, and separators of lines: what changes
// how other text is shown.
constexpr std::array<CodeRange, 7> kActing = {{{0x00, 0x1f},
                                               {0x7f, 0x9f},
                                               {0x61c, 0x61c},
                                               {0x200e, 0x200f},
                                               {0x2028, 0x202e},
                                               {0x2066, 0x2069},
                                               {0xfff9, 0xfffb}}};

bool IsActing(std::uint32_t code) {
  return std::any_of(kActing.begin(), kActing.end(), [code](const CodeRange& range) {
    return range.first <= code && code <= range.last;
  });
}

// A character of UTF-8 at the beginning of a text; of no length where there is none.
struct Character {
  std::size_t length = 0;
  std::uint32_t code = 0;
};

Character FirstOf(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {1, lead};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  constexpr std::array<std::uint32_t, 5> kLeastCode = {0, 0, 0x80, 0x800, 0x10000};
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
  std::uint32_t code = lead & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  const bool is_surrogate = 0xd800 <= code && code <= 0xdfff;
  if (code < kLeastCode[length] || code > 0x10ffff || is_surrogate) return {};
  return {length, code};
}

}  // namespace

std::string Printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Character character = FirstOf(text);
    const std::size_t length = std::max<std::size_t>(1, character.length);
    if (character.length == 0 || IsActing(character.code)) {
      for (const char c : text.substr(0, length)) {
        fmt::format_to(std::back_inserter(result), "\\x{:02x}", static_cast<unsigned char>(c));
      }
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return result;
}

std::string Shown(std::string_view text, std::size_t most) {
  if (text.size() <= most) return Printable(text);
  std::size_t cut = most;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xc0) == 0x80) --cut;  // whole UTF-8
  return Printable(text.substr(0, cut)) + "...";
}

std::string LowerCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

VOLCONTACT_NAMESPACE_END
