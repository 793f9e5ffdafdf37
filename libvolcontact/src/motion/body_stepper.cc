#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <deque>

#include "motion/pair_response.h"
#include "motion/patch_starts.h"
#include "motion/resting_pairs.h"
#include "volcontact/math/error.h"
#include "volcontact/motion/moving_bodies.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

using Eigen::Vector3d;

// Rounds of looking at the geometry where a step ends.
constexpr int kMostRounds = 8;
// Where a step ends apart although its model touches: so much of the way back from there.
constexpr double kWaysBack[] = {0.1, 0.4};
// Of the thinner body, by which bodies may move unseen; and times that one looks along the way.
constexpr double kUnseen = 0.25;
constexpr int kMostGlances = 64;
// A way that is none [m], beside what contacts are deep.
constexpr double kNoWay = 1e-12;
// A contact is at rest if so many times its motion in the step is trusted: the power law of its
// volume then errs by rounding.
constexpr double kStill = 1e4;
// No body moves as fast [m/s]: numbers beyond it are of a motion that has gone wrong.
constexpr double kLightSpeed = 299792458.0;

Twist Scaled(const Twist& twist, double part) {
  return {part * twist.velocity_W, part * twist.angular_velocity_W};
}

Twist Between(const Twist& from, const Twist& to, double part) {
  return {from.velocity_W + part * (to.velocity_W - from.velocity_W),
          from.angular_velocity_W + part * (to.angular_velocity_W - from.angular_velocity_W)};
}

// How far a turn moves a body's points [m/s]. An unbounded body that does not turn stays.
double SpeedOfTurn(const Vector3d& turn, double radius) {
  return turn.isZero(0.0) ? 0.0 : turn.norm() * radius;
}

void Require(const MovingBody& body) {
  const auto moves = [](const Twist& twist) {
    return twist.velocity_W.norm() < kLightSpeed && twist.angular_velocity_W.allFinite();
  };
  if (body.X_WB.t.allFinite() && moves(body.start) && moves(body.free)) return;
  throw InvalidInput("a body's place is not finite, or it moves faster than light");
}

}  // namespace

struct BodyStepper::Impl {
  // The motions of two bodies, of which the pair's geometry reads only how they move each other.
  struct TwistPair {
    Twist A, B;
  };

  // One pair in this step: where it was looked at, and what was found there.
  struct PairLook {
    const SteppedPair* pair = nullptr;  // divided as it is in this step
    DivisionState division;
    TwistPair twists;
    std::vector<SeenPatch> found;
    std::vector<StepState> starts;
    std::vector<std::vector<PressureSample>> pressures;
    Vector3d origin_A, origin_B;  // there
    std::size_t first = 0;        // of its contacts among all
  };

  const std::vector<MovingBody>* bodies = nullptr;
  const std::vector<PairOfBodies>* pairs = nullptr;
  std::vector<SteppedPairState>* states = nullptr;
  double step = 0.0;
  StepSolver solver;
  RestingPairs resting;
  Eigen::VectorXd axes;  // velocities that contacts and motions give
  std::vector<PairLook> looks;
  std::vector<ContactInStep> contacts;
  std::vector<PushedContact> pushed;
  StepReport report;

  const MovingBody& BodyA(std::size_t i) const {
    return (*bodies)[static_cast<std::size_t>((*pairs)[i].body_A)];
  }
  const MovingBody& BodyB(std::size_t i) const {
    return (*bodies)[static_cast<std::size_t>((*pairs)[i].body_B)];
  }

  // Takes what there is at the end of a step with these twists; whether there is anything. Where a
  // contact goes on as it was, the Hessian of before does, of which the exponent is kept.
  bool LookAt(std::size_t i, const TwistPair& twists, bool with_hessian = true) {
    const Pose X_WA = MovedBy(BodyA(i).X_WB, twists.A, step);
    const Pose X_WB = MovedBy(BodyB(i).X_WB, twists.B, step);
    ++report.looks;
    return Take(i, twists, X_WA, X_WB, looks[i].pair->Find(X_WA, X_WB, with_hessian));
  }

  bool Take(std::size_t i, const TwistPair& twists, const Pose& X_WA, const Pose& X_WB,
            const std::vector<Metrics>& overlaps) {
    const SteppedPair& pair = *looks[i].pair;
    const MovingBody &A = BodyA(i), &B = BodyB(i);
    const SteppedPairState& last = (*states)[i];
    std::vector<SeenPatch> found;
    for (std::size_t k = 0; k < overlaps.size(); ++k) {
      const Metrics& metrics = overlaps[k];
      report.all_queries_converged = report.all_queries_converged && metrics.converged;
      if (!metrics.overlap) continue;
      SeenPatch patch;
      patch.mark = pair.MarkAt(k, metrics, X_WA, X_WB);
      const Vector3d normal_W =
          last.patches.empty() ? Vector3d(Vector3d::Zero()) : NearestNormal(last, patch.mark);
      patch.nearby = NearbyContact(metrics, pair.laws().model().parameters().direction, normal_W);
      const ContactGeometry& geometry = patch.nearby.geometry();
      if (!geometry.touching) continue;
      patch.approach = MotionAt(geometry.point_W, geometry.normal_W, X_WA, A.free, X_WB, B.free);
      found.push_back(std::move(patch));
    }
    if (found.empty()) return false;
    if (Divides(i, X_WA, X_WB)) return Take(i, twists, X_WA, X_WB, FindDivided(i, X_WA, X_WB));
    looks[i].twists = twists;
    looks[i].found = std::move(found);
    return true;
  }

  // Under load only where it is known what its springs hold: the pieces share it, and give back no
  // more.
  bool Divides(std::size_t i, const Pose& X_WA, const Pose& X_WB) {
    const std::vector<SteppedPatch>& last = (*states)[i].patches;
    const auto is_known = [](const SteppedPatch& patch) {
      return std::isfinite(patch.state.stored + patch.state.bent);
    };
    return std::all_of(last.begin(), last.end(), is_known) &&
           looks[i].pair->FollowDivision(X_WA, X_WB, last.empty(), &looks[i].division);
  }

  std::vector<Metrics> FindDivided(std::size_t i, const Pose& X_WA, const Pose& X_WB) {
    ++report.looks;
    looks[i].pair = &(*pairs)[i].pair->Divided(looks[i].division.number);
    return looks[i].pair->Find(X_WA, X_WB, true);
  }

  static Vector3d NearestNormal(const SteppedPairState& last, const PatchMark& mark) {
    const auto farther = [&](const SteppedPatch& a, const SteppedPatch& b) {
      return (a.mark.point_A - mark.point_A).squaredNorm() <
             (b.mark.point_A - mark.point_A).squaredNorm();
    };
    return std::min_element(last.patches.begin(), last.patches.end(), farther)
        ->state.contact.normal_W;
  }

  // Bodies that might pass each other within the step: where they first meet.
  bool LookAlong(std::size_t i) {
    const SteppedPair& pair = *(*pairs)[i].pair;
    const MovingBody &A = BodyA(i), &B = BodyB(i);
    const double way = step * ((A.free.velocity_W - B.free.velocity_W).norm() +
                               SpeedOfTurn(A.free.angular_velocity_W, pair.RadiusOfA()) +
                               SpeedOfTurn(B.free.angular_velocity_W, pair.RadiusOfB()));
    const double pieces = std::ceil(way / (kUnseen * pair.Thickness()));
    if (!(pieces > 1.0)) return LookAt(i, {A.free, B.free});
    const int count = static_cast<int>(std::min(pieces, static_cast<double>(kMostGlances)));
    for (int k = 1; k <= count; ++k) {
      const double part = static_cast<double>(k) / count;
      const TwistPair twists{Scaled(A.free, part), Scaled(B.free, part)};
      if (pair.BoxesMeet(MovedBy(A.X_WB, twists.A, step), MovedBy(B.X_WB, twists.B, step)) &&
          LookAt(i, twists)) {
        return true;
      }
    }
    return false;
  }

  void FirstLooks(const std::vector<SoftMotion>& motions, int axis_count) {
    looks.resize(pairs->size());
    resting.Begin(*bodies, *pairs, *states, axis_count, step);
    std::vector<bool> touch(looks.size());
    for (std::size_t i = 0; i < looks.size(); ++i) {
      looks[i].found.clear();
      if (!resting.Rests(i)) FirstLook(i);
      touch[i] = !looks[i].found.empty();
    }
    resting.WakeMoving(touch, motions);
    LookAtWoken();
  }

  void LookAtWoken() {
    for (std::size_t i = 0; i < looks.size(); ++i) {
      if (resting.HasWoken(i)) FirstLook(i);
    }
  }

  // What touches is looked for where the motion goes on as it is, which for bodies at rest is
  // where they are; what does not, where it falls.
  void FirstLook(std::size_t i) {
    looks[i].found.clear();
    looks[i].division = (*states)[i].division;
    looks[i].pair = &(*pairs)[i].pair->Divided(looks[i].division.number);
    if ((*states)[i].patches.empty()) {
      LookAlong(i);
      return;
    }
    const auto is_known = [](const SteppedPatch& patch) { return patch.state.exponent > 0.0; };
    const std::vector<SteppedPatch>& last = (*states)[i].patches;
    const bool are_known = std::all_of(last.begin(), last.end(), is_known);
    if (are_known && TakePresent(i)) return;
    if (!LookAt(i, {BodyA(i).start, BodyB(i).start}, !are_known)) LookAt(i, {Twist{}, Twist{}});
  }

  // Whether the pair is at rest, so that what is known of its present pose holds for the step.
  bool TakePresent(std::size_t i) {
    const std::vector<Metrics>* const present = (*pairs)[i].present;
    const MovingBody &A = BodyA(i), &B = BodyB(i);
    if (present == nullptr || !Take(i, {}, A.X_WB, B.X_WB, *present)) return false;
    const auto rests = [&](const SeenPatch& patch) {
      const Vector3d& point_W = patch.nearby.geometry().point_W;
      const Vector6 far =
          kStill * step * TwistAt(point_W - A.X_WB.t, point_W - B.X_WB.t, A.start, B.start);
      // Both ways: of a motion apart only its end would have to be trusted.
      return patch.nearby.Trusts(far) && patch.nearby.Trusts(-far);
    };
    std::vector<SeenPatch>& found = looks[i].found;
    if (std::all_of(found.begin(), found.end(), rests)) return true;
    found.clear();
    return false;
  }

  void SetContacts() {
    contacts.clear();
    pushed.clear();
    std::size_t count = 0;
    for (const PairLook& look : looks) count += look.found.size();
    contacts.reserve(count);  // they are referred to
    pushed.reserve(count);
    for (std::size_t i = 0; i < looks.size(); ++i) SetContactsOf(i);
  }

  void SetContactsOf(std::size_t i) {
    PairLook& look = looks[i];
    look.first = contacts.size();
    const SteppedPair& pair = *look.pair;
    const MovingBody &A = BodyA(i), &B = BodyB(i);
    const Pose X_WA = MovedBy(A.X_WB, look.twists.A, step);
    const Pose X_WB = MovedBy(B.X_WB, look.twists.B, step);
    look.origin_A = X_WA.t;
    look.origin_B = X_WB.t;
    look.starts = StartsOf(pair.laws().model(), (*states)[i], look.found, pair.is_one());
    for (std::size_t k = 0; k < look.found.size(); ++k) {
      NearbyContact& nearby = look.found[k].nearby;
      const double exponent = look.starts[k].exponent;
      if (!nearby.is_second_order() && exponent > 0.0) nearby.TakeExponent(exponent);
    }
    look.pressures.resize(look.found.size());
    for (std::size_t k = 0; k < look.found.size(); ++k) {
      const Vector3d& point_W = look.found[k].nearby.geometry().point_W;
      const Vector3d arm_A = point_W - X_WA.t, arm_B = point_W - X_WB.t;
      const Vector6 reached = TwistAt(arm_A, arm_B, look.twists.A, look.twists.B);
      look.pressures[k] = pair.Pressure(X_WA, X_WB, look.found[k].nearby.geometry(), reached);
      contacts.emplace_back(pair.laws(), look.found[k].nearby, look.starts[k], reached, step,
                            &look.pressures[k]);
      PushedContact push;
      push.contact = &contacts.back();
      push.free = TwistAt(arm_A, arm_B, A.free, B.free);
      push.guess = (*states)[i].patches.empty() ? push.free : look.starts[k].twist;
      AddColumns(A.response, arm_A, 1.0, &push.response);
      AddColumns(B.response, arm_B, -1.0, &push.response);
      pushed.push_back(std::move(push));
    }
  }

  // How far the bodies are at the end from where they were looked at [m].
  double WayFromLook(std::size_t i, const TwistPair& ends) const {
    const PairLook& look = looks[i];
    const SteppedPair& pair = *(*pairs)[i].pair;
    const Vector3d v = ends.A.velocity_W - look.twists.A.velocity_W -
                       (ends.B.velocity_W - look.twists.B.velocity_W);
    const Vector3d w_A = ends.A.angular_velocity_W - look.twists.A.angular_velocity_W;
    const Vector3d w_B = ends.B.angular_velocity_W - look.twists.B.angular_velocity_W;
    return step *
           (v.norm() + SpeedOfTurn(w_A, pair.RadiusOfA()) + SpeedOfTurn(w_B, pair.RadiusOfB()));
  }

  // Looks again where that is due; whether that found anything else. What is met late may touch
  // what rests.
  bool LookAgain() {
    bool found_other = false, has_met = false;
    for (std::size_t i = 0; i < looks.size(); ++i) {
      const bool was_apart = looks[i].found.empty();
      if (resting.Rests(i) || !LookAgain(i)) continue;
      found_other = true;
      has_met = has_met || was_apart;
    }
    if (has_met) {
      resting.WakeAll();
      LookAtWoken();
    }
    return found_other;
  }

  bool LookAgain(std::size_t i) {
    const TwistPair ends{EndOf(BodyA(i), axes), EndOf(BodyB(i), axes)};
    PairLook& look = looks[i];
    if (look.found.empty()) {
      if (!(WayFromLook(i, ends) > kNoWay)) return false;
      look.twists = ends;
      return LookAt(i, ends);
    }
    bool is_trusted = true;
    for (std::size_t k = 0; k < look.found.size(); ++k) {
      const std::size_t c = look.first + k;
      is_trusted = is_trusted && contacts[c].Trusts(solver.twists()[c].twist);
    }
    if (is_trusted) return false;
    ++report.untrusted;
    if (LookAt(i, ends)) return true;
    const TwistPair before = look.twists;
    for (const double part : kWaysBack) {
      if (LookAt(i, {Between(ends.A, before.A, part), Between(ends.B, before.B, part)})) {
        return true;
      }
    }
    return false;
  }

  // Those of resting pairs are moved.
  std::vector<SteppedPairState> StatesAfter() {
    std::vector<SteppedPairState> after(looks.size());
    for (std::size_t i = 0; i < looks.size(); ++i) {
      if (resting.Rests(i)) {
        after[i] = std::move((*states)[i]);
        continue;
      }
      after[i].is_first = false;
      after[i].division = looks[i].division;
      for (std::size_t k = 0; k < looks[i].found.size(); ++k) {
        const std::size_t c = looks[i].first + k;
        const PushedTwist& at = solver.twists()[c];
        SteppedPatch patch;
        patch.state = contacts[c].StateAfter(at.twist, at.lag);
        if (contacts[c].IsApart(at.twist)) continue;
        patch.mark = looks[i].found[k].mark;
        patch.geometry = looks[i].found[k].nearby.geometry();
        // A share of forces is one of those in the free motion.
        patch.force = contacts[c].ForceAt(at.gave_up ? pushed[c].free : at.twist, at.lag, at.share);
        if (at.gave_up) TakeNothingIn((*states)[i], &patch.state);
        patch.arm_A = patch.force.point_W - looks[i].origin_A;
        patch.arm_B = patch.force.point_W - looks[i].origin_B;
        after[i].patches.push_back(std::move(patch));
      }
      if (report.outcome.gave_up) continue;
      after[i].rest = RestAfter((*states)[i], after[i], BodyA(i), EndOf(BodyA(i), axes), BodyB(i),
                                EndOf(BodyB(i), axes), step);
    }
    return after;
  }

  // What was pushed with a share of the forces has taken nothing in.
  static void TakeNothingIn(const SteppedPairState& before, StepState* state) {
    double stored = 0.0, bent = 0.0;
    for (const SteppedPatch& part : before.patches) {
      stored += part.state.stored;
      bent += part.state.bent;
    }
    state->stored = std::min(state->stored, stored);
    state->bent = std::min(state->bent, bent);
  }
};

BodyStepper::BodyStepper() : impl_(std::make_unique<Impl>()) {}
BodyStepper::~BodyStepper() = default;
BodyStepper::BodyStepper(BodyStepper&&) noexcept = default;
BodyStepper& BodyStepper::operator=(BodyStepper&&) noexcept = default;

StepReport BodyStepper::Step(const std::vector<MovingBody>& bodies,
                             const std::vector<PairOfBodies>& pairs,
                             const std::vector<SoftMotion>& motions, int axis_count, double step,
                             std::vector<SteppedPairState>* states) {
  if (!std::isfinite(step) || !(step > 0.0)) {
    throw InvalidInput("a step must be positive and finite");
  }
  for (const MovingBody& body : bodies) Require(body);
  Impl& impl = *impl_;
  impl.bodies = &bodies;
  impl.pairs = &pairs;
  impl.states = states;
  impl.step = step;
  impl.report = {};
  impl.FirstLooks(motions, axis_count);
  for (int round = 0; round < kMostRounds; ++round) {
    impl.SetContacts();
    impl.report.outcome = impl.solver.Solve(axis_count, impl.pushed, motions, step);
    impl.axes = impl.solver.axes() + impl.resting.axes();
    impl.report.untrusted = 0;
    const bool is_last = round + 1 == kMostRounds || impl.report.outcome.gave_up;
    if (is_last || !impl.LookAgain()) break;
  }
  impl.report.at_rest = impl.resting.count();
  *states = impl.StatesAfter();
  return impl.report;
}

const Eigen::VectorXd& BodyStepper::axes() const { return impl_->axes; }

VOLCONTACT_NAMESPACE_END
