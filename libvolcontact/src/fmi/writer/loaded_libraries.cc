#include "fmi/writer/loaded_libraries.h"

#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <map>
#include <set>

#include "fmi/writer/exported_functions.h"
#include "io/text_file.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {
namespace {

// What the C library of GNU is made of, up to the version: it is the importer's.
constexpr std::string_view kOfTheCLibrary[] = {
    "libc.so.",  "libm.so.",    "libmvec.so.",   "libdl.so.", "libpthread.so.",
    "librt.so.", "libutil.so.", "libresolv.so.", "ld-linux-",
};

bool IsOfTheCLibrary(const std::string& name) {
  return std::any_of(std::begin(kOfTheCLibrary), std::end(kOfTheCLibrary),
                     [&](std::string_view known) { return name.rfind(known, 0) == 0; });
}

// The files of this process by their names.
std::map<std::string, std::filesystem::path> LoadedFiles() {
  std::map<std::string, std::filesystem::path> files;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        const std::filesystem::path file = info->dlpi_name;
        static_cast<decltype(files)*>(data)->emplace(file.filename().string(), file);
        return 0;
      },
      &files);
  return files;
}

}  // namespace

std::vector<LoadedLibrary> LibrariesNeededBy(std::string_view elf) {
  const std::map<std::string, std::filesystem::path> files = LoadedFiles();
  std::vector<LoadedLibrary> found;
  std::set<std::string> known;
  std::vector<std::string> next = NeededLibraries(elf);
  for (std::size_t i = 0; i < next.size(); ++i) {
    const std::string name = next[i];
    if (IsOfTheCLibrary(name) || !known.insert(name).second) continue;
    const auto file = files.find(name);
    if (file == files.end()) {
      throw InvalidInput(fmt::format(
          "{}, which the library in an FMU needs, is not among those of this process; give the "
          "library that volcontact was built with",
          name));
    }
    found.push_back({name, std::filesystem::canonical(file->second)});
    for (std::string& needed : NeededLibraries(ReadTextFile(file->second, kMaxMeshFileSize))) {
      next.push_back(std::move(needed));
    }
  }
  std::sort(found.begin(), found.end(),
            [](const LoadedLibrary& a, const LoadedLibrary& b) { return a.name < b.name; });
  return found;
}

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
