#include "sweep/store/store_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/json/json_document.h"
#include "io/messages.h"
#include "sweep/sha256.h"
#include "volcontact/math/error.h"
#include "volcontact/version.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

constexpr int kManifestFormat = 1;
// Counts up to here are exact in JSON's numbers.
constexpr double kMostRows = 9007199254740992.0;
constexpr std::size_t kMostValueShown = 60;
// Files in one folder, all of which are looked at when a run begins; and rows of one, of plans.
constexpr std::uint64_t kMostChunks = 10'000'000, kMostRowsOfChunk = 10'000'000;

std::string ManifestText(const ManifestParts& parts, const nlohmann::json& document) {
  nlohmann::ordered_json columns = nlohmann::ordered_json::array();
  for (const ResultColumn& column : parts.columns) {
    columns.push_back({{"name", column.name}, {"unit", column.unit}});
  }
  nlohmann::ordered_json inputs = nlohmann::ordered_json::array();
  for (const InputFile& input : parts.inputs) {
    inputs.push_back({{"path", input.path}, {"sha256", input.sha256}});
  }
  nlohmann::ordered_json manifest = {{"volcontact_sweep", kManifestFormat},
                                     {"version", LibraryVersion()}};
  if (document.contains("over") && document["over"].contains("seed")) {
    manifest["seed"] = document["over"]["seed"];
  }
  manifest["rows"] = parts.rows;
  manifest["rows_of_chunk"] = parts.rows_of_chunk;
  manifest["columns"] = std::move(columns);
  manifest["inputs"] = std::move(inputs);
  manifest["document_sha256"] = Sha256(parts.document);
  manifest["document"] = document;
  return manifest.dump(1) + "\n";
}

std::uint64_t ReadCount(const JsonCursor& input) {
  const double number = input.Number();
  if (!(number >= 0.0 && number <= kMostRows && number == std::floor(number))) {
    input.Fail("must be a count, not " + input.value().dump());
  }
  return static_cast<std::uint64_t>(number);
}

// Names are those of data sets and of cells.
void RefuseNames(const StoreLayout& layout, const std::string& origin) {
  if (!layout.keeps_rows) return;
  for (const auto& [name, unit] : layout.columns) {
    const bool is_taken = name == "row" || name == "status";
    if (!is_taken && !name.empty() && name != "." && name.find('/') == std::string::npos &&
        Printable(name) == name) {
      continue;
    }
    throw InvalidInput(fmt::format("{}: a column that is kept cannot be named \"{}\"{}", origin,
                                   Printable(name),
                                   is_taken ? "; every row has that already" : "; rename it"));
  }
}

void ReadDocument(const JsonCursor& document, const std::string& origin, StoreLayout* layout) {
  layout->title = document.String("title", "");
  layout->keeps_rows = document.Flag("rows", true);
  if (const auto reduce = document.Find("reduce")) {
    layout->reductions = ReadReductions(*reduce, layout->columns);
  }
  RefuseNames(*layout, origin);
}

void SetCounts(std::uint64_t rows, std::uint64_t rows_of_chunk, StoreLayout* layout) {
  layout->rows = rows;
  layout->rows_of_chunk = rows_of_chunk;
  layout->chunks = rows / rows_of_chunk + (rows % rows_of_chunk == 0 ? 0 : 1);
}

void RefuseManyChunks(const StoreLayout& layout, const std::string& origin) {
  if (layout.chunks <= kMostChunks) return;
  const std::uint64_t enough = (layout.rows - 1) / kMostChunks + 1;
  throw InvalidInput(fmt::format(
      "{}: {} rows in chunks of {} make {} chunks, and at most {} are allowed; {}", origin,
      layout.rows, layout.rows_of_chunk, layout.chunks, kMostChunks,
      enough <= kMostRowsOfChunk
          ? fmt::format("take a larger \"chunk\": {} is enough", enough)
          : fmt::format("take fewer rows, because a chunk has at most {}", kMostRowsOfChunk)));
}

std::string ShownValue(const nlohmann::json& json, const nlohmann::json::json_pointer& place) {
  if (!json.contains(place)) return "missing";
  const std::string text = json[place].dump();
  return text.size() <= kMostValueShown ? text : text.substr(0, kMostValueShown) + "…";
}

// "/over/variables/x" as over.variables.x.
std::string ShownPlace(std::string pointer) {
  if (!pointer.empty()) pointer.erase(0, 1);
  std::replace(pointer.begin(), pointer.end(), '/', '.');
  return Printable(pointer);
}

std::string InputsDifference(const nlohmann::json& there, const nlohmann::json& here) {
  for (const nlohmann::json& input : here) {
    const auto same_path = [&](const nlohmann::json& other) {
      return other.is_object() && other.value("path", nlohmann::json()) == input["path"];
    };
    const auto found = std::find_if(there.begin(), there.end(), same_path);
    if (found != there.end() && found->value("sha256", nlohmann::json()) != input["sha256"]) {
      return "the file " + Printable(input["path"].get<std::string>()) + " has changed since";
    }
  }
  return "other files are read";
}

}  // namespace

std::uint64_t StoreLayout::RowsOf(std::uint64_t chunk) const {
  return std::min(rows_of_chunk, rows - FirstRow(chunk));
}

std::shared_ptr<const StoreLayout> MakeLayout(const ManifestParts& parts) {
  const JsonDocument document = JsonDocument::Parse(parts.document, parts.origin);
  auto layout = std::make_shared<StoreLayout>();
  if (parts.rows_of_chunk == 0) throw InvalidInput(parts.origin + ": a chunk needs rows");
  SetCounts(parts.rows, parts.rows_of_chunk, layout.get());
  RefuseManyChunks(*layout, parts.origin);
  layout->columns = parts.columns;
  ReadDocument(document.Root(), parts.origin, layout.get());
  layout->manifest = ManifestText(parts, document.Root().value());
  layout->plan_hash = Sha256(layout->manifest);
  return layout;
}

std::shared_ptr<const StoreLayout> LayoutOf(const Plan& plan) {
  ManifestParts parts;
  parts.rows = plan.rows();
  parts.rows_of_chunk = plan.rows_of_chunk();
  parts.columns = plan.columns();
  parts.inputs = plan.inputs();
  parts.document = plan.document();
  parts.origin = "the sweep";  // Plan::Read has said what is wrong with "reduce"
  return MakeLayout(parts);
}

namespace {

std::shared_ptr<const StoreLayout> LayoutOfManifest(const std::string& text,
                                                    const std::filesystem::path& file) {
  const JsonDocument document = JsonDocument::Parse(text, file.string());
  const JsonCursor root = document.Root();
  if (!root.Has("volcontact_sweep")) root.Fail("is no manifest of a sweep");
  const JsonCursor format = root.Member("volcontact_sweep");
  if (format.Number() != kManifestFormat) {
    format.Fail(
        fmt::format("is {}; this program reads format {}", format.value().dump(), kManifestFormat));
  }
  auto layout = std::make_shared<StoreLayout>();
  const JsonCursor rows_of_chunk = root.Member("rows_of_chunk");
  if (ReadCount(rows_of_chunk) == 0) rows_of_chunk.Fail("must be above zero");
  SetCounts(ReadCount(root.Member("rows")), ReadCount(rows_of_chunk), layout.get());
  for (const JsonCursor& column : root.Member("columns").Items()) {
    layout->columns.push_back({column.Member("name").String(), column.Member("unit").String()});
  }
  ReadDocument(root.Member("document"), file.string(), layout.get());
  layout->manifest = text;
  layout->plan_hash = Sha256(text);
  return layout;
}

}  // namespace

std::shared_ptr<const StoreLayout> ParseManifest(const std::string& text,
                                                 const std::filesystem::path& file) {
  try {
    return LayoutOfManifest(text, file);
  } catch (const InvalidInput& error) {
    std::string detail = error.what();
    const std::string prefix = file.string() + ": ";
    if (detail.starts_with(prefix)) detail.erase(0, prefix.size());
    throw InvalidInput(
        fmt::format("{}: cannot be read, so the sweep is unknown; remove the folder {} and begin "
                    "again, or restore this file from a copy ({})",
                    file.string(), file.parent_path().string(), detail));
  }
}

std::string ManifestDifference(const std::string& there, const std::string& here,
                               const std::filesystem::path& file) {
  if (there == here) return "";
  ParseManifest(there, file);  // or says what is wrong with it
  const nlohmann::json old = nlohmann::json::parse(there), now = nlohmann::json::parse(here);
  if (old.value("version", nlohmann::json()) != now["version"]) {
    return "it was begun by version " + ShownValue(old, nlohmann::json::json_pointer("/version")) +
           " of volcontact, this is " + LibraryVersion();
  }
  const nlohmann::json changes = nlohmann::json::diff(old["document"], now["document"]);
  if (!changes.empty()) {
    const std::string pointer = changes.front()["path"].get<std::string>();
    const nlohmann::json::json_pointer place(pointer);
    return fmt::format("{} is {} there, {} here", ShownPlace(pointer),
                       ShownValue(old["document"], place), ShownValue(now["document"], place));
  }
  if (old.value("inputs", nlohmann::json()) != now["inputs"]) {
    return InputsDifference(old.value("inputs", nlohmann::json()), now["inputs"]);
  }
  return "its rows, chunks or columns differ";
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
