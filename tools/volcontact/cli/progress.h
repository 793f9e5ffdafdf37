// A sign of life on the terminal while a long computation runs.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace volcontact::tool {

/// [s]
inline double SecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// While it lives, and from the first second on, shows the elapsed time on standard error, and
/// takes it away at the end. Does nothing when standard error is not a terminal.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  void Show();

  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;
  std::thread thread_;
};

/// A bar with the time left, on standard error; if that is no terminal, a line every ten seconds.
class ProgressBar {
 public:
  explicit ProgressBar(std::string_view title);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// `share` of the work is done, in [0, 1]; the note stands behind it. Draws a terminal anew a few
  /// times a second only.
  void Show(double share, const std::string& note = {});

 private:
  std::string title_;
  bool terminal_, drawn_ = false;
  std::chrono::steady_clock::time_point start_, last_;
};

}  // namespace volcontact::tool
