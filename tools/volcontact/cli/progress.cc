#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <iostream>

#include "volcontact/io/printable.h"

namespace volcontact::tool {
namespace {

constexpr const char* kEraseLine = "\r\033[K";
constexpr std::size_t kLongestTitle = 60;
// [s] between drawings on a terminal, and between lines elsewhere.
constexpr double kRedraw = 0.2, kNextLine = 10.0;

}  // namespace

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
  std::unique_lock lock(mutex_);
  int seconds = 0;
  while (!ended_.wait_for(lock, std::chrono::seconds(1), [this] { return done_; })) {
    std::cerr << kEraseLine << "computing, " << ++seconds << " s" << std::flush;
  }
  if (seconds > 0) std::cerr << kEraseLine << std::flush;
}

ProgressBar::ProgressBar(std::string_view title)
    : title_(Shown(title, kLongestTitle)),
      terminal_(isatty(STDERR_FILENO) != 0),
      start_(std::chrono::steady_clock::now()),
      last_(start_) {}

ProgressBar::~ProgressBar() {
  if (drawn_) std::cerr << kEraseLine << std::flush;
}

void ProgressBar::Show(double share, const std::string& note) {
  using Seconds = std::chrono::duration<double>;
  constexpr int kWidth = 30;
  const auto now = std::chrono::steady_clock::now();
  if (Seconds(now - last_).count() < (terminal_ ? kRedraw : kNextLine) || share <= 0.0) return;
  last_ = now;
  const double left = Seconds(now - start_).count() * (1.0 - share) / share;
  const std::string state = fmt::format("{:.0f} %, {:.0f} s left{}{}", 100.0 * share, left,
                                        note.empty() ? "" : "; ", note);
  if (!terminal_) {
    std::cerr << fmt::format("{}: {}\n", title_, state) << std::flush;
    return;
  }
  drawn_ = true;
  const int full = static_cast<int>(share * kWidth);
  std::cerr << kEraseLine
            << fmt::format("{} [{:#<{}}{:.<{}}] {}", title_, "", full, "", kWidth - full, state)
            << std::flush;
}

}  // namespace volcontact::tool
