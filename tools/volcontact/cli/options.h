// Options that several subcommands share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/output.h"
#include "volcontact/contact/contact_motion.h"
#include "volcontact/math/pose.h"
#include "volcontact/overlap/metrics.h"

namespace CLI {
class App;
}

namespace volcontact::tool {

/// Options of a query as typed, before they are checked.
struct QueryArguments {
  double tolerance = QueryOptions().tolerance;
  int threads = 1;
  std::string method = "auto";
  double voxel_size = 0.0;
  bool certify = false;
  std::string bracket_width;  ///< empty where --certify has no value
  std::optional<int> repeat;
  std::optional<double> max_seconds;
  bool json = false;
  /// The methods that the subcommand has.
  std::vector<MethodEntry> methods = AllMethods();

  /// Adds the options to a subcommand; *this must outlive it.
  void AddTo(CLI::App* command);
  /// Adds those that only make sense for two solids.
  void AddPairOptionsTo(CLI::App* command);
  /// The library's options. Throws InvalidInput that names the option that is out of range.
  QueryOptions Checked() const;
};

/// Calls run() within --max-seconds, if it is given, and returns what that does. Throws
/// InvalidInput if it is not above 0, and OutOfTime where it leaves no answer.
ExitStatus RunInTime(const std::optional<double>& max_seconds,
                     const std::function<ExitStatus()>& run);

/// Adds --pose-a and --pose-b to a subcommand; the texts must outlive it.
void AddPoseOptions(CLI::App* command, std::string* pose_A, std::string* pose_B);
/// Adds --twist-a and --twist-b to a subcommand; the texts must outlive it.
void AddTwistOptions(CLI::App* command, std::string* twist_A, std::string* twist_B);

/// The pose x,y,z,qw,qx,qy,qz, or x,y,z of one that is not turned, or the identity for an empty
/// text. Throws InvalidInput that names the option.
Pose ParsePose(const std::string& text, const std::string& option);

/// The twist vx,vy,vz,wx,wy,wz, or rest for an empty text. Throws InvalidInput that names the
/// option.
Twist ParseTwist(const std::string& text, const std::string& option);

/// The vector x,y,z of finite numbers. Throws InvalidInput that names the option.
Eigen::Vector3d ParseVector(const std::string& text, const std::string& option);

/// The median (the upper one of two) of the times of `repeat` runs after one warm-up, put into the
/// result of the last; or one run without it. `run` returns a result, `stats` finds the statistics
/// in it.
template <class Run, class Stats>
auto RunTimed(std::optional<int> repeat, Run run, Stats stats) {
  auto result = run();
  std::vector<double> seconds;
  for (int i = 0; i < repeat.value_or(0); ++i) {
    result = run();
    seconds.push_back(stats(result).seconds);
  }
  if (seconds.empty()) return result;
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  stats(result).seconds = *middle;
  return result;
}

}  // namespace volcontact::tool
