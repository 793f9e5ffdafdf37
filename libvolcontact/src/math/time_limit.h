// The time after which a computation gives up.
#pragma once

#include <atomic>
#include <chrono>

namespace volcontact {

/// While it lives, the thread that made it, and the threads that help it in ParallelFor, have a
/// time limit. Loops that count their effort against a budget ask for it where they do so, and end
/// as if the budget were spent. Nothing else changes with the clock: what has ended without a look
/// at a limit that is over is what it would be without one.
class TimeLimit {
 public:
  /// A limit of so many seconds from now, infinite for none, or that of the thread's outer one if
  /// it ends sooner.
  explicit TimeLimit(double seconds);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  /// Whether the calling thread's limit is over. Cost: some nanoseconds without a limit, some tens
  /// with one.
  static bool IsOver() {
    const TimeLimit* const limit = Current();
    return limit != nullptr && limit->Look();
  }

  /// Whether somebody was told that this one is over.
  bool WasFelt() const { return felt_.load(std::memory_order_relaxed); }

  /// The calling thread's limit; none: null.
  static const TimeLimit* Current();

  /// While it lives, the calling thread has the limit of the one it helps.
  class Shared {
   public:
    explicit Shared(const TimeLimit* limit);
    ~Shared();
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;

   private:
    const TimeLimit* before_;
  };

 private:
  bool Look() const;

  std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::time_point::max();
  mutable std::atomic<bool> felt_ = false;
  const TimeLimit* before_;
};

}  // namespace volcontact
