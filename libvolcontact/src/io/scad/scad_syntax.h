// The syntax tree of an OpenSCAD .csg file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace volcontact {

/// A value: undef, a number, true or false, a string, or a vector of values.
struct ScadValue {
  std::variant<std::monostate, double, bool, std::string, std::vector<ScadValue>> data;
  std::size_t offset = 0;  ///< byte of the text where it begins
};

/// An argument; the name is empty when it is given by position.
struct ScadArgument {
  std::string name;
  ScadValue value;
};

/// A module with its children, such as `multmatrix([...]) { sphere(r = 1); }`.
struct ScadStatement {
  std::string modifiers;  ///< the characters among % # ! * that stand before it
  std::string name;
  std::vector<ScadArgument> arguments;
  std::vector<ScadStatement> children;
  std::size_t offset = 0;  ///< byte of the text where it begins
};

/// Parses .csg text. Throws InvalidInput, beginning with `origin` and the line and column.
std::vector<ScadStatement> ParseScadSyntax(std::string_view text, const std::string& origin);

}  // namespace volcontact
