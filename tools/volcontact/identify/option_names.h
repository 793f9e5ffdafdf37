// The library's messages in the words of the tool.
#pragma once

#include <string>

namespace volcontact::tool {

/// A message of the component identify with the options in place of the fields that they set.
std::string WithOptions(std::string message);

}  // namespace volcontact::tool
