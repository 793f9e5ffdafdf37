#include "simbody/stepping/motion_rates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {
namespace {

using Eigen::VectorXd;
using SimTK::Stage;
using SimTK::State;

// By how much variables are changed: coordinates [m, rad], less than any contact is deep; speeds
// [m/s, rad/s], less than those at which friction turns; bristles [m, rad]; and time [s].
constexpr double kCoordinateStep = 1e-10, kSpeedStep = 1e-7, kBristleStep = 1e-9, kTimeStep = 1e-8;

Eigen::Map<const VectorXd> View(const SimTK::Vector& v) {
  return {v.size() > 0 ? &v[0] : nullptr, v.size()};
}

double StepOf(int i, const State& state) {
  if (i < state.getNQ()) return kCoordinateStep;
  return i < state.getNQ() + state.getNU() ? kSpeedStep : kBristleStep;
}

void Copy(const VectorXd& y, int first, SimTK::Vector* to) {
  if (to->size() > 0) std::copy_n(y.data() + first, to->size(), &(*to)[0]);
}

// Variables from the kind of this one on: speeds do not touch what depends on coordinates alone.
void PutFrom(int first, const VectorXd& y, State* state) {
  const int nq = state->getNQ(), nu = state->getNU();
  if (first < nq) Copy(y, 0, &state->updQ());
  if (first < nq + nu) Copy(y, nq, &state->updU());
  Copy(y, nq + nu, &state->updZ());
}

// Of a way through a step, along which rates are differenced: bodies roll so far that rounding does
// not count beside how deep they are, and little enough for squares not to count either.
constexpr double kPartOfWay = 1e-4;

// A body without a shape in contact: its turning counts as at this distance [m].
constexpr double kReachWithoutShape = 1.0;

// How far from each body's origin its shapes reach.
std::vector<double> ReachesOf(const std::vector<const ContactElement*>& elements, int num_bodies) {
  std::vector<double> reaches(static_cast<std::size_t>(num_bodies), 0.0);
  for (const ContactElement* element : elements) {
    for (const ElementParts::Shape& shape : element->shapes()) {
      const double reach = shape.extent.center.norm() + shape.extent.radius;
      double& most = reaches[static_cast<std::size_t>(int{shape.body.getMobilizedBodyIndex()})];
      most = std::max(most, std::isfinite(reach) ? reach : kReachWithoutShape);
    }
  }
  for (double& reach : reaches) {
    if (reach == 0.0) reach = kReachWithoutShape;
  }
  return reaches;
}

// The rows that no block has but driven ones. Those of loads that do no work are left out.
std::vector<int> RowsBeside(const std::vector<RateBlock>& blocks, const VectorXd& rates) {
  std::vector<bool> are_taken;
  for (const double rate : rates) are_taken.push_back(rate == 0.0);
  for (const RateBlock& block : blocks) {
    if (block.is_driven) continue;
    for (const int row : block.rows) are_taken[At(row)] = true;
  }
  std::vector<int> rows;
  for (std::size_t row = 0; row < are_taken.size(); ++row) {
    if (!are_taken[row]) rows.push_back(static_cast<int>(row));
  }
  return rows;
}

bool Contains(const std::vector<std::size_t>& places, std::size_t place) {
  return std::find(places.begin(), places.end(), place) != places.end();
}

// In ascending values, one of them.
Eigen::Index PlaceOf(int value, const std::vector<int>& values) {
  return std::lower_bound(values.begin(), values.end(), value) - values.begin();
}

}  // namespace

void MotionRates::Realize(Stage stage, State* state) const {
  system_->realize(*state, Stage::Time);
  system_->prescribeQ(*state);
  system_->realize(*state, Stage::Position);
  system_->prescribeU(*state);
  system_->realize(*state, stage);
}

void MotionRates::Set(double t, const VectorXd& y, Stage stage, State* state) const {
  state->updTime() = t;
  SimTK::Vector& to = state->updY();
  std::copy(y.data(), y.data() + y.size(), &to[0]);
  Realize(stage, state);
}

VectorXd MotionRates::RatesOf(const State& state) { return View(state.getYDot()); }

std::vector<ActiveContact> MotionRates::ActiveContacts(const State& state) const {
  std::vector<ActiveContact> contacts;
  for (const ContactElement* element : elements_) element->AddActiveContacts(state, &contacts);
  return contacts;
}

void MotionRates::SetSight(Sight sight, State* state) const {
  for (const ContactElement* element : elements_) element->SetSight(sight, state);
}

MotionRates::Seen MotionRates::SeenIn(const State& state) const {
  Seen seen;
  for (const ContactElement* element : elements_) {
    seen.looks.push_back(element->LooksOf(state));
    seen.is_second_order =
        seen.is_second_order && ContactElement::AreSecondOrder(seen.looks.back());
  }
  return seen;
}

void MotionRates::PutSeen(const Seen& seen, const State& state) const {
  for (std::size_t i = 0; i < elements_.size(); ++i) elements_[i]->PutLooks(seen.looks[i], state);
}

// Forces that are not contacts' may act between trees: all variables of a block are changed, to see
// whose rates they change. A force that is zero there is not seen; the method allows for it.
void MotionRates::FindTrees(State* state) {
  const SimTK::SimbodyMatterSubsystem& matter = system_->getMatterSubsystem();
  trees_.emplace(matter, *state);
  if (trees_->count < 2 || matter.getNumConstraints() > 0) return;
  const std::vector<RatePart> parts = PartsOf(*trees_, matter, ActiveContacts(*state), *state);
  const VectorXd base = RatesOf(*state), y = View(state->getY());
  for (int tree = 0; tree < trees_->count; ++tree) {
    const RatePart& part = parts[At(tree)];
    VectorXd changed = y;
    for (const int i : part.variables) changed[i] += StepOf(i, *state);
    Set(state->getTime(), changed, Stage::Acceleration, state);
    const VectorXd rates = RatesOf(*state);
    for (int other = 0; other < trees_->count; ++other) {
      const std::vector<int>& rows = parts[At(other)].rows;
      if (Contains(part.reached, At(other)) || rates(rows) == base(rows)) continue;
      trees_->joined.emplace_back(tree, other);
    }
  }
  Set(state->getTime(), y, Stage::Acceleration, state);
}

bool MotionRates::FindColumn(std::size_t k, const std::vector<std::size_t>& pass,
                             const VectorXd& base, const VectorXd& y, RateLayout* layout,
                             State* state) const {
  VectorXd changed = y;
  int first = state->getNY();  // that is changed
  for (const std::size_t part : pass) {
    if (k >= layout->parts[part].variables.size()) continue;
    const int i = layout->parts[part].variables[k];
    changed[i] += StepOf(i, *state);
    first = std::min(first, i);
  }
  if (first == state->getNY()) return false;
  PutFrom(first, changed, state);
  Realize(Stage::Acceleration, state);
  const VectorXd rates = RatesOf(*state);
  for (const std::size_t place : pass) {
    const RatePart& part = layout->parts[place];
    if (k >= part.variables.size()) continue;
    const int i = part.variables[k];
    RateBlock& block = layout->blocks[At(part.block)];
    const Eigen::Index column = PlaceOf(i, block.variables);
    for (const std::size_t reached : part.reached) {
      for (const int row : layout->parts[reached].rows) {
        block.by_variable(PlaceOf(row, block.rows), column) =
            (rates[row] - base[row]) / (changed[i] - y[i]);
      }
    }
  }
  PutFrom(first, y, state);
  return true;
}

VectorXd MotionRates::Along(double t, const VectorXd& y, const VectorXd& way,
                            const RateDerivatives& at, State* state) const {
  Set(t, y + kPartOfWay * way, Stage::Acceleration, state);
  return (RatesOf(*state) - at.rates) / kPartOfWay;
}

RateDerivatives MotionRates::Derivatives(State* state) {
  const double t = state->getTime();
  SetSight(Sight::kNear, state);
  Realize(Stage::Acceleration, state);
  if (!trees_) FindTrees(state);
  RateDerivatives derivatives;
  RateLayout layout =
      LayoutOf(*trees_, system_->getMatterSubsystem(), ActiveContacts(*state), *state);
  const VectorXd base = derivatives.rates = RatesOf(*state), y = View(state->getY());
  for (RateBlock& block : layout.blocks) {
    block.by_variable.setZero(static_cast<Eigen::Index>(block.rows.size()),
                              static_cast<Eigen::Index>(block.variables.size()));
  }
  for (const std::vector<std::size_t>& pass : layout.passes) {
    for (std::size_t k = 0; FindColumn(k, pass, base, y, &layout, state); ++k) {
    }
  }
  derivatives.blocks = std::move(layout.blocks);
  // Of several blocks that nothing drives, the work of loads is not worth it.
  const std::vector<RateBlock>& blocks = derivatives.blocks;
  if (blocks.size() == 1 || (!blocks.empty() && blocks.front().is_driven)) {
    derivatives.shared = RowsBeside(blocks, base);
  }
  state->updTime() = t + kTimeStep;
  Realize(Stage::Acceleration, state);
  derivatives.by_time = (RatesOf(*state) - base) / (t + kTimeStep - t);
  state->updTime() = t;
  return derivatives;
}

bool MotionRates::HasBlocks(const std::vector<RateBlock>& blocks, const State& state) const {
  const std::vector<RateBlock> now =
      LayoutOf(*trees_, system_->getMatterSubsystem(), ActiveContacts(state), state).blocks;
  return std::equal(now.begin(), now.end(), blocks.begin(), blocks.end(),
                    [](const RateBlock& a, const RateBlock& b) {
                      return a.rows == b.rows && a.variables == b.variables;
                    });
}

void MotionRates::Project(double tolerance, State* state) const {
  if (state->getNQErr() + state->getNUErr() == 0) return;
  system_->project(*state, tolerance);
}

void MotionRates::BeginErrors(const State& state, double accuracy) {
  accuracy_ = accuracy;
  const SimTK::SimbodyMatterSubsystem& matter = system_->getMatterSubsystem();
  least_energy_ = 0.5 * accuracy * matter.calcSystemMass(state);
  reaches_ = ReachesOf(elements_, matter.getNumBodies());
  is_integral_.clear();
  for (int i = 0; i < state.getNZ(); ++i) {
    is_integral_.push_back(
        std::none_of(elements_.begin(), elements_.end(),
                     [&](const ContactElement* element) { return element->HasState(state, i); }));
  }
}

double MotionRates::BodyError(const State& state, const SimTK::Vector& speeds) const {
  SimTK::Vector_<SimTK::SpatialVec> twists;
  system_->getMatterSubsystem().multiplyBySystemJacobian(state, speeds, twists);
  double most = 0.0;
  for (int i = 1; i < twists.size(); ++i) {
    const double turning = reaches_[static_cast<std::size_t>(i)] * twists[i][0].norm();
    most = std::max({most, turning, twists[i][1].norm()});
  }
  return most;
}

double MotionRates::SpeedError(const State& state, const VectorXd& error) const {
  const int nq = state.getNQ(), nu = state.getNU();
  SimTK::Vector of_q(nq, error.data()), by_speeds(nu);
  system_->getMatterSubsystem().multiplyByNInv(state, false, of_q, by_speeds);
  SimTK::Array_<SimTK::SystemUIndex> free;
  system_->getFreeUIndex(state, free);
  const SimTK::Vector& weights = state.getUWeights();
  SimTK::Vector of_speeds(nu, 0.0), of_coordinates(nu, 0.0);
  for (const SimTK::SystemUIndex i : free) {
    of_speeds[i] = weights[i] * error[nq + i];
    of_coordinates[i] = weights[i] * by_speeds[i];
  }
  return std::max(BodyError(state, of_speeds), BodyError(state, of_coordinates));
}

double MotionRates::SpeedNorm(const State& state, const SimTK::Vector& change) const {
  VectorXd error = VectorXd::Zero(state.getNQ() + state.getNU());
  error.tail(state.getNU()) = View(change);
  return SpeedError(state, error) / accuracy_;
}

double MotionRates::ErrorNorm(const State& state, const VectorXd& error) const {
  // A maximum passes over what is not a number.
  if (!error.allFinite()) return std::numeric_limits<double>::infinity();
  const SimTK::Vector &weights = state.getZWeights(), &z = state.getZ();
  const int first_z = state.getNQ() + state.getNU();
  std::map<double, double> greatest;  // of integrals, by their weights, which each kind has its own
  for (int i = 0; i < z.size(); ++i) {
    if (!is_integral_[static_cast<std::size_t>(i)]) continue;
    double& scale = greatest[weights[i]];
    scale = std::max({scale, 1.0 / weights[i], least_energy_, std::abs(z[i])});
  }
  double most = SpeedError(state, error);
  for (int i = 0; i < z.size(); ++i) {
    const double scale =
        is_integral_[static_cast<std::size_t>(i)] ? greatest[weights[i]] : 1.0 / weights[i];
    most = std::max(most, std::abs(error[first_z + i]) / scale);
  }
  return most / accuracy_;
}

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
