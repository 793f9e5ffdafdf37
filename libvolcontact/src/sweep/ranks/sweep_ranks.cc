// Chunks handed out by rank 0.
#include "volcontact/sweep/sweep_ranks.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "sweep/ranks/rank_messages.h"
#include "volcontact/io/printable.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kBetweenShows = std::chrono::milliseconds(200);
// What a rank that failed gives rank 0 to say so and to end all, before it does so itself.
constexpr auto kTimeToBeEnded = std::chrono::seconds(10);

std::string HostName() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "an unknown host";
}

void SayFailure(const std::string& line) {
  std::fprintf(stderr,
               "volcontact: %s; finished chunks are kept, and --resume continues from there\n",
               Printable(line).c_str());
  std::fflush(stderr);
}

void Add(const SweepCounts& counts, SweepCounts* sum) {
  sum->chunks += counts.chunks;
  sum->rows += counts.rows;
  sum->not_converged += counts.not_converged;
  sum->failed += counts.failed;
}

// The chunks that are left, for rank 0's own work and for what others ask.
class ChunkQueue {
 public:
  explicit ChunkQueue(const std::vector<std::uint64_t>& chunks) : chunks_(chunks) {}

  std::optional<std::uint64_t> Next() {
    const std::lock_guard lock(mutex_);
    if (at_ == chunks_.size()) return std::nullopt;
    return chunks_[at_++];
  }

 private:
  const std::vector<std::uint64_t>& chunks_;
  std::mutex mutex_;
  std::size_t at_ = 0;
};

// What rank 0 runs in a thread beside its messages.
class OwnWork {
 public:
  OwnWork(const std::function<void(const NextChunk&)>& work, ChunkQueue* queue)
      : thread_([this, &work, queue] {
          try {
            work([queue] { return queue->Next(); });
          } catch (const std::exception& error) {
            failure_ = error.what();
            failed_ = true;
          }
          ended_ = true;
        }) {}
  ~OwnWork() { thread_.join(); }
  OwnWork(const OwnWork&) = delete;
  OwnWork& operator=(const OwnWork&) = delete;

  bool ended() const { return ended_; }
  const std::string* failure() const { return ended_ && failed_ ? &failure_ : nullptr; }

 private:
  std::atomic<bool> ended_ = false;
  bool failed_ = false;
  std::string failure_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace

struct Ranks::State {
  RankMessages messages;
  bool ended = false;  // on rank 0: all got the message to end; on others: this one did
  int status = 2;

  void Tell(RankWord word) const {
    for (int to = 1; to < messages.size(); ++to) messages.Send(to, {word, 0, {}, {}});
  }

  // On rank 0: all end.
  [[noreturn]] void EndAll(int rank, const std::string& reason) const {
    SayFailure(fmt::format("rank {} of {}: {}", rank, messages.size(), reason));
    messages.Abort(status);
  }

  // On the others: rank 0 is asked to say so and to end all.
  [[noreturn]] void Fail(const std::string& reason) const {
    messages.Send(0, {RankWord::kFailed, 0, {}, fmt::format("{} (on {})", reason, HostName())});
    std::this_thread::sleep_for(kTimeToBeEnded);
    SayFailure(fmt::format("rank {} of {}: {}", messages.rank(), messages.size(), reason));
    messages.Abort(status);
  }

  std::optional<std::uint64_t> Ask(const SweepCounts& counts) {
    if (ended) return std::nullopt;
    messages.Send(0, {RankWord::kAsk, 0, counts, {}});
    const RankMessage answer = messages.Await();
    ended = answer.word == RankWord::kEnd;
    if (answer.word != RankWord::kChunk) return std::nullopt;
    return answer.chunk;
  }

  void RunBesideFirst(const std::function<void(const NextChunk&)>& work,
                      const std::function<SweepCounts()>& counts) {
    try {
      work([&] { return Ask(counts()); });
      if (ended) return;
      messages.Send(0, {RankWord::kDone, 0, counts(), {}});
      while (!ended) ended = messages.Await().word == RankWord::kEnd;
    } catch (const std::exception& error) {
      Fail(error.what());
    }
  }

  // Answers a message to rank 0; whether it says that a rank is done.
  bool Answer(const ReceivedMessage& received, ChunkQueue* queue,
              std::vector<SweepCounts>* counts) const {
    const auto& [from, message] = received;
    if (message.word == RankWord::kFailed) EndAll(from, message.text);
    (*counts)[static_cast<std::size_t>(from)] = message.counts;
    if (message.word == RankWord::kDone) return true;
    const std::optional<std::uint64_t> chunk = queue->Next();
    messages.Send(from, {chunk ? RankWord::kChunk : RankWord::kNoMore, chunk.value_or(0), {}, {}});
    return false;
  }

  SweepCounts RunFirst(const std::vector<std::uint64_t>& chunks,
                       const std::function<void(const NextChunk&)>& work,
                       const std::function<SweepCounts()>& counts,
                       const std::function<void(const SweepCounts&)>& shown) {
    ChunkQueue queue(chunks);
    std::vector<SweepCounts> of_ranks(static_cast<std::size_t>(messages.size()));
    const auto sum = [&] {
      of_ranks[0] = counts();
      SweepCounts all;
      for (const SweepCounts& one : of_ranks) Add(one, &all);
      return all;
    };
    const OwnWork own(work, &queue);
    PatientWait wait;
    Clock::time_point show = Clock::now();
    for (int left = messages.size() - 1; left > 0 || !own.ended();) {
      if (const std::string* const failure = own.failure()) EndAll(0, *failure);
      if (const std::optional<ReceivedMessage> received = messages.Receive()) {
        if (Answer(*received, &queue, &of_ranks)) --left;
        wait.Restart();
      } else {
        wait.Sleep();
      }
      if (shown && Clock::now() >= show) {
        shown(sum());
        show = Clock::now() + kBetweenShows;
      }
    }
    if (const std::string* const failure = own.failure()) EndAll(0, *failure);
    Tell(RankWord::kEnd);
    ended = true;
    return sum();
  }
};

Ranks::Ranks(std::unique_ptr<State> state) : state_(std::move(state)) {}
Ranks::Ranks(Ranks&&) noexcept = default;
Ranks& Ranks::operator=(Ranks&&) noexcept = default;

Ranks Ranks::Start(const Launch& launch, const std::filesystem::path& module) {
  return Ranks(std::unique_ptr<State>(new State{RankMessages(launch, module)}));
}

Ranks::~Ranks() {
  if (!state_) return;
  try {
    // An exception goes past this one: the others must not wait for it.
    if (!state_->ended && rank() == 0) state_->Tell(RankWord::kEnd);
    if (!state_->ended && rank() != 0) state_->messages.Send(0, {RankWord::kDone, 0, {}, {}});
    state_->messages.Finish();
  } catch (const std::exception& error) {
    SayFailure(fmt::format("rank {}: {}", rank(), error.what()));
  }
}

int Ranks::rank() const { return state_->messages.rank(); }
int Ranks::size() const { return state_->messages.size(); }

bool Ranks::Prepare(const std::function<void()>& prepare) {
  if (rank() == 0) {
    try {
      prepare();
    } catch (...) {
      state_->Tell(RankWord::kRefused);
      state_->ended = true;
      throw;
    }
    state_->Tell(RankWord::kPrepared);
    return true;
  }
  const RankWord word = state_->messages.Await().word;
  if (word != RankWord::kPrepared) {
    state_->ended = true;
    return false;
  }
  try {
    prepare();
  } catch (const std::exception& error) {
    state_->Fail(error.what());
  }
  return true;
}

SweepCounts Ranks::Run(const std::vector<std::uint64_t>& chunks,
                       const std::function<void(const NextChunk&)>& work,
                       const std::function<SweepCounts()>& counts,
                       const std::function<void(const SweepCounts&)>& shown, int status) {
  state_->status = status;
  if (rank() == 0) return state_->RunFirst(chunks, work, counts, shown);
  state_->RunBesideFirst(work, counts);
  return {};
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
