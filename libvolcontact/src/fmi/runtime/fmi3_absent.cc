// The functions of FMI 3.0 for what no FMU of ours has: variables of other types, clocks,
// configuration, adjoint derivatives and scheduled execution. Importers look all of them up;
// called, they return an error and say why.
#include "fmi/runtime/fmi3_interface.h"

namespace {

fmi3Status Absent(fmi3Instance c, const char* name, const char* what, std::size_t count = 1) {
  return volcontact::fmi::AbsentThree(c, name, what, count);
}

constexpr char kNoType[] = "there are no variables of that type";
constexpr char kNoClock[] = "there are no clocks";
constexpr char kNoStructure[] = "there are no structural parameters";
constexpr char kNoSchedule[] = "this FMU is not for scheduled execution";

}  // namespace

// Getters and setters of a type that no variable has.
#define VOLCONTACT_FMI3_ABSENT_TYPE(Type)                                                       \
  VOLCONTACT_FMI_FUNCTION fmi3Status fmi3Get##Type(fmi3Instance c, const fmi3ValueReference*,   \
                                                   std::size_t nvr, fmi3##Type*, std::size_t) { \
    return Absent(c, "fmi3Get" #Type, kNoType, nvr);                                            \
  }                                                                                             \
  VOLCONTACT_FMI_FUNCTION fmi3Status fmi3Set##Type(fmi3Instance c, const fmi3ValueReference*,   \
                                                   std::size_t nvr, const fmi3##Type*,          \
                                                   std::size_t) {                               \
    return Absent(c, "fmi3Set" #Type, kNoType, nvr);                                            \
  }

VOLCONTACT_FMI3_ABSENT_TYPE(Float32)
VOLCONTACT_FMI3_ABSENT_TYPE(Int8)
VOLCONTACT_FMI3_ABSENT_TYPE(UInt8)
VOLCONTACT_FMI3_ABSENT_TYPE(Int16)
VOLCONTACT_FMI3_ABSENT_TYPE(UInt16)
VOLCONTACT_FMI3_ABSENT_TYPE(UInt32)
VOLCONTACT_FMI3_ABSENT_TYPE(Int64)
VOLCONTACT_FMI3_ABSENT_TYPE(UInt64)
VOLCONTACT_FMI3_ABSENT_TYPE(String)

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetBinary(fmi3Instance c, const fmi3ValueReference*,
                                                 std::size_t nvr, std::size_t*, fmi3Binary*,
                                                 std::size_t) {
  return Absent(c, "fmi3GetBinary", kNoType, nvr);
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3SetBinary(fmi3Instance c, const fmi3ValueReference*,
                                                 std::size_t nvr, const std::size_t*,
                                                 const fmi3Binary*, std::size_t) {
  return Absent(c, "fmi3SetBinary", kNoType, nvr);
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetClock(fmi3Instance c, const fmi3ValueReference*,
                                                std::size_t nvr, fmi3Clock*) {
  return Absent(c, "fmi3GetClock", kNoClock, nvr);
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3SetClock(fmi3Instance c, const fmi3ValueReference*,
                                                std::size_t nvr, const fmi3Clock*) {
  return Absent(c, "fmi3SetClock", kNoClock, nvr);
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetIntervalDecimal(fmi3Instance c, const fmi3ValueReference*,
                                                          std::size_t nvr, fmi3Float64*,
                                                          fmi3IntervalQualifier*) {
  return Absent(c, "fmi3GetIntervalDecimal", kNoClock, nvr);
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetIntervalFraction(fmi3Instance c,
                                                           const fmi3ValueReference*,
                                                           std::size_t nvr, fmi3UInt64*,
                                                           fmi3UInt64*, fmi3IntervalQualifier*) {
  return Absent(c, "fmi3GetIntervalFraction", kNoClock, nvr);
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetShiftDecimal(fmi3Instance c, const fmi3ValueReference*,
                                                       std::size_t nvr, fmi3Float64*) {
  return Absent(c, "fmi3GetShiftDecimal", kNoClock, nvr);
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetShiftFraction(fmi3Instance c, const fmi3ValueReference*,
                                                        std::size_t nvr, fmi3UInt64*, fmi3UInt64*) {
  return Absent(c, "fmi3GetShiftFraction", kNoClock, nvr);
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3SetIntervalDecimal(fmi3Instance c, const fmi3ValueReference*,
                                                          std::size_t nvr, const fmi3Float64*) {
  return Absent(c, "fmi3SetIntervalDecimal", kNoClock, nvr);
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3SetIntervalFraction(fmi3Instance c,
                                                           const fmi3ValueReference*,
                                                           std::size_t nvr, const fmi3UInt64*,
                                                           const fmi3UInt64*) {
  return Absent(c, "fmi3SetIntervalFraction", kNoClock, nvr);
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3SetShiftDecimal(fmi3Instance c, const fmi3ValueReference*,
                                                       std::size_t nvr, const fmi3Float64*) {
  return Absent(c, "fmi3SetShiftDecimal", kNoClock, nvr);
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3SetShiftFraction(fmi3Instance c, const fmi3ValueReference*,
                                                        std::size_t nvr, const fmi3UInt64*,
                                                        const fmi3UInt64*) {
  return Absent(c, "fmi3SetShiftFraction", kNoClock, nvr);
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance c,
                                                                       fmi3ValueReference,
                                                                       std::size_t*) {
  return Absent(c, "fmi3GetNumberOfVariableDependencies", "modelDescription.xml has them");
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetVariableDependencies(fmi3Instance c, fmi3ValueReference,
                                                               std::size_t*, fmi3ValueReference*,
                                                               std::size_t*, fmi3DependencyKind*,
                                                               std::size_t) {
  return Absent(c, "fmi3GetVariableDependencies", "modelDescription.xml has them");
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetAdjointDerivative(fmi3Instance c,
                                                            const fmi3ValueReference*, std::size_t,
                                                            const fmi3ValueReference*, std::size_t,
                                                            const fmi3Float64*, std::size_t,
                                                            fmi3Float64*, std::size_t) {
  return Absent(c, "fmi3GetAdjointDerivative", "providesAdjointDerivatives is false");
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3EnterConfigurationMode(fmi3Instance c) {
  return Absent(c, "fmi3EnterConfigurationMode", kNoStructure);
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3ExitConfigurationMode(fmi3Instance c) {
  return Absent(c, "fmi3ExitConfigurationMode", kNoStructure);
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance c) {
  return Absent(c, "fmi3EvaluateDiscreteStates", "providesEvaluateDiscreteStates is false");
}

VOLCONTACT_FMI_FUNCTION fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean logging,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, void*, void*, void*) {
  return volcontact::fmi::RefuseThree(kNoSchedule, logging, environment, log);
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3ActivateModelPartition(fmi3Instance c, fmi3ValueReference,
                                                              fmi3Float64) {
  return Absent(c, "fmi3ActivateModelPartition", kNoSchedule);
}
