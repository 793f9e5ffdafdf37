// The functions of FMI 3.0 for what no FMU of ours has: variables of other types, clocks,
// configuration, adjoint derivatives and scheduled execution. Importers look all of them up;
// called, they return an error and say why.
#include "fmi/runtime/fmi3_interface.h"

namespace {

namespace fmi = volcontact::fmi;

constexpr char kNoType[] = "there are no variables of that type";
constexpr char kNoClock[] = "there are no clocks";
constexpr char kNoStructure[] = "there are no structural parameters";
constexpr char kNoSchedule[] = "this FMU is not for scheduled execution";

}  // namespace

// Getters and setters of a type that no variable has.
#define VOLCONTACT_FMI3_ABSENT_TYPE(Type)                                                         \
  VOLCONTACT_FMI3(                                                                                \
      Get##Type,                                                                                  \
      (fmi3Instance c, const fmi3ValueReference*, std::size_t nvr, fmi3##Type*, std::size_t),     \
      fmi::AbsentThree, kNoType, nvr)                                                             \
  VOLCONTACT_FMI3(Set##Type,                                                                      \
                  (fmi3Instance c, const fmi3ValueReference*, std::size_t nvr, const fmi3##Type*, \
                   std::size_t),                                                                  \
                  fmi::AbsentThree, kNoType, nvr)

VOLCONTACT_FMI3_ABSENT_TYPE(Float32)
VOLCONTACT_FMI3_ABSENT_TYPE(Int8)
VOLCONTACT_FMI3_ABSENT_TYPE(UInt8)
VOLCONTACT_FMI3_ABSENT_TYPE(Int16)
VOLCONTACT_FMI3_ABSENT_TYPE(UInt16)
VOLCONTACT_FMI3_ABSENT_TYPE(UInt32)
VOLCONTACT_FMI3_ABSENT_TYPE(Int64)
VOLCONTACT_FMI3_ABSENT_TYPE(UInt64)
VOLCONTACT_FMI3_ABSENT_TYPE(String)

VOLCONTACT_FMI3(GetBinary,
                (fmi3Instance c, const fmi3ValueReference*, std::size_t nvr, std::size_t*,
                 fmi3Binary*, std::size_t),
                fmi::AbsentThree, kNoType, nvr)

VOLCONTACT_FMI3(SetBinary,
                (fmi3Instance c, const fmi3ValueReference*, std::size_t nvr, const std::size_t*,
                 const fmi3Binary*, std::size_t),
                fmi::AbsentThree, kNoType, nvr)

VOLCONTACT_FMI3(GetClock, (fmi3Instance c, const fmi3ValueReference*, std::size_t nvr, fmi3Clock*),
                fmi::AbsentThree, kNoClock, nvr)

VOLCONTACT_FMI3(SetClock,
                (fmi3Instance c, const fmi3ValueReference*, std::size_t nvr, const fmi3Clock*),
                fmi::AbsentThree, kNoClock, nvr)

VOLCONTACT_FMI3(GetIntervalDecimal,
                (fmi3Instance c, const fmi3ValueReference*, std::size_t nvr, fmi3Float64*,
                 fmi3IntervalQualifier*),
                fmi::AbsentThree, kNoClock, nvr)

VOLCONTACT_FMI3(GetIntervalFraction,
                (fmi3Instance c, const fmi3ValueReference*, std::size_t nvr, fmi3UInt64*,
                 fmi3UInt64*, fmi3IntervalQualifier*),
                fmi::AbsentThree, kNoClock, nvr)

VOLCONTACT_FMI3(GetShiftDecimal,
                (fmi3Instance c, const fmi3ValueReference*, std::size_t nvr, fmi3Float64*),
                fmi::AbsentThree, kNoClock, nvr)

VOLCONTACT_FMI3(GetShiftFraction,
                (fmi3Instance c, const fmi3ValueReference*, std::size_t nvr, fmi3UInt64*,
                 fmi3UInt64*),
                fmi::AbsentThree, kNoClock, nvr)

VOLCONTACT_FMI3(SetIntervalDecimal,
                (fmi3Instance c, const fmi3ValueReference*, std::size_t nvr, const fmi3Float64*),
                fmi::AbsentThree, kNoClock, nvr)

VOLCONTACT_FMI3(SetIntervalFraction,
                (fmi3Instance c, const fmi3ValueReference*, std::size_t nvr, const fmi3UInt64*,
                 const fmi3UInt64*),
                fmi::AbsentThree, kNoClock, nvr)

VOLCONTACT_FMI3(SetShiftDecimal,
                (fmi3Instance c, const fmi3ValueReference*, std::size_t nvr, const fmi3Float64*),
                fmi::AbsentThree, kNoClock, nvr)

VOLCONTACT_FMI3(SetShiftFraction,
                (fmi3Instance c, const fmi3ValueReference*, std::size_t nvr, const fmi3UInt64*,
                 const fmi3UInt64*),
                fmi::AbsentThree, kNoClock, nvr)

VOLCONTACT_FMI3(GetNumberOfVariableDependencies, (fmi3Instance c, fmi3ValueReference, std::size_t*),
                fmi::AbsentThree, "modelDescription.xml has them")

VOLCONTACT_FMI3(GetVariableDependencies,
                (fmi3Instance c, fmi3ValueReference, std::size_t*, fmi3ValueReference*,
                 std::size_t*, fmi3DependencyKind*, std::size_t),
                fmi::AbsentThree, "modelDescription.xml has them")

VOLCONTACT_FMI3(GetAdjointDerivative,
                (fmi3Instance c, const fmi3ValueReference*, std::size_t, const fmi3ValueReference*,
                 std::size_t, const fmi3Float64*, std::size_t, fmi3Float64*, std::size_t),
                fmi::AbsentThree, "providesAdjointDerivatives is false")

VOLCONTACT_FMI3(EnterConfigurationMode, (fmi3Instance c), fmi::AbsentThree, kNoStructure)

VOLCONTACT_FMI3(ExitConfigurationMode, (fmi3Instance c), fmi::AbsentThree, kNoStructure)

VOLCONTACT_FMI3(EvaluateDiscreteStates, (fmi3Instance c), fmi::AbsentThree,
                "providesEvaluateDiscreteStates is false")

VOLCONTACT_FMI_FUNCTION fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean logging,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, void*, void*, void*) {
  return volcontact::fmi::RefuseThree(kNoSchedule, logging, environment, log);
}

VOLCONTACT_FMI3(ActivateModelPartition, (fmi3Instance c, fmi3ValueReference, fmi3Float64),
                fmi::AbsentThree, kNoSchedule)
