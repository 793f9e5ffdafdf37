#include "math/parallel.h"

#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <optional>

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace volcontact::parallel_detail {
namespace {

// Whether the calling thread works at a loop.
thread_local bool is_in_loop = false;

struct InLoop {
  InLoop() { is_in_loop = true; }
  ~InLoop() { is_in_loop = false; }
};

// The work of one fork and join. The distribution's threading library is not built for the thread
// sanitizer, which therefore cannot see that it orders the work between fork and join. The tag says
// so; races within the work still show.
class ForkedWork {
 public:
  ForkedWork(std::size_t count, const Body& body) : count_(count), body_(body) {}

  void Fork() { Release(); }
  void Join() { Acquire(); }
  // Takes up what is left, one by one. In order: loops that give up when enough is found waste
  // least, and large items of parts that lie together are shared.
  [[gnu::noinline]] void Run(int worker) {
    Acquire();
    const InLoop in_loop;
    const TimeLimit::Shared limit(limit_);
    for (std::size_t i; (i = next_.fetch_add(1, std::memory_order_relaxed)) < count_;) {
      TimeLimit::Enforce();
      body_.call(body_.object, i, worker);
    }
    Release();
  }

 private:
#if defined(__SANITIZE_THREAD__)
  void Release() { __tsan_release(&tag_); }
  void Acquire() { __tsan_acquire(&tag_); }

  char tag_ = 0;
#else
  void Release() {}
  void Acquire() {}
#endif
  std::atomic<std::size_t> next_ = 0;
  const std::size_t count_;
  const Body& body_;
  const TimeLimit* const limit_ = TimeLimit::Current();  // of the thread that forks
};

// What the threading library copies from task to task: kept apart from the work, because its reads
// are the library's hand-over, which the thread sanitizer has to pass over (tsan.supp).
struct TaskEntry {
  ForkedWork* work;
  void operator()(int worker) const { work->Run(worker); }
};

// The calling thread's arena for so many threads. It stays: to make one takes as long as a short
// loop does, and threads that wait in it are quicker to come.
tbb::task_arena& ArenaFor(int threads) {
  struct Kept {
    int threads = 0;
    std::optional<tbb::task_arena> arena;
  };
  thread_local Kept kept;
  if (kept.threads != threads) {
    kept.arena.emplace(threads);
    kept.threads = threads;
  }
  return *kept.arena;
}

}  // namespace

void RunOnThreads(std::size_t count, int threads, const Body& body) {
  if (is_in_loop) {
    for (std::size_t i = 0; i < count; ++i) {
      TimeLimit::Enforce();
      body.call(body.object, i, 0);
    }
    return;
  }
  ForkedWork work(count, body);
  work.Fork();
  ArenaFor(threads).execute(
      [&] { tbb::parallel_for(0, threads, TaskEntry{&work}, tbb::simple_partitioner()); });
  work.Join();
}

}  // namespace volcontact::parallel_detail
