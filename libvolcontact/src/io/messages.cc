#include "io/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>
#include <vector>

VOLCONTACT_NAMESPACE_BEGIN
namespace {

constexpr std::size_t kLongestQuote = 60;

// Case and the choice of separator are no difference between words.
char Folded(char c) {
  if (c == '-' || c == ' ') return '_';
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

// The number of insertions, deletions, replacements and swaps of neighbours that turn one word into
// the other.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1), above(row), two_above(row);
  std::iota(row.begin(), row.end(), 0);
  const auto same = [&](std::size_t i, std::size_t j) { return Folded(a[i]) == Folded(b[j]); };
  for (std::size_t i = 0; i < a.size(); ++i) {
    two_above = std::exchange(above, row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({above[j] + (same(i, j) ? 0 : 1), row[j] + 1, above[j + 1] + 1});
      const bool swapped = i > 0 && j > 0 && same(i, j - 1) && same(i - 1, j);
      if (swapped) row[j + 1] = std::min(row[j + 1], two_above[j - 1] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::string Quoted(std::string_view text) { return '"' + Shown(text, kLongestQuote) + '"'; }

std::string Listed(std::span<const std::string_view> words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string Suggestion(std::string_view word, std::span<const std::string_view> known) {
  if (word.size() < 2 || word.size() > kLongestQuote) return {};
  // A third of the letters may be wrong: more is another word.
  std::size_t nearest = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::string_view found;
  for (const std::string_view candidate : known) {
    const std::size_t distance = EditDistance(word, candidate);
    if (distance < nearest) {
      nearest = distance;
      found = candidate;
    }
  }
  return found.empty() ? std::string() : fmt::format(" (did you mean \"{}\"?)", found);
}

std::string LineAndColumn(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return fmt::format("line {}, column {}", line, before.size() - line_start + 1);
}

VOLCONTACT_NAMESPACE_END
