// A part of what is run, such as a solid or the contact, in which variables may stand for numbers.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "io/json/json_document.h"
#include "sweep/variables/variables.h"
#include "volcontact/export.h"

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

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
