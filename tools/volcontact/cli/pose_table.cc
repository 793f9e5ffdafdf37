#include "cli/pose_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "volcontact/io/csv_table.h"
#include "volcontact/io/printable.h"
#include "volcontact/io/units.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

struct ColumnName {
  const char* name;
  Quantity quantity;
};

constexpr std::array<ColumnName, 3> kPositionColumns = {
    {{"x", Quantity::kLength}, {"y", Quantity::kLength}, {"z", Quantity::kLength}}};
constexpr std::array<ColumnName, 4> kRotationColumns = {{{"qw", Quantity::kRatio},
                                                         {"qx", Quantity::kRatio},
                                                         {"qy", Quantity::kRatio},
                                                         {"qz", Quantity::kRatio}}};
constexpr std::array<ColumnName, 6> kTwistColumns = {{{"vx", Quantity::kSpeed},
                                                      {"vy", Quantity::kSpeed},
                                                      {"vz", Quantity::kSpeed},
                                                      {"wx", Quantity::kAngularVelocity},
                                                      {"wy", Quantity::kAngularVelocity},
                                                      {"wz", Quantity::kAngularVelocity}}};

// A column and what its numbers are multiplied by.
struct FoundColumn {
  std::size_t index;
  double factor;
};

std::optional<FoundColumn> FindColumn(const CsvTable& table, const std::string& name,
                                      Quantity quantity) {
  const auto index = table.Find(name);
  if (!index) return std::nullopt;
  const auto& unit = table.columns()[*index].unit;
  const std::string where = fmt::format("{}: column \"{}\"", table.origin(), name);
  return FoundColumn{*index, unit ? UnitFactor(*unit, quantity, where) : 1.0};
}

// All columns of a group with one of these prefixes, or none of them.
template <std::size_t kCount>
std::optional<std::array<FoundColumn, kCount>> FindGroup(
    const CsvTable& table, const std::array<ColumnName, kCount>& names,
    const std::vector<std::string>& prefixes) {
  std::optional<std::array<FoundColumn, kCount>> group;
  for (const std::string& prefix : prefixes) {
    std::array<FoundColumn, kCount> columns;
    std::string missing;
    std::size_t found = 0;
    for (std::size_t i = 0; i < kCount; ++i) {
      const std::string name = prefix + names[i].name;
      if (const auto column = FindColumn(table, name, names[i].quantity)) {
        columns[found++] = *column;
      } else {
        missing += (missing.empty() ? "" : ", ") + name;
      }
    }
    if (found == 0) continue;
    if (found < kCount) {
      throw InvalidInput(fmt::format("{}: lacks the column(s) {}; it has {}", table.origin(),
                                     missing, table.Names()));
    }
    if (group) {
      throw InvalidInput(fmt::format("{}: has both {} and {}{}; keep one of them", table.origin(),
                                     names[0].name, prefix, names[0].name));
    }
    group = columns;
  }
  return group;
}

double NumberAt(const CsvTable& table, std::size_t row, const FoundColumn& column) {
  return column.factor * table.FiniteNumber(row, column.index);
}

template <std::size_t kCount>
std::array<double, kCount> NumbersAt(const CsvTable& table, std::size_t row,
                                     const std::array<FoundColumn, kCount>& columns) {
  std::array<double, kCount> numbers;
  for (std::size_t i = 0; i < kCount; ++i) numbers[i] = NumberAt(table, row, columns[i]);
  return numbers;
}

struct PoseColumns {
  std::array<FoundColumn, 3> position;
  std::optional<std::array<FoundColumn, 4>> rotation;  // without them nothing is turned
};

// Throws where a column is none of ours: it may hold a turn by another name.
void RequireNoTurns(const CsvTable& table) {
  const auto has = [](const auto& names, const std::string& name) {
    return std::ranges::any_of(names, [&](const ColumnName& each) { return each.name == name; });
  };
  for (const auto& column : table.columns()) {
    std::string name = LowerCase(column.name);
    if (name.starts_with("a.") || name.starts_with("b.")) name.erase(0, 2);
    if (name == "t" || has(kPositionColumns, name) || has(kRotationColumns, name) ||
        has(kTwistColumns, name)) {
      continue;
    }
    throw InvalidInput(
        fmt::format("{}: lacks the column(s) qw, qx, qy, qz, and \"{}\" may say how it is turned; "
                    "add them, or leave that column out",
                    table.origin(), column.name));
  }
}

std::optional<PoseColumns> FindPose(const CsvTable& table,
                                    const std::vector<std::string>& prefixes) {
  const auto position = FindGroup(table, kPositionColumns, prefixes);
  const auto rotation = FindGroup(table, kRotationColumns, prefixes);
  if (position && !rotation) RequireNoTurns(table);
  if (position) return PoseColumns{*position, rotation};
  if (!rotation) return std::nullopt;
  throw InvalidInput(fmt::format("{0}: lacks the column(s) {1}x, {1}y, {1}z; it has {2}",
                                 table.origin(), prefixes.front(), table.Names()));
}

Pose PoseAt(const CsvTable& table, std::size_t row, const PoseColumns& columns, const char* body) {
  const auto t = NumbersAt(table, row, columns.position);
  Pose pose{{t[0], t[1], t[2]}};
  if (columns.rotation) pose.q = NumbersAt(table, row, *columns.rotation);
  ValidatePose(pose, fmt::format("{}: pose of {}", table.Place(row), body));
  return pose;
}

Twist TwistAt(const CsvTable& table, std::size_t row, const std::array<FoundColumn, 6>& columns) {
  const auto n = NumbersAt(table, row, columns);
  return {{n[0], n[1], n[2]}, {n[3], n[4], n[5]}};
}

// What a file gives, no option may give.
void RefuseBoth(const CsvTable& table, bool in_file, bool as_option, const char* option) {
  if (!in_file || !as_option) return;
  throw InvalidInput(fmt::format("{}: {} gives it in each row; leave out the option or the columns",
                                 option, table.origin()));
}

void ReadTimes(const CsvTable& table, PoseTable* result) {
  const auto column = FindColumn(table, "t", Quantity::kTime);
  if (!column) return;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    result->times.push_back(NumberAt(table, row, *column));
    if (row > 0 && !(result->times[row] > result->times[row - 1])) {
      throw InvalidInput(fmt::format("{}: t is {} s, not above the {} s before; times must ascend",
                                     table.Place(row), result->times[row], result->times[row - 1]));
    }
  }
}

void ReadMotions(const CsvTable& table, const PoseDefaults& defaults, PoseTable* result) {
  const auto twist_A = FindGroup(table, kTwistColumns, {"", "a."});
  const auto twist_B = FindGroup(table, kTwistColumns, {"b."});
  RefuseBoth(table, twist_A.has_value(), defaults.has_twist_A, "--twist-a");
  RefuseBoth(table, twist_B.has_value(), defaults.has_twist_B, "--twist-b");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    result->twists_A.push_back(twist_A ? TwistAt(table, row, *twist_A) : defaults.A);
    result->twists_B.push_back(twist_B ? TwistAt(table, row, *twist_B) : defaults.B);
  }
  ReadTimes(table, result);
}

}  // namespace

std::string PoseTable::Place(std::size_t row) const {
  return fmt::format("{}: line {}", file, lines[row]);
}

PoseTable ReadPoseTable(const std::string& file, const PoseDefaults& defaults, bool with_motion) {
  const CsvTable table = CsvTable::Read(file);
  const auto pose_A = FindPose(table, {"", "a."});
  const auto pose_B = FindPose(table, {"b."});
  if (!pose_A) {
    throw InvalidInput(
        fmt::format("{}: has no poses of A; add columns x, y, z, qw, qx, qy, qz, or a.x, a.y and "
                    "so on; it has {}",
                    table.origin(), table.Names()));
  }
  RefuseBoth(table, pose_B.has_value(), defaults.has_pose_B, "--pose-b");
  PoseTable result;
  result.file = table.origin();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    table.RequireLength(row);
    result.lines.push_back(table.line(row));
    result.poses.push_back({PoseAt(table, row, *pose_A, "A"),
                            pose_B ? PoseAt(table, row, *pose_B, "B") : defaults.X_WB});
  }
  if (with_motion) ReadMotions(table, defaults, &result);
  return result;
}

}  // namespace volcontact::tool
