// Texts that act on a terminal, and those that do not.
#include "volcontact/io/printable.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace volcontact {
namespace {

TEST(Printable, LeavesWhatIsOnlyShown) {
  for (const char* text : {"", "plain", "Kugel ä ö", "尺寸 ≤ 1 µm", "🙂", "a\\x1b"}) {
    EXPECT_EQ(Printable(text), text);
  }
}

TEST(Printable, EscapesWhatActs) {
  EXPECT_EQ(Printable("a\x1b[31mb"), "a\\x1b[31mb");
  EXPECT_EQ(Printable("a\nb\x7f"), "a\\x0ab\\x7f");
  EXPECT_EQ(Printable("\u009b31m"), "\\xc2\\x9b31m");
  EXPECT_EQ(Printable("\u202eevil"), "\\xe2\\x80\\xaeevil");
  EXPECT_EQ(Printable("\u2028\u2066"), "\\xe2\\x80\\xa8\\xe2\\x81\\xa6");
  EXPECT_EQ(Printable(std::string_view("\0", 1)), "\\x00");
}

TEST(Printable, EscapesWhatIsNoUtf8) {
  EXPECT_EQ(Printable("\x9b"), "\\x9b");           // a control of eight bits
  EXPECT_EQ(Printable("\xc1\x9b"), "\\xc1\\x9b");  // longer than it need be
  EXPECT_EQ(Printable("\xe2\x80"), "\\xe2\\x80");
  EXPECT_EQ(Printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(Printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

// Whatever goes in, no byte comes out that acts, and what came out stays as it is.
TEST(Printable, IsSafeAndStaysSo) {
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (unsigned k = random() % 40; k > 0; --k) text += static_cast<char>(random() % 256);
    const std::string shown = Printable(text);
    for (const char c : shown) {
      EXPECT_GE(static_cast<unsigned char>(c), 0x20);
      EXPECT_NE(c, 0x7f);
    }
    EXPECT_EQ(Printable(shown), shown);
  }
}

TEST(Shown, CutsLongTextsBetweenCharacters) {
  EXPECT_EQ(Shown("abc", 3), "abc");
  EXPECT_EQ(Shown("abcd", 3), "abc...");
  EXPECT_EQ(Shown("abä", 3), "ab...");
  EXPECT_LE(Shown(std::string(1'000'000, 'x')).size(), 203U);
}

}  // namespace
}  // namespace volcontact
