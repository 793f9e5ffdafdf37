#include "volcontact/identify/measurements.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "volcontact/io/csv_table.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace identify {
namespace {

// As messages name them.
constexpr char kColumnsField[] = "`MeasurementSource::columns`";
constexpr char kUnitsField[] = "`MeasurementSource::units`";

// `entry` is one of `field`, for messages.
void RequireRole(const std::string& role, const std::string& field, const std::string& entry,
                 const std::vector<ColumnSpec>& specs) {
  std::string roles;
  for (const ColumnSpec& spec : specs) {
    if (spec.role == role) return;
    roles += (roles.empty() ? "" : ", ") + spec.role;
  }
  throw InvalidInput(fmt::format("{} {}: \"{}\" is not a column read here; those are {}", field,
                                 entry, role, roles));
}

void RequireRoles(const MeasurementSource& source, const std::vector<ColumnSpec>& specs) {
  for (const auto& [role, name] : source.columns) {
    RequireRole(role, kColumnsField, fmt::format("{}={}", role, name), specs);
  }
  for (const auto& [role, unit] : source.units) {
    RequireRole(role, kUnitsField, fmt::format("{}={}", role, unit), specs);
  }
  for (const std::string& role : source.negated) {
    RequireRole(role, "`MeasurementSource::negated`", role, specs);
  }
}

// A column of the file and what it is read as.
struct SourceColumn {
  ColumnSpec spec;
  std::size_t index = 0;
  double factor = 1.0;
};

class Reader {
 public:
  Reader(const MeasurementSource& source, const std::vector<ColumnSpec>& specs)
      : source_(source), table_(CsvTable::Read(source.file)) {
    RequireRoles(source, specs);
    data_.file = source.file;
    data_.notes = table_.notes();
    for (const ColumnSpec& spec : specs) AddSource(spec);
  }

  Measurements Read() {
    std::vector<std::vector<double>> numbers(columns_.size());
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      try {
        table_.RequireLength(row);
        std::vector<double> values;
        for (const SourceColumn& column : columns_) values.push_back(Value(column, row));
        for (std::size_t i = 0; i < values.size(); ++i) numbers[i].push_back(values[i]);
        AddLabels(row);
      } catch (const InvalidInput& error) {
        if (!source_.skip_bad_rows) throw;
        data_.notes.push_back(fmt::format("left out: {}", error.what()));
      }
    }
    if (data_.lines.empty()) {
      throw InvalidInput(table_.origin() + ": no row is left; correct the rows in the file");
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].spec.kind == ColumnSpec::Kind::kOptionalText) continue;
      data_.columns[columns_[i].spec.role] = Eigen::Map<const Eigen::VectorXd>(
          numbers[i].data(), static_cast<Eigen::Index>(numbers[i].size()));
    }
    return data_;
  }

 private:
  void AddSource(const ColumnSpec& spec) {
    std::optional<std::size_t> column;
    const auto given = source_.columns.find(spec.role);
    if (given != source_.columns.end()) {
      column = table_.Find(given->second);
      if (!column) Missing(fmt::format("\"{}\" of {} {}", given->second, kColumnsField, spec.role));
    } else {
      column = table_.Find(spec.role);
      for (std::size_t i = 0; !column && i < spec.also.size(); ++i) {
        column = table_.Find(spec.also[i]);
      }
    }
    if (!column) {
      if (spec.kind == ColumnSpec::Kind::kRequired) Missing(fmt::format("\"{}\"", spec.role));
      return;
    }
    columns_.push_back({spec, *column, FactorOf(spec, table_.columns()[*column])});
  }

  double FactorOf(const ColumnSpec& spec, const CsvTable::Column& column) {
    if (spec.kind == ColumnSpec::Kind::kOptionalText) return 1.0;
    const double sign = source_.negated.contains(spec.role) ? -1.0 : 1.0;
    const auto given = source_.units.find(spec.role);
    if (given != source_.units.end()) {
      return sign *
             UnitFactor(given->second, spec.quantity, fmt::format("{} {}", kUnitsField, spec.role));
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
        fmt::format("{}: there is no column {}; the columns are {}; name the right one with {}",
                    table_.origin(), what, table_.Names(), kColumnsField));
  }

  double Value(const SourceColumn& column, std::size_t row) const {
    if (column.spec.kind != ColumnSpec::Kind::kOptionalText) {
      return column.factor * table_.FiniteNumber(row, column.index);
    }
    table_.Text(row, column.index);
    return 0.0;
  }

  void AddLabels(std::size_t row) {
    data_.lines.push_back(table_.line(row));
    for (const SourceColumn& column : columns_) {
      if (column.spec.kind != ColumnSpec::Kind::kOptionalText) continue;
      data_.labels[column.spec.role].emplace_back(table_.Text(row, column.index));
    }
  }

  const MeasurementSource& source_;
  CsvTable table_;
  std::vector<SourceColumn> columns_;
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
  runs.reserve(groups.size());
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

Measurements ReadMeasurements(const MeasurementSource& source,
                              const std::vector<ColumnSpec>& specs) {
  return Reader(source, specs).Read();
}

}  // namespace identify
VOLCONTACT_NAMESPACE_END
