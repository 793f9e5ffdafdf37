#include "scenario/simulation/columns.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "scenario/energy_columns.h"
#include "scenario/simulation/sensors.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

using Eigen::Vector3d;

void Append(std::vector<double>* row, const SimTK::Vec3& v) {
  row->insert(row->end(), {v[0], v[1], v[2]});
}

void Append(std::vector<double>* row, const Vector3d& v) {
  row->insert(row->end(), v.data(), v.data() + 3);
}

void AppendBody(const SimTK::MobilizedBody& body, const SimTK::State& state,
                std::vector<double>* row) {
  const SimTK::Transform& X = body.getBodyTransform(state);
  const SimTK::Quaternion q = X.R().convertRotationToQuaternion();
  Append(row, X.p());
  row->insert(row->end(), {q[0], q[1], q[2], q[3]});
  const SimTK::SpatialVec& V = body.getBodyVelocity(state);
  Append(row, V[1]);
  Append(row, V[0]);
}

// What a contact with several cells shows: sums of volumes and forces, the torque about their mean
// point, the largest depth and impact speed, and the motion and state of the pair that leads.
struct ContactSummary {
  int touching = 0, touch_count = 0;
  double volume = 0.0, depth = 0.0, fn = 0.0, ft = 0.0, rolling = 0.0, spinning = 0.0;
  double impact_speed = 0.0;
  Vector3d point = Vector3d::Zero(), normal = Vector3d::Zero();
  Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();
  ContactEvaluation leading;  // the one with the largest normal force
  bool converged = true;
};

ContactSummary Summarize(const ModelContact& contact, const SimTK::State& state) {
  ContactSummary sum;
  std::vector<ContactEvaluation> touching;
  for (const SimbodyContact& element : contact.elements) {
    sum.touch_count += element.TouchCount(state);
    sum.converged = sum.converged && element.Evaluate(state).converged;
    for (const ContactEvaluation& now : element.EvaluatePatches(state)) touching.push_back(now);
  }
  sum.touching = static_cast<int>(touching.size());
  double weights = 0.0, largest = -1.0;
  for (const ContactEvaluation& now : touching) {
    const double fn = now.force.normal_W.norm();
    const double weight = std::max(fn, 1e-300);
    weights += weight;
    sum.point += weight * now.force.point_W;
    sum.normal += weight * now.geometry.normal_W;
    sum.volume += now.geometry.volume;
    sum.depth = std::max(sum.depth, now.geometry.depth);
    sum.fn += fn;
    sum.ft += now.force.tangential_W.norm();
    sum.rolling += now.force.rolling_W.norm();
    sum.spinning += now.force.spinning_W.dot(now.geometry.normal_W);
    sum.force += now.force.force_W;
    sum.impact_speed = std::max(sum.impact_speed, now.state.impact_speed);
    if (fn > largest) {
      largest = fn;
      sum.leading = now;
    }
  }
  if (touching.empty()) return sum;
  sum.point /= weights;
  sum.normal.normalize();
  for (const ContactEvaluation& now : touching) {
    sum.torque += now.force.torque_W + (now.force.point_W - sum.point).cross(now.force.force_W);
  }
  return sum;
}

const std::vector<const char*> kContactColumns = {
    "touching", "touches", "volume",  "depth",    "px",         "py",           "pz",   "nx",
    "ny",       "nz",      "fx",      "fy",       "fz",         "tx",           "ty",   "tz",
    "fn",       "ft",      "rolling", "spinning", "vn",         "vt",           "wn",   "zx",
    "zy",       "zz",      "theta",   "s_dw",     "relaxation", "impact_speed", "cells"};

void AppendContact(const ContactSummary& sum, std::vector<double>* row) {
  row->insert(row->end(), {sum.touching > 0 ? 1.0 : 0.0, static_cast<double>(sum.touch_count),
                           sum.volume, sum.depth});
  Append(row, sum.point);
  Append(row, sum.normal);
  Append(row, sum.force);
  Append(row, sum.torque);
  const ContactMotion& motion = sum.leading.motion;
  row->insert(row->end(), {sum.fn, sum.ft, sum.rolling, sum.spinning, motion.normal_speed,
                           motion.tangential_velocity_W.norm(), motion.spin});
  const ContactState& state = sum.leading.state;
  Append(row, state.friction.deflection_W);
  row->insert(row->end(), {state.friction.twist, state.friction.dwell, state.relaxation,
                           sum.impact_speed, static_cast<double>(sum.touching)});
}

// Where a contact asks for it: what its springs hold in this state, and so what its elastic force
// has made beside, where it has no potential.
void BookElasticWork(const Scenario& scenario, const Model& model, const SimTK::State& state,
                     ContactEnergies* sum) {
  for (std::size_t i = 0; i < model.contacts.size(); ++i) {
    if (!scenario.contacts[i].books_at_outputs) continue;
    for (const SimbodyContact& element : model.contacts[i].elements) {
      const double made = element.StoredEnergy(state) - element.Energies(state).elastic;
      sum->elastic += made;
      sum->made += made;
    }
  }
}

}  // namespace

EnergyLedger LedgerOf(const Model& model, const SimTK::State& state) {
  EnergyLedger ledger;
  ContactEnergies& sum = ledger.contacts;
  for (const ModelContact& contact : model.contacts) {
    for (const SimbodyContact& element : contact.elements) sum += element.Energies(state);
  }
  ledger.kinetic = model.matter.calcKineticEnergy(state);
  ledger.potential = model.system.calcPotentialEnergy(state) -
                     (sum.elastic + sum.bristle_elastic + sum.spin_elastic);
  ledger.joint_loss = model.external->JointLoss(state);
  ledger.work = model.external->Work(state);
  return ledger;
}

std::vector<std::string> ColumnNames(const Scenario& scenario) {
  std::vector<std::string> names = {"t"};
  for (const BodySpec& body : scenario.bodies) {
    if (body.fixed) continue;
    for (const char* column :
         {"x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"}) {
      names.push_back(body.name + "." + column);
    }
  }
  for (const ContactSpec& contact : scenario.contacts) {
    for (const char* column : kContactColumns) names.push_back(contact.name + "." + column);
  }
  const std::vector<std::string> sensors = SensorColumns(scenario);
  names.insert(names.end(), sensors.begin(), sensors.end());
  for (const char* column : kEnergyColumns) {
    names.push_back(std::string("energy.") + column);
  }
  return names;
}

std::vector<double> ColumnValues(const Scenario& scenario, const Model& model,
                                 const SimTK::State& state, double initial_balance,
                                 long* unconverged) {
  std::vector<double> row = {state.getTime()};
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (!scenario.bodies[i].fixed) AppendBody(model.bodies[i], state, &row);
  }
  bool converged = true;
  for (const ModelContact& contact : model.contacts) {
    const ContactSummary sum = Summarize(contact, state);
    converged = converged && sum.converged;
    AppendContact(sum, &row);
  }
  if (!converged) ++*unconverged;
  AppendSensors(scenario, model, state, &row);
  EnergyLedger ledger = LedgerOf(model, state);
  BookElasticWork(scenario, model, state, &ledger.contacts);
  const ContactEnergies& e = ledger.contacts;
  row.insert(row.end(),
             {ledger.kinetic, ledger.potential, e.elastic + e.bristle_elastic + e.spin_elastic,
              e.normal_damping, e.rolling, e.bristle, e.viscous, e.spin, e.clutch, e.lost,
              ledger.joint_loss, e.made, ledger.work, ledger.Balance() - initial_balance});
  return row;
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
