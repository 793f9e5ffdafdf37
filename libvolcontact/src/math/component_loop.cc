#include "math/component_loop.h"

#include "math/parallel.h"

VOLCONTACT_NAMESPACE_BEGIN

void LoopOverThreads(std::size_t count, int threads, const std::function<void(std::size_t)>& body) {
  ParallelFor(count, threads, [&](std::size_t index, int) { body(index); });
}

VOLCONTACT_NAMESPACE_END
