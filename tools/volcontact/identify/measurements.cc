#include "identify/measurements.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "volcontact/io/csv_table.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

using Kind = ColumnSpec::Kind;

// What role=value assigns to each role, with the roles checked.
std::map<std::string, std::string> Assignments(const std::vector<std::string>& texts,
                                               const std::string& option,
                                               const std::vector<ColumnSpec>& specs) {
  std::map<std::string, std::string> result;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string role = text.substr(0, equals);
    std::string roles;
    for (const ColumnSpec& spec : specs) roles += (roles.empty() ? "" : ", ") + spec.role;
    if (std::none_of(specs.begin(), specs.end(),
                     [&](const ColumnSpec& spec) { return spec.role == role; })) {
      throw InvalidInput(fmt::format("{} {}: \"{}\" is no column read here; those are {}", option,
                                     text, role, roles));
    }
    result[role] = equals == std::string::npos ? "" : text.substr(equals + 1);
  }
  return result;
}

struct Source {
  ColumnSpec spec;
  std::size_t column = 0;
  double factor = 1.0;
};

class Reader {
 public:
  Reader(const MeasurementArguments& arguments, const std::vector<ColumnSpec>& specs)
      : table_(CsvTable::Read(arguments.file)),
        names_(Assignments(arguments.columns, "--column", specs)),
        units_(Assignments(arguments.units, "--unit", specs)),
        negated_(Assignments(arguments.negated, "--negate", specs)),
        skip_(arguments.skip_bad_rows) {
    data_.file = arguments.file;
    for (const ColumnSpec& spec : specs) AddSource(spec);
  }

  Measurements Read() {
    std::vector<std::vector<double>> numbers(sources_.size());
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      try {
        table_.RequireLength(row);
        std::vector<double> values;
        for (const Source& source : sources_) values.push_back(Value(source, row));
        for (std::size_t i = 0; i < values.size(); ++i) numbers[i].push_back(values[i]);
        AddLabels(row);
      } catch (const InvalidInput& error) {
        if (!skip_) throw;
        data_.notes.push_back(fmt::format("left out: {}", error.what()));
      }
    }
    if (data_.lines.empty()) {
      throw InvalidInput(table_.origin() + ": no row is left; correct the rows in the file");
    }
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      if (sources_[i].spec.kind == Kind::kOptionalText) continue;
      data_.columns[sources_[i].spec.role] = Eigen::Map<const Eigen::VectorXd>(
          numbers[i].data(), static_cast<Eigen::Index>(numbers[i].size()));
    }
    return data_;
  }

 private:
  void AddSource(const ColumnSpec& spec) {
    std::optional<std::size_t> column;
    const auto given = names_.find(spec.role);
    if (given != names_.end()) {
      column = table_.Find(given->second);
      if (!column) Missing(fmt::format("\"{}\" of --column {}", given->second, spec.role));
    } else {
      column = table_.Find(spec.role);
      for (std::size_t i = 0; !column && i < spec.also.size(); ++i) {
        column = table_.Find(spec.also[i]);
      }
    }
    if (!column) {
      if (spec.kind == Kind::kRequired) Missing(fmt::format("\"{}\"", spec.role));
      return;
    }
    sources_.push_back({spec, *column, FactorOf(spec, table_.columns()[*column])});
  }

  double FactorOf(const ColumnSpec& spec, const CsvTable::Column& column) {
    if (spec.kind == Kind::kOptionalText) return 1.0;
    const double sign = negated_.contains(spec.role) ? -1.0 : 1.0;
    const auto given = units_.find(spec.role);
    if (given != units_.end()) {
      return sign * UnitFactor(given->second, spec.quantity, "--unit " + spec.role);
    }
    if (column.unit) {
      return sign * UnitFactor(*column.unit, spec.quantity,
                               fmt::format("{}: column \"{}\"", table_.origin(), column.name));
    }
    if (spec.quantity != Quantity::kRatio) {
      data_.notes.push_back(fmt::format("column \"{}\" has no unit in {}; taken as {}", column.name,
                                        table_.origin(), SiUnit(spec.quantity)));
    }
    return sign;
  }

  [[noreturn]] void Missing(const std::string& what) const {
    throw InvalidInput(
        fmt::format("{}: there is no column {}; the columns are {}; name the right one with "
                    "--column ROLE=NAME",
                    table_.origin(), what, table_.Names()));
  }

  double Value(const Source& source, std::size_t row) const {
    if (source.spec.kind != Kind::kOptionalText) {
      return source.factor * table_.FiniteNumber(row, source.column);
    }
    table_.Text(row, source.column);
    return 0.0;
  }

  void AddLabels(std::size_t row) {
    data_.lines.push_back(table_.line(row));
    for (const Source& source : sources_) {
      if (source.spec.kind != Kind::kOptionalText) continue;
      data_.labels[source.spec.role].emplace_back(table_.Text(row, source.column));
    }
  }

  CsvTable table_;
  std::map<std::string, std::string> names_, units_, negated_;
  bool skip_;
  std::vector<Source> sources_;
  Measurements data_;
};

}  // namespace

Measurements Measurements::Rows(const std::vector<Eigen::Index>& rows) const {
  Measurements result;
  result.file = file;
  for (const Eigen::Index row : rows) result.lines.push_back(lines[static_cast<std::size_t>(row)]);
  for (const auto& [role, values] : columns) result.columns[role] = values(rows);
  for (const auto& [role, texts] : labels) {
    for (const Eigen::Index row : rows) {
      result.labels[role].push_back(texts[static_cast<std::size_t>(row)]);
    }
  }
  return result;
}

std::string Measurements::Message(Eigen::Index row, const std::string& what) const {
  return fmt::format("{}: line {}: {}", file, lines[static_cast<std::size_t>(row)], what);
}

std::vector<DataRun> SplitRuns(const Measurements& data, const std::string& role) {
  if (!data.labels.contains(role)) return {{"", data}};
  std::vector<std::pair<std::string, std::vector<Eigen::Index>>> groups;
  const std::vector<std::string>& labels = data.labels.at(role);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const auto& g) { return g.first == labels[i]; });
    if (group == groups.end()) group = groups.insert(groups.end(), {labels[i], {}});
    group->second.push_back(static_cast<Eigen::Index>(i));
  }
  std::vector<DataRun> runs;
  for (const auto& [label, rows] : groups) runs.push_back({label, data.Rows(rows)});
  return runs;
}

std::string RunPlace(const Measurements& data, const std::string& label) {
  return label.empty() ? data.file : fmt::format("{}: run {}", data.file, label);
}

void RequireVariation(const Measurements& data, const std::string& role, const std::string& cure) {
  const Eigen::VectorXd& values = data[role];
  if (values.maxCoeff() > values.minCoeff()) return;
  throw InvalidInput(
      fmt::format("{}: the column \"{}\" is constant, {}; {}", data.file, role, values[0], cure));
}

void MeasurementArguments::AddTo(CLI::App* command) {
  command->add_option("data", file, "CSV file of the measurements")->required();
  command
      ->add_option("--column", columns,
                   "The name in the file of a column, such as force=Fz; may be repeated")
      ->type_name("ROLE=NAME")
      ->allow_extra_args(false);
  command
      ->add_option("--unit", units,
                   "The unit of a column, such as position=um, in place of the one in the header")
      ->type_name("ROLE=UNIT")
      ->allow_extra_args(false);
  command->add_option("--negate", negated, "Turn the sign of a column; may be repeated")
      ->type_name("ROLE")
      ->allow_extra_args(false);
  command->add_flag("--skip-bad-rows", skip_bad_rows,
                    "Leave out rows that cannot be read, each with a note");
}

Measurements MeasurementArguments::Read(const std::vector<ColumnSpec>& specs) const {
  return Reader(*this, specs).Read();
}

}  // namespace volcontact::tool
