#include "mujoco/model_contacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <stdexcept>

#include "mujoco/contact_books.h"
#include "mujoco/many_contacts.h"
#include "mujoco/passive/body_wrench.h"
#include "mujoco/passive/end_of_step.h"
#include "mujoco/passive/step_bound.h"
#include "mujoco/stiffness_choice.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {
namespace {

// Neither moves against the other: one body, or both welded to one.
void RequireMotion(const mjModel* model, int body_A, int body_B) {
  if (body_A == body_B)
    throw InvalidInput("both sides belong to one body; name geoms of two bodies");
  if (model->body_weldid[body_A] != model->body_weldid[body_B]) return;
  const auto is_mocap = [&](int body) {
    return model->body_mocapid[model->body_weldid[body]] >= 0 || model->body_mocapid[body] >= 0;
  };
  if (is_mocap(body_A) || is_mocap(body_B)) return;
  throw InvalidInput(
      "its bodies cannot move against each other, because no joint is between them; add a joint, "
      "or delete the contact");
}

void RequireNoPair(const mjModel* model, const std::pair<int, int>& geoms) {
  for (int i = 0; i < model->npair; ++i) {
    if (Ordered(model->pair_geom1[i], model->pair_geom2[i]) != geoms) continue;
    throw InvalidInput(
        fmt::format("the model has a <pair> of {} and {}, which cannot be disabled at run time; "
                    "delete it from the model",
                    NameOfGeom(model, geoms.first), NameOfGeom(model, geoms.second)));
  }
}

// So long friction must have been too fast for the steps to be said so, in steps.
constexpr double kLastingSteps = 20.0;
// Of a step: times are sums, and rounded.
constexpr double kSameStep = 1e-6;

// The flags with which a model has no passive forces.
#if mjVERSION_HEADER >= 336
constexpr int kNoPassiveForces = mjDSBL_SPRING | mjDSBL_DAMPER;
constexpr char kNoPassiveForcesText[] = "spring=\"disable\" or damper=\"disable\"";
#else
constexpr int kNoPassiveForces = mjDSBL_PASSIVE;
constexpr char kNoPassiveForcesText[] = "passive=\"disable\"";
#endif

// Whether all that touches rests: steps that were too long for it still are.
bool AllRest(const std::vector<TrackStep>& steps) {
  const auto rests = [](const TrackStep& step) { return step.rests; };
  return std::any_of(steps.begin(), steps.end(), rests) &&
         std::all_of(steps.begin(), steps.end(), [&](const TrackStep& step) {
           return rests(step) || step.moment.patches.empty();
         });
}

void Warn(const std::string& text) { mju_warning(("volcontact: " + text).c_str()); }

}  // namespace

ModelContacts::ModelContacts(const mjModel* model, const std::vector<MujocoContactSpec>& specs)
    : model_(model), has_replaced_(static_cast<std::size_t>(model->ngeom), false) {
  if (mj_version() != mjVERSION_HEADER) {
    throw InvalidInput(
        fmt::format("MuJoCo's library has the version {}, but volcontact was compiled for {}; run "
                    "it with that version",
                    mj_version(), mjVERSION_HEADER));
  }
  if ((model->opt.disableflags & kNoPassiveForces) == kNoPassiveForces) {
    throw InvalidInput("the model disables passive forces, which contacts need; delete " +
                       std::string(kNoPassiveForcesText) + " from its <flag>");
  }
  for (const MujocoContactSpec& spec : OnePairEach(model, specs)) {
    ForContact(spec, [&] { AddContact(spec); });
  }
  start_.reset();
  std::sort(replaced_.begin(), replaced_.end());
  std::vector<std::string> names;
  for (const GeomContact& contact : contacts_) names.push_back(contact.name);
  sensors_ = FindSensors(model, names);
  has_warned_ = std::make_unique<std::atomic<bool>[]>(contacts_.size());
}

void ModelContacts::AddContact(const MujocoContactSpec& given) {
  MujocoContactSpec spec = given;
  const auto has_name = [&](const GeomContact& other) { return other.name == spec.name; };
  if (std::any_of(contacts_.begin(), contacts_.end(), has_name)) {
    throw InvalidInput("another contact has this name; choose another name");
  }
  const MeshMending mending{spec.repair_meshes, &notes_};
  const FoundSide A = FindSide(model_, spec.a, mending), B = FindSide(model_, spec.b, mending);
  RequireMotion(model_, A.body, B.body);
  if (spec.stiffness.has_value() &&
      std::holds_alternative<VolumetricNormal>(spec.parameters.normal)) {
    notes_.push_back(fmt::format("contact \"{}\": {}", spec.name,
                                 ChooseStiffness(model_, A, B, *spec.stiffness, &spec.parameters)));
  }
  for (const int a : A.geoms) {
    for (const int b : B.geoms) {
      RequireNoPair(model_, Ordered(a, b));
      replaced_.push_back(Ordered(a, b));
      has_replaced_[static_cast<std::size_t>(a)] = has_replaced_[static_cast<std::size_t>(b)] =
          true;
    }
  }
  const auto has_law = [&](const GeomContact& other) {
    return HaveOneLaw(other.track.ModelOf({}).parameters(), spec.parameters);
  };
  ContactTrack track(A.solid, B.solid, spec, DivisionOf(spec, A, B));
  const auto alike = std::find_if(contacts_.begin(), contacts_.end(), has_law);
  const std::size_t law = alike == contacts_.end() ? contacts_.size() : alike->law;
  contacts_.push_back(
      {spec.name, A.body, B.body, std::move(track), StepLimits(spec.parameters), law});
}

ContactDivision ModelContacts::DivisionOf(const MujocoContactSpec& spec, const FoundSide& A,
                                          const FoundSide& B) {
  const bool is_auto = spec.division.kind == DivisionChoice::Kind::kAuto;
  if (is_auto && (spec.most_patches > 0 || !MayBeDivided(spec.parameters))) return {};
  if (spec.division.kind == DivisionChoice::Kind::kNone) return {};
  if (start_ == nullptr) {
    start_.reset(mj_makeData(model_));
    mj_kinematics(model_, start_.get());
  }
  const auto start = [&](int body) { return MotionOf(model_, start_.get(), body).X_WB; };
  const ContactDivision division =
      ChooseDivision(spec.division, A.solid, B.solid, start(A.body), start(B.body));
  if (is_auto && division.sectors > 0) {
    notes_.push_back(
        fmt::format("contact \"{}\" goes around a body: {}", spec.name, Describe(division)));
  }
  return division;
}

bool ModelContacts::Replaces(int geom1, int geom2) const {
  return has_replaced_[static_cast<std::size_t>(geom1)] &&
         has_replaced_[static_cast<std::size_t>(geom2)] &&
         std::binary_search(replaced_.begin(), replaced_.end(), Ordered(geom1, geom2));
}

DataTrack* ModelContacts::TrackOf(const mjData* data) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::unique_ptr<DataTrack>& track = tracks_[data];
  if (track == nullptr) track = std::make_unique<DataTrack>();
  return track.get();
}

// Whether the last step had forces of its end, which is now.
bool ModelContacts::GoesOn(const mjData* data, const DataMoment* last) const {
  const double step = model_->opt.timestep;
  return last != nullptr && !last->ends.empty() &&
         std::abs(data->time - last->time - step) <= kSameStep * step;
}

std::vector<TrackStep> ModelContacts::StepsOf(const mjData* data, const DataMoment* last) const {
  const bool has_stages = model_->opt.integrator == mjINT_RK4;
  const Velocities velocities =
      has_stages ? Velocities::kOfTheInstant : Velocities::kOfTheStepBehind;
  const bool is_at_end = last != nullptr && !last->ends.empty(), goes_on = GoesOn(data, last);
  std::vector<TrackStep> steps;
  steps.reserve(contacts_.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const GeomContact& contact = contacts_[i];
    const BodyMotion A = MotionOf(model_, data, contact.body_A),
                     B = MotionOf(model_, data, contact.body_B);
    if (goes_on && last->ends[i].Rests(A.X_WB, A.V_W, B.X_WB, B.V_W, model_->opt.timestep)) {
      steps.push_back(contact.track.Rest(data->time, A, B, velocities, last->contacts[i]));
      continue;
    }
    try {
      steps.push_back(contact.track.Follow(
          data->time, A, B, velocities, last == nullptr ? nullptr : &last->contacts[i], is_at_end));
    } catch (const InvalidInput& error) {
      throw InvalidInput(
          fmt::format("contact \"{}\" at {} s: {}", contact.name, data->time, error.what()));
    }
  }
  return steps;
}

void ModelContacts::Evaluate(mjData* data, DataTrack* track) {
  const double step = model_->opt.timestep;
  const bool has_stages = model_->opt.integrator == mjINT_RK4;
  const DataMoment* const last = track->Accept(data->time, has_stages ? step : 0.0);
  std::vector<TrackStep> steps = StepsOf(data, last);
  DataMoment now;
  now.time = data->time;
  std::vector<StepPatch> patches;
  bool is_too_fast = AllRest(steps);
  if (!is_too_fast) {
    patches = PatchesOf(data, &steps);
    const bool is_followed = IsFollowed(patches, step);
    WarnOfLongSteps(data, is_followed, patches, track);
    is_too_fast = IsTooFast(data, steps, is_followed, patches);
  }
  if (is_too_fast) {
    now.ends = PushToTheEnd(data, last, steps);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      MujocoContactMoment& moment = steps[i].moment;
      moment.division = now.ends[i].division;
      const bool was_apart = moment.patches.empty();
      TakeEnd(now.ends[i], &moment.patches);
      if (was_apart && !moment.patches.empty()) ++moment.touches;
    }
  } else {
    for (const StepPatch& patch : patches) Push(data, patch);
  }
  now.contacts.reserve(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    MujocoContactMoment& moment = steps[i].moment;
    moment.energies =
        NextBooks(last == nullptr ? nullptr : &last->contacts[i], steps[i].before, moment);
    now.contacts.push_back(std::move(moment));
  }
  track->Set(std::move(now));
}

std::vector<StepPatch> ModelContacts::PatchesOf(const mjData* data,
                                                std::vector<TrackStep>* steps) const {
  std::vector<StepPatch> patches;
  patches.reserve(steps->size());
  for (std::size_t i = 0; i < steps->size(); ++i) {
    std::vector<MujocoPatch>& found = (*steps)[i].moment.patches;
    if (found.empty()) continue;
    const GeomContact& contact = contacts_[i];
    const ContactModel& model = contact.track.ModelOf((*steps)[i].moment.division);
    const PairInertia inertia(model_, data, contact.body_A, contact.body_B);
    for (MujocoPatch& patch : found) {
      patches.push_back({static_cast<int>(i), &contact.track, &model, &patch,
                         inertia.Response(patch.geometry.point_W)});
    }
  }
  return patches;
}

void ModelContacts::Push(mjData* data, const StepPatch& patch) const {
  const GeomContact& contact = contacts_[static_cast<std::size_t>(patch.contact)];
  AddWrench(model_, data, contact.body_A, patch.patch->force, 1.0);
  AddWrench(model_, data, contact.body_B, patch.patch->force, -1.0);
}

// Of what touches, and of what the bodies fall on within the step.
bool ModelContacts::IsTooFast(const mjData* data, const std::vector<TrackStep>& steps,
                              bool is_followed, const std::vector<StepPatch>& patches) const {
  const double step = model_->opt.timestep;
  if (!is_followed && AreTooFast(patches, step)) return true;
  std::vector<TrackStep> coming(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!steps[i].moment.patches.empty()) continue;
    const GeomContact& contact = contacts_[i];
    const auto motion = [&](int body) {
      return ComingMotion(model_, MotionOf(model_, data, body), body, step);
    };
    coming[i] = contact.track.Coming(motion(contact.body_A), motion(contact.body_B),
                                     steps[i].moment.division);
  }
  std::vector<StepPatch> all = patches;
  for (StepPatch& patch : PatchesOf(data, &coming)) all.push_back(std::move(patch));
  return all.size() > patches.size() && !IsFollowed(all, step) && AreTooFast(all, step);
}

std::vector<SteppedPairState> ModelContacts::PushToTheEnd(
    mjData* data, const DataMoment* last, const std::vector<TrackStep>& steps) const {
  const double step = model_->opt.timestep;
  const bool goes_on = GoesOn(data, last);
  std::vector<SteppedPairState> states;
  std::vector<BodiesInContact> contacts;
  states.reserve(steps.size());
  contacts.reserve(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool met_late = last != nullptr && last->contacts[i].patches.empty();
    states.push_back(goes_on ? last->ends[i] : StartOf(steps[i].moment, met_late));
    states.back().division = steps[i].moment.division;
    contacts.push_back(
        {&contacts_[i].track, contacts_[i].body_A, contacts_[i].body_B, &steps[i].overlaps});
  }
  try {
    return PushToEnd(model_, data, contacts, step, std::move(states));
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("contacts at {} s: {}", data->time, error.what()));
  }
}

void ModelContacts::AddForces(mjData* data) noexcept {
  DataTrack* track = nullptr;
  try {
    track = TrackOf(data);
    Evaluate(data, track);
  } catch (const std::exception& error) {
    if (track == nullptr || !track->failure.empty()) return;
    track->failure = error.what();
    Warn("contacts have no forces in this step: " + track->failure);
  }
}

std::string ModelContacts::StepFault(double time, std::size_t contact, bool is_followed,
                                     std::span<const StepPatch> patches, DataTrack* track) const {
  if (patches.empty()) return {};
  if (is_followed) {
    track->Lasts(time, contact, false, 0.0);
    return {};
  }
  const StepLimits& limits = contacts_[contact].limits;
  const double step = model_->opt.timestep;
  const StepMethod method =
      model_->opt.integrator == mjINT_RK4 ? StepMethod::kRungeKutta : StepMethod::kEuler;
  std::string fault = limits.NormalFault(patches, step, method);
  if (!fault.empty()) return fault;
  fault = limits.FrictionFault(patches, step, method);
  return track->Lasts(time, contact, !fault.empty(), kLastingSteps * step) ? fault : std::string();
}

// Patches of a contact follow each other.
void ModelContacts::WarnOfLongSteps(const mjData* data, bool is_followed,
                                    const std::vector<StepPatch>& patches, DataTrack* track) {
  auto next = patches.begin();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const auto first = next;
    while (next != patches.end() && static_cast<std::size_t>(next->contact) == i) ++next;
    std::atomic<bool>& has_warned = has_warned_[contacts_[i].law];
    if (has_warned.load(std::memory_order_relaxed)) continue;
    const std::string fault = StepFault(data->time, i, is_followed, std::span(first, next), track);
    if (fault.empty() || has_warned.exchange(true)) continue;
    Warn(fmt::format("contact \"{}\" at {:.6g} s: {}", contacts_[i].name, data->time, fault));
  }
}

void ModelContacts::FillSensors(mjData* data, int stage) noexcept {
  if (sensors_.empty()) return;
  const DataTrack* const track = TrackOf(data);
  if (!track->present().has_value()) return;
  for (const ContactSensor& sensor : sensors_) {
    if (sensor.stage != stage) continue;
    const std::size_t contact = static_cast<std::size_t>(sensor.contact);
    Fill(sensor, track->present()->contacts[contact], data->xpos + 3 * contacts_[contact].body_A,
         data->sensordata);
  }
}

const MujocoContactMoment& ModelContacts::Last(int contact, const mjData* data) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (contact < 0 || static_cast<std::size_t>(contact) >= contacts_.size()) {
    throw InvalidInput(
        fmt::format("there are {} contacts, and none of index {}", contacts_.size(), contact));
  }
  const auto track = tracks_.find(data);
  if (track != tracks_.end() && !track->second->failure.empty()) {
    throw std::runtime_error(track->second->failure);
  }
  if (track == tracks_.end() || !track->second->present().has_value()) {
    throw InvalidInput(
        "no forces have been computed with this data; make a step, or call mj_forward. If you did, "
        "other code has replaced mjcb_passive since; it must call the previous callback");
  }
  return track->second->present()->contacts[static_cast<std::size_t>(contact)];
}

void ModelContacts::CopyState(const mjData* from, const mjData* to) {
  if (from == to) return;
  const DataTrack* const source = TrackOf(from);
  *TrackOf(to) = *source;
}

void ModelContacts::Forget(const mjData* data) {
  const std::lock_guard<std::mutex> lock(mutex_);
  tracks_.erase(data);
}

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
