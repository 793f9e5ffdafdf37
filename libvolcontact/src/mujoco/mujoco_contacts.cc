#include "volcontact/mujoco/mujoco_contacts.h"

#include <fmt/format.h>

#include "mujoco/callbacks.h"
#include "mujoco/model_contacts.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN

class MujocoContacts::Engine : public mujoco::ModelContacts {
 public:
  Engine(const mjModel* model, const std::vector<MujocoContactSpec>& contacts)
      : ModelContacts(model, contacts) {
    mujoco::Register(this);
  }
  ~Engine() { mujoco::Unregister(this); }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
};

MujocoContacts::MujocoContacts(const mjModel_* model,
                               const std::vector<MujocoContactSpec>& contacts)
    : engine_(std::make_unique<Engine>(model, contacts)) {}

MujocoContacts::~MujocoContacts() = default;
MujocoContacts::MujocoContacts(MujocoContacts&&) noexcept = default;
MujocoContacts& MujocoContacts::operator=(MujocoContacts&&) noexcept = default;

int MujocoContacts::NumContacts() const { return static_cast<int>(engine_->contacts().size()); }

int MujocoContacts::IndexOf(const std::string& name) const {
  std::string known;
  for (int i = 0; i < NumContacts(); ++i) {
    const std::string& other = engine_->contacts()[static_cast<std::size_t>(i)].name;
    if (other == name) return i;
    known += (known.empty() ? "" : ", ") + other;
  }
  throw InvalidInput(fmt::format("there is no contact \"{}\"; there are {}", name, known));
}

const std::vector<std::string>& MujocoContacts::Notes() const { return engine_->notes(); }

const MujocoContactMoment& MujocoContacts::Last(int contact, const mjData_* data) const {
  return engine_->Last(contact, data);
}

void MujocoContacts::CopyState(const mjData_* from, const mjData_* to) {
  engine_->CopyState(from, to);
}

void MujocoContacts::Forget(const mjData_* data) { engine_->Forget(data); }

VOLCONTACT_NAMESPACE_END
