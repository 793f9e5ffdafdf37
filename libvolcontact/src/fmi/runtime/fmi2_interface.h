// The types of the Functional Mock-up Interface 2.0: names, values and layouts are the standard's
// (https://fmi-standard.org), the text is ours.
#pragma once

#include <cstddef>

#include "volcontact/export.h"

extern "C" {

using fmi2Component = void*;
using fmi2ComponentEnvironment = void*;
using fmi2FMUstate = void*;
using fmi2ValueReference = unsigned int;
using fmi2Real = double;
using fmi2Integer = int;
using fmi2Boolean = int;
using fmi2String = const char*;
using fmi2Byte = char;

enum fmi2Status { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending };
enum fmi2Type { fmi2ModelExchange, fmi2CoSimulation };
enum fmi2StatusKind { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated };

using fmi2CallbackLogger = void (*)(fmi2ComponentEnvironment, fmi2String instance, fmi2Status,
                                    fmi2String category, fmi2String message, ...);

struct fmi2CallbackFunctions {
  fmi2CallbackLogger logger;
  void* (*allocateMemory)(std::size_t count, std::size_t size);
  void (*freeMemory)(void*);
  void (*stepFinished)(fmi2ComponentEnvironment, fmi2Status);
  fmi2ComponentEnvironment componentEnvironment;
};

struct fmi2EventInfo {
  fmi2Boolean newDiscreteStatesNeeded;
  fmi2Boolean terminateSimulation;
  fmi2Boolean nominalsOfContinuousStatesChanged;
  fmi2Boolean valuesOfContinuousStatesChanged;
  fmi2Boolean nextEventTimeDefined;
  fmi2Real nextEventTime;
};

}  // extern "C"

/// Marks the functions of the standard: nothing else leaves the library.
#define VOLCONTACT_FMI_FUNCTION extern "C" __attribute__((visibility("default")))

/// A function that calls `body` with its instance `c`, its name, and what follows.
#define VOLCONTACT_FMI2(function, parameters, body, ...)                                  \
  VOLCONTACT_FMI_FUNCTION fmi2Status fmi2##function parameters {                          \
    return static_cast<fmi2Status>(body(c, "fmi2" #function __VA_OPT__(, ) __VA_ARGS__)); \
  }

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {
/// What instances this library makes, in 2.0. Each library has one of its own.
fmi2Type KindOfTwo();
}  // namespace fmi
VOLCONTACT_NAMESPACE_END
