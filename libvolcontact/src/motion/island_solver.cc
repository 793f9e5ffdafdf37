#include "motion/island_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

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
// Speeds that are this much greater than those without contacts are looked into: of a balance no
// more than this part of what the contacts change may be left.
constexpr double kFarFaster = 100.0, kMostRest = 0.1;

double SoftnessOf(const SoftMotion& motion) {
  return std::max(motion.softness, kHardest * motion.column.squaredNorm());
}

double ImpulseOf(const SoftMotion& motion, double speed) {
  const double impulse = (motion.wanted - speed) / SoftnessOf(motion);
  return motion.is_one_way ? std::max(impulse, 0.0) : impulse;
}

}  // namespace

void IslandSolver::Clear() {
  contacts_.clear();
  motions_.clear();
  axis_count_ = 0;
}

void IslandSolver::Begin() {
  y_.setZero(axis_count_);
  gradient_.setZero(axis_count_);
  way_.setZero(axis_count_);
  twists_.assign(contacts_.size(), {});
  ways_.resize(contacts_.size());
  lagged_at_.resize(contacts_.size());
  speeds_.resize(motions_.size());
  speed_ways_.resize(motions_.size());
  is_cautious_.assign(contacts_.size(), false);
}

// What a vector of the axes adds to twists.
Vector6 IslandSolver::TwistOf(const AxisResponse& response, const VectorXd& axes) const {
  Vector6 twist = Vector6::Zero();
  for (std::size_t k = 0; k < response.axes.size(); ++k) {
    twist += axes[PlaceOf(response.axes[k])] *
             response.columns.row(static_cast<Eigen::Index>(k)).transpose();
  }
  return twist;
}

double IslandSolver::SpeedOf(const SoftMotion& motion, const VectorXd& axes) const {
  double speed = 0.0;
  for (std::size_t k = 0; k < motion.axes.size(); ++k) {
    speed += axes[PlaceOf(motion.axes[k])] * motion.column[static_cast<Eigen::Index>(k)];
  }
  return speed;
}

void IslandSolver::SetTwists() {
  for (std::size_t i = 0; i < twists_.size(); ++i) {
    twists_[i].twist = contacts_[i]->free + TwistOf(contacts_[i]->response, y_);
  }
  for (std::size_t i = 0; i < speeds_.size(); ++i) {
    speeds_[i] = motions_[i]->free + SpeedOf(*motions_[i], y_);
  }
}

void IslandSolver::AddToGradient(const AxisResponse& response, const Vector6& impulse) {
  for (std::size_t k = 0; k < response.axes.size(); ++k) {
    gradient_[PlaceOf(response.axes[k])] -=
        response.columns.row(static_cast<Eigen::Index>(k)).dot(impulse);
  }
}

void IslandSolver::AddToMatrix(const AxisResponse& response, const Matrix6& damping) {
  const Eigen::Index count = response.columns.rows();
  for (Eigen::Index a = 0; a < count; ++a) {
    const Vector6 left = damping * response.columns.row(a).transpose();
    const int i = PlaceOf(response.axes[static_cast<std::size_t>(a)]);
    for (Eigen::Index b = a; b < count; ++b) {
      matrix_.At(i, PlaceOf(response.axes[static_cast<std::size_t>(b)])) +=
          step_ * response.columns.row(b).dot(left);
    }
  }
}

void IslandSolver::AddMotion(const SoftMotion& motion, double speed) {
  const double impulse = ImpulseOf(motion, speed);
  if (motion.is_one_way && impulse == 0.0) return;
  const double hardness = 1.0 / SoftnessOf(motion);
  for (std::size_t a = 0; a < motion.axes.size(); ++a) {
    const double column = motion.column[static_cast<Eigen::Index>(a)];
    gradient_[PlaceOf(motion.axes[a])] -= impulse * column;
    for (std::size_t b = a; b < motion.axes.size(); ++b) {
      matrix_.At(PlaceOf(motion.axes[a]), PlaceOf(motion.axes[b])) +=
          hardness * column * motion.column[static_cast<Eigen::Index>(b)];
    }
  }
}

// A contact that closes, or sticks, along the way has a slope that there is nothing of yet, and
// the way would end there again and again. So where the last way did not reach far, the slope is
// what meets the change of force a little ahead (BFGS's formula: it stays positive).
void IslandSolver::MeetSecant(std::size_t i, StepForce* force) const {
  const Vector6 way_i = ahead_ * ways_[i];
  const Vector6 there = twists_[i].twist + way_i;
  const Vector6 change = force->wrench - contacts_[i]->contact->WrenchAt(there, twists_[i].lag);
  const Vector6 known = force->damping * way_i;
  const double along = change.dot(way_i), known_along = known.dot(way_i);
  if (!(along > known_along)) return;
  Matrix6 met = force->damping + change * change.transpose() / along;
  if (known_along > 0.0) met -= known * known.transpose() / known_along;
  // The damping of a way below rounding need not be finite.
  if (met.allFinite()) force->damping = met;
}

void IslandSolver::Assemble() {
  gradient_ = y_;
  matrix_.SetIdentity(static_cast<int>(y_.size()));
  for (std::size_t i = 0; i < twists_.size(); ++i) {
    const PushedContact& pushed = *contacts_[i];
    StepForce force = pushed.contact->Evaluate(twists_[i].twist, twists_[i].lag);
    if (ahead_ > 0.0) MeetSecant(i, &force);
    AddToGradient(pushed.response, step_ * force.wrench);
    AddToMatrix(pushed.response, force.damping);
  }
  for (std::size_t i = 0; i < speeds_.size(); ++i) AddMotion(*motions_[i], speeds_[i]);
}

// The slope of the sum that is minimised, so far along the way.
double IslandSolver::SlopeAt(double part) const {
  double slope = way_.dot(y_) + part * way_.squaredNorm();
  for (std::size_t i = 0; i < twists_.size(); ++i) {
    const Vector6 twist = twists_[i].twist + part * ways_[i];
    slope -= step_ * contacts_[i]->contact->WrenchAt(twist, twists_[i].lag).dot(ways_[i]);
  }
  for (std::size_t i = 0; i < speeds_.size(); ++i) {
    slope -= ImpulseOf(*motions_[i], speeds_[i] + part * speed_ways_[i]) * speed_ways_[i];
  }
  return slope;
}

// How far along the way the slope, which rises, is about zero.
double IslandSolver::PartOfWay(double first) const {
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

void IslandSolver::SetWays() {
  for (std::size_t i = 0; i < twists_.size(); ++i) {
    ways_[i] = TwistOf(contacts_[i]->response, way_);
  }
  for (std::size_t i = 0; i < speeds_.size(); ++i) speed_ways_[i] = SpeedOf(*motions_[i], way_);
}

// Contacts that go on have about the forces of the last step.
void IslandSolver::StartFromLastForces() {
  gradient_.setZero();
  for (const PushedContact* pushed : contacts_) {
    AddToGradient(pushed->response, step_ * pushed->contact->state().wrench);
  }
  way_ = -gradient_;
  SetWays();
  const double first = SlopeAt(0.0);
  if (!(first < 0.0)) return;
  y_ += PartOfWay(first) * way_;
  SetTwists();
}

// With what is lagged as it is. Returns whether impulses balance.
bool IslandSolver::Minimise(StepOutcome* outcome) {
  double least = std::numeric_limits<double>::infinity();
  int worse = 0;
  ahead_ = 0.0;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    Assemble();
    ++outcome->iterations;
    const double rest = gradient_.norm();
    if (!std::isfinite(rest)) return false;
    if (rest == 0.0) return true;
    matrix_.Factor();
    way_ = -gradient_;
    matrix_.Solve(&way_);
    const double first = way_.dot(gradient_), energy = y_.squaredNorm();
    if (!std::isfinite(first)) return false;
    // Rounding ends it where nothing gets less any more.
    worse = -first < 0.5 * least ? 0 : worse + 1;
    least = std::min(least, -first);
    if (!(first < 0.0)) return true;
    if (worse > kMostWorse && -first <= kStalled * energy) return true;
    const bool is_end = -first <= kBalanced * energy;
    double part = 1.0;
    if (!is_end) {
      SetWays();
      part = PartOfWay(first);
    }
    ahead_ = part < kShort ? std::min(std::max(kAhead * part, kFarther * ahead_), 1.0) : 0.0;
    y_ += part * way_;
    SetTwists();
    if (is_end) return true;
  }
  return least <= kStalled * y_.squaredNorm();
}

// After some times, between what they were read from last and now: they may alternate.
void IslandSolver::SetLags(int lag) {
  for (std::size_t i = 0; i < twists_.size(); ++i) {
    const PushedContact& pushed = *contacts_[i];
    if (lag == 0) {
      twists_[i].lag = pushed.contact->FirstLag(pushed.guess, is_cautious_[i]);
      continue;
    }
    lagged_at_[i] =
        lag <= kFreeLags ? twists_[i].twist : Vector6(0.5 * (lagged_at_[i] + twists_[i].twist));
    twists_[i].lag = pushed.contact->LagAt(lagged_at_[i], is_cautious_[i]);
  }
}

// Lagged quantities are found again until they stay.
bool IslandSolver::Settle(StepOutcome* outcome) {
  outcome->converged = false;
  for (int lag = 0; lag < kMostLags; ++lag) {
    SetLags(lag);
    if (outcome->lags == 0) StartFromLastForces();
    last_ = y_;
    ++outcome->lags;
    if (!Minimise(outcome)) return false;
    if (lag > 0 && (y_ - last_).norm() <= kSettled * std::max(y_.norm(), last_.norm())) {
      outcome->converged = true;
      break;
    }
  }
  return true;
}

// Whether all contacts have given no more than they had; those that have not become cautious.
bool IslandSolver::KeepsEnergy() {
  bool keeps = true;
  for (std::size_t i = 0; i < twists_.size(); ++i) {
    if (is_cautious_[i]) continue;
    const ContactInStep& contact = *contacts_[i]->contact;
    const PushedTwist& at = twists_[i];
    const double given = step_ * contact.WrenchAt(at.twist, at.lag).dot(at.twist);
    if (given <= contact.MostToGive() + kWorkRounding * std::abs(given)) continue;
    is_cautious_[i] = true;
    keeps = false;
  }
  return keeps;
}

// Whether the search ended far off, where speeds are so great that any rest of the balance seems
// little beside them.
bool IslandSolver::RanAway() {
  double fastest = 0.0, free = 0.0;
  for (std::size_t i = 0; i < twists_.size(); ++i) {
    fastest = std::max(fastest, twists_[i].twist.norm());
    free = std::max(free, contacts_[i]->free.norm());
  }
  if (fastest <= kFarFaster * free) return false;
  Assemble();
  return !(gradient_.norm() <= kMostRest * y_.norm());
}

// The share of impulses at which the bodies have the least kinetic energy.
void IslandSolver::GiveUp(StepOutcome* outcome) {
  outcome->gave_up = true;
  outcome->converged = false;
  y_.setZero();
  SetTwists();
  gradient_.setZero();
  double given = 0.0;
  for (std::size_t i = 0; i < twists_.size(); ++i) {
    twists_[i].lag = contacts_[i]->contact->LagAt(twists_[i].twist, true);
    const Vector6 impulse =
        step_ * contacts_[i]->contact->WrenchAt(twists_[i].twist, twists_[i].lag);
    given += impulse.dot(twists_[i].twist);
    AddToGradient(contacts_[i]->response, impulse);
  }
  const double square = gradient_.squaredNorm();
  const double share =
      square > 0.0 && std::isfinite(square) ? std::clamp(-given / square, 0.0, 1.0) : 0.0;
  if (share > 0.0) y_ = -share * gradient_;
  SetTwists();
  for (PushedTwist& at : twists_) {
    at.gave_up = true;
    at.share = share;
  }
}

StepOutcome IslandSolver::Solve(const std::vector<int>& places, double step) {
  places_ = &places;
  step_ = step;
  Begin();
  SetTwists();
  StepOutcome outcome;
  bool found = Settle(&outcome);
  while (found && !KeepsEnergy()) found = Settle(&outcome);
  if (!found || RanAway()) GiveUp(&outcome);
  outcome.cautious_contacts =
      static_cast<int>(std::count(is_cautious_.begin(), is_cautious_.end(), true));
  return outcome;
}

VOLCONTACT_NAMESPACE_END
