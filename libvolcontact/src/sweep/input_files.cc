#include "sweep/input_files.h"

#include <map>

#include "io/json_document.h"
#include "io/text_file.h"
#include "sweep/sha256.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

namespace fs = std::filesystem;

// The hashes of files by their paths.
class FileCollection {
 public:
  explicit FileCollection(fs::path folder) : folder_(std::move(folder)) {}

  void Add(const fs::path& path) {
    const std::string name = path.lexically_normal().generic_string();
    if (hashes_.count(name) > 0) return;
    const std::string bytes = ReadTextFile(folder_ / path, kMaxMeshFileSize);
    hashes_[name] = Sha256(bytes);
    if (path.extension() != ".json") return;
    AddNamed(ParseJson(bytes, name, JsonDialect::kSettings), path.parent_path());
  }

  // Files that stand in members "file" at any depth, beside `beside`.
  void AddNamed(const nlohmann::json& value, const fs::path& beside) {
    if (!value.is_structured()) return;
    for (const auto& [key, member] : value.items()) {
      if (value.is_object() && key == "file" && member.is_string()) {
        Add(beside / member.get<std::string>());
      } else {
        AddNamed(member, beside);
      }
    }
  }

  std::vector<InputFile> Files() const {
    std::vector<InputFile> files;
    for (const auto& [path, hash] : hashes_) files.push_back({path, hash});
    return files;
  }

 private:
  fs::path folder_;
  std::map<std::string, std::string> hashes_;
};

}  // namespace

std::vector<InputFile> FindInputFiles(const nlohmann::json& document, const fs::path& folder) {
  FileCollection files(folder);
  files.AddNamed(document.at("run"), {});
  files.AddNamed(document.at("over"), {});
  // Files that stand by themselves.
  for (const char* place : {"/over/csv", "/run/force/contact", "/run/simulate/scenario"}) {
    const nlohmann::json::json_pointer pointer(place);
    if (document.contains(pointer) && document.at(pointer).is_string()) {
      files.Add(document.at(pointer).get<std::string>());
    }
  }
  return files.Files();
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
