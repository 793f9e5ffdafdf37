#include "fmi/writer/packed_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "fmi/writer/exported_functions.h"
#include "io/json/json_document.h"
#include "io/text_file.h"
#include "volcontact/fmi/export_fmu.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {
namespace {

constexpr std::array<std::string_view, 6> kKinds = {".json", ".csg", ".stl",
                                                    ".obj",  ".ply", ".off"};

class FilePacker {
 public:
  explicit FilePacker(std::vector<ZipMember>* resources) : resources_(resources) {}

  // Renames the files that a document names, after they have been packed.
  void Pack(const std::filesystem::path& folder, nlohmann::json* value) {
    if (value->is_object()) {
      for (auto& [key, member] : value->items()) {
        if (key == "file" && member.is_string()) {
          member = PackFile(folder / member.get<std::string>());
        } else {
          Pack(folder, &member);
        }
      }
    } else if (value->is_array()) {
      for (nlohmann::json& item : *value) Pack(folder, &item);
    }
  }

 private:
  std::string PackFile(const std::filesystem::path& file) {
    std::string kind = file.extension().string();
    std::transform(kind.begin(), kind.end(), kind.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    if (std::find(kKinds.begin(), kKinds.end(), kind) == kKinds.end()) {
      throw InvalidInput(
          fmt::format("{}: the library in an FMU reads .json, .csg, .stl, .obj, .ply and .off; "
                      "convert the solid",
                      file.string()));
    }
    std::string data = ReadTextFile(file, kMaxMeshFileSize);
    if (kind == ".json") {
      nlohmann::json document = ParseJson(data, file.string(), JsonDialect::kSolid);
      Pack(file.parent_path(), &document);
      data = document.dump(1) + "\n";
    }
    // Numbered, as files of two folders may have one name; in plain letters, whatever they had.
    const std::string name = fmt::format("solid_{}{}", ++count_, kind);
    resources_->push_back({name, std::move(data)});
    return name;
  }

  std::vector<ZipMember>* resources_;
  int count_ = 0;
};

}  // namespace

nlohmann::json PackContact(const std::filesystem::path& contact_file,
                           std::vector<ZipMember>* resources) {
  nlohmann::json contact = ParseJson(ReadTextFile(contact_file, kMaxSolidFileSize),
                                     contact_file.string(), JsonDialect::kSettings);
  FilePacker packer(resources);
  for (const char* key : {"solid_a", "solid_b"}) {
    if (contact.contains(key)) packer.Pack(contact_file.parent_path(), &contact[key]);
  }
  return contact;
}

void PackScenario(const std::filesystem::path& folder, nlohmann::json* scenario,
                  std::vector<ZipMember>* resources) {
  FilePacker packer(resources);
  for (nlohmann::json& body : (*scenario)["bodies"]) {
    if (body.contains("solid")) packer.Pack(folder, &body["solid"]);
  }
}

std::string ReadLibrary(const std::filesystem::path& library, int version, bool cosimulation) {
  const char* const name = cosimulation ? kScenarioLibrary : kContactLibrary;
  if (library.empty()) {
    throw InvalidInput(fmt::format(
        "{}, the library for FMUs, is not where it was installed; name it (--library FILE)", name));
  }
  std::string data = ReadTextFile(library, kMaxMeshFileSize);
  if (const std::string missing = MissingFunction(data, version, cosimulation); !missing.empty()) {
    throw InvalidInput(
        fmt::format("{}: is not a shared library with the functions of FMI {}.0 for {} ({} is "
                    "missing); give the "
                    "{} that volcontact was built with",
                    library.string(), version, cosimulation ? "co-simulation" : "model exchange",
                    missing, name));
  }
  return data;
}

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
