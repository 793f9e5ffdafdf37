// A sign of life on the terminal while a long computation runs.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

namespace volcontact::tool {

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

}  // namespace volcontact::tool
