// What ranks say to each other, by way of the module.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "sweep/mpi/sweep_mpi.h"
#include "volcontact/sweep/sweep_ranks.h"

namespace volcontact::sweep {

enum class RankWord : std::uint64_t {
  kPrepared,  ///< rank 0: the folder is there
  kRefused,   ///< rank 0: there is nothing to do, for a reason that it says itself
  kAsk,       ///< for a chunk, with the counts up to here
  kChunk,     ///< rank 0: to run
  kNoMore,    ///< rank 0: chunks
  kDone,      ///< no chunk of this rank is under way, with its counts
  kFailed,    ///< with the reason
  kEnd        ///< rank 0: all are done
};

struct RankMessage {
  RankWord word = RankWord::kEnd;
  std::uint64_t chunk = 0;  ///< of kChunk
  SweepCounts counts;       ///< of kAsk and kDone
  std::string text;         ///< of kFailed; cut where it is long
};

struct ReceivedMessage {
  int from = 0;
  RankMessage message;
};

/// Waits in steps that grow with the time since the last Restart, from some 20 µs to 2 ms: an
/// answer comes at once where answers come at once, and a long wait takes no time of the processor.
class PatientWait {
 public:
  void Restart() { since_ = std::chrono::steady_clock::now(); }
  void Sleep() const;

 private:
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

/// The loaded module. For one thread. Its errors are std::runtime_error.
class RankMessages {
 public:
  /// Loads it and starts MPI; see Ranks::Start.
  RankMessages(const Launch& launch, const std::filesystem::path& module);

  int rank() const { return rank_; }
  int size() const { return size_; }

  void Send(int to, const RankMessage& message) const;
  std::optional<ReceivedMessage> Receive() const;
  /// Waits for the next message; for ranks that hear of rank 0 only.
  RankMessage Await() const;
  void Finish() const;
  [[noreturn]] void Abort(int status) const;

 private:
  const vc_sweep_mpi* module_ = nullptr;
  int rank_ = 0, size_ = 1;
};

}  // namespace volcontact::sweep
