#include "cli/beside_tool.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <system_error>
#include <vector>

#include "volcontact/io/solid_file.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {

std::filesystem::path BesideTool(const std::string& installed, const std::string& built,
                                 const std::string& name) {
  std::error_code error;
  const std::filesystem::path tool = std::filesystem::read_symlink("/proc/self/exe", error);
  for (const std::string& folder : {installed, built}) {
    const std::filesystem::path library = tool.parent_path() / folder / name;
    if (!error && std::filesystem::exists(library, error)) return library.lexically_normal();
  }
  return {};
}

#ifdef VOLCONTACT_STEP_FOLDER
namespace {

// After this the module's functions read STEP files. Never unloaded: Open CASCADE keeps functions
// for the end of the process.
void LoadStepModule() {
  static const bool loaded = [] {
    const std::filesystem::path path =
        BesideTool(VOLCONTACT_STEP_INSTALLED_FOLDER, VOLCONTACT_STEP_FOLDER, "volcontact_step.so");
    void* const module = path.empty() ? nullptr : dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
    void* const enable = module ? dlsym(module, "volcontact_enable_step_files") : nullptr;
    if (enable == nullptr) {
      throw InvalidInput(
          fmt::format("the module that reads STEP files cannot be loaded: {}; install "
                      "volcontact_step.so and the tool together",
                      path.empty() ? "it is not there" : dlerror()));
    }
    reinterpret_cast<void (*)()>(enable)();
    return true;
  }();
  static_cast<void>(loaded);
}

SolidFile ReadFirstStepFile(const std::filesystem::path& path, const ReadOptions& options) {
  LoadStepModule();
  return ReadSolid(path, options);
}

std::vector<SolidBody> ReadFirstStepBodies(const std::filesystem::path& path,
                                           const ReadOptions& options) {
  LoadStepModule();
  return ReadBodies(path, options);
}

}  // namespace

void ReadStepFilesByModule() {
  for (const char* const extension : {".step", ".stp"}) {
    AddSolidReader(extension, ReadFirstStepFile, ReadFirstStepBodies);
  }
}
#endif

}  // namespace volcontact::tool
