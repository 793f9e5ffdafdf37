#include "step/step_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "io/messages.h"

namespace volcontact {

BodyChoice ChoiceOf(const std::vector<StepInstance>& bodies) {
  std::vector<std::string> own;
  for (const StepInstance& body : bodies) own.push_back(body.name);
  return BodyChoice(std::move(own));
}

std::string Called(const std::vector<StepInstance>& bodies, int solid) {
  const auto of_solid = [&](const StepInstance& body) { return body.solid == solid; };
  const auto first = std::ranges::find_if(bodies, of_solid);
  const auto at = static_cast<std::size_t>(first - bodies.begin());
  const std::string number = fmt::format("solid {}", at + 1);
  return bodies.size() < 2 ? number : number + ' ' + Quoted(ChoiceOf(bodies).names()[at]);
}

}  // namespace volcontact
