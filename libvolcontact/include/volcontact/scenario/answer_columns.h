// The names that 0.2 had for columns of answers, now of the core: include
// volcontact/io/answer_columns.h. This header goes with 0.4.
#pragma once

#include "volcontact/io/answer_columns.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

using volcontact::AnswerColumn;
using volcontact::ForceColumns;
using volcontact::MassColumns;
using volcontact::MetricsColumns;
using volcontact::PutForce;
using volcontact::PutMass;
using volcontact::PutMetrics;

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
