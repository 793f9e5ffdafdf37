#include "sweep/run_part.h"

#include <fmt/format.h>

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

RunPart::RunPart(const JsonCursor& root, std::vector<std::string> keys,
                 const SweepVariables& variables)
    : origin_(root.source().origin), folder_(root.source().folder), keys_(std::move(keys)) {
  JsonCursor at = root;
  nlohmann::json::json_pointer place;
  for (const std::string& key : keys_) {
    at = at.Member(key);
    place /= key;
  }
  document_[place] = at.value();
  FindSlots(at, place, variables);
}

void RunPart::FindSlots(const JsonCursor& input, const nlohmann::json::json_pointer& place,
                        const SweepVariables& variables) {
  if (input.value().is_object()) {
    for (const auto& [key, value] : input.value().items()) {
      FindSlots(input.Member(key), place / key, variables);
    }
  } else if (input.value().is_array()) {
    for (std::size_t i = 0; i < input.value().size(); ++i) {
      FindSlots(input.Item(i), place / i, variables);
    }
  } else if (input.value().is_string()) {
    const auto found = variables.Find(input.String());
    if (!found) return;
    if (found->kind != VariableKind::kNumber) {
      input.Fail(fmt::format("the variable \"{}\" is no number", input.String()));
    }
    slots_.push_back({place, found->column});
  }
}

nlohmann::json RunPart::Filled(const RowBlock& block, std::size_t row) const {
  nlohmann::json filled = document_;
  for (const Slot& slot : slots_) {
    filled[slot.place] = block.columns[slot.column][row];
  }
  return filled;
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
