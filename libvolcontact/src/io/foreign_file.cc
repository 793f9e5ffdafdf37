#include "io/foreign_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>

#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

constexpr std::string_view kMark = "\xEF\xBB\xBF";

// Whether the text begins with a word, in any case of letters.
bool BeginsWith(std::string_view text, std::string_view word) {
  return text.size() >= word.size() &&
         std::equal(word.begin(), word.end(), text.begin(), [](char a, char b) {
           return a == std::tolower(static_cast<unsigned char>(b));
         });
}

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::string_view WithoutByteOrderMark(std::string_view data) {
  if (data.starts_with(kMark)) data.remove_prefix(kMark.size());
  return data;
}

void RefuseForeign(std::string_view begin, const std::string& origin) {
  std::string_view text = WithoutByteOrderMark(begin);
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(" \t\r\n")));
  if (BeginsWith(text, "<!doctype html") || BeginsWith(text, "<html")) {
    throw InvalidInput(origin +
                       ": is a web page, not a solid; download the file itself, not the page that "
                       "shows it");
  }
  if (BeginsWith(text, "version https://git-lfs")) {
    throw InvalidInput(origin +
                       ": is a pointer of Git LFS to the file; fetch that with git lfs pull");
  }
}

std::string HintOfDecimalCommas(std::string_view text) {
  std::size_t line = 1;
  for (std::size_t i = 0; i + 2 < text.size(); ++i) {
    if (text[i] == '\n') ++line;
    if (text[i + 1] == ',' && IsDigit(text[i]) && IsDigit(text[i + 2]))
      return fmt::format("; line {} has numbers with decimal commas, which must be points", line);
  }
  return "";
}

VOLCONTACT_NAMESPACE_END
