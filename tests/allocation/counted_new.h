// The global operators new and delete of this executable, which count.
#pragma once

namespace volcontact::testing {

/// How often this thread has called an operator new.
long AllocationCount();

}  // namespace volcontact::testing
