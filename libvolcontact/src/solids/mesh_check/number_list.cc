#include "solids/mesh_check/number_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>

namespace volcontact {

std::string Listed(const std::vector<int>& numbers) {
  constexpr std::size_t kShown = 8;
  const auto shown = static_cast<std::ptrdiff_t>(std::min(numbers.size(), kShown));
  const auto begin = numbers.begin();
  return fmt::format("{}{}", fmt::join(begin, begin + shown, ", "),
                     numbers.size() > kShown ? ", ..." : "");
}

}  // namespace volcontact
