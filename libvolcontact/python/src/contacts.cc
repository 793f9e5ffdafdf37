// Contact models over many contacts at once.
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bindings.h"
#include "input.h"
#include "laws_of_file.h"
#include "metrics_array.h"
#include "pair.h"
#include "volcontact/forces/contact_model.h"
#include "volcontact/forces/pair_force.h"
#include "volcontact/io/contact_file.h"
#include "volcontact/math/error.h"

namespace volcontact::python {
namespace {

struct StateRecord {
  double impact_speed, normal[3], deflection[3], twist, dwell, relaxation;
  bool touching;
};
using StateArray = RecordArray<StateRecord>;

struct ForceRecord {
  double point[3], force[3], torque[3];
  double normal[3], tangential[3], rolling[3], spinning[3], plate[3];
  double deflection_rate[3], twist_rate, dwell_rate, relaxation_rate;
  double elastic, normal_damping, rolling_power, bristle_elastic, bristle, viscous, spin_elastic,
      spin, clutch;
  bool touching;
};
using ForceArray = RecordArray<ForceRecord>;

#define VC_STATE(member, type, ...) \
#member, FieldType::type, offsetof(StateRecord, member), Extents __VA_ARGS__
#define VC_FORCE(member, type, ...) \
#member, FieldType::type, offsetof(ForceRecord, member), Extents __VA_ARGS__

const std::vector<Field>& StateFields() {
  static const std::vector<Field> fields = {
      {VC_STATE(touching, kTruth, {}), "Whether the contact has been seen: bool, shape (...)."},
      {VC_STATE(impact_speed, kReal, {}), "Speed of first contact [m/s], shape (...)."},
      {VC_STATE(normal, kReal, {3}), "Normal that the deflection refers to, in W, shape (..., 3)."},
      {VC_STATE(deflection, kReal, {3}), "Mean bend of the bristles in W [m], shape (..., 3)."},
      {VC_STATE(twist, kReal, {}), "Turn of the bristles about the normal [rad], shape (...)."},
      {VC_STATE(dwell, kReal, {}), "How far stiction has grown, in [0, 1], shape (...)."},
      {VC_STATE(relaxation, kReal, {}), "Compression not yet returned [m^3 or m], shape (...)."},
  };
  return fields;
}

const std::vector<Field>& ForceFields() {
  static const std::vector<Field> fields = {
      {VC_FORCE(touching, kTruth, {}), "Whether there is a contact: bool, shape (...)."},
      {VC_FORCE(point, kReal, {3}), "Point of attack in W [m], shape (..., 3)."},
      {VC_FORCE(force, kReal, {3}), "Force on A in W [N], shape (..., 3); B gets the opposite."},
      {VC_FORCE(torque, kReal, {3}), "Torque on A about `point` in W [N m], shape (..., 3)."},
      {VC_FORCE(normal, kReal, {3}), "Normal part of the force [N], shape (..., 3)."},
      {VC_FORCE(tangential, kReal, {3}), "Friction [N], acts at `plate`, shape (..., 3)."},
      {VC_FORCE(rolling, kReal, {3}), "Rolling resistance [N m], shape (..., 3)."},
      {VC_FORCE(spinning, kReal, {3}), "Spinning resistance [N m], shape (..., 3)."},
      {VC_FORCE(plate, kReal, {3}), "Where friction acts, in W [m], shape (..., 3)."},
      {VC_FORCE(deflection_rate, kReal, {3}), "Rate of the state's deflection [m/s], (..., 3)."},
      {VC_FORCE(twist_rate, kReal, {}), "Rate of the state's twist [rad/s], shape (...)."},
      {VC_FORCE(dwell_rate, kReal, {}), "Rate of the state's dwell [1/s], shape (...)."},
      {VC_FORCE(relaxation_rate, kReal, {}), "Rate of the state's relaxation, shape (...)."},
      {VC_FORCE(elastic, kReal, {}), "Power into the normal spring [W], shape (...)."},
      {VC_FORCE(normal_damping, kReal, {}), "Power lost in normal damping [W], shape (...)."},
      {VC_FORCE(rolling_power, kReal, {}), "Power lost in rolling [W], shape (...)."},
      {VC_FORCE(bristle_elastic, kReal, {}), "Power into the bristles [W], shape (...)."},
      {VC_FORCE(bristle, kReal, {}), "Power lost in bristles or sliding [W], shape (...)."},
      {VC_FORCE(viscous, kReal, {}), "Power lost in viscous friction [W], shape (...)."},
      {VC_FORCE(spin_elastic, kReal, {}), "Power into torsion [W], shape (...)."},
      {VC_FORCE(spin, kReal, {}), "Power lost in spinning [W], shape (...)."},
      {VC_FORCE(clutch, kReal, {}), "Power lost in a slipping clutch [W], shape (...)."},
  };
  return fields;
}

#undef VC_STATE
#undef VC_FORCE

Eigen::Vector3d Vector(const double* v) { return {v[0], v[1], v[2]}; }

ContactState ContactStateOf(const StateRecord& r) {
  ContactState state;
  state.touching = r.touching;
  state.impact_speed = r.impact_speed;
  state.normal_W = Vector(r.normal);
  state.friction = {Vector(r.deflection), r.twist, r.dwell};
  state.relaxation = r.relaxation;
  return state;
}

void SetState(const ContactState& state, StateRecord* r) {
  r->touching = state.touching;
  r->impact_speed = state.impact_speed;
  Copy(state.normal_W, r->normal);
  Copy(state.friction.deflection_W, r->deflection);
  r->twist = state.friction.twist;
  r->dwell = state.friction.dwell;
  r->relaxation = state.relaxation;
}

void SetForce(const ContactForce& f, bool touching, ForceRecord* r) {
  Copy(f.point_W, r->point);
  Copy(f.force_W, r->force);
  Copy(f.torque_W, r->torque);
  Copy(f.normal_W, r->normal);
  Copy(f.tangential_W, r->tangential);
  Copy(f.rolling_W, r->rolling);
  Copy(f.spinning_W, r->spinning);
  Copy(f.plate_W, r->plate);
  Copy(f.rate.deflection_W, r->deflection_rate);
  r->twist_rate = f.rate.twist;
  r->dwell_rate = f.rate.dwell;
  r->relaxation_rate = f.rate.relaxation;
  const ContactPowers& p = f.powers;
  r->elastic = p.elastic;
  r->normal_damping = p.normal_damping;
  r->rolling_power = p.rolling;
  r->bristle_elastic = p.bristle_elastic;
  r->bristle = p.bristle;
  r->viscous = p.viscous;
  r->spin_elastic = p.spin_elastic;
  r->spin = p.spin;
  r->clutch = p.clutch;
  r->touching = touching;
}

constexpr double kMostContacts = 1e9;

StateArray NoContacts(const Extents& shape) {
  double size = 1.0;
  for (const py::ssize_t extent : shape) {
    if (extent < 0) throw InvalidInput("shape " + Text(shape) + " has a negative extent");
    size *= static_cast<double>(extent);
  }
  if (size > kMostContacts) throw InvalidInput("shape " + Text(shape) + " has too many elements");
  StateArray states(shape);
  for (std::size_t i = 0; i < states.size(); ++i) SetState({}, states.data() + i);
  return states;
}

std::shared_ptr<LawsOfFile> MakeModel(const std::string& text, const std::string& origin) {
  const ContactFile file = ParseContactFile(text, origin);
  return std::make_shared<LawsOfFile>(LawsOfFile{ContactModel(file.parameters), file.impact_speed});
}

// Metrics have no depth, without which the laws of point contacts give no force.
void CheckLaw(const LawsOfFile& self) {
  if (std::holds_alternative<VolumetricNormal>(self.model.parameters().normal)) return;
  throw InvalidInput(
      "ContactModel: at normal.law: only 'volumetric' works between solids; the other laws need "
      "the depth of a point contact, which metrics do not have: give normal={'law': 'volumetric', "
      "'stiffness': k_V}");
}

// All contacts of a call, with what moves them.
struct Contacts {
  const MetricsArray& metrics;
  Rows<Pose> X_WA, X_WB;
  Rows<RawTwist> V_WA, V_WB;

  Contacts(const MetricsArray& m, py::handle poses_A, py::handle twists_A, py::handle poses_B,
           py::handle twists_B)
      : metrics(m),
        X_WA(Poses(poses_A, "X_WA")),
        X_WB(Poses(poses_B, "X_WB")),
        V_WA(Twists(twists_A, "V_WA")),
        V_WB(Twists(twists_B, "V_WB")) {
    BroadcastTo(m.shape(), "X_WA", &X_WA);
    BroadcastTo(m.shape(), "X_WB", &X_WB);
    BroadcastTo(m.shape(), "V_WA", &V_WA);
    BroadcastTo(m.shape(), "V_WB", &V_WB);
  }

  ContactMotion MotionOf(const ContactGeometry& geometry, std::size_t i) const {
    return MotionAt(geometry.point_W, geometry.normal_W, X_WA[i], V_WA[i].Value(), X_WB[i],
                    V_WB[i].Value());
  }
};

ContactGeometry GeometryAt(const LawsOfFile& self, const MetricsArray& metrics, std::size_t i,
                           const ContactState& state) {
  return GeometryOf(MetricsOf(metrics, i), self.model.parameters().direction, state.normal_W);
}

ContactState Touched(const LawsOfFile& self, const ContactGeometry& geometry,
                     const ContactMotion& motion) {
  ContactState state = self.model.Touch(geometry, motion);
  if (self.impact_speed && state.touching) state.impact_speed = std::abs(*self.impact_speed);
  return state;
}

void CheckFinite(const StateArray& states) {
  for (const Field& field : StateFields()) {
    if (field.type != FieldType::kReal) continue;
    const std::size_t count = SizeOf(field.dims);
    for (std::size_t i = 0; i < states.size(); ++i) {
      const auto* const numbers = reinterpret_cast<const double*>(
          reinterpret_cast<const char*>(states.data() + i) + field.offset);
      if (std::all_of(numbers, numbers + count, [](double x) { return std::isfinite(x); }))
        continue;
      throw InvalidInput(std::string("state.") + field.name + Place(i, states.shape()) +
                         " is not finite (state has shape " + Text(states.shape()) +
                         "); set it to finite numbers, 0 for a new contact");
    }
  }
}

// One state for each contact, fresh where none are given.
StateArray StatesFor(const MetricsArray& metrics, const py::object& given) {
  if (given.is_none()) return NoContacts(metrics.shape());
  if (!py::isinstance<StateArray>(given)) {
    throw py::type_error("state: a ContactState or None is needed");
  }
  const StateArray& states = given.cast<const StateArray&>();
  if (states.shape() != metrics.shape()) {
    throw InvalidInput("state has shape " + Text(states.shape()) + "; the metrics have " +
                       Text(metrics.shape()));
  }
  CheckFinite(states);
  StateArray copy(states.shape());
  std::copy(states.data(), states.data() + states.size(), copy.data());
  return copy;
}

StateArray Touch(const LawsOfFile& self, const MetricsArray& metrics, py::handle X_WA,
                 py::handle V_WA, py::handle X_WB, py::handle V_WB, const py::object& given) {
  CheckLaw(self);
  const Contacts contacts(metrics, X_WA, V_WA, X_WB, V_WB);
  StateArray states = StatesFor(metrics, given);
  const py::gil_scoped_release release;
  for (std::size_t i = 0; i < states.size(); ++i) {
    ContactState state = ContactStateOf(states.data()[i]);
    const ContactGeometry geometry = GeometryAt(self, metrics, i, state);
    if (!geometry.touching) {
      state = {};
    } else if (!state.touching) {
      state = Touched(self, geometry, contacts.MotionOf(geometry, i));
    } else {
      ContactModel::Transport(geometry.normal_W, &state);
    }
    SetState(state, states.data() + i);
  }
  return states;
}

std::vector<PressureSample> PressureFor(const LawsOfFile& self, const Pair* pair,
                                        const Contacts& contacts, const ContactGeometry& geometry,
                                        const ContactMotion& motion, std::size_t i) {
  if (!self.model.Needs().pressure || !geometry.touching) return {};
  QueryOptions options;
  options.tolerance = contacts.metrics.data()[i].tolerance;
  return SlidingPressure(pair->prepared, contacts.X_WA[i], contacts.X_WB[i], geometry,
                         self.model.SlidingVelocity(geometry, motion), motion.spin, options);
}

// As Python's filters have it, at the caller of a method of ContactModel.
void Warn(const std::string& text) {
  if (PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 2) != 0) throw py::error_already_set();
}

// Looks at one contact that touches, because a look costs queries.
void WarnOfDirection(const Contacts& contacts, const ForceArray& forces) {
  if (contacts.metrics.pair == nullptr) return;
  std::string fault;
  {
    const py::gil_scoped_release release;
    std::size_t i = 0;
    while (i < forces.size() && !forces.data()[i].touching) ++i;
    if (i == forces.size()) return;
    fault = contacts.metrics.pair->watch->FaultAt(contacts.X_WA[i], contacts.X_WB[i]);
  }
  if (!fault.empty()) Warn(fault + "; see ContactModel.wrench, pair.patches and ContactSteps");
}

void EvaluateAll(const LawsOfFile& self, const Contacts& contacts, const StateArray& states,
                 const Pair* pair, ForceArray* forces) {
  const py::gil_scoped_release release;
  for (std::size_t i = 0; i < forces->size(); ++i) {
    ContactState state = ContactStateOf(states.data()[i]);
    const ContactGeometry geometry = GeometryAt(self, contacts.metrics, i, state);
    const ContactMotion motion =
        geometry.touching ? contacts.MotionOf(geometry, i) : ContactMotion();
    if (geometry.touching && !state.touching) state = Touched(self, geometry, motion);
    const ContactForce force = self.model.Evaluate(
        geometry, motion, state, PressureFor(self, pair, contacts, geometry, motion, i));
    SetForce(force, geometry.touching, forces->data() + i);
  }
}

ForceArray Evaluate(const LawsOfFile& self, const MetricsArray& metrics, py::handle X_WA,
                    py::handle V_WA, py::handle X_WB, py::handle V_WB, const py::object& given,
                    const Pair* pair) {
  CheckLaw(self);
  const Contacts contacts(metrics, X_WA, V_WA, X_WB, V_WB);
  const StateArray states = StatesFor(metrics, given);
  if (self.model.Needs().pressure && pair == nullptr) {
    throw InvalidInput(
        "pair is missing: patch_coulomb friction samples the overlap; give the "
        "PreparedPair that the metrics came from");
  }
  ForceArray forces(metrics.shape());
  EvaluateAll(self, contacts, states, pair, &forces);
  WarnOfDirection(contacts, forces);
  return forces;
}

// Into so many sectors; 0: none; without a number where it goes around a body.
std::shared_ptr<const DividedPair> DividedAs(const std::optional<int>& sectors, const Pair& pair,
                                             const PosePair& poses) {
  const auto made = [&](const ContactDivision& division) {
    return std::make_shared<const DividedPair>(pair.A, pair.B, division);
  };
  if (!sectors) {
    DivisionState state;
    const DivisionFinder& finder = pair.watch->finder();
    return finder.Follow(poses.X_WA, poses.X_WB, true, &state) ? finder.Pair(state.number)
                                                               : made({});
  }
  if (*sectors == 0) return made({});
  return made(ChooseDivision({DivisionChoice::Kind::kSectors, *sectors, {}}, pair.A, pair.B,
                             poses.X_WA, poses.X_WB));
}

// The force of a divided contact that begins now, and its torque about A's origin.
py::array_t<double> Wrench(const LawsOfFile& self, const Pair& pair, py::handle pose_A,
                           py::handle twist_A, py::handle pose_B, py::handle twist_B,
                           const std::optional<int>& sectors) {
  CheckLaw(self);
  const MetricsArray one({}, false);
  const Contacts contacts(one, pose_A, twist_A, pose_B, twist_B);
  const PairInstant instant{
      {contacts.X_WA[0], contacts.X_WB[0]}, contacts.V_WA[0].Value(), contacts.V_WB[0].Value(), {}};
  std::vector<ContactForce> forces;
  bool converged = true;
  {
    const py::gil_scoped_release release;
    const std::shared_ptr<const DividedPair> divided = DividedAs(sectors, pair, instant.poses);
    for (const ForceAnswer& piece :
         ForcesOfPieces(self.model.parameters(), *divided, instant, {}, self.impact_speed)) {
      forces.push_back(piece.force);
      converged = converged && piece.converged;
    }
  }
  if (!converged) Warn("wrench: the overlap did not reach the tolerance of a query");
  const ContactForce sum = SumOf(forces);
  const Eigen::Vector3d arm = sum.point_W - instant.poses.X_WA.t;
  py::array_t<double> wrench(6);
  Copy(sum.force_W, wrench.mutable_data());
  Copy(Eigen::Vector3d(sum.torque_W + arm.cross(sum.force_W)), wrench.mutable_data() + 3);
  return wrench;
}

void BindStates(py::module_* module) {
  py::class_<StateArray> state(*module, "ContactState",
                               "States of contacts by field; arrays may be written to.");
  BindRecords(&state, StateFields());
  state.def(py::init([](const Extents& shape) { return NoContacts(shape); }),
            py::arg("shape") = py::tuple(), "Contacts that have not begun, of the given shape.");
  py::class_<ForceArray> force(*module, "ContactForce",
                               "What contacts do to A, the rates of their states, and the powers "
                               "they take from the motion, by field.");
  BindRecords(&force, ForceFields());
}

}  // namespace

void BindContacts(py::module_* module) {
  BindStates(module);
  py::class_<LawsOfFile, std::shared_ptr<LawsOfFile>>(*module, "_ContactModel")
      .def(py::init(&MakeModel), py::arg("text"), py::arg("origin"))
      .def("touch", &Touch)
      .def("evaluate", &Evaluate)
      .def("wrench", &Wrench);
}

}  // namespace volcontact::python
