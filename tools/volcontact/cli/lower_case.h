// Words whose case does not matter.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>

namespace volcontact::tool {

/// The ASCII letters of a text in lower case.
inline std::string LowerCase(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace volcontact::tool
