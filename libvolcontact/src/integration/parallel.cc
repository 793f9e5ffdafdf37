#include "integration/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace volcontact {
namespace {

// The distribution's threading library is not built for the thread sanitizer, which therefore
// cannot see that it orders the work between fork and join. This says so; races within the work
// still show.
class ForkJoinOrder {
 public:
#if defined(__SANITIZE_THREAD__)
  void Fork() { __tsan_release(&tag_); }
  void Begin() { __tsan_acquire(&tag_); }
  void End() { __tsan_release(&tag_); }
  void Join() { __tsan_acquire(&tag_); }

 private:
  char tag_ = 0;
#else
  void Fork() {}
  void Begin() {}
  void End() {}
  void Join() {}
#endif
};

}  // namespace

void ParallelFor(std::size_t count, int threads,
                 const std::function<void(std::size_t, int)>& body) {
  if (threads <= 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) body(i, 0);
    return;
  }
  ForkJoinOrder order;
  order.Fork();
  tbb::task_arena arena(threads);
  arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, 1),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                        order.Begin();
                        const int worker = tbb::this_task_arena::current_thread_index();
                        for (std::size_t i = range.begin(); i < range.end(); ++i) body(i, worker);
                        order.End();
                      });
  });
  order.Join();
}

}  // namespace volcontact
