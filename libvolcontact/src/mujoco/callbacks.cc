#include "mujoco/callbacks.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {
namespace {

// One of MuJoCo's callbacks, and who had it before.
template <class Callback>
class Hook {
 public:
  Callback next() const { return next_.load(); }

  // One that was set to nothing since, as by mj_resetCallbacks, does not call ours.
  void TakeOver(Callback* place, Callback ours) {
    std::atomic_ref<Callback> callback(*place);  // threads that step other models read it
    if (is_taken_ && callback.load() != nullptr) return;
    next_.store(callback.load());
    callback.store(ours);
    is_taken_ = true;
  }

  // Where another has taken it since, he goes on calling ours.
  void GiveBack(Callback* place, Callback ours) {
    is_taken_ = !std::atomic_ref<Callback>(*place).compare_exchange_strong(ours, next_.load());
  }

 private:
  std::atomic<Callback> next_{nullptr};
  bool is_taken_ = false;
};

// MuJoCo's callbacks take no context, so that models are found by their addresses.
struct Registry {
  std::shared_mutex mutex;
  std::unordered_map<const mjModel*, ModelContacts*> models;
  // Rises with every change: threads remember what they found last.
  std::atomic<std::uint64_t> generation{1};
  Hook<mjfGeneric> passive;
  Hook<mjfConFilt> filter;
  Hook<mjfSensor> sensor;
};

// Never destroyed: threads may step when the program ends.
Registry& TheRegistry() {
  static Registry* const registry = new Registry;
  return *registry;
}

// The filter is asked for every pair of geoms that are near: a lock each would cost as much as the
// rest of it.
ModelContacts* ContactsOf(const mjModel* model) {
  struct Found {
    std::uint64_t generation = 0;
    const mjModel* model = nullptr;
    ModelContacts* contacts = nullptr;
  };
  thread_local Found found;
  Registry& registry = TheRegistry();
  const std::uint64_t generation = registry.generation.load(std::memory_order_acquire);
  if (found.generation == generation && found.model == model) return found.contacts;
  const std::shared_lock lock(registry.mutex);
  const auto place = registry.models.find(model);
  found = {registry.generation.load(), model,
           place == registry.models.end() ? nullptr : place->second};
  return found.contacts;
}

void OnPassive(const mjModel* model, mjData* data) {
  if (const mjfGeneric next = TheRegistry().passive.next()) next(model, data);
  if (ModelContacts* const contacts = ContactsOf(model)) contacts->AddForces(data);
}

// MuJoCo leaves its own test of contype and conaffinity to a filter that is there.
int OnFilter(const mjModel* model, mjData* data, int geom1, int geom2) {
  const ModelContacts* const contacts = ContactsOf(model);
  if (contacts != nullptr && contacts->Replaces(geom1, geom2)) return 1;
  if (const mjfConFilt next = TheRegistry().filter.next()) {
    return next(model, data, geom1, geom2);
  }
  const int first = model->geom_contype[geom1] & model->geom_conaffinity[geom2];
  const int second = model->geom_contype[geom2] & model->geom_conaffinity[geom1];
  return first == 0 && second == 0 ? 1 : 0;
}

void OnSensor(const mjModel* model, mjData* data, int stage) {
  if (const mjfSensor next = TheRegistry().sensor.next()) next(model, data, stage);
  if (ModelContacts* const contacts = ContactsOf(model)) contacts->FillSensors(data, stage);
}

}  // namespace

void Register(ModelContacts* contacts) {
  Registry& registry = TheRegistry();
  const std::unique_lock lock(registry.mutex);
  if (!registry.models.emplace(contacts->model(), contacts).second) {
    throw InvalidInput("the model has contacts already; give all of its contacts to one object");
  }
  ++registry.generation;
  registry.passive.TakeOver(&mjcb_passive, OnPassive);
  registry.filter.TakeOver(&mjcb_contactfilter, OnFilter);
  registry.sensor.TakeOver(&mjcb_sensor, OnSensor);
}

void Unregister(const ModelContacts* contacts) {
  Registry& registry = TheRegistry();
  const std::unique_lock lock(registry.mutex);
  registry.models.erase(contacts->model());
  ++registry.generation;
  if (!registry.models.empty()) return;
  registry.passive.GiveBack(&mjcb_passive, OnPassive);
  registry.filter.GiveBack(&mjcb_contactfilter, OnFilter);
  registry.sensor.GiveBack(&mjcb_sensor, OnSensor);
}

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
