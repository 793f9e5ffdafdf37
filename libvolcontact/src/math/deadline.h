// The time until which work must have ended.
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>

namespace volcontact {

/// A plain value.
class Deadline {
 public:
  /// In so many seconds, which may be infinite.
  explicit Deadline(double seconds) : seconds_(seconds) {}

  /// What is left [s]; negative when it is over.
  double SecondsLeft() const {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
    return seconds_ - spent.count();
  }
  /// The same for a limit of time, which must be above zero.
  double LimitLeft() const { return std::max(SecondsLeft(), kLeastLimit); }
  bool IsOver() const { return SecondsLeft() <= 0.0; }
  /// In so many seconds, but no later than this one.
  Deadline Within(double seconds) const { return Deadline(std::min(seconds, SecondsLeft())); }

 private:
  static constexpr double kLeastLimit = 1e-3;

  double seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace volcontact
