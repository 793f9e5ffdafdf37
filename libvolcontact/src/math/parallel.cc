#include "math/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace volcontact {
namespace {

using Body = std::function<void(std::size_t, int)>;

// The work of one fork and join. The distribution's threading library is not built for the thread
// sanitizer, which therefore cannot see that it orders the work between fork and join. The tag says
// so; races within the work still show.
class ForkedWork {
 public:
  explicit ForkedWork(const Body& body) : body_(body) {}

  void Fork() const { Release(); }
  void Join() const { Acquire(); }
  [[gnu::noinline]] void Run(std::size_t begin, std::size_t end) const {
    Acquire();
    const int worker = tbb::this_task_arena::current_thread_index();
    for (std::size_t i = begin; i < end; ++i) body_(i, worker);
    Release();
  }

 private:
#if defined(__SANITIZE_THREAD__)
  void Release() const { __tsan_release(&tag_); }
  void Acquire() const { __tsan_acquire(&tag_); }

  mutable char tag_ = 0;
#else
  void Release() const {}
  void Acquire() const {}
#endif
  const Body& body_;
};

// What the threading library copies from task to task: kept apart from the work, because its reads
// are the library's hand-over, which the thread sanitizer has to pass over (tsan.supp).
struct TaskEntry {
  const ForkedWork* work;
  void operator()(const tbb::blocked_range<std::size_t>& range) const {
    work->Run(range.begin(), range.end());
  }
};

}  // namespace

void ParallelFor(std::size_t count, int threads, const Body& body) {
  if (threads <= 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) body(i, 0);
    return;
  }
  const ForkedWork work(body);
  work.Fork();
  tbb::task_arena arena(threads);
  arena.execute(
      [&] { tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, 1), TaskEntry{&work}); });
  work.Join();
}

}  // namespace volcontact
