// Reading the variables of a sweep file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sweep/variables/variable_names.h"
#include "sweep/variables/variables.h"
#include "volcontact/io/csv_table.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

// The greatest number of rows, and the greatest seed: numbers of JSON hold no larger integer
// exactly.
constexpr double kMostCounted = 9007199254740992.0;
// Values of a grid and dimensions that are kept in memory.
constexpr double kMostGridValues = 1e7;

std::uint64_t ReadCount(const JsonCursor& at, double least, double most) {
  const double number = at.Number();
  if (number != std::floor(number) || number < least || number > most) {
    at.Fail(fmt::format("a whole number from {:g} to {:.17g} is expected", least, most));
  }
  return static_cast<std::uint64_t>(number);
}

std::vector<double> ReadGridValues(const JsonCursor& grid) {
  if (grid.value().is_array()) {
    grid.ExpectNonEmptyArray("numbers");
    return grid.Numbers();
  }
  grid.ExpectObject({"from", "to", "count", "log"});
  const double from = grid.Member("from").Number(), to = grid.Member("to").Number();
  const std::uint64_t count = ReadCount(grid.Member("count"), 1.0, kMostGridValues);
  const bool is_log = grid.Flag("log", false);
  if (is_log && !(from > 0.0 && to > 0.0)) grid.Fail("with \"log\" both ends must be positive");
  if (count == 1 && from != to) grid.Member("count").Fail("one value cannot be two ends");
  std::vector<double> values;
  for (std::uint64_t i = 0; i < count; ++i) {
    const double s = i == 0 ? 0.0 : static_cast<double>(i) / static_cast<double>(count - 1);
    values.push_back(is_log ? from * std::pow(to / from, s) : (1.0 - s) * from + s * to);
  }
  values.back() = to;
  return values;
}

}  // namespace

// Adds the name of a variable; a rotation and a pose have other columns than their name.
void SweepVariables::AddName(const JsonCursor& at, const std::string& name) {
  if (std::find(names_.begin(), names_.end(), name) != names_.end()) {
    at.Fail(fmt::format("there are two variables \"{}\"", name));
  }
  names_.push_back(name);
}

void SweepVariables::AddColumn(const JsonCursor& at, const std::string& name,
                               const std::string& unit) {
  for (const ResultColumn& column : columns_) {
    if (column.name == name) at.Fail(fmt::format("there are two variables \"{}\"", name));
  }
  columns_.push_back({name, unit});
}

// Columns of numbers, by the names that they have there.
void SweepVariables::ReadTable(const JsonCursor& input) {
  std::vector<std::string> wanted;
  JsonCursor file = input;
  if (input.value().is_object()) {
    input.ExpectObject({"file", "columns"});
    file = input.Member("file");
    for (const JsonCursor& name : input.Items("columns")) wanted.push_back(name.String());
  }
  const CsvTable table = CsvTable::Read(input.source().folder / file.String());
  if (wanted.empty()) {
    for (const CsvTable::Column& column : table.columns()) wanted.push_back(column.name);
  }
  for (const std::string& name : wanted) {
    const auto index = table.Find(name);
    if (!index)
      input.Fail(
          fmt::format("{} has no column \"{}\"; it has {}", table.origin(), name, table.Names()));
    const std::string unit = table.columns()[*index].unit.value_or("");
    if (!IsSiUnit(unit)) {
      input.Fail(
          fmt::format("{}: column \"{}\": numbers are not converted; give them in SI units "
                      "instead of {}",
                      table.origin(), name, unit));
    }
    CheckVariableName(input, name);
    AddColumn(input, name, unit);
    AddName(input, name);
    found_.push_back({VariableKind::kNumber, columns_.size() - 1});
    std::vector<double> values(table.rows());
    for (std::size_t row = 0; row < values.size(); ++row) {
      table.RequireLength(row);
      values[row] = table.FiniteNumber(row, *index);
    }
    table_.push_back(std::move(values));
  }
}

void SweepVariables::ReadGrid(const JsonCursor& variable, const std::string& name) {
  variable.ExpectObject({"grid", "unit"});
  AddColumn(variable, name, ReadUnit(variable));
  found_.push_back({VariableKind::kNumber, columns_.size() - 1});
  grid_.push_back({ReadGridValues(variable.Member("grid")), columns_.size() - 1});
}

void SweepVariables::ReadVariable(const JsonCursor& input, const std::string& name,
                                  std::uint64_t seed) {
  CheckVariableName(input, name);
  input.ExpectObject({"uniform", "log_uniform", "normal", "choice", "weights", "grid", "rotation",
                      "near_contact", "unit"});
  AddName(input, name);
  if (input.Has("grid")) return ReadGrid(input, name);
  RandomVariable variable{UniformRotation(), RandomStream(seed, name), columns_.size(), dimensions_,
                          1};
  VariableKind kind = VariableKind::kNumber;
  if (auto distribution = ReadDistribution(input)) {
    variable.draw = *std::move(distribution);
    AddColumn(input, name, ReadUnit(input));
  } else if (input.Has("rotation")) {
    input.ExpectObject({"rotation"});
    input.Choice("rotation", {"uniform"}, 0);
    kind = VariableKind::kRotation;
    variable.uniforms = 3;
  } else if (const auto near = input.Find("near_contact")) {
    input.ExpectObject({"near_contact"});
    near->ExpectObject({"gap"});
    variable.draw = NearContactRange{ReadRange(near->Member("gap"))};
    needs_pair_ = true;
    kind = VariableKind::kPose;
    variable.uniforms = 6;
    for (const char* part : {".x", ".y", ".z"}) AddColumn(input, name + part, "m");
  } else {
    input.Fail(
        "the kind of the variable is missing: \"uniform\", \"log_uniform\", \"normal\", "
        "\"choice\", \"grid\", \"rotation\" or \"near_contact\"");
  }
  if (kind != VariableKind::kNumber) {
    for (const char* part : {".qw", ".qx", ".qy", ".qz"}) AddColumn(input, name + part, "");
  }
  if (kind == VariableKind::kPose) AddColumn(input, name + ".gap", "m");
  for (const RandomVariable& other : random_) {
    if (variable.stream.IsThatOf(other.stream)) {
      input.Fail(
          "its name has the same hash as another variable, so both would have the same values; "
          "take another name");
    }
  }
  found_.push_back({kind, variable.column});
  dimensions_ += variable.uniforms;
  random_.push_back(std::move(variable));
}

void SweepVariables::CountRows(const JsonCursor& over) {
  double rows = table_.empty() ? 1.0 : static_cast<double>(table_[0].size());
  for (const GridVariable& variable : grid_) rows *= static_cast<double>(variable.values.size());
  if (table_.empty() && grid_.empty()) {
    if (const auto repeat = over.Find("repeat")) {
      repeat->Fail("there is neither a grid nor a table to repeat; give \"rows\"");
    }
    rows_ = ReadCount(over.Member("rows"), 1.0, kMostCounted);
    return;
  }
  if (const auto repeat = over.Find("repeat")) repeat_ = ReadCount(*repeat, 1.0, kMostCounted);
  if (repeat_ > 1 && random_.empty()) {
    over.Member("repeat").Fail(
        "no variable is random, so all repetitions would be equal; leave \"repeat\" out");
  }
  rows *= static_cast<double>(repeat_);
  if (rows > kMostCounted) over.Fail(fmt::format("{:g} rows are too many", rows));
  rows_ = static_cast<std::uint64_t>(rows);
  if (const auto given = over.Find("rows"); given && given->Number() != rows) {
    given->Fail(fmt::format("grid, table and \"repeat\" make {} rows; leave \"rows\" out", rows_));
  }
}

void SweepVariables::ReadSampling(const JsonCursor& over, std::uint64_t seed) {
  if (over.Choice("sampling", {"random", "sobol"}, 0) == 0) return;
  if (dimensions_ == 0) over.Member("sampling").Fail("no variable is random");
  if (dimensions_ > SobolPoints::kMostDimensions) {
    over.Member("sampling")
        .Fail(fmt::format("the variables need {} random numbers for each row; Sobol's points have "
                          "at most {} coordinates",
                          dimensions_, SobolPoints::kMostDimensions));
  }
  sobol_.emplace(dimensions_);
  const RandomStream shift(seed, "the shift of Sobol's points");
  for (std::size_t i = 0; i < dimensions_; ++i) {
    sobol_shift_.push_back(shift.Bits(0, static_cast<std::uint32_t>(i)));
  }
}

void SweepVariables::ReadDerived(const JsonCursor& over) {
  const auto derived = over.Find("derived");
  if (!derived) return;
  std::vector<std::string> known;
  for (const ResultColumn& column : columns_) known.push_back(column.name);
  derived_ = ReadDerivedVariables(*derived, known);
  for (const DerivedVariable& variable : derived_) {
    AddName(derived->Member(variable.name), variable.name);
    AddColumn(derived->Member(variable.name), variable.name, variable.unit);
    found_.push_back({VariableKind::kNumber, columns_.size() - 1});
  }
}

SweepVariables::SweepVariables(const JsonCursor& over) {
  over.ExpectObject({"rows", "seed", "variables", "sampling", "csv", "derived", "repeat"});
  std::uint64_t seed = 0;
  if (const auto at = over.Find("seed")) seed = ReadCount(*at, 0.0, kMostCounted);
  if (const auto table = over.Find("csv")) ReadTable(*table);
  if (const auto variables = over.Find("variables")) {
    if (!variables->value().is_object()) variables->Fail("an object of variables is expected");
    for (const auto& [name, value] : variables->value().items()) {
      ReadVariable(variables->Member(name), name, seed);
    }
  }
  CountRows(over);
  ReadSampling(over, seed);
  ReadDerived(over);
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
