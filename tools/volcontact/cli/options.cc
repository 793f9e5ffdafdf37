#include "cli/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>

#include "volcontact/io/suggestion.h"
#include "volcontact/math/error.h"
#include "volcontact/math/run_within.h"

namespace volcontact::tool {
namespace {

constexpr double kMinTolerance = 1e-14;
constexpr int kMaxThreads = 1024;
constexpr int kMaxRepeats = 1'000'000;

std::vector<std::string> NamesOf(const std::vector<MethodEntry>& methods) {
  std::vector<std::string> names;
  for (const MethodEntry& entry : methods) names.emplace_back(entry.name);
  return names;
}

std::string HelpOn(const std::vector<MethodEntry>& methods) {
  std::string help = "How the integrals are computed: ";
  for (const MethodEntry& entry : methods) {
    help += fmt::format("{}{}, {}", help.ends_with(": ") ? "" : "; ", entry.name, entry.meaning);
  }
  return help;
}

Method ParseMethod(const std::string& name, const std::vector<MethodEntry>& methods) {
  const std::optional<Method> method = FindMethod(name);
  const bool is_known = std::any_of(methods.begin(), methods.end(), [&](const MethodEntry& entry) {
    return entry.method == method;
  });
  if (is_known) return *method;
  const std::vector<std::string> known = NamesOf(methods);
  throw InvalidInput(fmt::format("--method {}: not a method{}; choose one of {}", name,
                                 DidYouMean(name, known), fmt::join(known, ", ")));
}

// Warns of the old name of a method.
void WarnOfOldMethod(const std::string& name) {
  const std::string warning = MethodWarning(name);
  if (!warning.empty()) Tell(fmt::format("warning: --method {}: {}", name, warning));
}

std::optional<double> ParseNumber(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Exactly so many numbers, separated by commas.
template <std::size_t kCount>
std::array<double, kCount> ParseNumbers(const std::string& text, const std::string& option,
                                        const char* form) {
  std::array<double, kCount> numbers;
  std::size_t count = 0;
  for (std::size_t begin = 0; begin <= text.size(); ++count) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto number = ParseNumber(std::string_view(text).substr(begin, end - begin));
    if (!number) {
      throw InvalidInput(fmt::format("{}: \"{}\" is not a number; give {}", option,
                                     text.substr(begin, end - begin), form));
    }
    if (count < kCount) numbers[count] = *number;
    begin = end + 1;
  }
  if (count != kCount) {
    throw InvalidInput(
        fmt::format("{}: has {} numbers, not {}; give {}", option, count, kCount, form));
  }
  return numbers;
}

}  // namespace

void QueryArguments::AddTo(CLI::App* command) {
  command
      ->add_option("--tol,--tolerance", tolerance,
                   "Relative tolerance on the volume, in (1e-14, 1)")
      ->capture_default_str()
      ->type_name("R");
  command->add_option("--threads", threads, "Worker threads; the result does not depend on it")
      ->capture_default_str()
      ->type_name("N");
  command->add_option("--method", method, HelpOn(methods))
      ->capture_default_str()
      ->each(WarnOfOldMethod)
      ->type_name(fmt::format("{}", fmt::join(NamesOf(methods), "|")));
  command
      ->add_option("--repeat", repeat,
                   "Time N runs after one warm-up and report the median as the time")
      ->type_name("N");
  command->add_flag("--json", json, "Print one JSON object instead of a table");
  command
      ->add_option("--max-seconds", max_seconds,
                   "Stop after this time [s], reading included, and print the answer so far as not "
                   "converged")
      ->type_name("T");
}

void QueryArguments::AddPairOptionsTo(CLI::App* command) {
  command->add_option("--voxel-size", voxel_size, "Edge of a voxel [m], for --method voxel")
      ->type_name("H");
  command
      ->add_option_function<std::string>(
          "--certify",
          [this](const std::string& text) {
            certify = true;
            bracket_width = text;
          },
          "Improve the volume bounds of a mesh beside a curved solid; with T, refine any bounds "
          "until their relative width is at most T")
      ->type_name("T")
      ->expected(0, 1);
}

namespace {

double ParseBracketWidth(const std::string& text) {
  const std::optional<double> width = ParseNumber(text);
  if (!width || !(*width > 0.0 && *width < 1.0)) {
    throw InvalidInput(fmt::format(
        "--certify {}: the relative width of the volume bounds must be a number between 0 and 1; "
        "to give no number, put --certify at the end or before another option",
        text));
  }
  return *width;
}

}  // namespace

ExitStatus RunInTime(const std::optional<double>& max_seconds,
                     const std::function<ExitStatus()>& run) {
  if (max_seconds && !(*max_seconds > 0.0)) {
    throw InvalidInput(fmt::format("--max-seconds {}: must be above 0", *max_seconds));
  }
  ExitStatus status{};
  RunWithin(max_seconds.value_or(std::numeric_limits<double>::infinity()),
            "there is no answer within the time limit; raise --max-seconds",
            [&] { status = run(); });
  return status;
}

QueryOptions QueryArguments::Checked() const {
  QueryOptions options;
  if (!(tolerance > kMinTolerance && tolerance < 1.0)) {
    throw InvalidInput(fmt::format("--tol {}: must lie between {} and 1, both excluded", tolerance,
                                   kMinTolerance));
  }
  if (threads < 1 || threads > kMaxThreads) {
    throw InvalidInput(fmt::format("--threads {}: must be 1 to {}", threads, kMaxThreads));
  }
  if (repeat && (*repeat < 1 || *repeat > kMaxRepeats)) {
    throw InvalidInput(fmt::format("--repeat {}: must be 1 to {}", *repeat, kMaxRepeats));
  }
  options.tolerance = tolerance;
  options.threads = threads;
  options.method = ParseMethod(method, methods);
  options.certify = certify;
  if (!bracket_width.empty()) options.bracket_width = ParseBracketWidth(bracket_width);
  const bool voxels = options.method == Method::kVoxel;
  if (voxels && !(voxel_size > 0.0 && voxel_size <= std::numeric_limits<double>::max())) {
    throw InvalidInput(fmt::format(
        "--voxel-size {}: --method voxel needs the edge of a voxel in m, greater than 0",
        voxel_size));
  }
  if (!voxels && voxel_size != 0.0) {
    throw InvalidInput(
        "--voxel-size: works with --method voxel only; add that, or leave --voxel-size out");
  }
  options.voxel_size = voxel_size;
  return options;
}

void AddPoseOptions(CLI::App* command, std::string* pose_A, std::string* pose_B) {
  for (const auto& [name, text, body] :
       {std::tuple{"--pose-a", pose_A, "A"}, {"--pose-b", pose_B, "B"}}) {
    command
        ->add_option(name, *text,
                     fmt::format("Pose of {}'s file in the world (default identity)", body))
        ->type_name("x,y,z[,qw,qx,qy,qz]");
  }
}

void AddTwistOptions(CLI::App* command, std::string* twist_A, std::string* twist_B) {
  for (const auto& [name, text, body] :
       {std::tuple{"--twist-a", twist_A, "A"}, {"--twist-b", twist_B, "B"}}) {
    command
        ->add_option(name, *text,
                     fmt::format("Velocity of {}'s origin and its angular velocity, in the world "
                                 "(default at rest)",
                                 body))
        ->type_name("vx,vy,vz,wx,wy,wz");
  }
}

Pose ParsePose(const std::string& text, const std::string& option) {
  if (text.empty()) return {};
  Pose pose;
  if (std::ranges::count(text, ',') == 2) {
    pose.t = ParseVector(text, option);
  } else {
    const auto n = ParseNumbers<7>(text, option, "x,y,z or x,y,z,qw,qx,qy,qz");
    pose = {{n[0], n[1], n[2]}, {n[3], n[4], n[5], n[6]}};
  }
  ValidatePose(pose, option);
  return pose;
}

Twist ParseTwist(const std::string& text, const std::string& option) {
  if (text.empty()) return {};
  const auto n = ParseNumbers<6>(text, option, "vx,vy,vz,wx,wy,wz");
  for (const double number : n) {
    if (!std::isfinite(number)) {
      throw InvalidInput(fmt::format("{}: {} is not finite", option, number));
    }
  }
  return {{n[0], n[1], n[2]}, {n[3], n[4], n[5]}};
}

Eigen::Vector3d ParseVector(const std::string& text, const std::string& option) {
  const auto n = ParseNumbers<3>(text, option, "x,y,z");
  Eigen::Vector3d vector(n[0], n[1], n[2]);
  if (!vector.allFinite()) {
    throw InvalidInput(fmt::format("{} {}: has a number that is not finite", option, text));
  }
  return vector;
}

}  // namespace volcontact::tool
