// The JSON reader on files of settings: places by name, members with defaults, limits.
#include "io/json/json_cursor.h"

#include <gtest/gtest.h>

#include <string>

#include "io/json/json_document.h"
#include "support/message_of.h"
#include "volcontact/math/error.h"

namespace volcontact::json_cursor_test {
namespace {

std::string SyntaxError(const std::string& text) {
  return MessageOf([&] { JsonDocument::Parse(text, "s.json"); });
}

void ExpectBegin(const std::string& message, const std::string& begin) {
  EXPECT_TRUE(message.starts_with(begin)) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

TEST(JsonCursor, SyntaxErrorsNameTheFileAndTheLine) {
  ExpectBegin(SyntaxError(" \n"), "s.json: is empty");
  ExpectBegin(SyntaxError("{\"a\":\n  }"), "s.json: is not valid JSON: line 2, column 3: ");
  ExpectBegin(SyntaxError("{\"a\": 1e999}"), "s.json: line 1, column 11: the number \"1e999\" is");
  ExpectBegin(SyntaxError("{\"a\": [{\"b\": 1, \"b\": 2}]}"), "s.json: at a[0]: key \"b\" stands");
  ExpectBegin(SyntaxError("{\"a\": 1, \"a\": 2}"), "s.json: at the top: key \"a\" stands twice");
  ExpectBegin(SyntaxError(std::string(100'000, '[')), "s.json: nested deeper than 400 levels");
}

TEST(JsonCursor, AFileThatIsNotThereIsNamed) {
  ExpectBegin(MessageOf([] { JsonDocument::Read("no such.json"); }),
              "no such.json: cannot be opened: No such file");
}

TEST(JsonCursor, PlacesAreNames) {
  const auto document = JsonDocument::Parse(R"({"a": [{"b": "c"}], "down": -1, "e": [1, 2]})", "s");
  const JsonCursor root = document.Root();
  const JsonCursor b = root.Member("a").Item(0).Member("b");
  ExpectBegin(MessageOf([&] { (void)b.Number(); }),
              "s: at a[0].b: a number is expected, not a str");
  ExpectBegin(MessageOf([&] { (void)b.Flag(); }), "s: at a[0].b: true or false is expected");
  ExpectBegin(MessageOf([&] { (void)b.Items(); }), "s: at a[0].b: an array is expected");
  ExpectBegin(MessageOf([&] { b.ExpectObject({"x"}); }), "s: at a[0].b: an object in braces is");
  ExpectBegin(MessageOf([&] {
                root.ExpectObject({"a", "dawn", "e"});
              }),
              "s: at the top: unknown key \"down\" (did you mean \"dawn\"?); known keys: a, dawn");
  ExpectBegin(MessageOf([&] { (void)root.Member("x"); }), "s: at the top: key \"x\" is missing");
  ExpectBegin(MessageOf([&] { (void)b.Member("x"); }), "s: at a[0].b: key \"x\" is missing");
  ExpectBegin(MessageOf([&] { (void)root.Member("down").PositiveNumber(); }),
              "s: at down: is -1; it must be abo");
  ExpectBegin(MessageOf([&] { (void)root.Member("down").NumberNotBelowZero(); }),
              "s: at down: is -1; it must not");
  ExpectBegin(MessageOf([&] { (void)root.Member("e").Numbers3(); }),
              "s: at e: must be an array of 3");
  ExpectBegin(MessageOf([&] {
                (void)root.Member("a").Item(0).Choice("b", {"x", "y"}, 0);
              }),
              "s: at a[0].b: \"c\" is not known");
}

TEST(JsonCursor, MembersMayBeMissing) {
  const auto document = JsonDocument::Parse(
      R"({"n": 3, "f": true, "t": "x", "v": [1, 2, 3], "p": {"t": [1, 0, 0]}, "l": [1]})", "s");
  const JsonCursor root = document.Root();
  EXPECT_EQ(root.Number("n", 1.0), 3.0);
  EXPECT_EQ(root.Number("none", 1.0), 1.0);
  EXPECT_TRUE(root.Flag("f", false));
  EXPECT_TRUE(root.Flag("none", true));
  EXPECT_EQ(root.String("t", "y"), "x");
  EXPECT_EQ(root.String("none", "y"), "y");
  EXPECT_EQ(root.Numbers3("v", Eigen::Vector3d::Zero()), Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(root.PoseValue("p", {}).t, Eigen::Vector3d(1, 0, 0));
  EXPECT_EQ(root.PoseValue("none", {}).t, Eigen::Vector3d::Zero());
  EXPECT_EQ(root.Items("l").size(), 1u);
  EXPECT_TRUE(root.Items("none").empty());
  EXPECT_EQ(root.Choice("t", {"w", "x"}, 0), 1);
  EXPECT_EQ(root.Choice("none", {"w", "x"}, 1), 1);
  EXPECT_FALSE(root.Member("n").Has("x"));
}

}  // namespace
}  // namespace volcontact::json_cursor_test
