// The measurements of an experiment: columns of a CSV file by the role they play, in SI units.
#pragma once

#include <Eigen/Core>
#include <map>
#include <string>
#include <vector>

#include "identify/units.h"

namespace CLI {
class App;
}

namespace volcontact::tool {

/// A column that an analysis reads.
struct ColumnSpec {
  enum class Kind { kRequired, kOptional, kOptionalText };

  std::string role;               ///< its name in the file, unless --column says otherwise
  Quantity quantity;              ///< of numbers
  Kind kind = Kind::kRequired;    ///< texts are labels
  std::vector<std::string> also;  ///< other names taken for it
};

/// Columns of numbers in SI units, and of labels, all of one length.
struct Measurements {
  std::string file;
  std::vector<int> lines;  ///< in the file, of each row
  std::map<std::string, Eigen::VectorXd> columns;
  std::map<std::string, std::vector<std::string>> labels;
  std::vector<std::string> notes;  ///< assumed units, rows left out

  Eigen::Index size() const { return static_cast<Eigen::Index>(lines.size()); }
  bool Has(const std::string& role) const { return columns.contains(role); }
  const Eigen::VectorXd& operator[](const std::string& role) const { return columns.at(role); }
  /// These rows alone, without notes.
  Measurements Rows(const std::vector<Eigen::Index>& rows) const;
  /// "file: line 7: what", for messages.
  std::string Message(Eigen::Index row, const std::string& what) const;
};

/// The rows of one run of an experiment.
struct DataRun {
  std::string label;
  Measurements data;
};

/// The data split by the labels of a column, in the order in which they first appear; one run
/// without a label where there is no such column.
std::vector<DataRun> SplitRuns(const Measurements& data, const std::string& role);

/// "file: run 3", or the file alone where there are no runs, for messages.
std::string RunPlace(const Measurements& data, const std::string& label);

/// Throws InvalidInput when all values of a column are equal; `cure` says what is needed instead.
void RequireVariation(const Measurements& data, const std::string& role, const std::string& cure);

/// How to read the file, as typed.
struct MeasurementArguments {
  std::string file;
  std::vector<std::string> columns, units, negated;  ///< role=name, role=unit, role
  bool skip_bad_rows = false;

  /// Adds the options to a subcommand; *this must outlive it.
  void AddTo(CLI::App* command);
  /// Reads the columns. Throws InvalidInput that names the file, line and column, or the option,
  /// and the cure.
  Measurements Read(const std::vector<ColumnSpec>& specs) const;
};

}  // namespace volcontact::tool
