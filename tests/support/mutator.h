// Random damage to files: the same for the same seed.
#pragma once

#include <iterator>
#include <random>
#include <string>
#include <string_view>

namespace volcontact {

// Pieces that are meaningful somewhere in one of the formats.
inline constexpr std::string_view kPieces[] = {
    "{",   "}",     "[",        "]",        "\"",     ",",    ":",        ";",
    "(",   ")",     "-",        "1e999",    "1e-400", "nan",  "null",     "true",
    "0",   "-1",    "%",        "!",        "\n",     "\\",   "/*",       "//",
    "inf", "1e308", "\xff",     "\x01",     "units",  "mesh", "\"pose\"", "\"sphere\"",
    "{}",  "[]",    "cube(1);", "group(){", "undef",  "=",    "*",        "9007199254740993",
};

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string Mutated(std::string text) {
    for (int count = Below(4) + 1; count > 0 && !text.empty(); --count) MutateOnce(&text);
    return text;
  }

 private:
  std::size_t Below(std::size_t n) { return random_() % n; }

  void MutateOnce(std::string* text) {
    const std::size_t at = Below(text->size());
    const std::size_t length = Below(12) + 1;
    switch (Below(6)) {
      case 0:
        (*text)[at] = static_cast<char>(Below(256));
        break;
      case 1:
        text->erase(at, length);
        break;
      case 2:
        text->insert(at, kPieces[Below(std::size(kPieces))]);
        break;
      case 3:
        text->replace(at, length, kPieces[Below(std::size(kPieces))]);
        break;
      case 4:
        text->insert(Below(text->size()), text->substr(at, 5 * length));
        break;
      default:
        text->resize(at);
    }
  }

  std::mt19937 random_;
};

}  // namespace volcontact
