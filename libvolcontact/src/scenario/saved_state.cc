#include "scenario/simulation/saved_state.h"

#include "io/json/json_document.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

std::string ToText(const SavedState& state) {
  nlohmann::json json = {{"t", state.t},
                         {"y", state.y},
                         {"contacts", state.contacts},
                         {"initial_balance", state.initial_balance},
                         {"step", state.step}};
  if (!state.wrenches.empty()) json["wrenches"] = state.wrenches;
  if (!state.targets.empty()) json["targets"] = state.targets;
  if (!state.divisions.empty()) json["divisions"] = state.divisions;
  if (!state.looks.empty()) json["looks"] = state.looks;
  return json.dump();
}

SavedState ParseSavedState(const std::string& text) {
  const JsonDocument document = JsonDocument::Parse(text, "the saved state");
  const JsonCursor input = document.Root();
  input.ExpectObject({"t", "y", "contacts", "initial_balance", "step", "wrenches", "targets",
                      "divisions", "looks"});
  SavedState state;
  state.t = input.Member("t").Number();
  state.y = input.Member("y").Numbers();
  for (const JsonCursor& contact : input.Member("contacts").Items()) {
    state.contacts.push_back(contact.Numbers());
  }
  state.initial_balance = input.Member("initial_balance").Number();
  state.step = input.Member("step").Number();
  if (const auto wrenches = input.Find("wrenches")) state.wrenches = wrenches->Numbers();
  if (const auto targets = input.Find("targets")) state.targets = targets->Numbers();
  const auto read_lists = [&](const char* key, std::vector<std::vector<double>>* lists) {
    const auto found = input.Find(key);
    if (!found) return;
    for (const JsonCursor& list : found->Items()) lists->push_back(list.Numbers());
  };
  read_lists("divisions", &state.divisions);
  read_lists("looks", &state.looks);
  return state;
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
