// What rows are computed from: read once, or for each row where variables stand in it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sweep/run_part.h"
#include "volcontact/export.h"
#include "volcontact/math/error.h"
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

/// Tries the inputs of the first rows, so that what is wrong in all of them is told at once: calls
/// read(block, row). Throws InvalidInput with what the first row throws where each of them does.
template <class Function>
void TryFirstRows(const SweepVariables& variables, const Function& read) {
  constexpr std::uint64_t kTried = 8;
  const RowBlock block =
      variables.Draw(0, static_cast<std::size_t>(std::min(kTried, variables.rows())));
  std::string first;
  for (std::size_t row = 0; row < block.count; ++row) {
    try {
      if (!block.failures[row].empty()) throw InvalidInput(block.failures[row]);
      read(block, row);
      return;
    } catch (const InvalidInput& error) {
      if (first.empty()) first = error.what();
    }
  }
  throw InvalidInput(
      fmt::format("{} (and no other of the first {} rows can be run)", first, block.count));
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
