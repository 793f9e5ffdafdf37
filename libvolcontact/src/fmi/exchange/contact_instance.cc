#include "fmi/exchange/contact_instance.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "io/json/json_document.h"
#include "math/minimal_rotation.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {
namespace {

using Eigen::Vector3d;

// Nominal turn of bristles over their nominal deflection: of a patch with a gyration radius of 1 cm
// [1/m].
constexpr double kTwistPerDeflection = 100.0;

std::size_t At(int i) { return static_cast<std::size_t>(i); }

}  // namespace

ContactInstance::ContactInstance(const std::filesystem::path& resources, const std::string& token) {
  const JsonDocument document = JsonDocument::Read(resources / kFmuFile);
  const JsonCursor root = document.Root();
  RequireToken(token, root.Member(kTokenKey).String());
  contact_ = ReadFmuContact(root.Member(kContactKey));
  variables_ = VariablesOf(*contact_);
  parameters_ = ParametersOf(&contact_->contact);
  slots_ = fmi::StatesOf(contact_->contact.parameters);
  shapes_ = std::make_unique<const ContactShapes>(*contact_);
  for (const FmuVariable& variable : variables_) {
    if (variable.role == FmuRole::kInput) start_.inputs[At(variable.index)] = variable.start;
    if (variable.role == FmuRole::kParameter) start_.parameters.push_back(variable.start);
  }
  now_ = start_;
}

void ContactInstance::FinishInitialization() {
  Model();
  now_.mode = kEventMode;
  answer_.reset();
}

void ContactInstance::Reset() { Restore(start_); }

void ContactInstance::SetTime(double time) {
  if (!std::isfinite(time)) throw WrongCall(fmt::format("the time is {}", time));
  now_.time = time;
}

void ContactInstance::Restore(const FmuSnapshot& snapshot) {
  now_ = snapshot;
  model_.reset();
  found_.reset();
  gap_.reset();
  answer_.reset();
}

// Between events a contact that has not been made does nothing, so that what is integrated is
// smooth until the importer has located the event.
bool ContactInstance::IsAsleep() const {
  return now_.mode == kContinuousTime && !now_.latch.touching;
}

const ContactModel& ContactInstance::Model() {
  if (!model_) {
    for (std::size_t i = 0; i < parameters_.size(); ++i) *parameters_[i].value = now_.parameters[i];
    const double tolerance = contact_->contact.tolerance;
    if (!(tolerance > 1e-14 && tolerance < 1.0)) {
      throw WrongCall(fmt::format("tolerance is {}; it must be between 1e-14 and 1", tolerance));
    }
    try {
      model_.emplace(contact_->contact.parameters);
    } catch (const InvalidInput& error) {
      throw WrongCall(error.what());
    }
  }
  return *model_;
}

const ShapesContact& ContactInstance::Shapes() {
  if (!found_) {
    Model();  // has the tolerance
    const Vector3d last = now_.latch.touching ? now_.latch.normal_W : Vector3d::Zero().eval();
    found_ = shapes_->Find(PosesOf(now_.inputs), last, contact_->contact.tolerance);
    converged_ = converged_ && found_->converged;
  }
  return *found_;
}

const FmuAnswer& ContactInstance::Answer() {
  if (answer_) return *answer_;
  const ContactModel& model = Model();
  if (IsAsleep()) return answer_.emplace();
  const ContactGeometry& geometry = Shapes().geometry;
  const PosePair poses = PosesOf(now_.inputs);
  const std::array<Twist, 2> twists = TwistsOf(now_.inputs);
  std::vector<PressureSample> pressure;
  if (geometry.touching && model.Needs().pressure) {
    const ContactMotion motion =
        MotionAt(geometry.point_W, geometry.normal_W, poses.X_WA, twists[0], poses.X_WB, twists[1]);
    pressure = shapes_->Pressure(poses, geometry, model.SlidingVelocity(geometry, motion),
                                 motion.spin, contact_->contact.tolerance);
  }
  const FmuAnswer answer = AnswerOf(model, geometry, poses, twists,
                                    StateOf(now_.latch, now_.states), now_.latch.R_WT, pressure);
  const auto finite = [](double x) { return std::isfinite(x); };
  if (!std::all_of(answer.outputs.begin(), answer.outputs.end(), finite) ||
      !std::all_of(answer.rates.begin(), answer.rates.end(), finite)) {
    throw InvalidInput("the forces are too large for floating-point numbers");
  }
  return answer_.emplace(answer);
}

double ContactInstance::Real(std::uint32_t reference) {
  const FmuVariable& variable = VariableAt(reference, FmuType::kReal);
  switch (variable.role) {
    case FmuRole::kTime:
      return now_.time;
    case FmuRole::kInput:
      return now_.inputs[At(variable.index)];
    case FmuRole::kOutput:
      return Answer().outputs[At(variable.index)];
    case FmuRole::kIndicator:
      return Indicator();
    case FmuRole::kState:
      return now_.states[slots_[At(variable.index)]];
    case FmuRole::kDerivative:
      return Answer().rates[slots_[At(variable.index)]];
    case FmuRole::kParameter:
      break;
  }
  return now_.parameters[At(variable.index)];
}

int ContactInstance::Integer(std::uint32_t reference) {
  VariableAt(reference, FmuType::kInteger);
  return now_.latch.touches;
}

bool ContactInstance::Boolean(std::uint32_t reference) {
  VariableAt(reference, FmuType::kBoolean);
  return now_.latch.touching;
}

void ContactInstance::SetReal(std::uint32_t reference, double value) {
  const FmuVariable& variable = VariableAt(reference, FmuType::kReal);
  if (!std::isfinite(value)) {
    throw WrongCall(fmt::format("{} is to be {}; give a finite number", variable.name, value));
  }
  const bool at_start = (now_.mode & (kInstantiated | kInitialization)) != 0;
  double* slot = nullptr;
  if (variable.role == FmuRole::kInput) {
    slot = &now_.inputs[At(variable.index)];
  } else if (variable.role == FmuRole::kState && at_start) {
    slot = &now_.states[slots_[At(variable.index)]];
  } else if (variable.role == FmuRole::kParameter && at_start) {
    slot = &now_.parameters[At(variable.index)];
  } else {
    RefuseToSet(reference, FmuType::kReal);
  }
  if (*slot == value) return;
  *slot = value;
  answer_.reset();
  if (variable.role == FmuRole::kParameter) model_.reset();
  const bool is_pose = variable.index % kNumMotion < 7;
  if (variable.role == FmuRole::kParameter || (variable.role == FmuRole::kInput && is_pose)) {
    found_.reset();
    gap_.reset();
  }
}

std::vector<double> ContactInstance::States() const {
  std::vector<double> values;
  for (const FmuStateSlot slot : slots_) values.push_back(now_.states[slot]);
  return values;
}

void ContactInstance::SetStates(const double* values) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (!std::isfinite(values[i])) {
      throw WrongCall(fmt::format("continuous state {} is to be {}", i, values[i]));
    }
  }
  for (std::size_t i = 0; i < slots_.size(); ++i) now_.states[slots_[i]] = values[i];
  answer_.reset();
}

std::vector<double> ContactInstance::Rates() {
  std::vector<double> values;
  const FmuAnswer& answer = Answer();
  for (const FmuStateSlot slot : slots_) values.push_back(answer.rates[slot]);
  return values;
}

std::vector<double> ContactInstance::Nominals() const {
  const ContactParameters& parameters = contact_->contact.parameters;
  double deflection = 1e-6;  // of a clutch's spring [m]
  if (const auto* law = std::get_if<BristleFriction>(&parameters.friction)) {
    if (law->mu_s > 0.0) deflection = law->mu_s / law->sigma0;
  }
  std::vector<double> nominals;
  for (const FmuStateSlot slot : slots_) {
    double nominal = deflection;
    if (slot == kTwistSlot) nominal = kTwistPerDeflection * deflection;
    if (slot == kDwellSlot) nominal = 1.0;
    if (slot == kRelaxationSlot) {
      nominal = now_.states[slot] > 0.0 ? now_.states[slot] : 1.0;
    }
    nominals.push_back(nominal);
  }
  return nominals;
}

double ContactInstance::Indicator() {
  if (!gap_) gap_ = shapes_->Gap(PosesOf(now_.inputs), Shapes());
  return *gap_;
}

FmuUpdate ContactInstance::UpdateDiscrete() {
  const ContactModel& model = Model();
  const ContactGeometry geometry = Shapes().geometry;
  FmuUpdate update;
  FmuLatch& latch = now_.latch;
  // States that were set at the start are those of a contact that was made before.
  const bool keeps = !now_.begun && std::any_of(now_.states.begin(), now_.states.end(),
                                                [](double z) { return z != 0.0; });
  now_.begun = true;
  if (geometry.touching == latch.touching) return update;
  update.states_changed = num_states() > 0;
  update.nominals_changed =
      std::find(slots_.begin(), slots_.end(), kRelaxationSlot) != slots_.end();
  if (geometry.touching) {
    const PosePair poses = PosesOf(now_.inputs);
    const std::array<Twist, 2> twists = TwistsOf(now_.inputs);
    const ContactState state =
        model.Touch(geometry, MotionAt(geometry.point_W, geometry.normal_W, poses.X_WA, twists[0],
                                       poses.X_WB, twists[1]));
    latch.touching = true;
    ++latch.touches;
    latch.impact_speed = state.impact_speed;
    latch.normal_W = state.normal_W;
    if (!keeps) now_.states = fmi::StatesOf(state);
    update.event = fmt::format("contact is made at {} s, at {} m/s", now_.time, state.impact_speed);
  } else {
    latch.touching = false;
    now_.states.fill(0.0);
    update.event = fmt::format("contact ends at {} s", now_.time);
  }
  latch.R_WT.setIdentity();
  answer_.reset();
  return update;
}

bool ContactInstance::CompleteStep() {
  const ContactGeometry& geometry = Shapes().geometry;
  FmuLatch& latch = now_.latch;
  if (geometry.touching != latch.touching) return true;
  if (latch.touching && latch.normal_W != geometry.normal_W) {
    latch.R_WT = MinimalRotation(latch.normal_W, geometry.normal_W) * latch.R_WT;
    latch.normal_W = geometry.normal_W;
    answer_.reset();
  }
  return false;
}

std::string ContactInstance::TakeWarning() {
  const bool converged = converged_;
  converged_ = true;
  return converged ? "" : "the overlap was not computed to its tolerance";
}

const char* KindName() { return "model exchange"; }

std::unique_ptr<FmuInstance> MakeInstance(const std::filesystem::path& resources,
                                          const std::string& token) {
  return std::make_unique<ContactInstance>(resources, token);
}

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
