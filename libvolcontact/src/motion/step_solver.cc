#include "volcontact/motion/step_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "motion/axis_matrix.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

using Eigen::VectorXd;

constexpr int kMostIterations = 150;
// Times that lagged quantities are found, and of these such as follow the velocities at once.
constexpr int kMostLags = 25, kFreeLags = 5;
constexpr int kMostTrials = 60;  // of a line search
// What the sum that is minimised is above its least, over the kinetic energy of what the axes get:
// none, after one more step; and where rounding may keep it from being less, for so many steps.
constexpr double kBalanced = 1e-20, kStalled = 1e-14;
constexpr int kMostWorse = 3;
// A change of the axes' velocities that is none, of their size.
constexpr double kSettled = 1e-7;
// Of the slope along a line, where its end is found.
constexpr double kLineEnd = 0.05;
// Of a way: less of it shows that forces change along it; then slopes look so many times further,
// and, while ways stay short, so many times further than last: rounding may hide a change nearby.
constexpr double kShort = 0.25, kAhead = 4.0, kFarther = 10.0;
// The hardest constraint, by what its impulse moves: it errs by that part of its velocity.
constexpr double kHardest = 1e-10;
// Rounding of a contact's work, of it.
constexpr double kWorkRounding = 1e-12;

}  // namespace

// One problem: minimise over y, with lagged quantities given.
struct StepSolver::Impl {
  const std::vector<PushedContact>* contacts = nullptr;
  const std::vector<SoftMotion>* motions = nullptr;
  double step = 0.0;

  VectorXd y, gradient, way, last;
  std::vector<PushedTwist> twists;
  std::vector<Vector6> ways;               // of the twists
  std::vector<Vector6> lagged_at;          // twists
  std::vector<double> speeds, speed_ways;  // of motions
  std::vector<bool> is_cautious;
  double ahead = 0.0;  // part of the last way that slopes look along
  AxisMatrix matrix;

  void Begin(int axis_count) {
    y.setZero(axis_count);
    gradient.setZero(axis_count);
    way.setZero(axis_count);
    twists.resize(contacts->size());
    ways.resize(contacts->size());
    lagged_at.resize(contacts->size());
    speeds.resize(motions->size());
    speed_ways.resize(motions->size());
    is_cautious.assign(contacts->size(), false);
  }

  // What a vector of the axes adds to twists.
  static Vector6 TwistOf(const AxisResponse& response, const VectorXd& axes) {
    Vector6 twist = Vector6::Zero();
    for (std::size_t k = 0; k < response.axes.size(); ++k) {
      twist +=
          axes[response.axes[k]] * response.columns.row(static_cast<Eigen::Index>(k)).transpose();
    }
    return twist;
  }

  static double SpeedOf(const SoftMotion& motion, const VectorXd& axes) {
    double speed = 0.0;
    for (std::size_t k = 0; k < motion.axes.size(); ++k) {
      speed += axes[motion.axes[k]] * motion.column[static_cast<Eigen::Index>(k)];
    }
    return speed;
  }

  void SetTwists() {
    for (std::size_t i = 0; i < twists.size(); ++i) {
      twists[i].twist = (*contacts)[i].free + TwistOf((*contacts)[i].response, y);
    }
    for (std::size_t i = 0; i < speeds.size(); ++i) {
      speeds[i] = (*motions)[i].free + SpeedOf((*motions)[i], y);
    }
  }

  static double SoftnessOf(const SoftMotion& motion) {
    return std::max(motion.softness, kHardest * motion.column.squaredNorm());
  }

  static double ImpulseOf(const SoftMotion& motion, double speed) {
    const double impulse = (motion.wanted - speed) / SoftnessOf(motion);
    return motion.is_one_way ? std::max(impulse, 0.0) : impulse;
  }

  void AddToGradient(const AxisResponse& response, const Vector6& impulse) {
    for (std::size_t k = 0; k < response.axes.size(); ++k) {
      gradient[response.axes[k]] -= response.columns.row(static_cast<Eigen::Index>(k)).dot(impulse);
    }
  }

  void AddToMatrix(const AxisResponse& response, const Matrix6& damping) {
    const Eigen::Index count = response.columns.rows();
    for (Eigen::Index a = 0; a < count; ++a) {
      const Vector6 left = damping * response.columns.row(a).transpose();
      const int i = response.axes[static_cast<std::size_t>(a)];
      for (Eigen::Index b = a; b < count; ++b) {
        matrix.At(i, response.axes[static_cast<std::size_t>(b)]) +=
            step * response.columns.row(b).dot(left);
      }
    }
  }

  void AddMotion(const SoftMotion& motion, double speed) {
    const double impulse = ImpulseOf(motion, speed);
    if (motion.is_one_way && impulse == 0.0) return;
    const double hardness = 1.0 / SoftnessOf(motion);
    for (std::size_t a = 0; a < motion.axes.size(); ++a) {
      const double column = motion.column[static_cast<Eigen::Index>(a)];
      gradient[motion.axes[a]] -= impulse * column;
      for (std::size_t b = a; b < motion.axes.size(); ++b) {
        matrix.At(motion.axes[a], motion.axes[b]) +=
            hardness * column * motion.column[static_cast<Eigen::Index>(b)];
      }
    }
  }

  // A contact that closes, or sticks, along the way has a slope that there is nothing of yet, and
  // the way would end there again and again. So where the last way did not reach far, the slope is
  // what meets the change of force a little ahead (BFGS's formula: it stays positive).
  void MeetSecant(std::size_t i, StepForce* force) const {
    const Vector6 way_i = ahead * ways[i];
    const Vector6 there = twists[i].twist + way_i;
    const Vector6 change =
        force->wrench - (*contacts)[i].contact->EvaluateForce(there, twists[i].lag).wrench;
    const Vector6 known = force->damping * way_i;
    const double along = change.dot(way_i), known_along = known.dot(way_i);
    if (!(along > known_along)) return;
    Matrix6 met = force->damping + change * change.transpose() / along;
    if (known_along > 0.0) met -= known * known.transpose() / known_along;
    // The damping of a way below rounding need not be finite.
    if (met.allFinite()) force->damping = met;
  }

  void Assemble() {
    gradient = y;
    matrix.SetIdentity(static_cast<int>(y.size()));
    for (std::size_t i = 0; i < twists.size(); ++i) {
      const PushedContact& pushed = (*contacts)[i];
      StepForce force = pushed.contact->Evaluate(twists[i].twist, twists[i].lag);
      if (ahead > 0.0) MeetSecant(i, &force);
      AddToGradient(pushed.response, step * force.wrench);
      AddToMatrix(pushed.response, force.damping);
    }
    for (std::size_t i = 0; i < speeds.size(); ++i) AddMotion((*motions)[i], speeds[i]);
  }

  // The slope of the sum that is minimised, so far along the way.
  double SlopeAt(double part) const {
    double slope = way.dot(y) + part * way.squaredNorm();
    for (std::size_t i = 0; i < twists.size(); ++i) {
      const Vector6 twist = twists[i].twist + part * ways[i];
      slope -=
          step * (*contacts)[i].contact->EvaluateForce(twist, twists[i].lag).wrench.dot(ways[i]);
    }
    for (std::size_t i = 0; i < speeds.size(); ++i) {
      slope -= ImpulseOf((*motions)[i], speeds[i] + part * speed_ways[i]) * speed_ways[i];
    }
    return slope;
  }

  // How far along the way the slope, which rises, is about zero.
  double PartOfWay(double first) const {
    double low = 0.0, at_low = first, high = 1.0, at_high = SlopeAt(1.0);
    while (at_high < kLineEnd * first && high < 1e6) {
      low = high;
      at_low = at_high;
      at_high = SlopeAt(high *= 2.0);
    }
    if (std::abs(at_high) <= -kLineEnd * first) return high;
    // Regula falsi, of which the end that stays counts half each time; bisection where it hardly
    // narrows the bracket, and by decades from zero: a contact may close after a millionth.
    int same = 0;
    bool is_narrow = true;
    for (int trial = 0; trial < kMostTrials; ++trial) {
      const double width = high - low;
      double part = (low * at_high - high * at_low) / (at_high - at_low);
      if (!is_narrow) part = low > 0.0 ? 0.5 * (low + high) : 0.1 * high;
      const double at = SlopeAt(part);
      if (std::abs(at) <= -kLineEnd * first || !(part > low && part < high)) return part;
      if (at < 0.0) {
        low = part;
        at_low = at;
        if (same > 0) at_high *= 0.5;
        same = 1;
      } else {
        high = part;
        at_high = at;
        if (same < 0) at_low *= 0.5;
        same = -1;
      }
      is_narrow = high - low <= 0.5 * width;
    }
    return low > 0.0 ? low : high;
  }

  // With what is lagged as it is. Returns whether impulses balance.
  bool Minimise(StepOutcome* outcome) {
    double least = std::numeric_limits<double>::infinity();
    int worse = 0;
    ahead = 0.0;
    for (int iteration = 0; iteration < kMostIterations; ++iteration) {
      Assemble();
      ++outcome->iterations;
      const double rest = gradient.norm();
      if (!std::isfinite(rest)) return false;
      if (rest == 0.0) return true;
      matrix.Factor();
      way = -gradient;
      matrix.Solve(&way);
      const double first = way.dot(gradient), energy = y.squaredNorm();
      if (!std::isfinite(first)) return false;
      // Rounding ends it where nothing gets less any more.
      worse = -first < 0.5 * least ? 0 : worse + 1;
      least = std::min(least, -first);
      if (!(first < 0.0)) return true;
      if (worse > kMostWorse && -first <= kStalled * energy) return true;
      for (std::size_t i = 0; i < twists.size(); ++i) {
        ways[i] = TwistOf((*contacts)[i].response, way);
      }
      for (std::size_t i = 0; i < speeds.size(); ++i) speed_ways[i] = SpeedOf((*motions)[i], way);
      const bool is_end = -first <= kBalanced * energy;
      const double part = is_end ? 1.0 : PartOfWay(first);
      ahead = part < kShort ? std::min(std::max(kAhead * part, kFarther * ahead), 1.0) : 0.0;
      y += part * way;
      SetTwists();
      if (is_end) return true;
    }
    return least <= kStalled * y.squaredNorm();
  }

  // Lagged quantities are found again until they stay.
  bool Settle(StepOutcome* outcome) {
    outcome->converged = false;
    for (int lag = 0; lag < kMostLags; ++lag) {
      for (std::size_t i = 0; i < twists.size(); ++i) {
        const PushedContact& pushed = (*contacts)[i];
        if (lag == 0) {
          twists[i].lag = pushed.contact->FirstLag(pushed.guess, is_cautious[i]);
        } else {
          // After some, between what they were read from last and now: they may alternate.
          lagged_at[i] =
              lag <= kFreeLags ? twists[i].twist : Vector6(0.5 * (lagged_at[i] + twists[i].twist));
          twists[i].lag = pushed.contact->LagAt(lagged_at[i], is_cautious[i]);
        }
      }
      last = y;
      ++outcome->lags;
      if (!Minimise(outcome)) return false;
      if (lag > 0 && (y - last).norm() <= kSettled * std::max(y.norm(), last.norm())) {
        outcome->converged = true;
        break;
      }
    }
    return true;
  }

  // Whether all contacts have given no more than they had; those that have not become cautious.
  bool KeepsEnergy() {
    bool keeps = true;
    for (std::size_t i = 0; i < twists.size(); ++i) {
      if (is_cautious[i]) continue;
      const ContactInStep& contact = *(*contacts)[i].contact;
      const PushedTwist& at = twists[i];
      const double left = contact.LeftToGive(at.twist, at.lag);
      const double work = step * contact.EvaluateForce(at.twist, at.lag).wrench.dot(at.twist);
      if (left >= -kWorkRounding * std::abs(work)) continue;
      is_cautious[i] = true;
      keeps = false;
    }
    return keeps;
  }

  // The share of impulses at which the bodies have the least kinetic energy.
  void GiveUp(StepOutcome* outcome) {
    outcome->gave_up = true;
    outcome->converged = false;
    y.setZero();
    SetTwists();
    gradient.setZero();
    double given = 0.0;
    for (std::size_t i = 0; i < twists.size(); ++i) {
      twists[i].lag = (*contacts)[i].contact->LagAt(twists[i].twist, true);
      const Vector6 impulse =
          step * (*contacts)[i].contact->EvaluateForce(twists[i].twist, twists[i].lag).wrench;
      given += impulse.dot(twists[i].twist);
      AddToGradient((*contacts)[i].response, impulse);
    }
    const double square = gradient.squaredNorm();
    outcome->share =
        square > 0.0 && std::isfinite(square) ? std::clamp(-given / square, 0.0, 1.0) : 0.0;
    if (outcome->share > 0.0) y = -outcome->share * gradient;
    SetTwists();
  }
};

StepSolver::StepSolver() : impl_(std::make_unique<Impl>()) {}
StepSolver::~StepSolver() = default;
StepSolver::StepSolver(StepSolver&&) noexcept = default;
StepSolver& StepSolver::operator=(StepSolver&&) noexcept = default;

StepOutcome StepSolver::Solve(int axis_count, const std::vector<PushedContact>& contacts,
                              const std::vector<SoftMotion>& motions, double step) {
  for (const PushedContact& contact : contacts) {
    if (!contact.free.allFinite() || !contact.response.columns.allFinite()) {
      throw InvalidInput("velocities or masses of a contact's bodies are not finite");
    }
  }
  impl_->contacts = &contacts;
  impl_->motions = &motions;
  impl_->step = step;
  impl_->Begin(axis_count);
  impl_->SetTwists();
  StepOutcome outcome;
  bool found = impl_->Settle(&outcome);
  while (found && !impl_->KeepsEnergy()) found = impl_->Settle(&outcome);
  if (!found) impl_->GiveUp(&outcome);
  outcome.cautious_contacts =
      static_cast<int>(std::count(impl_->is_cautious.begin(), impl_->is_cautious.end(), true));
  return outcome;
}

const VectorXd& StepSolver::axes() const { return impl_->y; }
const std::vector<PushedTwist>& StepSolver::twists() const { return impl_->twists; }

VOLCONTACT_NAMESPACE_END
