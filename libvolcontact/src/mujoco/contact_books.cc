#include "mujoco/contact_books.h"

#include <Eigen/Geometry>
#include <array>
#include <cmath>

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
  ContactForce total;
  double largest = -1.0;
  for (const MujocoPatch& patch : patches) {
    const double normal = patch.force.normal_W.norm();
    if (!(normal > largest)) continue;
    largest = normal;
    total.point_W = patch.force.point_W;
    total.plate_W = patch.force.plate_W;
  }
  for (const MujocoPatch& patch : patches) {
    const ContactForce& force = patch.force;
    total.force_W += force.force_W;
    total.torque_W += force.torque_W + (force.point_W - total.point_W).cross(force.force_W);
    total.normal_W += force.normal_W;
    total.tangential_W += force.tangential_W;
    total.rolling_W += force.rolling_W;
    total.spinning_W += force.spinning_W;
    for (const auto power : mujoco::kPowers) total.powers.*power += force.powers.*power;
  }
  return total;
}

VOLCONTACT_NAMESPACE_END
