// The measurements of an experiment: columns of a CSV file by the role they play, in SI units.
//
// Component volcontact::identify. All here are values and functions of them: any thread. In the
// component's messages fields and arguments that a caller sets stand in backquotes, such as
// `MeasurementSource::negated`.
#pragma once

#include <Eigen/Core>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/identify/shared_vectors.h"
#include "volcontact/io/units.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace identify {

/// A column that an analysis reads.
struct ColumnSpec {
  enum class Kind { kRequired, kOptional, kOptionalText };

  std::string role;   ///< its name in the file, unless MeasurementSource::columns says otherwise
  Quantity quantity;  ///< of numbers
  Kind kind = Kind::kRequired;    ///< texts are labels
  std::vector<std::string> also;  ///< other names taken for it
};

/// Columns of numbers in SI units, and of labels, all of one length.
struct VOLCONTACT_EXPORT Measurements {
  std::string file;
  std::vector<int> lines;  ///< in the file, of each row
  std::map<std::string, Eigen::VectorXd> columns;
  std::map<std::string, std::vector<std::string>> labels;
  std::vector<std::string> notes;  ///< assumed units, rows left out

  Eigen::Index size() const { return static_cast<Eigen::Index>(lines.size()); }
  bool Has(const std::string& role) const { return columns.count(role) > 0; }
  /// Throws std::out_of_range where there is no such column.
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
VOLCONTACT_EXPORT std::vector<DataRun> SplitRuns(const Measurements& data, const std::string& role);

/// "file: run 3", or the file alone where there are no runs, for messages.
VOLCONTACT_EXPORT std::string RunPlace(const Measurements& data, const std::string& label);

/// Throws InvalidInput when all values of a column are equal; `cure` says what is needed instead.
VOLCONTACT_EXPORT void RequireVariation(const Measurements& data, const std::string& role,
                                        const std::string& cure);

/// A file of measurements, and how it differs from what its header says.
struct MeasurementSource {
  std::string file;
  std::map<std::string, std::string>
      columns;                               ///< by role: the name that its column has in the file
  std::map<std::string, std::string> units;  ///< by role: in place of the one in the header
  std::set<std::string> negated;             ///< roles whose sign is turned
  bool skip_bad_rows = false;                ///< leave them out, each with a note
};

/// Reads the columns of a CSV file (see CsvTable) in SI units. A column without a unit is taken in
/// SI units, with a note. Throws InvalidInput that names the file, the line and the column, or the
/// entry of `source`, and the cure. Cost: some 100 ns a cell.
VOLCONTACT_EXPORT Measurements ReadMeasurements(const MeasurementSource& source,
                                                const std::vector<ColumnSpec>& specs);

}  // namespace identify
VOLCONTACT_NAMESPACE_END
