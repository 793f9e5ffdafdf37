#include "sweep/row_inputs.h"

#include <array>
#include <string_view>

#include "io/contacts/contact_members.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

// Keys of solids, contacts and scenarios that take texts and never numbers.
constexpr std::array<std::string_view, 25> kTextKeys = {
    "a",      "b",    "body",  "books",   "damping_law", "direction", "file",     "frame",  "law",
    "method", "name", "note",  "parent",  "reason",      "rolling",   "scenario", "source", "title",
    "type",   "unit", "units", "variant", "contact",     "kind",      "notes"};

// By the last part of a key, which may be a path of "set".
bool TakesText(const std::string& key) {
  const std::string_view last = std::string_view(key).substr(key.rfind('.') + 1);
  return std::find(kTextKeys.begin(), kTextKeys.end(), last) != kTextKeys.end();
}

}  // namespace

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
      if (value.is_string() && TakesText(key)) continue;
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
      input.Fail(fmt::format("the variable \"{}\" is not a number", input.String()));
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

RowSolid ReadRowSolid(const JsonCursor& part) {
  RowSolid read;
  read.solid = ReadSolidMember(part, &read.notes);
  return read;
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
