// The time after which a computation gives up.
#pragma once

#include <atomic>
#include <chrono>
#include <limits>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Thrown if a computation is given up because its time limit is over; caught where the results so
/// far can be returned.
struct VOLCONTACT_EXPORT TimeIsOver {};

/// While it lives, the thread that made it, and the threads that help it in ParallelFor, have a
/// time limit. Loops that count their effort against a budget ask for it where they do so, and end
/// as if the budget were spent. Loops without a budget call Enforce, which gives the others some
/// time to end with what they have. Nothing else changes with the clock: what has ended without a
/// look at a limit that is over is what it would be without one.
class VOLCONTACT_EXPORT TimeLimit {
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

  /// Throws TimeIsOver a tenth of the limit and a fifth of a second after its end. Cost: as IsOver.
  static void Enforce() {
    const TimeLimit* const limit = Current();
    if (limit != nullptr) limit->ThrowIfLate();
  }

  /// Calls work(); false where that was given up for the time limit, and half done.
  template <class Work>
  static bool EndsInTime(const Work& work) {
    try {
      work();
    } catch (const TimeIsOver&) {
      return false;
    }
    return true;
  }

  /// The same of work without which the rest is of use, too: it has no more time than the limit.
  template <class Work>
  static bool EndsBeforeLimit(const Work& work) {
    TimeLimit sharp(std::numeric_limits<double>::infinity());
    sharp.last_ = sharp.end_;
    const bool is_done = EndsInTime(work);
    if (sharp.before_ != nullptr && sharp.HasExpired()) sharp.before_->has_expired_ = true;
    return is_done;
  }

  /// Whether IsOver() has said so, or Enforce() has thrown, for this limit: what was computed under
  /// it may be incomplete.
  bool HasExpired() const { return has_expired_.load(std::memory_order_relaxed); }

  /// What is left of the calling thread's limit [s], not negative; infinite without one.
  static double SecondsLeft();

  /// The calling thread's limit; none: null.
  static const TimeLimit* Current();

  /// While it lives, the calling thread has the limit of the one it helps.
  class VOLCONTACT_EXPORT Shared {
   public:
    explicit Shared(const TimeLimit* limit);
    ~Shared();
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;

   private:
    const TimeLimit* before_;
  };

 private:
  using TimePoint = std::chrono::steady_clock::time_point;

  bool Look() const;
  void ThrowIfLate() const;

  TimePoint end_ = TimePoint::max();
  TimePoint last_ = TimePoint::max();  // when what is not over yet is given up
  mutable std::atomic<bool> has_expired_ = false;
  const TimeLimit* before_;
};

VOLCONTACT_NAMESPACE_END
