#include "sweep/shard_argument.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

constexpr std::uint64_t kMostShards = 1'000'000;

std::optional<std::uint64_t> ParseCount(std::string_view text) {
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || text.empty() || end != text.data() + text.size()) return std::nullopt;
  return count;
}

// A number of the environment, which must be one where it is there.
std::optional<std::uint64_t> FromEnvironment(const char* name) {
  const char* const text = std::getenv(name);
  if (text == nullptr || *text == '\0') return std::nullopt;
  const std::optional<std::uint64_t> count = ParseCount(text);
  if (!count) {
    throw InvalidInput(
        fmt::format("{}=\"{}\" in the environment is not a number; give --shard i/N", name, text));
  }
  return count;
}

// The tasks of an array are first, first + step, ... with nothing left out.
std::optional<sweep::Shard> SlurmShard() {
  const std::optional<std::uint64_t> task = FromEnvironment("SLURM_ARRAY_TASK_ID");
  if (!task) return std::nullopt;
  const std::uint64_t count = FromEnvironment("SLURM_ARRAY_TASK_COUNT").value_or(0);
  const std::uint64_t first = FromEnvironment("SLURM_ARRAY_TASK_MIN").value_or(0);
  const std::uint64_t last = FromEnvironment("SLURM_ARRAY_TASK_MAX").value_or(first + count - 1);
  const std::uint64_t step = count > 1 ? (last - first) / (count - 1) : 1;
  if (count == 0 || last < first || step == 0 || first + step * (count - 1) != last ||
      *task < first || *task > last || (*task - first) % step != 0) {
    throw InvalidInput(fmt::format(
        "SLURM_ARRAY_TASK_ID={}: the task numbers of this array have gaps, so they do not give the "
        "shards; give --shard i/N",
        *task));
  }
  return sweep::Shard{(*task - first) / step, count};
}

std::uint64_t IndexFromEnvironment(const std::string& option) {
  if (const auto sequence = FromEnvironment("PARALLEL_SEQ"); sequence.value_or(0) > 0) {
    return *sequence - 1;
  }
  if (const std::optional<sweep::Shard> slurm = SlurmShard()) return slurm->index;
  throw InvalidInput(option +
                     ": the environment has neither PARALLEL_SEQ nor SLURM_ARRAY_TASK_ID, so i is "
                     "unknown; give --shard i/N");
}

}  // namespace

std::optional<sweep::Shard> ShardOf(const std::optional<std::string>& given) {
  if (!given) return SlurmShard();
  const std::string& text = *given;
  if (text.empty()) {
    throw InvalidInput(
        "--shard \"\": is empty; give i/N, such as 0/4 for the first of four, or leave the option "
        "out to run all");
  }
  const std::string option = "--shard " + text;
  const std::size_t slash = text.find('/');
  const auto count = ParseCount(slash == std::string::npos ? "" : text.substr(slash + 1));
  if (!count || *count < 1 || *count > kMostShards) {
    throw InvalidInput(option + ": give i/N, such as 0/4 for the first of four");
  }
  sweep::Shard shard = {0, *count};
  if (slash == 0) {
    shard.index = IndexFromEnvironment(option);
  } else if (const auto index = ParseCount(text.substr(0, slash))) {
    shard.index = *index;
  } else {
    throw InvalidInput(option + ": give i/N, such as 0/4 for the first of four");
  }
  if (shard.index >= shard.count) {
    throw InvalidInput(fmt::format("{}: there is no shard {} of {}; give 0 to {}", option,
                                   shard.index, shard.count, shard.count - 1));
  }
  return shard;
}

}  // namespace volcontact::tool
