#include "step/step_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "volcontact/io/printable.h"
#include "volcontact/io/suggestion.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

// A longer list says nothing more to a reader.
constexpr std::size_t kMostListed = 20, kLongestName = 80;

std::string InQuotes(const std::string& name) { return '"' + Shown(name, kLongestName) + '"'; }

std::string OwnName(const StepInstance& body) { return body.name.empty() ? "body" : body.name; }

std::optional<int> NumberIn(const std::string& text) {
  int number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stopped == end ? std::optional(number) : std::nullopt;
}

std::string Numbered(const std::vector<StepInstance>& bodies, const std::vector<int>& those) {
  const std::vector<std::string> names = NamesOf(bodies);
  std::vector<std::string> listed;
  for (const int i : those) {
    if (listed.size() == kMostListed) break;
    listed.push_back(fmt::format("{} {}", i + 1, InQuotes(names[static_cast<std::size_t>(i)])));
  }
  const std::size_t more = those.size() - listed.size();
  return fmt::format("{}", fmt::join(listed, ", ")) +
         (more > 0 ? fmt::format(" and {} more", more) : "");
}

std::vector<int> AllOf(const std::vector<StepInstance>& bodies) {
  std::vector<int> all(bodies.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

std::vector<std::string> NamesOf(const std::vector<StepInstance>& bodies) {
  std::map<std::string, int> count;
  for (const StepInstance& body : bodies) ++count[OwnName(body)];
  std::set<std::string> taken;
  for (const auto& [name, times] : count) taken.insert(name);
  std::map<std::string, int> last;
  std::vector<std::string> names;
  for (const StepInstance& body : bodies) {
    std::string name = OwnName(body);
    if (count[name] > 1) {
      std::string numbered;
      do {
        numbered = fmt::format("{}:{}", name, ++last[name]);
      } while (!taken.insert(numbered).second);
      name = numbered;
    }
    names.push_back(std::move(name));
  }
  return names;
}

std::vector<int> ChosenBodies(const std::vector<StepInstance>& bodies, const std::string& choice) {
  if (choice.empty() || choice == "all") return AllOf(bodies);
  const std::vector<std::string> names = NamesOf(bodies);
  const auto found = std::ranges::find(names, choice);
  if (found != names.end()) return {static_cast<int>(found - names.begin())};
  std::vector<int> shared;
  for (const int i : AllOf(bodies)) {
    if (OwnName(bodies[static_cast<std::size_t>(i)]) == choice) shared.push_back(i);
  }
  if (!shared.empty()) {
    throw InvalidInput(fmt::format("{} bodies are called {}; name one of {}", shared.size(),
                                   InQuotes(choice), Numbered(bodies, shared)));
  }
  const std::optional<int> number = NumberIn(choice);
  if (number && *number >= 1 && *number <= static_cast<int>(bodies.size())) return {*number - 1};
  throw InvalidInput(fmt::format("no body is called {}{}; name one of {}, or all", InQuotes(choice),
                                 DidYouMean(choice, names), ListedBodies(bodies)));
}

std::string ListedBodies(const std::vector<StepInstance>& bodies) {
  return Numbered(bodies, AllOf(bodies));
}

std::string Called(const std::vector<StepInstance>& bodies, int solid) {
  const auto of_solid = [&](const StepInstance& body) { return body.solid == solid; };
  const auto first = std::ranges::find_if(bodies, of_solid);
  const auto at = static_cast<std::size_t>(first - bodies.begin());
  const std::string number = fmt::format("solid {}", at + 1);
  return bodies.size() < 2 ? number : number + ' ' + InQuotes(NamesOf(bodies)[at]);
}

}  // namespace volcontact
