#include "sweep/input_files.h"

#include "io/json/json_document.h"
#include "io/text_file.h"
#include "sweep/sha256.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

namespace fs = std::filesystem;

std::string NameOf(const fs::path& path) { return path.lexically_normal().generic_string(); }

}  // namespace

std::string InputFiles::Hash(const fs::path& path, const std::string& name) {
  std::string bytes = ReadTextFile(folder_ / path, kMaxMeshFileSize);
  hashes_[name] = Sha256(bytes);
  return bytes;
}

void InputFiles::Add(const fs::path& path) {
  const std::string name = NameOf(path);
  if (hashes_.count(name) == 0) Hash(path, name);
}

void InputFiles::AddNamed(const nlohmann::json& document, const fs::path& beside) {
  if (!document.is_structured()) return;
  for (const auto& [key, member] : document.items()) {
    if (!document.is_object() || key != "file" || !member.is_string()) {
      AddNamed(member, beside);
      continue;
    }
    const fs::path path = beside / member.get<std::string>();
    const std::string name = NameOf(path);
    if (hashes_.count(name) > 0) continue;
    const std::string bytes = Hash(path, name);
    if (LowerCaseExtension(path) != ".json") continue;
    AddNamed(ParseJson(bytes, name, JsonDialect::kSettings), path.parent_path());
  }
}

std::vector<InputFile> InputFiles::List() const {
  std::vector<InputFile> files;
  for (const auto& [path, hash] : hashes_) files.push_back({path, hash});
  return files;
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
