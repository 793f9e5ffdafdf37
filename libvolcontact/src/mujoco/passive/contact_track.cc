#include "mujoco/passive/contact_track.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "volcontact/forces/contact_path.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {
namespace {

using Eigen::Vector3d;

// Samples of the pressure need no more: what is integrated over them has an error of its own.
constexpr double kPressureTolerance = 1e-4;

// Whether a contact keeps anything that changes while it lasts.
bool HasRates(const ContactParameters& parameters) {
  return parameters.tau_relaxation > 0.0 ||
         std::holds_alternative<BristleFriction>(parameters.friction) ||
         std::holds_alternative<ClutchFriction>(parameters.friction);
}

// The direction that the nearest of the last patches had; zero without any.
Vector3d LastNormal(const PatchMark& mark, const MujocoContactMoment* last) {
  Vector3d normal_W = Vector3d::Zero();
  if (last == nullptr) return normal_W;
  double nearest = std::numeric_limits<double>::infinity();
  for (const MujocoPatch& patch : last->patches) {
    const double apart = (patch.mark.point_A - mark.point_A).squaredNorm();
    if (!(apart < nearest)) continue;
    nearest = apart;
    normal_W = patch.state.normal_W;
  }
  return normal_W;
}

// For every patch now, the patches before from which it has come.
std::vector<std::vector<int>> OriginsOf(const MujocoContactMoment* last,
                                        const MujocoContactMoment& now, bool one_contact) {
  std::vector<std::vector<int>> from(now.patches.size());
  if (last == nullptr || last->patches.empty() || now.patches.empty()) return from;
  if (one_contact) {
    from[0] = {0};  // one contact of all is the same as long as it lasts
    return from;
  }
  std::vector<PatchMark> before, marks;
  for (const MujocoPatch& patch : last->patches) before.push_back(patch.mark);
  for (const MujocoPatch& patch : now.patches) marks.push_back(patch.mark);
  return TrackPatches(before, marks);
}

// The state of a patch that has come off the patch `whole`, with others.
ContactState Piece(const ContactModel& model, const MujocoPatch& whole, std::size_t piece, int from,
                   const std::vector<std::vector<int>>& origins,
                   const std::vector<MujocoPatch>& now) {
  double volume = 0.0;
  Vector3d middle = Vector3d::Zero();
  for (std::size_t k = 0; k < now.size(); ++k) {
    if (std::count(origins[k].begin(), origins[k].end(), from) == 0) continue;
    volume += now[k].geometry.volume;
    middle += now[k].geometry.volume * now[k].geometry.point_W;
  }
  const ContactGeometry& geometry = now[piece].geometry;
  return model.PieceOf({whole.state, whole.geometry}, geometry, geometry.point_W - middle / volume,
                       geometry.volume / volume);
}

}  // namespace

ContactTrack::ContactTrack(const Solid& A, const Solid& B, const MujocoContactSpec& spec,
                           const ContactDivision& division)
    : normal_(spec.parameters.normal),
      most_patches_(spec.most_patches),
      has_rates_(HasRates(spec.parameters)) {
  if (!std::holds_alternative<VolumetricNormal>(spec.parameters.normal)) {
    throw InvalidInput("its law needs the depth of a point contact; take the volumetric law");
  }
  if (!(spec.tolerance > 0.0)) {
    throw InvalidInput(fmt::format("its tolerance is {}; it must be positive", spec.tolerance));
  }
  if (most_patches_ < 0) {
    throw InvalidInput(
        fmt::format("most_patches is {}; give a number of patches, or 0 for one contact of all",
                    most_patches_));
  }
  if (most_patches_ > 0 && std::holds_alternative<PatchCoulombFriction>(spec.parameters.friction)) {
    throw InvalidInput(
        "friction integrated over the patch samples the whole overlap, and does not work with a "
        "contact for each patch; take the bristle law");
  }
  if (!A.Bounds().IsBounded() && !B.Bounds().IsBounded()) {
    throw InvalidInput(
        "both shapes are unbounded, such as two planes, so their overlap may be unbounded; make "
        "one of them a box");
  }
  pair_.emplace(A, B, spec.parameters,
                PairStepOptions{spec.tolerance, most_patches_, division, spec.division});
  options_.tolerance = spec.tolerance;
  options_.bound_distance = options_.bound_volume = false;
  // Along the area vector its length is the area.
  options_.contact_area = spec.parameters.direction == ContactDirection::kEigenvector;
}

void ContactTrack::TakePatches(const SteppedPair& pair, const std::vector<Metrics>& overlaps,
                               const BodyMotion& A, const BodyMotion& B,
                               const MujocoContactMoment* last, MujocoContactMoment* now) const {
  const ContactDirection direction = pair.laws().model().parameters().direction;
  for (std::size_t k = 0; k < overlaps.size(); ++k) {
    const Metrics& metrics = overlaps[k];
    now->converged = now->converged && metrics.converged;
    if (!metrics.overlap) continue;
    MujocoPatch patch;
    patch.mark = pair.MarkAt(k, metrics, A.X_WB, B.X_WB);
    patch.geometry = GeometryOf(metrics, direction, LastNormal(patch.mark, last));
    if (!patch.geometry.touching) {
      now->without_direction = true;
      continue;
    }
    patch.motion =
        MotionAt(patch.geometry.point_W, patch.geometry.normal_W, A.X_WB, A.V_W, B.X_WB, B.V_W);
    now->patches.push_back(patch);
  }
  if (most_patches_ > 0 && now->patches.size() > static_cast<std::size_t>(most_patches_)) {
    throw InvalidInput(
        fmt::format("{} patches touch, and at most {} are allowed; raise \"most_patches\"",
                    now->patches.size(), most_patches_));
  }
}

ContactState ContactTrack::Continued(const ContactModel& model, const MujocoPatch& before,
                                     double from, const MujocoPatch& now, double to) const {
  if (has_rates_ && from < to) {
    return FollowContact(model, before.state, {from, before.geometry, before.motion},
                         {to, now.geometry, now.motion});
  }
  ContactState state = before.state;
  ContactModel::Transport(now.geometry.normal_W, &state);
  return state;
}

void ContactTrack::SetStates(const SteppedPair& pair, const MujocoContactMoment* last,
                             bool is_at_end, MujocoContactMoment* now) const {
  const ContactModel& model = pair.laws().model();
  const std::vector<std::vector<int>> origins = OriginsOf(last, *now, pair.is_one());
  std::vector<int> heirs(last == nullptr ? 0 : last->patches.size(), 0);
  for (const std::vector<int>& from : origins) {
    for (const int i : from) ++heirs[static_cast<std::size_t>(i)];
  }
  for (std::size_t j = 0; j < now->patches.size(); ++j) {
    MujocoPatch& patch = now->patches[j];
    const std::vector<int>& from = origins[j];
    if (from.empty()) {
      patch.state = model.Touch(patch.geometry, patch.motion);
      ++now->touches;
      continue;
    }
    const MujocoPatch& before = last->patches[static_cast<std::size_t>(from[0])];
    if (from.size() > 1) {
      std::vector<PatchState> parts;
      for (const int i : from) {
        const MujocoPatch& part = last->patches[static_cast<std::size_t>(i)];
        parts.push_back({part.state, part.geometry});
      }
      patch.state = model.Joined(parts, patch.geometry);
    } else if (heirs[static_cast<std::size_t>(from[0])] > 1) {
      patch.state = Piece(model, before, j, from[0], origins, now->patches);
    } else {
      patch.state = Continued(model, before, is_at_end ? now->time : last->time, patch, now->time);
    }
  }
}

// Of the last forces in the step up to now. Where it was made with the velocities at its end, the
// normal force works with these: then what it takes is what the bodies lose.
std::vector<ContactPowers> ContactTrack::PowersOf(const std::vector<MujocoPatch>& last,
                                                  const BodyMotion& A, const BodyMotion& B,
                                                  Velocities velocities) const {
  std::vector<ContactPowers> powers;
  powers.reserve(last.size());
  for (const MujocoPatch& patch : last) {
    powers.push_back(patch.force.powers);
    if (velocities == Velocities::kOfTheInstant) continue;
    const double elastic = NormalOf(patch).elastic;
    const double damping = elastic - patch.force.normal_W.norm();
    const double speed =
        MotionAt(patch.geometry.point_W, patch.geometry.normal_W, A.X_WB, A.V_W, B.X_WB, B.V_W)
            .normal_speed;
    powers.back().elastic = -elastic * speed;
    powers.back().normal_damping = std::max(damping * speed, 0.0);
  }
  return powers;
}

NormalForce ContactTrack::NormalOf(const MujocoPatch& patch) const {
  const double compression = std::max(patch.geometry.volume - patch.state.relaxation, 0.0);
  return normal_.Evaluate(compression, patch.motion.normal_speed, patch.state.impact_speed);
}

TrackStep ContactTrack::Evaluate(double time, const BodyMotion& A, const BodyMotion& B,
                                 const MujocoContactMoment* last, bool is_at_end,
                                 const DivisionState& division) const {
  const SteppedPair& pair = pair_->Divided(division.number);
  const ContactModel& model = pair.laws().model();
  TrackStep step;
  MujocoContactMoment& now = step.moment;
  now.time = time;
  now.division = division;
  if (last != nullptr) now.touches = last->touches;
  step.overlaps = pair.Find(A.X_WB, B.X_WB, false);
  TakePatches(pair, step.overlaps, A, B, last, &now);
  SetStates(pair, last, is_at_end, &now);
  for (MujocoPatch& patch : now.patches) {
    std::vector<PressureSample> pressure;
    if (std::holds_alternative<PatchCoulombFriction>(model.parameters().friction)) {
      QueryOptions options = options_;
      options.tolerance = std::max(options.tolerance, kPressureTolerance);
      pressure = SlidingPressure(pair.pair().whole(), A.X_WB, B.X_WB, patch.geometry,
                                 model.SlidingVelocity(patch.geometry, patch.motion),
                                 patch.motion.spin, options);
    }
    patch.force = model.Evaluate(patch.geometry, patch.motion, patch.state, pressure);
  }
  return step;
}

TrackStep ContactTrack::Follow(double time, const BodyMotion& A, const BodyMotion& B,
                               Velocities velocities, const MujocoContactMoment* last,
                               bool is_at_end) const {
  DivisionState division = last == nullptr ? DivisionState{} : last->division;
  TrackStep step = Evaluate(time, A, B, last, is_at_end, division);
  const bool begins = last == nullptr || last->patches.empty();
  // One with the forces of the end of a step is followed by that step (BodyStepper).
  const bool looks = !step.moment.patches.empty() && (begins || !is_at_end);
  if (looks && pair_->FollowDivision(A.X_WB, B.X_WB, begins, &division)) {
    step = Evaluate(time, A, B, last, is_at_end, division);
  }
  step.moment.division = division;
  if (last != nullptr) step.before = PowersOf(last->patches, A, B, velocities);
  return step;
}

TrackStep ContactTrack::Rest(double time, const BodyMotion& A, const BodyMotion& B,
                             Velocities velocities, const MujocoContactMoment& last) const {
  TrackStep step;
  step.moment = last;
  step.moment.time = time;
  step.rests = true;
  step.before = PowersOf(last.patches, A, B, velocities);
  return step;
}

TrackStep ContactTrack::Coming(const BodyMotion& A, const BodyMotion& B,
                               const DivisionState& division) const {
  return Evaluate(0.0, A, B, nullptr, false, division);
}

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
