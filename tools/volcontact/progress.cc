#include "progress.h"

#include <unistd.h>

#include <chrono>
#include <iostream>

namespace volcontact::tool {

Progress::Progress() {
  if (isatty(STDERR_FILENO)) thread_ = std::thread([this] { Show(); });
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

void Progress::Show() {
  constexpr const char* kEraseLine = "\r\033[K";
  std::unique_lock lock(mutex_);
  int seconds = 0;
  while (!ended_.wait_for(lock, std::chrono::seconds(1), [this] { return done_; })) {
    std::cerr << kEraseLine << "computing, " << ++seconds << " s" << std::flush;
  }
  if (seconds > 0) std::cerr << kEraseLine << std::flush;
}

}  // namespace volcontact::tool
