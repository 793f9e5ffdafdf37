#include "fmi/runtime/fmu_instance.h"

#include <fmt/format.h>

#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {
namespace {

const char* NameOf(FmuType type) {
  return type == FmuType::kReal ? "real" : (type == FmuType::kInteger ? "integer" : "boolean");
}

}  // namespace

void RequireToken(const std::string& given, const std::string& expected) {
  if (given == expected) return;
  throw InvalidInput(
      fmt::format("the instantiation token (GUID) is \"{}\" instead of \"{}\", so "
                  "modelDescription.xml belongs to "
                  "another FMU; unpack this one again",
                  given, expected));
}

const FmuVariable& FmuInstance::VariableAt(std::uint32_t reference, FmuType type) const {
  if (reference >= variables().size()) {
    throw WrongCall(fmt::format("there is no variable with the value reference {}", reference));
  }
  const FmuVariable& variable = variables()[reference];
  if (variable.type != type) {
    throw WrongCall(fmt::format("{} (value reference {}) is not a {} variable", variable.name,
                                reference, NameOf(type)));
  }
  return variable;
}

void FmuInstance::RefuseToSet(std::uint32_t reference, FmuType type) const {
  const FmuVariable& variable = VariableAt(reference, type);
  const bool later = variable.role == FmuRole::kParameter || variable.role == FmuRole::kState;
  throw WrongCall(fmt::format("{} cannot be set {}", variable.name,
                              later ? "after initialization" : "by the importer"));
}

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
