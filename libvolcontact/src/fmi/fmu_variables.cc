#include "fmi/fmu_variables.h"

#include <array>
#include <cmath>
#include <utility>
#include <variant>

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {
namespace {

struct VariableName {
  const char *name, *unit, *description;
};

constexpr VariableName kMotionNames[kNumMotion] = {
    {"x", "m", "Position of the body frame's origin, world axes"},
    {"y", "m", "Position of the body frame's origin, world axes"},
    {"z", "m", "Position of the body frame's origin, world axes"},
    {"qw", "1", "Orientation of the body frame, quaternion; need not be normalised"},
    {"qx", "1", "Orientation of the body frame, quaternion; need not be normalised"},
    {"qy", "1", "Orientation of the body frame, quaternion; need not be normalised"},
    {"qz", "1", "Orientation of the body frame, quaternion; need not be normalised"},
    {"vx", "m/s", "Velocity of the body frame's origin, world axes"},
    {"vy", "m/s", "Velocity of the body frame's origin, world axes"},
    {"vz", "m/s", "Velocity of the body frame's origin, world axes"},
    {"wx", "rad/s", "Angular velocity, world axes"},
    {"wy", "rad/s", "Angular velocity, world axes"},
    {"wz", "rad/s", "Angular velocity, world axes"},
};

constexpr VariableName kStateNames[kNumStateSlots] = {
    {"bristle_x", "m", "Deflection of bristles, axes that turn with the normal; world's at touch"},
    {"bristle_y", "m", "Deflection of bristles, axes that turn with the normal; world's at touch"},
    {"bristle_z", "m", "Deflection of bristles, axes that turn with the normal; world's at touch"},
    {"bristle_twist", "rad", "Turn of bristles about the normal"},
    {"dwell", "1", "How far stiction has grown, 0 to 1"},
    {"relaxation", "", "Compression at first contact that is not yet returned"},
};

class VariableLister {
 public:
  explicit VariableLister(std::vector<FmuVariable>* list) : list_(list) {}

  void Add(std::string name, std::string unit, std::string description, FmuRole role, int index,
           double start = 0.0, FmuType type = FmuType::kReal) {
    list_->push_back(
        {std::move(name), std::move(unit), std::move(description), type, role, start, index});
  }
  void AddVector(const std::string& name, const char* unit, const std::string& description,
                 int first) {
    for (int i = 0; i < 3; ++i) {
      Add(name + "xyz"[i], unit, description, FmuRole::kOutput, first + i);
    }
  }

 private:
  std::vector<FmuVariable>* list_;
};

std::array<double, kNumMotion> StartOf(const Pose& X) {
  return {X.t.x(), X.t.y(), X.t.z(), X.q[0], X.q[1], X.q[2], X.q[3]};
}

void ListInputs(const FmuContact& contact, VariableLister* lister) {
  int index = 0;
  for (const auto& [body, X] : {std::pair{"a.", contact.X_WA}, {"b.", contact.X_WB}}) {
    const std::array<double, kNumMotion> start = StartOf(X);
    for (std::size_t i = 0; i < start.size(); ++i) {
      const VariableName& name = kMotionNames[i];
      lister->Add(std::string(body) + name.name, name.unit, name.description, FmuRole::kInput,
                  index++, start[i]);
    }
  }
}

void ListOutputs(const FmuContact& contact, VariableLister* lister) {
  lister->AddVector("a.f", "N", "Force on A", kForceA);
  lister->AddVector("a.t", "N.m", "Torque on A about its frame's origin", kTorqueA);
  lister->AddVector("b.f", "N", "Force on B", kForceB);
  lister->AddVector("b.t", "N.m", "Torque on B about its frame's origin", kTorqueB);
  const bool point = contact.contact.point_pair.has_value();
  lister->Add(point ? "contact.depth" : "contact.volume", point ? "m" : "m3",
              point ? "Depth of the contact" : "Volume of the overlap", FmuRole::kOutput,
              kCompression);
  lister->AddVector("contact.p", "m", "Contact point; 0 without contact", kPoint);
  lister->AddVector("contact.n", "1", "Contact normal, from B toward A; 0 without contact",
                    kNormal);
  lister->Add("contact.fn", "N", "Normal force", FmuRole::kOutput, kNormalForce);
  lister->Add("contact.ft", "N", "Magnitude of the friction force", FmuRole::kOutput,
              kFrictionForce);
  lister->Add("contact.elastic_power", "W", "Power that springs take from the motion",
              FmuRole::kOutput, kElasticPower);
  lister->Add("contact.dissipated_power", "W", "Power dissipated, never negative", FmuRole::kOutput,
              kDissipatedPower);
  lister->Add("contact.touching", "", "Whether there is contact", FmuRole::kOutput, kTouching, 0.0,
              FmuType::kBoolean);
  lister->Add("contact.touches", "", "How often contact has been made", FmuRole::kOutput, kTouches,
              0.0, FmuType::kInteger);
  lister->Add("contact.gap", "m",
              "Positive apart, negative in contact: a lower bound of the distance, or minus the "
              "cube root of the volume",
              FmuRole::kIndicator, 0);
}

void ListStates(const FmuContact& contact, VariableLister* lister) {
  const std::vector<FmuStateSlot> slots = StatesOf(contact.contact.parameters);
  const char* compression = contact.contact.point_pair ? "m" : "m3";
  for (const FmuRole role : {FmuRole::kState, FmuRole::kDerivative}) {
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const VariableName& name = kStateNames[slots[i]];
      const std::string unit = slots[i] == kRelaxationSlot ? compression : name.unit;
      const std::string path = std::string("contact.") + name.name;
      const int index = static_cast<int>(i);
      if (role == FmuRole::kState) {
        lister->Add(path, unit, name.description, role, index);
      } else {
        lister->Add("der(" + path + ")", unit == "1" ? "1/s" : unit + "/s",
                    std::string("Rate of ") + path, role, index);
      }
    }
  }
}

// The parameters of laws, one after the other.
struct ParameterLister {
  std::vector<FmuParameter>* list;

  void Add(const char* name, const char* unit, const char* description, double* value) const {
    if (std::isfinite(*value)) list->push_back({name, unit, description, value});
  }
  void Add(RestitutionDamping* damping, const char* unit) const {
    if (damping->hysteresis) {
      Add("normal.damping", unit, "Damping of the normal law", &*damping->hysteresis);
      return;
    }
    Add("normal.restitution", "1", "Coefficient of restitution, in (0, 1]", &damping->restitution);
    Add("normal.v_small", "m/s", "Slower impacts are damped as if this fast", &damping->v_small);
  }

  void operator()(VolumetricNormal& law) const {
    Add("normal.stiffness_a", "N/m3", "Stiffness of A", &law.stiffness_a);
    Add("normal.stiffness_b", "N/m3", "Stiffness of B", &law.stiffness_b);
    Add(&law.damping, "N.s/m4");
  }
  void operator()(PowerNormal& law) const {
    Add("normal.stiffness", "N/m^p", "Stiffness", &law.stiffness);
    Add("normal.exponent", "1", "Exponent p of the depth", &law.exponent);
    Add(&law.damping, "N.s/m^(p+1)");
  }
  void operator()(AzadFeatherstoneNormal& law) const {
    Add("normal.stiffness", "N/m^1.5", "Stiffness", &law.stiffness);
    Add("normal.damping", "N.s/m^1.5", "Damping", &law.damping);
  }
  void operator()(LinearNormal& law) const {
    Add("normal.stiffness", "N/m", "Stiffness", &law.stiffness);
    Add("normal.damping", "N.s/m", "Damping", &law.damping);
  }
  void operator()(NoFriction&) const {}
  void operator()(CoulombFriction& law) const {
    Add("friction.mu", "1", "Coefficient of friction", &law.mu);
    Add("friction.v_epsilon", "m/s", "Below it velocities have no direction", &law.v_epsilon);
  }
  void operator()(BristleFriction& law) const {
    Add("friction.mu_s", "1", "Coefficient of stiction", &law.mu_s);
    Add("friction.mu_c", "1", "Coefficient of sliding friction", &law.mu_c);
    Add("friction.sigma0", "1/m", "Bristle stiffness per load", &law.sigma0);
    Add("friction.sigma1", "s/m", "Bristle damping per load", &law.sigma1);
    Add("friction.sigma2", "s/m", "Viscous friction per load", &law.sigma2);
    Add("friction.v_stribeck", "m/s", "Stribeck velocity", &law.v_stribeck);
    Add("friction.tau_dwell", "s", "Time constant by which stiction grows", &law.tau_dwell);
    Add("friction.v_epsilon", "m/s", "Below it velocities have no direction; 0: v_stribeck/100",
        &law.v_epsilon);
  }
  void operator()(ClutchFriction& law) const {
    Add("friction.mu", "1", "Coefficient of friction", &law.mu);
    Add("friction.stiffness", "N/m^1.5", "Tangential stiffness", &law.stiffness);
    Add("friction.damping", "N.s/m^1.5", "Tangential damping", &law.damping);
    Add("friction.viscosity", "N.s/m", "Viscosity of the slipping clutch", &law.viscosity);
  }
  void operator()(PatchCoulombFriction& law) const {
    Add("friction.mu", "1", "Coefficient of friction", &law.mu);
    Add("friction.v_epsilon", "m/s", "Below it velocities have no direction", &law.v_epsilon);
  }
};

}  // namespace

std::vector<FmuParameter> ParametersOf(scenario::ContactSpec* contact) {
  std::vector<FmuParameter> list;
  const ParameterLister lister{&list};
  std::visit(lister, contact->parameters.normal);
  std::visit(lister, contact->parameters.friction);
  if (contact->parameters.tau_relaxation > 0.0) {
    lister.Add("tau_relaxation", "s", "Time constant of the relaxation",
               &contact->parameters.tau_relaxation);
  }
  if (!contact->point_pair) {
    lister.Add("tolerance", "1", "Relative tolerance of the overlap's volume", &contact->tolerance);
  }
  return list;
}

std::vector<FmuStateSlot> StatesOf(const ContactParameters& parameters) {
  std::vector<FmuStateSlot> slots;
  int last = 0;
  if (std::holds_alternative<BristleFriction>(parameters.friction)) last = kDwellSlot + 1;
  if (std::holds_alternative<ClutchFriction>(parameters.friction)) last = kTwistSlot;
  for (int slot = 0; slot < last; ++slot) slots.push_back(static_cast<FmuStateSlot>(slot));
  if (parameters.tau_relaxation > 0.0) slots.push_back(kRelaxationSlot);
  return slots;
}

std::vector<FmuVariable> VariablesOf(const FmuContact& contact) {
  std::vector<FmuVariable> list;
  VariableLister lister(&list);
  lister.Add("time", "s", "Simulation time", FmuRole::kTime, 0);
  ListInputs(contact, &lister);
  ListOutputs(contact, &lister);
  ListStates(contact, &lister);
  scenario::ContactSpec values = contact.contact;
  int index = 0;
  for (const FmuParameter& parameter : ParametersOf(&values)) {
    lister.Add(parameter.name, parameter.unit, parameter.description, FmuRole::kParameter, index++,
               *parameter.value);
  }
  return list;
}

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
