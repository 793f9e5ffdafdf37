#include "fmi/writer/licenses.h"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <system_error>

#include "io/text_file.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {
namespace {

namespace fs = std::filesystem;

constexpr char kPackageLists[] = "/var/lib/dpkg/info";
constexpr char kDocumentation[] = "/usr/share/doc";
constexpr std::string_view kCommonLicenses = "/usr/share/common-licenses/";

// A file may be listed under / or /usr, which are one.
std::string WithoutUsr(const std::string& path) {
  return path.rfind("/usr/", 0) == 0 ? path.substr(4) : path;
}

// The packages that files are of, by the names of the lists of their files.
std::map<fs::path, std::string> PackagesOf(const std::vector<LoadedLibrary>& libraries) {
  std::map<std::string, fs::path> wanted;
  for (const LoadedLibrary& library : libraries) {
    wanted.emplace(WithoutUsr(library.file.string()), library.file);
  }
  std::map<fs::path, std::string> packages;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(kPackageLists, error)) {
    if (entry.path().extension() != ".list") continue;
    std::ifstream list(entry.path());
    for (std::string line; std::getline(list, line);) {
      if (line.find(".so") == std::string::npos) continue;
      const auto found = wanted.find(WithoutUsr(line));
      if (found == wanted.end()) continue;
      const std::string name = entry.path().stem().string();
      packages[found->second] = name.substr(0, name.find(':'));
    }
  }
  return packages;
}

// The names of common licenses in a text.
void FindCommonLicenses(const std::string& text, std::set<std::string>* names) {
  for (std::size_t at = text.find(kCommonLicenses); at != std::string::npos;
       at = text.find(kCommonLicenses, at)) {
    at += kCommonLicenses.size();
    std::size_t end = at;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 ||
                                 text[end] == '-' || text[end] == '.')) {
      ++end;
    }
    std::string name = text.substr(at, end - at);
    while (!name.empty() && name.back() == '.') name.pop_back();
    if (!name.empty()) names->insert(name);
  }
}

}  // namespace

std::vector<ZipMember> LicensesOf(const std::vector<LoadedLibrary>& libraries,
                                  std::vector<std::string>* notes) {
  const std::map<fs::path, std::string> packages = PackagesOf(libraries);
  std::string list =
      "Shared libraries beside that of volcontact, and the files that have their licenses.\n\n";
  std::map<std::string, std::string> texts;
  std::set<std::string> common;
  for (const LoadedLibrary& library : libraries) {
    const auto package = packages.find(library.file);
    const fs::path copyright = package == packages.end()
                                   ? fs::path()
                                   : fs::path(kDocumentation) / package->second / "copyright";
    if (copyright.empty() || !fs::exists(copyright)) {
      list += library.name + ": not known\n";
      notes->push_back(fmt::format(
          "no license of {} ({}) was found; add it to documentation/licenses before passing the "
          "FMU on",
          library.name, library.file.string()));
      continue;
    }
    std::string& text = texts[package->second + ".txt"];
    if (text.empty()) text = ReadTextFile(copyright, kMaxSolidFileSize);
    FindCommonLicenses(text, &common);
    list += fmt::format("{}: {}.txt\n", library.name, package->second);
  }
  for (const std::string& name : common) {
    const fs::path file = fs::path(kCommonLicenses) / name;
    if (fs::exists(file)) texts[name + ".txt"] = ReadTextFile(file, kMaxSolidFileSize);
  }
  std::vector<ZipMember> members = {{"license.txt", list}};
  for (auto& [name, text] : texts) members.push_back({name, std::move(text)});
  return members;
}

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
