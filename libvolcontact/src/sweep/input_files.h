// The files that a sweep reads, with their hashes.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/sweep/sweep_plan.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// Files by their paths from the sweep file's folder, each once. What adds some throws InvalidInput
/// for a file that cannot be read. Cost: that of reading them.
class InputFiles {
 public:
  explicit InputFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void Add(const std::filesystem::path& path);
  /// The files that stand in members "file" of a document at any depth, by their paths from the
  /// folder `beside`, and what those of them that are JSON name in turn.
  void AddNamed(const nlohmann::json& document, const std::filesystem::path& beside);

  /// In the order of the paths.
  std::vector<InputFile> List() const;

 private:
  // The bytes of a file that is new.
  std::string Hash(const std::filesystem::path& path, const std::string& name);

  std::filesystem::path folder_;
  std::map<std::string, std::string> hashes_;
};

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
