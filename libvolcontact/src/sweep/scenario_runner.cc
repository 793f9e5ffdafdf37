// Runs of a scenario.
#include <fmt/format.h>

#include "io/json/document_values.h"
#include "io/malformed_input.h"
#include "sweep/row_inputs.h"
#include "sweep/row_runner.h"
#include "volcontact/io/suggestion.h"
#include "volcontact/math/error.h"
#if VOLCONTACT_HAS_SIMULATOR
#include "volcontact/scenario/memory_run.h"
#endif

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

#if VOLCONTACT_HAS_SIMULATOR
namespace {

constexpr std::size_t kRowsOfScenarioBlock = 1;
constexpr std::uint64_t kRowsOfScenarioChunk = 16;

const scenario::ScenarioVariant& FindVariant(const JsonCursor& run,
                                             const scenario::ScenarioFile& file) {
  const std::string name = run.String("variant", file.variants.front().name);
  std::vector<std::string> names;
  for (const scenario::ScenarioVariant& variant : file.variants) {
    if (variant.name == name) return variant;
    names.push_back(variant.name);
  }
  run.Member("variant").Fail(
      fmt::format("{} has no variant \"{}\"{}", file.file, name, DidYouMean(name, names)));
}

class ScenarioRunner : public RowRunner {
 public:
  ScenarioRunner(const JsonCursor& root, const SweepVariables& variables);

  const std::vector<ResultColumn>& columns() const override { return columns_; }
  std::vector<std::string> notes() const override { return notes_; }
  std::size_t rows_of_block() const override { return kRowsOfScenarioBlock; }
  std::uint64_t rows_of_chunk() const override { return kRowsOfScenarioChunk; }
  void AddInputs(InputFiles* files) const override;
  void Run(const RowBlock& block, const StopRows& stop, RowAnswers* answers) const override;

 private:
  scenario::ScenarioVariant VariantAt(const RowBlock& block, std::size_t row) const;
  void RunRow(const RowBlock& block, std::size_t row, const StopRows& stop,
              RowAnswers* answers) const;

  scenario::ScenarioFile file_;
  std::string path_;  // of the file, from the sweep's folder
  std::string variant_;
  nlohmann::json document_;      // of the variant
  nlohmann::json set_document_;  // with variables by their names
  std::optional<RunPart> set_;
  std::vector<ResultColumn> columns_;
  std::vector<std::string> notes_;
};

ScenarioRunner::ScenarioRunner(const JsonCursor& root, const SweepVariables& variables) {
  const JsonCursor run = root.Member("run").Member("simulate");
  run.ExpectObject({"scenario", "variant", "set"});
  path_ = run.Member("scenario").String();
  file_ = scenario::ReadScenarioFile((run.source().folder / path_).string());
  const scenario::ScenarioVariant& variant = FindVariant(run, file_);
  variant_ = variant.name;
  document_ = ParseJson(variant.document, file_.file, JsonDialect::kSettings);
  if (const auto set = run.Find("set")) {
    if (!set->value().is_object()) set->Fail("an object of paths and values is expected");
    set_document_ = set->value();
    set_.emplace(root, std::vector<std::string>{"run", "simulate", "set"}, variables);
  }
  for (const scenario::MeasureSpec& measure : file_.measures) {
    const auto& names = measure.variants;
    if (!names.empty() && std::find(names.begin(), names.end(), variant_) == names.end()) continue;
    columns_.push_back({measure.name, measure.unit});
  }
  if (columns_.empty()) {
    run.Member("scenario")
        .Fail(fmt::format("{} has no measures, so a run has no result; add \"measures\" to it",
                          file_.file));
  }
  if (!set_ || !set_->varies()) {
    notes_ = scenario::ReadScenario(file_, VariantAt({}, 0)).notes;
    return;
  }
  std::vector<std::string> read;  // of the row that could be read
  notes_ = TryRows(variables, [&](const RowBlock& block, std::size_t row) {
    read = scenario::ReadScenario(file_, VariantAt(block, row)).notes;
  });
  notes_.insert(notes_.end(), read.begin(), read.end());
}

// Solids in files are looked for beside the scenario. What other variants name is not read.
void ScenarioRunner::AddInputs(InputFiles* files) const {
  files->Add(path_);
  nlohmann::json document = document_;
  for (const auto& [path, value] : set_document_.items()) {
    SetValue(path, value, &document);
  }
  document.erase("variants");
  files->AddNamed(document, std::filesystem::path(path_).parent_path());
}

scenario::ScenarioVariant ScenarioRunner::VariantAt(const RowBlock& block, std::size_t row) const {
  nlohmann::json document = document_;
  if (set_) {
    set_->With(block, row, [&](const JsonCursor& set) {
      for (const auto& [path, value] : set.value().items()) {
        try {
          SetValue(path, value, &document);
        } catch (const InvalidInput& error) {
          throw MalformedInput(set.Message(error.what()));
        }
      }
      return true;
    });
  }
  return {variant_, document.dump()};
}

void ScenarioRunner::RunRow(const RowBlock& block, std::size_t row, const StopRows& stop,
                            RowAnswers* answers) const {
  const auto run = scenario::RunInMemory(file_, VariantAt(block, row), stop);
  if (!run) throw StoppedRun();
  if (!run->failure.empty()) return answers->Fail(row, run->failure);
  std::copy(run->measures.begin(), run->measures.end(), answers->Row(row));
  if (run->statistics.unconverged > 0) {
    answers->DidNotConverge(row, "queries did not reach their tolerance at some outputs");
  }
}

void ScenarioRunner::Run(const RowBlock& block, const StopRows& stop, RowAnswers* answers) const {
  for (std::size_t row = 0; row < block.count; ++row) {
    if (stop()) throw StoppedRun();
    if (!block.failures[row].empty()) continue;
    try {
      RunRow(block, row, stop, answers);
    } catch (const InvalidInput& error) {
      answers->Fail(row, error.what());
    } catch (const scenario::SimulationError& error) {
      answers->Fail(row, error.what());
    }
  }
}

}  // namespace

std::unique_ptr<RowRunner> MakeScenarioRunner(const JsonCursor& root,
                                              const SweepVariables& variables) {
  return std::make_unique<ScenarioRunner>(root, variables);
}
#else
std::unique_ptr<RowRunner> MakeScenarioRunner(const JsonCursor& root, const SweepVariables&) {
  root.Member("run")
      .Member("simulate")
      .Fail(
          "this build has no simulator; install libsimbody-dev and configure with "
          "-DVOLCONTACT_SIMBODY=ON");
}
#endif

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
