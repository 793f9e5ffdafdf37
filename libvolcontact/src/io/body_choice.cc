#include "io/body_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "io/messages.h"
#include "volcontact/io/suggestion.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

// A longer list says nothing more to a reader.
constexpr std::size_t kMostListed = 20;

std::optional<int> NumberIn(const std::string& text) {
  int number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stopped == end ? std::optional(number) : std::nullopt;
}

std::vector<std::string> Distinct(const std::vector<std::string>& own) {
  std::map<std::string, int> count, last;
  for (const std::string& name : own) ++count[name];
  std::set<std::string> taken;
  for (const auto& [name, times] : count) taken.insert(name);
  std::vector<std::string> names;
  for (std::string name : own) {
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

}  // namespace

BodyChoice::BodyChoice(std::vector<std::string> own) : own_(std::move(own)) {
  for (std::string& name : own_) {
    if (name.empty()) name = "body";
  }
  names_ = Distinct(own_);
}

std::vector<int> BodyChoice::All() const {
  std::vector<int> all(own_.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::string BodyChoice::Listed(const std::vector<int>& those) const {
  std::vector<std::string> listed;
  for (const int i : those) {
    if (listed.size() == kMostListed) break;
    listed.push_back(fmt::format("{} {}", i + 1, Quoted(names_[static_cast<std::size_t>(i)])));
  }
  const std::size_t more = those.size() - listed.size();
  return fmt::format("{}", fmt::join(listed, ", ")) +
         (more > 0 ? fmt::format(" and {} more", more) : "");
}

std::vector<int> BodyChoice::Chosen(const std::string& choice) const {
  if (choice.empty() || choice == "all") return All();
  const auto found = std::ranges::find(names_, choice);
  if (found != names_.end()) return {static_cast<int>(found - names_.begin())};
  std::vector<int> shared;
  for (const int i : All()) {
    if (own_[static_cast<std::size_t>(i)] == choice) shared.push_back(i);
  }
  if (!shared.empty()) {
    throw InvalidInput(fmt::format("{} bodies are called {}; name one of {}", shared.size(),
                                   Quoted(choice), Listed(shared)));
  }
  const std::optional<int> number = NumberIn(choice);
  if (number && *number >= 1 && *number <= static_cast<int>(own_.size())) return {*number - 1};
  throw InvalidInput(fmt::format("no body is called {}{}; name one of {}, or all", Quoted(choice),
                                 DidYouMean(choice, names_), Listed()));
}

std::string BodyChoice::NoteOfSeveral(const std::string& origin) const {
  return fmt::format(
      "{}: holds {} bodies, read as one solid: {}; choose one of them as {}#NAME, or with --body",
      origin, own_.size(), Listed(), origin);
}

VOLCONTACT_NAMESPACE_END
