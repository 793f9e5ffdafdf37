#include "sweep/row_runner.h"

#include <algorithm>
#include <limits>

#include "io/messages.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

RowAnswers::RowAnswers(std::size_t rows, std::size_t columns)
    : columns_(columns),
      values_(rows * columns, std::numeric_limits<double>::quiet_NaN()),
      status_(rows, RowStatus::kOk),
      reasons_(rows) {}

void RowAnswers::Fail(std::size_t row, const std::string& reason) {
  std::fill_n(Row(row), columns_, std::numeric_limits<double>::quiet_NaN());
  status_[row] = RowStatus::kFailed;
  reasons_[row] = Printable(reason);
}

void RowAnswers::DidNotConverge(std::size_t row, const std::string& reason) {
  status_[row] = RowStatus::kNotConverged;
  reasons_[row] = Printable(reason);
}

std::unique_ptr<RowRunner> MakeRunner(const JsonCursor& root, SweepVariables* variables) {
  const JsonCursor run = root.Member("run");
  run.ExpectObject({"query", "force", "mass", "simulate"});
  if (run.value().size() != 1) {
    run.Fail("one of \"query\", \"force\", \"mass\" and \"simulate\" is expected");
  }
  const std::string kind = run.value().begin().key();
  if (kind == "query" || kind == "force") return MakePairRunner(root, kind, variables);
  if (variables->NeedsPair()) {
    root.Member("over").Fail("poses near contact are for \"query\" and \"force\"");
  }
  return kind == "mass" ? MakeMassRunner(root, *variables) : MakeScenarioRunner(root, *variables);
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
