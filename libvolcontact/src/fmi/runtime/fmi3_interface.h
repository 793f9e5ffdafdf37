// The types of the Functional Mock-up Interface 3.0: names, values and layouts are the standard's
// (https://fmi-standard.org), the text is ours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "fmi/runtime/fmi2_interface.h"

extern "C" {

using fmi3Instance = void*;
using fmi3InstanceEnvironment = void*;
using fmi3FMUState = void*;
using fmi3ValueReference = std::uint32_t;
using fmi3Float32 = float;
using fmi3Float64 = double;
using fmi3Int8 = std::int8_t;
using fmi3UInt8 = std::uint8_t;
using fmi3Int16 = std::int16_t;
using fmi3UInt16 = std::uint16_t;
using fmi3Int32 = std::int32_t;
using fmi3UInt32 = std::uint32_t;
using fmi3Int64 = std::int64_t;
using fmi3UInt64 = std::uint64_t;
using fmi3Boolean = bool;
using fmi3String = const char*;
using fmi3Byte = std::uint8_t;
using fmi3Binary = const fmi3Byte*;
using fmi3Clock = bool;

enum fmi3Status { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal };
enum fmi3DependencyKind { fmi3Constant = 1, fmi3Fixed, fmi3Tunable, fmi3Discrete, fmi3Dependent };
enum fmi3IntervalQualifier { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged };

using fmi3LogMessageCallback = void (*)(fmi3InstanceEnvironment, fmi3Status, fmi3String category,
                                        fmi3String message);

}  // extern "C"

/// As VOLCONTACT_FMI2.
#define VOLCONTACT_FMI3(function, parameters, body, ...)                                  \
  VOLCONTACT_FMI_FUNCTION fmi3Status fmi3##function parameters {                          \
    return static_cast<fmi3Status>(body(c, "fmi3" #function __VA_OPT__(, ) __VA_ARGS__)); \
  }

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {

/// An instance of the kind that the library makes; null, with a message in the log, where that
/// fails.
fmi3Instance InstantiateThree(const char* function, fmi3String name, fmi3String token,
                              fmi3String resources, bool logging,
                              fmi3InstanceEnvironment environment, fmi3LogMessageCallback log);

/// No instance, and why.
fmi3Instance RefuseThree(const std::string& reason, bool logging,
                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback log);

/// What a function does that the FMU has not: an error that says why, unless it is asked for
/// nothing.
fmi3Status AbsentThree(fmi3Instance c, const char* name, const std::string& reason,
                       std::size_t count = 1);

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
