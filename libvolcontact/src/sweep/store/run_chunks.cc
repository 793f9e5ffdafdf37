#include "sweep/store/run_chunks.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "sweep/store/run_log.h"
#include "sweep/store/store_files.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

// Threads that write: they wait for the disk nearly all of the time, and it takes several files at
// once in little more than the time of one.
constexpr int kWriters = 8;
// Chunks on their way to the disk are in memory: so many of any size, or more that are small
// [bytes].
constexpr std::size_t kMostOnTheWay = 2, kMostBytesOnTheWay = std::size_t{64} << 20;

std::size_t BytesOfRows(const ChunkRows& rows) {
  return rows.status.size() * (rows.columns.size() + 1) * sizeof(double);
}

// Threads that encode chunks and put them into the store.
class ChunkWriters {
 public:
  ChunkWriters(const Store& store, std::function<void(const SweepCounts&)> kept)
      : store_(store), encoder_(store.encoder()), kept_(std::move(kept)) {
    for (int i = 0; i < kWriters; ++i) threads_.emplace_back([this] { Work(); });
  }
  ~ChunkWriters() { Join(); }
  ChunkWriters(const ChunkWriters&) = delete;
  ChunkWriters& operator=(const ChunkWriters&) = delete;

  bool failed() const { return failed_; }

  void Push(std::uint64_t chunk, ChunkRows rows) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] {
      return on_the_way_ < kMostOnTheWay || bytes_on_the_way_ < kMostBytesOnTheWay || failed_;
    });
    ++on_the_way_;
    bytes_on_the_way_ += BytesOfRows(rows);
    if (!failed_) waiting_.emplace_back(chunk, std::move(rows));
    changed_.notify_all();
  }

  // Waits until all that was pushed is on the disk; returns why it is not, or nothing.
  std::exception_ptr Join() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
    return error_;
  }

  SweepCounts counts() const { return counts_; }  // after Join

 private:
  void Work() {
    try {
      while (std::optional<std::pair<std::uint64_t, ChunkRows>> next = Take()) {
        store_.Put(next->first, encoder_.Encode(next->second));
        Count(next->second);
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      failed_ = true;
      changed_.notify_all();
    }
  }

  std::optional<std::pair<std::uint64_t, ChunkRows>> Take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !waiting_.empty() || done_ || failed_; });
    if (waiting_.empty() || failed_) return std::nullopt;
    std::pair<std::uint64_t, ChunkRows> next = std::move(waiting_.front());
    waiting_.pop_front();
    return next;
  }

  void Count(const ChunkRows& rows) {
    const std::lock_guard lock(mutex_);
    ++counts_.chunks;
    counts_.rows += rows.status.size();
    for (const RowStatus status : rows.status) {
      if (status == RowStatus::kNotConverged) ++counts_.not_converged;
      if (status == RowStatus::kFailed) ++counts_.failed;
    }
    --on_the_way_;
    bytes_on_the_way_ -= BytesOfRows(rows);
    changed_.notify_all();
    if (kept_) kept_(counts_);
  }

  const Store& store_;
  ChunkEncoder encoder_;
  std::function<void(const SweepCounts&)> kept_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::pair<std::uint64_t, ChunkRows>> waiting_;
  std::size_t on_the_way_ = 0, bytes_on_the_way_ = 0;
  bool done_ = false;
  std::atomic<bool> failed_ = false;
  std::exception_ptr error_;
  SweepCounts counts_;
  std::vector<std::thread> threads_;
};

std::string WhatOf(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& exception) {
    return exception.what();
  } catch (...) {
    return "unknown";
  }
}

// Runs the chunks; returns whether `stop` ended that. What a runner throws is given in `error`.
bool RunAll(const ChunkRunner& run, const NextChunk& next, const std::function<bool()>& stop,
            ChunkWriters* writers, std::exception_ptr* error) {
  const auto ended = [&] { return writers->failed() || (stop && stop()); };
  try {
    while (!ended()) {
      const std::optional<std::uint64_t> chunk = next();
      if (!chunk) return false;
      std::optional<ChunkRows> rows = run(*chunk, ended);
      if (!rows) break;
      writers->Push(*chunk, *std::move(rows));
    }
  } catch (...) {
    *error = std::current_exception();
    return false;
  }
  return true;
}

}  // namespace

RunChunksEnd RunChunksBy(const ChunkRunner& run, const Store& store, const NextChunk& next,
                         const RunChunksOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const std::shared_ptr<const void> hold = store.Hold();
  const RunLog log(StoreFiles(store.folder()).Log(), options);
  RunChunksEnd end;
  ChunkWriters writers(store, options.kept);
  std::exception_ptr error;
  end.stopped = RunAll(run, next, options.stop, &writers, &error);
  const std::exception_ptr write_error = writers.Join();
  if (!error) error = write_error;
  end.counts = writers.counts();
  end.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!error) {
    log.End(end, end.stopped ? "stopped" : "done");
    return end;
  }
  try {
    log.End(end, WhatOf(error));
  } catch (const std::exception&) {
    // The disk is full, as the error that is thrown says.
  }
  std::rethrow_exception(error);
}

RunChunksEnd RunChunks(const Plan& plan, const Store& store, const NextChunk& next,
                       const RunChunksOptions& options) {
  return RunChunksBy(
      [&](std::uint64_t chunk, const std::function<bool()>& stop) {
        return plan.Run(chunk, options.threads, stop);
      },
      store, next, options);
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
