#include "mujoco/passive/end_of_step.h"

#include <algorithm>
#include <limits>

#include "mujoco/passive/body_wrench.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {
namespace {

using Eigen::Vector3d;

MovingBody MovingOf(const mjModel* model, const mjData* data, int body,
                    const Eigen::VectorXd& free) {
  const BodyMotion now = MotionOf(model, data, body);
  MovingBody moving;
  moving.X_WB = now.X_WB;
  moving.start = moving.free = now.V_W;
  moving.response = PairInertia(model, data, body, 0).Response(now.X_WB.t);
  moving.free = EndOf(moving, free);
  return moving;
}

// The force acts as far from the bodies' origins as it does at the end of the step.
void Push(const mjModel* model, mjData* data, const BodiesInContact& contact,
          const SteppedPatch& patch) {
  ContactForce force = patch.force;
  force.point_W = Vector3d(data->xpos + 3 * contact.body_A) + patch.arm_A;
  AddWrench(model, data, contact.body_A, force, 1.0);
  force.point_W = Vector3d(data->xpos + 3 * contact.body_B) + patch.arm_B;
  AddWrench(model, data, contact.body_B, force, -1.0);
}

}  // namespace

SteppedPairState StartOf(const MujocoContactMoment& now, bool met_late) {
  SteppedPairState start;
  start.is_first = false;
  for (const MujocoPatch& patch : now.patches) {
    SteppedPatch next;
    next.mark = patch.mark;
    next.geometry = patch.geometry;
    next.force = patch.force;
    next.state.contact = patch.state;
    next.state.normal_force = patch.force.normal_W.norm();
    const Vector3d& n = patch.geometry.normal_W;
    next.state.twist << patch.motion.normal_speed * n + patch.motion.tangential_velocity_W,
        patch.motion.spin * n + patch.motion.rolling_velocity_W;
    if (!met_late) {
      next.state.stored = next.state.bent = std::numeric_limits<double>::infinity();
    }
    start.patches.push_back(std::move(next));
  }
  return start;
}

void TakeEnd(const SteppedPairState& end, std::vector<MujocoPatch>* patches) {
  if (patches->size() == 1 && end.patches.size() == 1 &&
      patches->front().mark.piece == end.patches[0].mark.piece) {
    patches->front().state = end.patches[0].state.contact;
    patches->front().force = end.patches[0].force;
    return;
  }
  patches->clear();
  for (const SteppedPatch& from : end.patches) {
    MujocoPatch patch;
    patch.mark = from.mark;
    patch.geometry = from.geometry;
    patch.state = from.state.contact;
    patch.force = from.force;
    const Vector3d& n = from.geometry.normal_W;
    const Vector3d v = from.state.twist.head<3>(), w = from.state.twist.tail<3>();
    patch.motion = {n.dot(v), v - n * n.dot(v), n.dot(w), w - n * n.dot(w)};
    patches->push_back(std::move(patch));
  }
}

std::vector<SteppedPairState> PushToEnd(const mjModel* model, mjData* data,
                                        const std::vector<BodiesInContact>& contacts, double step,
                                        std::vector<SteppedPairState> states) {
  const Eigen::VectorXd free = FreeMotion(model, data, step);
  std::vector<int> places(static_cast<std::size_t>(model->nbody), -1);  // of bodies in the list
  std::vector<MovingBody> bodies;
  bodies.reserve(std::min(places.size(), 2 * contacts.size()));
  const auto place_of = [&](int body) {
    int& place = places[static_cast<std::size_t>(body)];
    if (place < 0) {
      place = static_cast<int>(bodies.size());
      bodies.push_back(MovingOf(model, data, body, free));
    }
    return place;
  };
  std::vector<PairOfBodies> pairs;
  pairs.reserve(contacts.size());
  for (const BodiesInContact& contact : contacts) {
    const int A = place_of(contact.body_A), B = place_of(contact.body_B);
    pairs.push_back({&contact.track->stepped(), A, B, contact.present});
  }
  // Its memory is made once: the answer does not depend on earlier steps.
  thread_local BodyStepper stepper;
  stepper.Step(bodies, pairs, SoftMotions(model, data, free, step), model->nv, step, &states);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    for (const SteppedPatch& patch : states[i].patches) Push(model, data, contacts[i], patch);
  }
  return states;
}

BodyMotion ComingMotion(const mjModel* model, const BodyMotion& now, int body, double step) {
  BodyMotion coming = now;
  if (model->body_weldid[body] != 0) {
    coming.V_W.velocity_W += step * Eigen::Map<const Vector3d>(model->opt.gravity);
  }
  coming.X_WB = MovedBy(now.X_WB, coming.V_W, step);
  return coming;
}

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
