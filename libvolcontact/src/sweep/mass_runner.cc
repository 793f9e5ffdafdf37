// Mass properties of one solid.
#include "sweep/row_inputs.h"
#include "sweep/row_runner.h"
#include "sweep/run_options.h"
#include "volcontact/io/answer_columns.h"
#include "volcontact/overlap/mass_properties.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

constexpr std::size_t kRowsOfMassBlock = 16;
constexpr std::uint64_t kRowsOfMassChunk = 10000;

class MassRunner : public RowRunner {
 public:
  MassRunner(const JsonCursor& root, const SweepVariables& variables)
      : run_(root.Member("run").Member("mass").value()),
        a_(RunPart(root, {"run", "mass", "a"}, variables), ReadRowSolid) {
    const JsonCursor run = root.Member("run").Member("mass");
    run.ExpectObject({"a", "options"});
    if (run.Has("options")) {
      options_.emplace(RunPart(root, {"run", "mass", "options"}, variables), ReadRunOptions);
    }
    for (const AnswerColumn& column : MassColumns()) {
      columns_.push_back({column.name, column.unit});
    }
    remarks_ = TryRows(variables, [this](const RowBlock& block, std::size_t row) {
      a_.At(block, row);
      if (options_) options_->At(block, row);
    });
    NoteOldMethod(run, &remarks_);
  }

  const std::vector<ResultColumn>& columns() const override { return columns_; }
  std::vector<std::string> notes() const override {
    std::vector<std::string> notes = remarks_;
    if (const auto& a = a_.constant()) notes.insert(notes.end(), a->notes.begin(), a->notes.end());
    return notes;
  }
  void AddInputs(InputFiles* files) const override { files->AddNamed(run_, {}); }
  std::size_t rows_of_block() const override { return kRowsOfMassBlock; }
  std::uint64_t rows_of_chunk() const override { return kRowsOfMassChunk; }

  void Run(const RowBlock& block, const StopRows& stop, RowAnswers* answers) const override {
    for (std::size_t row = 0; row < block.count; ++row) {
      if (stop()) throw StoppedRun();
      if (!block.failures[row].empty()) continue;
      try {
        QueryOptions options;
        if (options_) options = options_->At(block, row);
        const RowSolid a = a_.varies() ? a_.At(block, row) : *a_.constant();
        const MassProperties mass = ComputeMassProperties(a.solid, options);
        PutMass(mass, answers->Row(row));
        if (!mass.converged) {
          answers->DidNotConverge(row, ReasonUnconverged(mass.warnings, mass.method, options));
        }
      } catch (const InvalidInput& error) {
        answers->Fail(row, error.what());
      }
    }
  }

 private:
  nlohmann::json run_;
  RowInput<RowSolid> a_;
  std::optional<RowInput<QueryOptions>> options_;
  std::vector<ResultColumn> columns_;
  std::vector<std::string> remarks_;  // on rows that were tried
};

}  // namespace

std::unique_ptr<RowRunner> MakeMassRunner(const JsonCursor& root, const SweepVariables& variables) {
  return std::make_unique<MassRunner>(root, variables);
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
