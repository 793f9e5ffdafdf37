// Deterministic data parallelism: the only place that knows the threading library.
#pragma once

#include <cstddef>
#include <functional>

namespace volcontact {

/// Calls body(index, worker) for every index < count, on at most `threads` threads, in no
/// particular order; worker < threads tells calls apart that may run at the same time, so that each
/// can have its own scratch memory. Results must be stored by index and combined by the caller in
/// order; that makes them independent of the number of threads. Exceptions from the body propagate.
void ParallelFor(std::size_t count, int threads,
                 const std::function<void(std::size_t index, int worker)>& body);

}  // namespace volcontact
