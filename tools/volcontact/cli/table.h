// Tables for reading.
#pragma once

#include <fmt/format.h>

#include <Eigen/Core>
#include <string>
#include <string_view>

#include "volcontact/io/printable.h"

namespace volcontact::tool {

/// The longest value of a table [bytes].
inline constexpr std::size_t kLongestValue = 2000;

/// A table of aligned names and values, each on a line of its own.
class Table {
 public:
  void Add(std::string_view name, const std::string& value) {
    text_ += fmt::format("{:<18}{}\n", name, Shown(value, kLongestValue));
  }
  void Add(std::string_view name, double value, std::string_view unit) {
    Add(name, fmt::format("{:.10g} {}", value, unit));
  }
  void Add(std::string_view name, const Eigen::Vector3d& v, std::string_view unit) {
    Add(name, fmt::format("{:>17.10g} {:>17.10g} {:>17.10g} {}", v.x(), v.y(), v.z(), unit));
  }
  // One column of the matrix a line.
  void Add(std::string_view name, const Eigen::Matrix3d& m, std::string_view unit) {
    for (int i = 0; i < 3; ++i) Add(i == 0 ? name : "", m.col(i).eval(), i == 0 ? unit : "");
  }
  void AddGap() { text_ += '\n'; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace volcontact::tool
