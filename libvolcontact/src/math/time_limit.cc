#include "math/time_limit.h"

#include <algorithm>

VOLCONTACT_NAMESPACE_BEGIN
namespace {

// Beyond it a clock's count would overflow [s]: some thirty years.
constexpr double kLongestLimit = 1e9;
// After a limit its loops have this part of it and this time [s] to end with what they have.
constexpr double kGraceShare = 0.1, kGrace = 0.2;

std::chrono::steady_clock::duration Seconds(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds));
}

thread_local const TimeLimit* current_limit = nullptr;

}  // namespace

TimeLimit::TimeLimit(double seconds) : before_(current_limit) {
  if (seconds < kLongestLimit) {
    end_ = std::chrono::steady_clock::now() + Seconds(seconds);
    last_ = end_ + Seconds(kGraceShare * seconds + kGrace);
  } else if (before_ == nullptr) {
    return;
  }
  if (before_ != nullptr) {
    end_ = std::min(end_, before_->end_);
    last_ = std::min(last_, before_->last_);
  }
  current_limit = this;
}

TimeLimit::~TimeLimit() { current_limit = before_; }

const TimeLimit* TimeLimit::Current() { return current_limit; }

double TimeLimit::SecondsLeft() {
  if (current_limit == nullptr || current_limit->end_ == TimePoint::max()) {
    return std::numeric_limits<double>::infinity();
  }
  const std::chrono::duration<double> left = current_limit->end_ - std::chrono::steady_clock::now();
  return std::max(left.count(), 0.0);
}

bool TimeLimit::Look() const {
  if (HasExpired()) return true;
  if (std::chrono::steady_clock::now() < end_) return false;
  has_expired_.store(true, std::memory_order_relaxed);
  return true;
}

void TimeLimit::ThrowIfLate() const {
  if (std::chrono::steady_clock::now() < last_) return;
  has_expired_.store(true, std::memory_order_relaxed);
  throw TimeIsOver();
}

TimeLimit::Shared::Shared(const TimeLimit* limit) : before_(current_limit) {
  current_limit = limit;
}

TimeLimit::Shared::~Shared() { current_limit = before_; }

VOLCONTACT_NAMESPACE_END
