#include "sweep/variables/derived_variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "sweep/variables/variable_names.h"
#include "volcontact/io/suggestion.h"
#include "volcontact/math/error.h"
#include "volcontact/scenario/measures.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

// Those that give a row what the row has.
constexpr std::array<std::string_view, 8> kRowFunctions = {"abs", "sqrt", "sin",   "cos",
                                                           "exp", "log",  "atan2", "hypot"};

bool IsInName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

struct NamesOfExpression {
  std::vector<std::string> columns, functions;
};

// Words that do not begin with a digit; 1e5 is none.
NamesOfExpression NamesIn(const std::string& text) {
  NamesOfExpression names;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t begin = i;
    while (i < text.size() && IsInName(text[i])) ++i;
    if (i == begin) {
      ++i;
      continue;
    }
    const std::string word = text.substr(begin, i - begin);
    if (std::isdigit(static_cast<unsigned char>(word[0])) != 0 || word[0] == '.') continue;
    const std::size_t next = text.find_first_not_of(' ', i);
    const bool is_call = next != std::string::npos && text[next] == '(';
    if (word != "pi" || is_call) (is_call ? names.functions : names.columns).push_back(word);
  }
  return names;
}

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// As much of a name as a message shows; it is ASCII.
std::string Shown(const std::string& name) {
  constexpr std::size_t kMost = 60;
  return name.size() <= kMost ? name : name.substr(0, kMost) + " …";
}

void CheckFunctions(const JsonCursor& at, const std::vector<std::string>& functions) {
  for (const std::string& name : functions) {
    if (std::find(kRowFunctions.begin(), kRowFunctions.end(), name) != kRowFunctions.end())
      continue;
    at.Fail(fmt::format("\"{}\" is not a function of one row; there are {}", Shown(name),
                        fmt::join(kRowFunctions, ", ")));
  }
}

DerivedVariable ReadOne(const JsonCursor& at, const std::string& name) {
  DerivedVariable derived;
  derived.name = name;
  if (at.value().is_string()) {
    derived.expression = at.String();
    return derived;
  }
  at.ExpectObject({"value", "unit"});
  derived.expression = at.Member("value").String();
  derived.unit = ReadUnit(at);
  return derived;
}

// Whether all that an expression reads is known by now, and not only named among all variables.
bool IsReady(const JsonCursor& at, const std::string& expression,
             const std::vector<std::string>& known, const std::vector<std::string>& all) {
  const NamesOfExpression names = NamesIn(expression);
  CheckFunctions(at, names.functions);
  if (names.columns.empty()) at.Fail("the expression reads no variable; write a number instead");
  bool is_ready = true;
  for (const std::string& name : names.columns) {
    if (name == kRowName) continue;
    if (!Contains(all, name)) {
      at.Fail(fmt::format("there is no variable \"{}\"{}", Shown(name), DidYouMean(name, all)));
    }
    is_ready = is_ready && Contains(known, name);
  }
  return is_ready;
}

// The grammar, on one row of ones.
void TryExpression(const JsonCursor& at, const DerivedVariable& derived,
                   const std::vector<std::string>& known) {
  scenario::TimeSeries row;
  row.names = {kRowName};
  row.names.insert(row.names.end(), known.begin(), known.end());
  row.columns.assign(row.names.size(), {1.0});
  try {
    Derive({derived}, &row);
  } catch (const InvalidInput& error) {
    at.Fail(error.what());
  }
}

}  // namespace

std::vector<DerivedVariable> ReadDerivedVariables(const JsonCursor& input,
                                                  std::vector<std::string> known) {
  if (!input.value().is_object()) input.Fail("an object of names and expressions is expected");
  std::vector<std::string> open, all = known;
  for (const auto& [name, value] : input.value().items()) {
    CheckVariableName(input.Member(name), name);
    open.push_back(name);
    all.push_back(name);
  }
  std::vector<DerivedVariable> ordered;
  while (!open.empty()) {
    const std::size_t before = open.size();
    for (auto name = open.begin(); name != open.end();) {
      const JsonCursor at = input.Member(*name);
      const DerivedVariable derived = ReadOne(at, *name);
      if (!IsReady(at, derived.expression, known, all)) {
        ++name;
        continue;
      }
      TryExpression(at, derived, known);
      known.push_back(derived.name);
      ordered.push_back(derived);
      name = open.erase(name);
    }
    if (open.size() == before) {
      input.Member(open.front()).Fail("the variable is derived from itself");
    }
  }
  return ordered;
}

void Derive(const std::vector<DerivedVariable>& derived, scenario::TimeSeries* series) {
  for (const DerivedVariable& variable : derived) {
    try {
      series->columns.push_back(scenario::EvaluateSeries(variable.expression, *series));
    } catch (const InvalidInput& error) {
      throw InvalidInput(fmt::format("the variable \"{}\": {}", variable.name, error.what()));
    }
    series->names.push_back(variable.name);
  }
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
