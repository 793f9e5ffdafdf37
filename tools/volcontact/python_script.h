// Running the Python scripts that draw.
#pragma once

#include <string>
#include <vector>

namespace volcontact::tool {

/// Runs a script with arguments in the first Python that has matplotlib: $VOLCONTACT_PYTHON, else
/// python3 of the path, else the system's. Returns what went wrong, as one line, or nothing.
std::string RunPythonScript(const std::string& script, const std::vector<std::string>& arguments);

}  // namespace volcontact::tool
