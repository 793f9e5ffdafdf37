// What is run for each row.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "io/json/json_cursor.h"
#include "sweep/input_files.h"
#include "sweep/variables/variables.h"
#include "volcontact/export.h"
#include "volcontact/sweep/sweep_plan.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// Asked before each row; true ends the run by StoppedRun.
using StopRows = std::function<bool()>;

/// Thrown, and caught, within a run that was ended.
struct StoppedRun {};

/// What the rows of a block gave.
class RowAnswers {
 public:
  RowAnswers(std::size_t rows, std::size_t columns);

  /// The numbers of a row, NaN at first.
  double* Row(std::size_t row) { return values_.data() + row * columns_; }
  const double* Row(std::size_t row) const { return values_.data() + row * columns_; }
  RowStatus status(std::size_t row) const { return status_[row]; }
  /// One line; empty for kOk.
  const std::string& reason(std::size_t row) const { return reasons_[row]; }

  void Fail(std::size_t row, const std::string& reason);
  void DidNotConverge(std::size_t row, const std::string& reason);

 private:
  std::size_t columns_;
  std::vector<double> values_;
  std::vector<RowStatus> status_;
  std::vector<std::string> reasons_;
};

/// One kind of run. Immutable; any threads may run blocks at once.
class RowRunner {
 public:
  virtual ~RowRunner() = default;

  virtual const std::vector<ResultColumn>& columns() const = 0;
  /// What the readers of files remark that are read once, and why no row could be read of those
  /// that were tried.
  virtual std::vector<std::string> notes() const = 0;
  /// Adds the files that are read for the rows.
  virtual void AddInputs(InputFiles* files) const = 0;
  /// Rows that a thread takes at a time.
  virtual std::size_t rows_of_block() const = 0;
  /// Those of a chunk where the plan does not say.
  virtual std::uint64_t rows_of_chunk() const = 0;
  /// Answers the rows of a block that have variables. Throws StoppedRun.
  virtual void Run(const RowBlock& block, const StopRows& stop, RowAnswers* answers) const = 0;
};

/// The runner of {"query": …}, {"force": …}, {"mass": …} and {"simulate": …}; `root` is that of the
/// sweep file. Where variables are near contact they get the pair. Throws InvalidInput that names
/// the place for what is wrong whatever values the variables have.
std::unique_ptr<RowRunner> MakeRunner(const JsonCursor& root, SweepVariables* variables);

/// Those of one kind.
std::unique_ptr<RowRunner> MakePairRunner(const JsonCursor& root, const std::string& kind,
                                          SweepVariables* variables);
std::unique_ptr<RowRunner> MakeMassRunner(const JsonCursor& root, const SweepVariables& variables);
std::unique_ptr<RowRunner> MakeScenarioRunner(const JsonCursor& root,
                                              const SweepVariables& variables);

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
