// The bodies of the functions for model exchange that both versions of the standard have.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <vector>

#include "fmi/exchange/contact_instance.h"
#include "fmi/runtime/fmu_calls.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {

/// Runs a function on a contact.
template <class Function>
FmuStatus CallContact(void* c, const char* name, unsigned modes, const Function& body) {
  return CallFmu<ContactInstance>(c, name, modes, body);
}

/// From one of the modes into another.
FmuStatus ChangeMode(void* c, const char* name, unsigned from, FmuMode to);

FmuStatus SetContactTime(void* c, const char* name, double time);
FmuStatus SetContactStates(void* c, const char* name, const double* x, std::size_t nx);

/// A list that the instance has by a member or another function, into an array of its length.
template <class Read>
FmuStatus GetContactList(void* c, const char* name, double* x, std::size_t nx, const Read& read) {
  return CallContact(c, name, kReadable, [&](FmuHandle&, ContactInstance& instance) {
    const std::vector<double> values = std::invoke(read, instance);
    RequireCount(nx, values.size(), "the number of values");
    RequireArray(x, nx, "the array of values");
    std::copy(values.begin(), values.end(), x);
  });
}

/// `enter` and `terminate` are booleans, as the version has them.
template <class Flag>
FmuStatus CompleteContactStep(void* c, const char* name, Flag* enter, Flag* terminate) {
  return CallContact(c, name, kContinuousTime, [&](FmuHandle&, ContactInstance& instance) {
    RequireArray(enter, 1, "enterEventMode");
    RequireArray(terminate, 1, "terminateSimulation");
    *enter = instance.CompleteStep();
    *terminate = false;
  });
}

/// `answers` are the pointers for what the update changed, which `write` is given.
template <class Write>
FmuStatus UpdateContact(void* c, const char* name, std::initializer_list<const void*> answers,
                        const Write& write) {
  return CallContact(c, name, kEventMode, [&](FmuHandle& handle, ContactInstance& instance) {
    for (const void* answer : answers) RequireArray(answer, 1, "a pointer for an answer");
    const FmuUpdate update = instance.UpdateDiscrete();
    if (!update.event.empty()) handle.Tell(kOk, update.event);
    write(update);
  });
}

FmuStatus GetContactDerivative(void* c, const char* name, const std::uint32_t* unknowns,
                               std::size_t num_unknowns, const std::uint32_t* knowns,
                               std::size_t num_knowns, const double* seed, std::size_t num_seed,
                               double* sensitivity, std::size_t num_sensitivity);

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
