#include "volcontact/math/run_within.h"

#include "math/time_limit.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN

void RunWithin(double seconds, const std::string& late, const std::function<void()>& work) {
  const TimeLimit limit(seconds);
  if (!TimeLimit::EndsInTime(work)) throw OutOfTime(late);
}

VOLCONTACT_NAMESPACE_END
