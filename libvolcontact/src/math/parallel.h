// Deterministic data parallelism: the only place that knows the threading library.
#pragma once

#include <algorithm>
#include <cstddef>

#include "math/time_limit.h"

namespace volcontact {
namespace parallel_detail {

// A body of a loop, without owning it: so that a loop allocates nothing.
struct Body {
  const void* object;
  void (*call)(const void* object, std::size_t index, int worker);
};

void RunOnThreads(std::size_t count, int threads, const Body& body);

}  // namespace parallel_detail

/// Calls body(index, worker) for every index < count, on at most `threads` threads, which take the
/// indices up one by one in their order. Calls that may run at the same time have different
/// worker < threads, so that each can have its own scratch memory. Results must be stored by index
/// and combined by the caller in order; that makes them independent of the number of threads.
/// Exceptions from the body propagate, and the caller's time limit holds for all and is enforced.
/// To hand a loop to threads takes some microseconds, and allocates nothing once the calling thread
/// has done so; on one thread, and within another such loop, it is a plain loop.
template <class Function>
void ParallelFor(std::size_t count, int threads, const Function& body) {
  if (threads <= 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) {
      TimeLimit::Enforce();
      body(i, 0);
    }
    return;
  }
  const auto call = [](const void* object, std::size_t index, int worker) {
    (*static_cast<const Function*>(object))(index, worker);
  };
  const int most =
      static_cast<int>(std::min<std::size_t>(count, static_cast<std::size_t>(threads)));
  parallel_detail::RunOnThreads(count, most, {&body, call});
}

/// The same for parts of `size` indices, the last with what is left: body(part, begin, end, worker)
/// for each. How the indices are cut does not depend on the number of threads.
template <class Function>
void ParallelForParts(std::size_t count, std::size_t size, int threads, const Function& body) {
  ParallelFor((count + size - 1) / size, threads, [&](std::size_t part, int worker) {
    body(part, part * size, std::min(count, (part + 1) * size), worker);
  });
}

}  // namespace volcontact
