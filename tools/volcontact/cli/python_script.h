// Running the Python scripts that draw.
#pragma once

#include <string>
#include <vector>

namespace volcontact::tool {

enum class ScriptEnd { kDone, kFailed, kNoMatplotlib };

/// How a script ended, and the last line that it wrote to its standard error where it failed.
struct ScriptResult {
  ScriptEnd end = ScriptEnd::kDone;
  std::string message;
};

/// Runs a script, with arguments and a text as its standard input, in the first python3 of the PATH
/// that has matplotlib; $VOLCONTACT_PYTHON names another. The script's standard output is dropped.
ScriptResult RunPythonScript(const std::string& script, const std::vector<std::string>& arguments,
                             const std::string& input = "");

}  // namespace volcontact::tool
