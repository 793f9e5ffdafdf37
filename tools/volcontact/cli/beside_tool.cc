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

void* FunctionOfModule(const std::string& name, const char* function, const char* what) {
  const std::string file = "volcontact_" + name + ".so";
  const std::filesystem::path path =
      BesideTool(VOLCONTACT_INSTALLED_MODULES "/" + name, name, file);
  void* const module = path.empty() ? nullptr : dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  void* const found = module ? dlsym(module, function) : nullptr;
  if (found == nullptr) {
    throw InvalidInput(
        fmt::format("the module that {} cannot be loaded: {}; install {} and the tool together",
                    what, path.empty() ? "it is not there" : dlerror(), file));
  }
  return found;
}

namespace {

// After this the module's functions read STEP files.
void LoadStepModule() {
  static const bool loaded = [] {
    reinterpret_cast<void (*)()>(
        FunctionOfModule("step", "volcontact_enable_step_files", "reads STEP files"))();
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

}  // namespace volcontact::tool
