#include "io/scad/scad_syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "io/messages.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$";

bool Contains(std::string_view set, char c) { return set.find(c) != std::string_view::npos; }

// Recursive descent, straight on the characters.
class Parser {
 public:
  Parser(std::string_view text, const std::string& origin) : text_(text), origin_(origin) {}

  std::vector<ScadStatement> ParseFile() {
    std::vector<ScadStatement> statements = ParseStatements();
    if (at_ < text_.size())
      Fail("unexpected " + Next() + "; a module such as group() { } may stand here");
    return statements;
  }

 private:
  // Counts the open recursions of the parser.
  class Nesting {
   public:
    explicit Nesting(Parser* parser) : parser_(parser) {
      if (++parser_->depth_ > kMaxNesting) {
        parser_->Fail(fmt::format("nested deeper than {} levels; flatten the model", kMaxNesting));
      }
    }
    ~Nesting() { --parser_->depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser* parser_;
  };

  [[noreturn]] void Fail(const std::string& what) const {
    throw InvalidInput(fmt::format("{}: {}: {}", origin_, LineAndColumn(text_, at_), what));
  }

  // What stands at the present place, for messages.
  std::string Next() const {
    return at_ < text_.size() ? Quoted(text_.substr(at_, 1)) : "end of file";
  }

  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  // Skips white space and comments.
  void Skip() {
    while (at_ < text_.size()) {
      if (Contains(" \t\r\n", text_[at_])) {
        ++at_;
      } else if (text_.substr(at_, 2) == "//") {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.substr(at_, 2) == "/*") {
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) Fail("the comment has no end; close it with */");
        at_ = end + 2;
      } else {
        return;
      }
    }
  }

  bool Accept(char c) {
    Skip();
    if (Peek() != c || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }

  void Expect(char c, std::string_view where) {
    if (!Accept(c)) Fail(fmt::format("expected '{}' {}, not {}", c, where, Next()));
  }

  std::string ParseName() {
    const std::size_t begin = at_;
    while (Contains(kLetters, Peek()) || Contains(kDigits, Peek())) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::vector<ScadStatement> ParseStatements() {
    std::vector<ScadStatement> statements;
    while (true) {
      while (Accept(';')) {
      }
      if (!Contains("%#!*", Peek()) && !Contains(kLetters, Peek())) return statements;
      statements.push_back(ParseStatement());
    }
  }

  ScadStatement ParseStatement() {
    const Nesting nesting(this);
    ScadStatement statement;
    statement.offset = at_;
    while (Contains("%#!*", Peek())) {
      statement.modifiers += text_[at_++];
      Skip();
    }
    if (!Contains(kLetters, Peek())) Fail("expected the name of a module, not " + Next());
    statement.name = ParseName();
    if (!Accept('(')) {
      Fail(fmt::format(
          "expected '(' after {}, not {}; OpenSCAD source must be exported as .csg first",
          Quoted(statement.name), Next()));
    }
    statement.arguments = ParseArguments();
    if (Accept(';')) return statement;
    if (Accept('{')) {
      statement.children = ParseStatements();
      Expect('}', fmt::format("to end the block of {}", Quoted(statement.name)));
    } else if (Contains("%#!*", Peek()) || Contains(kLetters, Peek())) {
      statement.children.push_back(ParseStatement());
    } else {
      Fail(fmt::format("expected ';' or '{{' after {}(...), not {}", statement.name, Next()));
    }
    return statement;
  }

  std::vector<ScadArgument> ParseArguments() {
    std::vector<ScadArgument> arguments;
    while (!Accept(')')) {
      if (!arguments.empty()) Expect(',', "or ')' after an argument");
      ScadArgument argument;
      Skip();
      if (Contains(kLetters, Peek())) {
        const std::size_t begin = at_;
        argument.name = ParseName();
        if (!Accept('=')) {  // a value, not a name
          argument.name.clear();
          at_ = begin;
        }
      }
      argument.value = ParseValue();
      arguments.push_back(std::move(argument));
    }
    return arguments;
  }

  ScadValue ParseValue() {
    Skip();
    ScadValue value;
    value.offset = at_;
    if (Peek() == '[') {
      value.data = ParseVector();
    } else if (Peek() == '"') {
      value.data = ParseString();
    } else if (Contains(kLetters, Peek())) {
      const std::string name = ParseName();
      if (name == "true" || name == "false") {
        value.data = name == "true";
      } else if (name == "inf" || name == "nan") {
        value.data = name == "inf" ? std::numeric_limits<double>::infinity()
                                   : std::numeric_limits<double>::quiet_NaN();
      } else if (name != "undef") {
        at_ = value.offset;
        Fail(fmt::format("{} is not a value; an exported .csg file holds numbers only",
                         Quoted(name)));
      }
    } else {
      value.data = ParseNumber();
    }
    return value;
  }

  std::vector<ScadValue> ParseVector() {
    const Nesting nesting(this);
    std::vector<ScadValue> items;
    Expect('[', "to begin a vector");
    while (!Accept(']')) {
      if (!items.empty()) Expect(',', "or ']' after an item of a vector");
      items.push_back(ParseValue());
    }
    return items;
  }

  std::string ParseString() {
    std::string string;
    const std::size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\') ++at_;
      if (at_ < text_.size()) string += text_[at_++];
    }
    if (at_ >= text_.size()) {
      at_ = begin;
      Fail("the string has no end; close it with \"");
    }
    ++at_;
    return string;
  }

  double ParseNumber() {
    double sign = 1.0;
    while (Peek() == '-' || Peek() == '+') {
      if (text_[at_++] == '-') sign = -sign;
      Skip();
    }
    if (Contains("in", Peek())) {  // -inf, -nan
      const std::string name = ParseName();
      if (name == "inf") return sign * std::numeric_limits<double>::infinity();
      if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
      Fail(fmt::format("expected a number, not {}", Quoted(name)));
    }
    // from_chars would also take a word.
    if (!Contains(kDigits, Peek()) && Peek() != '.') Fail("expected a value, not " + Next());
    double number = 0.0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), number);
    if (error == std::errc::result_out_of_range) {
      Fail(fmt::format("the number {} is beyond the range of doubles",
                       Quoted(std::string_view(begin, static_cast<std::size_t>(end - begin)))));
    }
    if (error != std::errc()) Fail("expected a number, not " + Next());
    at_ += static_cast<std::size_t>(end - begin);
    return sign * number;
  }

  std::string_view text_;
  const std::string& origin_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::vector<ScadStatement> ParseScadSyntax(std::string_view text, const std::string& origin) {
  return Parser(text, origin).ParseFile();
}

}  // namespace volcontact
