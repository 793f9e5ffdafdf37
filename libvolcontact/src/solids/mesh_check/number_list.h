// Lists of numbers in messages.
#pragma once

#include <string>
#include <vector>

namespace volcontact {

/// The first numbers of a list, "1, 2, 3, ..." where there are more.
std::string Listed(const std::vector<int>& numbers);

}  // namespace volcontact
