#include "mujoco/contact_books.h"

#include <Eigen/Geometry>
#include <array>
#include <cmath>

#include "volcontact/forces/pair_force.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {
namespace {

constexpr std::array<double ContactPowers::*, 9> kPowers = {
    &ContactPowers::elastic,         &ContactPowers::normal_damping, &ContactPowers::rolling,
    &ContactPowers::bristle_elastic, &ContactPowers::bristle,        &ContactPowers::viscous,
    &ContactPowers::spin_elastic,    &ContactPowers::spin,           &ContactPowers::clutch};

void AddWork(const ContactPowers& powers, double duration, ContactEnergies* books) {
  for (const auto power : kPowers) books->*power += duration * (powers.*power);
}

void End(ContactEnergies* books) {
  books->made -= books->elastic;
  for (const double held : {books->bristle_elastic, books->spin_elastic}) {
    (held > 0.0 ? books->lost : books->made) += std::abs(held);
  }
  books->elastic = books->bristle_elastic = books->spin_elastic = 0.0;
}

}  // namespace

ContactEnergies NextBooks(const MujocoContactMoment* last, const std::vector<ContactPowers>& before,
                          const MujocoContactMoment& now) {
  if (last == nullptr) return {};
  ContactEnergies books = last->energies;
  const double half = 0.5 * (now.time - last->time);
  for (const ContactPowers& powers : before) AddWork(powers, half, &books);
  for (const MujocoPatch& patch : now.patches) AddWork(patch.force.powers, half, &books);
  if (!last->patches.empty() && now.patches.empty()) End(&books);
  return books;
}

}  // namespace mujoco

ContactForce MujocoContactMoment::Total() const {
  std::vector<ContactForce> forces;
  for (const MujocoPatch& patch : patches) forces.push_back(patch.force);
  return SumOf(forces);
}

VOLCONTACT_NAMESPACE_END
