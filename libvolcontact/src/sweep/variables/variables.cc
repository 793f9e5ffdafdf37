#include "sweep/variables/variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sweep/variables/variable_names.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

constexpr double kTwoPi = 6.283185307179586;

// Uniform rotations from three numbers (Shoemake 1992, "Uniform random rotations").
std::array<double, 4> RotationOf(const double* u) {
  const double inner = std::sqrt(1.0 - u[0]), outer = std::sqrt(u[0]);
  const double a = kTwoPi * u[1], b = kTwoPi * u[2];
  return {outer * std::cos(b), inner * std::sin(a), inner * std::cos(a), outer * std::sin(b)};
}

Eigen::Vector3d DirectionOf(const double* u) {
  const double z = 2.0 * u[0] - 1.0, across = std::sqrt(std::max(0.0, 1.0 - z * z));
  return {across * std::cos(kTwoPi * u[1]), across * std::sin(kTwoPi * u[1]), z};
}

}  // namespace

std::optional<SweepVariables::Found> SweepVariables::Find(const std::string& name) const {
  const auto at = std::find(names_.begin(), names_.end(), name);
  if (at == names_.end()) return std::nullopt;
  return found_[static_cast<std::size_t>(at - names_.begin())];
}

// From the slowest to the fastest: the table's rows, the grid, the last of which is faster than the
// others, and repetitions.
void SweepVariables::PutTableAndGrid(RowBlock* block) const {
  if (table_.empty() && grid_.empty()) return;
  for (std::size_t row = 0; row < block->count; ++row) {
    std::uint64_t left = (block->first + row) / repeat_;
    for (auto variable = grid_.rbegin(); variable != grid_.rend(); ++variable) {
      const std::uint64_t size = variable->values.size();
      block->columns[variable->column][row] = variable->values[left % size];
      left /= size;
    }
    for (std::size_t i = 0; i < table_.size(); ++i) block->columns[i][row] = table_[i][left];
  }
}

void SweepVariables::PutNearContact(const RandomVariable& variable, const double* u,
                                    std::size_t row, RowBlock* block) const {
  const UniformRange& range = std::get<NearContactRange>(variable.draw).gap;
  const double gap = Quantile(range, u[5]);
  const auto put = [&](std::size_t i, double value) {
    block->columns[variable.column + i][row] = value;
  };
  put(7, gap);
  const std::array<double, 4> q = RotationOf(u);
  for (std::size_t i = 0; i < q.size(); ++i) put(3 + i, q[i]);
  Eigen::Vector3d t = Eigen::Vector3d::Constant(std::numeric_limits<double>::quiet_NaN());
  try {
    t = near_->Place(q, DirectionOf(u + 3), gap).t;
  } catch (const InvalidInput& error) {
    block->failures[row] = fmt::format(
        "{}: {}",
        columns_[variable.column].name.substr(0, columns_[variable.column].name.size() - 2),
        error.what());
  }
  for (int i = 0; i < 3; ++i) put(static_cast<std::size_t>(i), t[i]);
}

void SweepVariables::PutRandom(RowBlock* block) const {
  if (random_.empty()) return;
  std::vector<std::uint64_t> points;
  if (sobol_) sobol_->Draw(block->first, block->count, &points);
  std::array<double, 6> u;
  for (const RandomVariable& variable : random_) {
    for (std::size_t row = 0; row < block->count; ++row) {
      for (std::size_t i = 0; i < variable.uniforms; ++i) {
        const std::size_t dimension = variable.dimension + i;
        u[i] = UnitInterval(
            sobol_ ? points[row * dimensions_ + dimension] ^ sobol_shift_[dimension]
                   : variable.stream.Bits(block->first + row, static_cast<std::uint32_t>(i)));
      }
      if (const auto* distribution = std::get_if<Distribution>(&variable.draw)) {
        block->columns[variable.column][row] = Quantile(*distribution, u[0]);
      } else if (std::holds_alternative<UniformRotation>(variable.draw)) {
        const std::array<double, 4> q = RotationOf(u.data());
        for (std::size_t i = 0; i < q.size(); ++i) block->columns[variable.column + i][row] = q[i];
      } else if (near_ != nullptr) {
        PutNearContact(variable, u.data(), row, block);
      }
    }
  }
}

void SweepVariables::PutDerived(RowBlock* block) const {
  if (derived_.empty()) return;
  scenario::TimeSeries series;
  series.names = {kRowName};
  series.columns.resize(1);
  for (std::size_t row = 0; row < block->count; ++row) {
    series.columns[0].push_back(static_cast<double>(block->first + row));
  }
  const std::size_t given = columns_.size() - derived_.size();
  for (std::size_t i = 0; i < given; ++i) {
    series.names.push_back(columns_[i].name);
    series.columns.push_back(std::move(block->columns[i]));
  }
  Derive(derived_, &series);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    block->columns[i] = std::move(series.columns[i + 1]);
  }
}

RowBlock SweepVariables::Draw(std::uint64_t first, std::size_t count) const {
  RowBlock block{first, count, {}, std::vector<std::string>(count)};
  block.columns.assign(columns_.size(), std::vector<double>(count));
  PutTableAndGrid(&block);
  PutRandom(&block);
  PutDerived(&block);
  const std::size_t given = columns_.size() - derived_.size();
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    for (std::size_t row = 0; row < count; ++row) {
      const double value = block.columns[i][row];
      if (std::isfinite(value) || !block.failures[row].empty()) continue;
      // Without the sign, which not all processors give to a NaN.
      block.failures[row] =
          fmt::format("{}{}: {} in this row", i < given ? "the variable " : "over.derived.",
                      columns_[i].name, std::isnan(value) ? "not a number" : "not finite");
    }
  }
  return block;
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
