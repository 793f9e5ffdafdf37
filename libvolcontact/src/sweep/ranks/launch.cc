// Whether this process is one of several, and where the module for that is.
#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "volcontact/math/error.h"
#include "volcontact/sweep/sweep_ranks.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

namespace fs = std::filesystem;

constexpr char kModuleName[] = "volcontact_mpi.so";
constexpr char kModuleVariable[] = "VOLCONTACT_MPI_MODULE";

std::optional<std::uint64_t> NumberIn(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return std::nullopt;
  std::uint64_t number = 0;
  const char* const end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, number);
  if (error != std::errc() || stop != end) {
    throw InvalidInput(
        fmt::format("the environment has {}={}, which should be a number of processes; unset it, "
                    "or start the sweep by mpirun",
                    variable, text));
  }
  return number;
}

}  // namespace

std::optional<Launch> LaunchOfRanks() {
  struct Names {
    const char *size, *rank;
  };
  for (const Names& names :
       {Names{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, Names{"PMI_SIZE", "PMI_RANK"},
        Names{"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}}) {
    const std::optional<std::uint64_t> size = NumberIn(names.size);
    if (!size) continue;
    if (*size <= 1) return std::nullopt;
    return Launch{names.size, NumberIn(names.rank).value_or(0), *size};
  }
  const std::optional<std::uint64_t> rank = NumberIn("PMIX_RANK");
  if (!rank) return std::nullopt;
  return Launch{"PMIX_RANK", *rank, 0};
}

fs::path FindMpiModule(const Launch& launch, const std::vector<fs::path>& folders) {
  const std::string why =
      launch.size == 0
          ? fmt::format("{} is set: this may be one of several processes", launch.variable)
          : fmt::format("{}={}: this is one of {} processes", launch.variable, launch.size,
                        launch.size);
  std::error_code error;
  if (const char* const given = std::getenv(kModuleVariable); given != nullptr && *given != '\0') {
    if (fs::is_regular_file(given, error)) return given;
    throw InvalidInput(
        fmt::format("{}, and {} names {}, which is not a file", why, kModuleVariable, given));
  }
  std::string tried;
  for (const fs::path& folder : folders) {
    const fs::path module = (folder / kModuleName).lexically_normal();
    if (fs::is_regular_file(module, error)) return module;
    tried += (tried.empty() ? "" : " and ") + module.string();
  }
  throw InvalidInput(
      fmt::format("{}, and the module that shares the chunks among them is not at {}; build with "
                  "VOLCONTACT_MPI=ON (Debian: libopenmpi-dev), name the module by {}, or give each "
                  "process a share by --shard",
                  why, tried, kModuleVariable));
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
