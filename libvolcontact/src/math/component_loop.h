// ParallelFor for the components of the library, which do not see its threading library.
#pragma once

#include <cstddef>
#include <functional>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Calls body(index) for every index < count as ParallelFor does.
VOLCONTACT_EXPORT void LoopOverThreads(std::size_t count, int threads,
                                       const std::function<void(std::size_t)>& body);

VOLCONTACT_NAMESPACE_END
