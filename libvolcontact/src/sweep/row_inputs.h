// What rows are computed from: read once, or for each row where variables stand in it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/malformed_input.h"
#include "io/messages.h"
#include "sweep/run_part.h"
#include "volcontact/export.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

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
