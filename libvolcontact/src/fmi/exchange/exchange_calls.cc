#include "fmi/exchange/exchange_calls.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {

FmuStatus ChangeMode(void* c, const char* name, unsigned from, FmuMode to) {
  return CallContact(c, name, from,
                     [&](FmuHandle&, ContactInstance& instance) { instance.SetMode(to); });
}

FmuStatus SetContactTime(void* c, const char* name, double time) {
  return CallContact(c, name, kRunning,
                     [&](FmuHandle&, ContactInstance& instance) { instance.SetTime(time); });
}

FmuStatus SetContactStates(void* c, const char* name, const double* x, std::size_t nx) {
  return CallContact(c, name, kRunning, [&](FmuHandle&, ContactInstance& instance) {
    RequireCount(nx, instance.num_states(), "the number of states");
    RequireArray(x, nx, "the array of states");
    instance.SetStates(x);
  });
}

FmuStatus GetContactDerivative(void* c, const char* name, const std::uint32_t* unknowns,
                               std::size_t num_unknowns, const std::uint32_t* knowns,
                               std::size_t num_knowns, const double* seed, std::size_t num_seed,
                               double* sensitivity, std::size_t num_sensitivity) {
  return CallContact(c, name, kReadable, [&](FmuHandle&, ContactInstance& instance) {
    RequireArray(unknowns, num_unknowns, "the array of unknowns");
    RequireArray(knowns, num_knowns, "the array of knowns");
    RequireCount(num_seed, num_knowns, "the number of seeds");
    RequireCount(num_sensitivity, num_unknowns, "the number of sensitivities");
    RequireArray(seed, num_seed, "the seed");
    RequireArray(sensitivity, num_sensitivity, "the array of sensitivities");
    const std::vector<double> values = instance.Derivative({unknowns, unknowns + num_unknowns},
                                                           {knowns, knowns + num_knowns}, seed);
    std::copy(values.begin(), values.end(), sensitivity);
  });
}

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
