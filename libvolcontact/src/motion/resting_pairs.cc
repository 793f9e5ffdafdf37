#include "motion/resting_pairs.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

VOLCONTACT_NAMESPACE_BEGIN
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

// Of a contact's height and size, by which its bodies may move at rest; of its force, by which that
// may change. Queries err by more.
constexpr double kUnmoved = 1e-10;
// So many steps a rest lasts at least, else bodies would wake as soon as they came to it: more
// where roundings allow, of which each moves a body by that part of its lever.
constexpr double kShortRest = 32.0, kLongRest = 256.0;
constexpr double kRounding = std::numeric_limits<double>::epsilon();

std::size_t Index(int i) { return static_cast<std::size_t>(i); }

double UnmovedOf(const std::vector<SteppedPatch>& patches) {
  double most = std::numeric_limits<double>::infinity();
  for (const SteppedPatch& patch : patches) {
    const ContactGeometry& geometry = patch.geometry;
    most = std::min({most, kUnmoved * MeanHeight(geometry), kUnmoved * geometry.gyration_radius});
  }
  return most;
}

// The greatest arm by which a turn of a body moves a contact.
double LeverOf(const std::vector<SteppedPatch>& patches, Vector3d SteppedPatch::*arm) {
  double lever = 0.0;
  for (const SteppedPatch& patch : patches) {
    lever = std::max(lever, (patch.*arm).norm() + patch.geometry.gyration_radius);
  }
  return lever;
}

double WayOf(const Twist& twist, double step, double lever) {
  return step * (twist.velocity_W.norm() + lever * twist.angular_velocity_W.norm());
}

Twist Difference(const Twist& a, const Twist& b) {
  return {a.velocity_W - b.velocity_W, a.angular_velocity_W - b.angular_velocity_W};
}

double WayBetween(const Pose& from, const Pose& to, double lever) {
  const auto turn_of = [](const Pose& X) { return Quaterniond(X.q[0], X.q[1], X.q[2], X.q[3]); };
  const double turn =
      from.q == to.q ? 0.0 : 2.0 * (turn_of(to) * turn_of(from).conjugate()).vec().norm();
  return (to.t - from.t).norm() + lever * turn;
}

bool KeepsForce(const SteppedPatch& before, const SteppedPatch& after) {
  const StepState &a = before.state, &b = after.state;
  const Vector6 change = b.wrench - a.wrench;
  const double most = kUnmoved * b.normal_force;
  return change.head<3>().norm() <= most &&
         change.tail<3>().norm() <= most * after.geometry.gyration_radius &&
         std::abs(b.contact.friction.dwell - a.contact.friction.dwell) <= kUnmoved &&
         std::abs(b.contact.relaxation - a.contact.relaxation) <= kUnmoved * after.geometry.volume;
}

}  // namespace

bool PairAtRest::IsAt(const Pose& X_WA_now, const Pose& X_WB_now) const {
  return WayBetween(X_WA, X_WA_now, lever_A) <= unmoved &&
         WayBetween(X_WB, X_WB_now, lever_B) <= unmoved;
}

bool PairAtRest::Stands(const Twist& A, const Twist& B, double step) const {
  return WayOf(A, step, lever_A) <= unmoved && WayOf(B, step, lever_B) <= unmoved;
}

bool SteppedPairState::Rests(const Pose& X_WA, const Twist& A, const Pose& X_WB, const Twist& B,
                             double step) const {
  return rest.has_value() && rest->IsAt(X_WA, X_WB) && rest->Stands(A, B, step);
}

Twist EndOf(const MovingBody& body, const Eigen::VectorXd& axes) {
  Twist end = body.free;
  for (std::size_t k = 0; k < body.response.axes.size(); ++k) {
    const auto row = body.response.columns.row(static_cast<Eigen::Index>(k));
    end.velocity_W += axes[body.response.axes[k]] * row.head<3>().transpose();
    end.angular_velocity_W += axes[body.response.axes[k]] * row.tail<3>().transpose();
  }
  return end;
}

std::optional<PairAtRest> RestAfter(const SteppedPairState& before, const SteppedPairState& after,
                                    const MovingBody& A, const Twist& end_A, const MovingBody& B,
                                    const Twist& end_B, double step) {
  if (after.patches.empty() || before.patches.size() != after.patches.size()) return std::nullopt;
  for (std::size_t k = 0; k < after.patches.size(); ++k) {
    if (!KeepsForce(before.patches[k], after.patches[k])) return std::nullopt;
  }
  PairAtRest rest;
  rest.X_WA = A.X_WB;
  rest.X_WB = B.X_WB;
  rest.lever_A = LeverOf(after.patches, &SteppedPatch::arm_A);
  rest.lever_B = LeverOf(after.patches, &SteppedPatch::arm_B);
  const double rounding = kRounding * std::min(rest.lever_A, rest.lever_B);
  rest.unmoved = std::max(UnmovedOf(after.patches), kShortRest * rounding);
  // Also if the forces do not balance, and speeds rise as they did.
  const double steps = std::min(rest.unmoved / rounding, kLongRest);
  const double time = steps * step, rise = 0.5 * steps * time;
  const bool lasts = rest.Stands(A.start, B.start, time) && rest.Stands(end_A, end_B, time) &&
                     rest.Stands(Difference(end_A, A.start), Difference(end_B, B.start), rise);
  return lasts ? std::optional(rest) : std::nullopt;
}

void RestingPairs::Begin(const std::vector<MovingBody>& bodies,
                         const std::vector<PairOfBodies>& pairs,
                         const std::vector<SteppedPairState>& states, int axis_count, double step) {
  bodies_ = &bodies;
  pairs_ = &pairs;
  states_ = &states;
  step_ = step;
  axes_.setZero(axis_count);
  kinds_.assign(pairs.size(), Kind::kMoves);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const MovingBody &A = BodyA(i), &B = BodyB(i);
    if (states[i].Rests(A.X_WB, A.start, B.X_WB, B.start, step)) kinds_[i] = Kind::kRests;
  }
}

void RestingPairs::WakeMoving(const std::vector<bool>& touch,
                              const std::vector<SoftMotion>& motions) {
  if (count() == 0) return;
  linked_.Reset(static_cast<int>(axes_.size()));
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (touch[i] || Rests(i)) Link(i);
  }
  moves_.assign(static_cast<std::size_t>(axes_.size()), false);
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (touch[i]) MarkMoving(i);
  }
  for (const SoftMotion& motion : motions) {
    for (const int axis : motion.axes) moves_[Index(linked_.Find(axis))] = true;
  }
  do {
    WakeMarked();
    SetAxes();
  } while (WakeUnbalanced());
}

void RestingPairs::WakeAll() {
  std::replace(kinds_.begin(), kinds_.end(), Kind::kRests, Kind::kWoken);
  axes_.setZero();
}

int RestingPairs::count() const {
  return static_cast<int>(std::count(kinds_.begin(), kinds_.end(), Kind::kRests));
}

const MovingBody& RestingPairs::BodyA(std::size_t pair) const {
  return (*bodies_)[Index((*pairs_)[pair].body_A)];
}

const MovingBody& RestingPairs::BodyB(std::size_t pair) const {
  return (*bodies_)[Index((*pairs_)[pair].body_B)];
}

void RestingPairs::Link(std::size_t pair) {
  for (const MovingBody* body : {&BodyA(pair), &BodyB(pair)}) {
    for (const int axis : body->response.axes) linked_.Join(SetOf(pair), axis);
  }
}

// What stands for a pair's axes, which are linked; -1 if it has none.
int RestingPairs::SetOf(std::size_t pair) {
  for (const MovingBody* body : {&BodyA(pair), &BodyB(pair)}) {
    if (!body->response.axes.empty()) return linked_.Find(body->response.axes[0]);
  }
  return -1;
}

void RestingPairs::MarkMoving(std::size_t pair) {
  if (const int set = SetOf(pair); set >= 0) moves_[Index(set)] = true;
}

void RestingPairs::WakeMarked() {
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    const int set = SetOf(i);
    if (Rests(i) && set >= 0 && moves_[Index(set)]) kinds_[i] = Kind::kWoken;
  }
}

// Whether any pair's bodies would not stay.
bool RestingPairs::WakeUnbalanced() {
  bool any = false;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (!Rests(i)) continue;
    const Twist A = EndOf(BodyA(i), axes_), B = EndOf(BodyB(i), axes_);
    if ((*states_)[i].rest->Stands(A, B, step_)) continue;
    kinds_[i] = Kind::kWoken;
    MarkMoving(i);
    any = true;
  }
  return any;
}

void RestingPairs::SetAxes() {
  axes_.setZero();
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (!Rests(i)) continue;
    for (const SteppedPatch& patch : (*states_)[i].patches) {
      AddImpulse(BodyA(i), patch.force, patch.arm_A, step_);
      AddImpulse(BodyB(i), patch.force, patch.arm_B, -step_);
    }
  }
}

// A force at an arm from the body's origin, over a duration.
void RestingPairs::AddImpulse(const MovingBody& body, const ContactForce& force,
                              const Vector3d& arm, double duration) {
  Vector6 wrench;
  wrench << force.force_W, force.torque_W + arm.cross(force.force_W);
  for (std::size_t k = 0; k < body.response.axes.size(); ++k) {
    axes_[body.response.axes[k]] +=
        duration * body.response.columns.row(static_cast<Eigen::Index>(k)).dot(wrench);
  }
}

VOLCONTACT_NAMESPACE_END
