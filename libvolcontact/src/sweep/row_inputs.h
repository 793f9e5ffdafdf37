// What rows are computed from, such as a solid or the contact: read once, or for each row where
// variables stand in it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/json/json_document.h"
#include "io/malformed_input.h"
#include "io/messages.h"
#include "sweep/variables/variables.h"
#include "volcontact/export.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// A document with places for variables: every text in it that is the name of a variable that is a
/// number, but for those of keys that take texts alone, such as "method" and "file". Immutable; any
/// threads may fill one at once.
class RunPart {
 public:
  /// `keys` lead from the document's root to the part; what else the document has is left out.
  /// Throws InvalidInput where a variable that is no number stands in it.
  RunPart(const JsonCursor& root, std::vector<std::string> keys, const SweepVariables& variables);

  bool varies() const { return !slots_.empty(); }
  /// Calls use(cursor) with the part as it is in a row, and returns what that returns.
  template <class Function>
  auto With(const RowBlock& block, std::size_t row, const Function& use) const {
    const JsonDocument document(Filled(block, row), origin_, folder_);
    JsonCursor at = document.Root();
    for (const std::string& key : keys_) at = at.Member(key);
    return use(at);
  }

 private:
  struct Slot {
    nlohmann::json::json_pointer place;
    std::size_t column;
  };

  void FindSlots(const JsonCursor& input, const nlohmann::json::json_pointer& place,
                 const SweepVariables& variables);
  nlohmann::json Filled(const RowBlock& block, std::size_t row) const;

  std::string origin_;
  std::filesystem::path folder_;
  std::vector<std::string> keys_;
  nlohmann::json document_;
  std::vector<Slot> slots_;
};

/// A value that is made of a part of the run. `Read` throws InvalidInput.
template <class Value>
class RowInput {
 public:
  using Read = std::function<Value(const JsonCursor& part)>;

  /// Reads it at once where it does not vary.
  RowInput(RunPart part, Read read) : part_(std::move(part)), read_(std::move(read)) {
    if (!part_.varies()) constant_ = At({}, 0);
  }

  bool varies() const { return part_.varies(); }
  const std::optional<Value>& constant() const { return constant_; }
  /// Read anew.
  Value At(const RowBlock& block, std::size_t row) const {
    return part_.With(block, row, [&](const JsonCursor& at) { return read_(at); });
  }

 private:
  RunPart part_;
  Read read_;
  std::optional<Value> constant_;
};

/// A solid, and what its reader remarks.
struct RowSolid {
  Solid solid;
  std::vector<std::string> notes;
};

/// Reads a solid as scenarios have them.
RowSolid ReadRowSolid(const JsonCursor& part);

/// Tries the inputs of rows, from the first to the last of the sweep, until those of one can be
/// read: calls read(block, 0) with a block for each. Throws MalformedInput with what is wrong
/// whatever the values are. Returns a remark with what is wrong in the first row where none of them
/// can be read, or nothing: values may be out of range in rows, which fail.
template <class Function>
std::vector<std::string> TryRows(const SweepVariables& variables, const Function& read) {
  constexpr std::uint64_t kMostTried = 16;
  const std::uint64_t tried = std::min(kMostTried, variables.rows());
  std::string first;
  for (std::uint64_t i = 0; i < tried; ++i) {
    const RowBlock block =
        variables.Draw(tried == 1 ? 0 : i * (variables.rows() - 1) / (tried - 1), 1);
    try {
      if (!block.failures[0].empty()) throw InvalidInput(block.failures[0]);
      read(block, std::size_t{0});
      return {};
    } catch (const MalformedInput&) {
      throw;
    } catch (const InvalidInput& error) {
      if (first.empty()) first = error.what();
    }
  }
  return {fmt::format("row 0 will fail: {} ({} rows of the sweep were tried, and none can be run)",
                      Printable(first), tried)};
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
