#include "volcontact/sweep/sweep_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "io/json/document_values.h"
#include "io/json/json_document.h"
#include "math/component_loop.h"
#include "sweep/input_files.h"
#include "sweep/row_runner.h"
#include "sweep/store/reductions/reduction.h"
#include "sweep/variables/variables.h"
#include "volcontact/io/suggestion.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

// Rows of a chunk, which are kept in memory.
constexpr int kMostRowsOfChunk = 10'000'000;

// The document with the contact's file and what "set" says in their places.
struct ExpandedDocument {
  nlohmann::json tree;
  std::vector<std::string> contact_files;  // that were read for it
};

// Puts a contact file in the place of its name.
void ExpandContact(const JsonCursor& root, nlohmann::json* run, ExpandedDocument* document) {
  if (!run->is_object() || !run->contains("contact")) return;
  nlohmann::json& contact = (*run)["contact"];
  if (!contact.is_string()) return;
  document->contact_files.push_back(contact.get<std::string>());
  contact =
      JsonDocument::Read(root.source().folder / document->contact_files.back()).Root().value();
}

// What "set" says, put into the run; the paths of a scenario's values join those of its own "set".
// Paths come by the alphabet, a contact before its members.
void ApplySet(const JsonCursor& root, const std::string& kind, nlohmann::json* run,
              ExpandedDocument* document) {
  const JsonCursor set = root.Member("set");
  if (!set.value().is_object()) set.Fail("an object of paths and variables is expected");
  for (const auto& [path, value] : set.value().items()) {
    try {
      if (kind != "simulate") {
        SetValue(path, value, run);
        if (kind == "force") ExpandContact(root, run, document);
        continue;
      }
      nlohmann::json& own = (*run)["set"];
      if (!own.is_null() && !own.is_object()) {
        throw InvalidInput("the run's \"set\" is not an object of paths and values");
      }
      if (own.contains(path))
        throw InvalidInput(path + ": the run's \"set\" gives it too; keep one");
      own[path] = value;
    } catch (const InvalidInput& error) {
      set.Fail(error.what());
    }
  }
}

ExpandedDocument Expand(const JsonCursor& root) {
  ExpandedDocument document{root.value(), {}};
  const JsonCursor runs = root.Member("run");
  if (!runs.value().is_object() || runs.value().empty()) return document;
  const std::string kind = runs.value().begin().key();
  nlohmann::json& run = document.tree["run"][kind];
  if (kind == "force") ExpandContact(root, &run, &document);
  if (root.Has("set")) ApplySet(root, kind, &run, &document);
  return document;
}

// One NaN for all, the bits of which differ between processors.
double OneNan(double number) {
  return std::isnan(number) ? std::numeric_limits<double>::quiet_NaN() : number;
}

}  // namespace

struct Plan::Contents {
  Contents(const JsonCursor& root, const JsonCursor& expanded);

  void ReadKept(const JsonCursor& root);
  void FindInputs(const JsonCursor& root, const std::vector<std::string>& contact_files);
  void Copy(const RowBlock& block, const RowAnswers& answers, ChunkRows* rows,
            std::vector<RowReason>* reasons) const;

  // Where a kept column comes from.
  struct KeptColumn {
    bool is_variable;
    std::size_t index;
  };

  SweepVariables variables;
  std::unique_ptr<RowRunner> runner;
  std::uint64_t rows_of_chunk;
  std::vector<KeptColumn> kept;
  std::vector<ResultColumn> columns;  // those that are kept
  std::vector<InputFile> inputs;
  std::vector<std::string> notes;
  std::string document;
};

Plan::Contents::Contents(const JsonCursor& root, const JsonCursor& expanded)
    : variables(root.Member("over")), runner(MakeRunner(expanded, &variables)) {
  rows_of_chunk = runner->rows_of_chunk();
  if (const auto chunk = root.Find("chunk")) {
    const int rows = chunk->Integer();
    if (rows < 1 || rows > kMostRowsOfChunk) {
      chunk->Fail(fmt::format("a chunk has 1 to {} rows", kMostRowsOfChunk));
    }
    rows_of_chunk = static_cast<std::uint64_t>(rows);
  }
  ReadKept(root);
  notes = runner->notes();
  document = root.value().dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// What was read: of "over" a table alone names a file.
void Plan::Contents::FindInputs(const JsonCursor& root,
                                const std::vector<std::string>& contact_files) {
  InputFiles files(root.source().folder);
  runner->AddInputs(&files);
  for (const std::string& file : contact_files) files.Add(file);
  if (const auto table = root.Member("over").Find("csv")) {
    files.Add((table->Has("file") ? table->Member("file") : *table).String());
  }
  inputs = files.List();
}

// All columns, or those that are named, of which the reductions are made.
void Plan::Contents::ReadKept(const JsonCursor& root) {
  std::vector<ResultColumn> all = variables.columns();
  all.insert(all.end(), runner->columns().begin(), runner->columns().end());
  std::vector<std::string> names;
  for (const ResultColumn& column : all) {
    if (std::find(names.begin(), names.end(), column.name) != names.end()) {
      root.Member("over").Fail(
          fmt::format("the variable \"{}\" has the name of a result of the run; take another name",
                      column.name));
    }
    names.push_back(column.name);
  }
  std::vector<std::size_t> wanted;
  if (const auto keep = root.Find("keep")) {
    keep->ExpectNonEmptyArray("names of columns");
    for (const JsonCursor& item : keep->Items()) {
      const std::string name = item.String();
      const auto at = std::find(names.begin(), names.end(), name);
      if (at == names.end()) {
        item.Fail(fmt::format("there is no column \"{}\"{}; there are {}", name,
                              DidYouMean(name, names), fmt::join(names, ", ")));
      }
      wanted.push_back(static_cast<std::size_t>(at - names.begin()));
      if (std::count(wanted.begin(), wanted.end(), wanted.back()) > 1) {
        item.Fail("the column is kept already");
      }
    }
  } else {
    for (std::size_t i = 0; i < all.size(); ++i) wanted.push_back(i);
  }
  const std::size_t given = variables.columns().size();
  for (const std::size_t i : wanted) {
    columns.push_back(all[i]);
    kept.push_back({i < given, i < given ? i : i - given});
  }
  if (const auto reduce = root.Find("reduce")) ReadReductions(*reduce, columns);
}

void Plan::Contents::Copy(const RowBlock& block, const RowAnswers& answers, ChunkRows* rows,
                          std::vector<RowReason>* reasons) const {
  const auto begin = static_cast<std::size_t>(block.first - rows->first);
  for (std::size_t row = 0; row < block.count; ++row) {
    const bool is_drawn = block.failures[row].empty();
    const RowStatus status = is_drawn ? answers.status(row) : RowStatus::kFailed;
    rows->status[begin + row] = status;
    if (status != RowStatus::kOk) {
      reasons->push_back({block.first + row, is_drawn ? answers.reason(row) : block.failures[row]});
    }
  }
  for (std::size_t i = 0; i < kept.size(); ++i) {
    double* column = rows->columns[i].data() + begin;
    if (kept[i].is_variable) {
      const std::vector<double>& values = block.columns[kept[i].index];
      std::transform(values.begin(), values.end(), column, OneNan);
      continue;
    }
    for (std::size_t row = 0; row < block.count; ++row) {
      column[row] = OneNan(answers.Row(row)[kept[i].index]);
    }
  }
}

Plan::Plan(std::shared_ptr<const Contents> contents) : contents_(std::move(contents)) {}

Plan Plan::Read(const std::string& file, const std::vector<std::string>& set) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  nlohmann::json tree = JsonDocument::Read(file).Root().value();
  for (const std::string& setting : set) ApplySetting(setting, &tree);
  const JsonDocument document(std::move(tree), file, folder);
  const JsonCursor root = document.Root();
  root.ExpectObject(
      {"volcontact", "title", "notes", "run", "over", "set", "keep", "rows", "chunk", "reduce"});
  root.ExpectVersion();
  root.String("title", "");
  root.Flag("rows", true);
  ExpandedDocument expansion = Expand(root);
  const JsonDocument expanded(std::move(expansion.tree), file, folder);
  auto contents = std::make_shared<Contents>(root, expanded.Root());
  contents->FindInputs(root, expansion.contact_files);
  return Plan(std::move(contents));
}

std::uint64_t Plan::rows() const { return contents_->variables.rows(); }
std::uint64_t Plan::rows_of_chunk() const { return contents_->rows_of_chunk; }
std::uint64_t Plan::chunks() const { return (rows() + rows_of_chunk() - 1) / rows_of_chunk(); }
const std::vector<ResultColumn>& Plan::columns() const { return contents_->columns; }
const std::vector<InputFile>& Plan::inputs() const { return contents_->inputs; }
const std::vector<std::string>& Plan::notes() const { return contents_->notes; }
const std::string& Plan::document() const { return contents_->document; }

std::optional<ChunkRows> Plan::Run(std::uint64_t chunk, int threads,
                                   const std::function<bool()>& stop) const {
  const Contents& plan = *contents_;
  if (chunk >= chunks()) {
    throw InvalidInput(fmt::format("there is no chunk {}; the plan has {}", chunk, chunks()));
  }
  ChunkRows rows;
  rows.first = chunk * rows_of_chunk();
  const auto count = static_cast<std::size_t>(std::min(rows_of_chunk(), this->rows() - rows.first));
  rows.status.resize(count);
  rows.columns.assign(plan.columns.size(), std::vector<double>(count));
  const std::size_t size = plan.runner->rows_of_block();
  const std::size_t blocks = (count + size - 1) / size;
  std::vector<std::vector<RowReason>> reasons(blocks);
  const StopRows asked = stop ? StopRows(stop) : [] { return false; };
  try {
    LoopOverThreads(blocks, threads, [&](std::size_t i) {
      const RowBlock block =
          plan.variables.Draw(rows.first + i * size, std::min(size, count - i * size));
      RowAnswers answers(block.count, plan.runner->columns().size());
      plan.runner->Run(block, asked, &answers);
      plan.Copy(block, answers, &rows, &reasons[i]);
    });
  } catch (const StoppedRun&) {
    return std::nullopt;
  }
  for (std::vector<RowReason>& of_block : reasons) {
    std::move(of_block.begin(), of_block.end(), std::back_inserter(rows.reasons));
  }
  return rows;
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
