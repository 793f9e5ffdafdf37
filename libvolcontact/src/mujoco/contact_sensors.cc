#include "mujoco/contact_sensors.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>

#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {
namespace {

using Eigen::Vector3d;

// What is shown of a moment: three numbers, of which scalars use the first.
struct ShownQuantity {
  const char* name;
  int dimension;
  Vector3d (*value)(const MujocoContactMoment& moment, const Vector3d& origin_A);
};

Vector3d Scalar(double value) { return {value, 0.0, 0.0}; }

double Volume(const MujocoContactMoment& moment) {
  double volume = 0.0;
  for (const MujocoPatch& patch : moment.patches) volume += patch.geometry.volume;
  return volume;
}

Vector3d LeadingNormal(const MujocoContactMoment& moment) {
  const auto leading = std::max_element(
      moment.patches.begin(), moment.patches.end(), [](const MujocoPatch& a, const MujocoPatch& b) {
        return a.force.normal_W.squaredNorm() < b.force.normal_W.squaredNorm();
      });
  return leading == moment.patches.end() ? Vector3d(Vector3d::Zero()) : leading->geometry.normal_W;
}

double SumOf(const MujocoContactMoment& moment, Vector3d ContactForce::*force) {
  double sum = 0.0;
  for (const MujocoPatch& patch : moment.patches) sum += (patch.force.*force).norm();
  return sum;
}

const std::array<ShownQuantity, 11> kQuantities = {{
    {"force", 3, [](const MujocoContactMoment& m, const Vector3d&) { return m.Total().force_W; }},
    {"torque", 3,
     [](const MujocoContactMoment& m, const Vector3d& origin_A) {
       const ContactForce total = m.Total();
       return Vector3d(total.torque_W + (total.point_W - origin_A).cross(total.force_W));
     }},
    {"point", 3, [](const MujocoContactMoment& m, const Vector3d&) { return m.Total().point_W; }},
    {"normal", 3, [](const MujocoContactMoment& m, const Vector3d&) { return LeadingNormal(m); }},
    {"volume", 1, [](const MujocoContactMoment& m, const Vector3d&) { return Scalar(Volume(m)); }},
    {"fn", 1,
     [](const MujocoContactMoment& m, const Vector3d&) {
       return Scalar(SumOf(m, &ContactForce::normal_W));
     }},
    {"ft", 1,
     [](const MujocoContactMoment& m, const Vector3d&) {
       return Scalar(SumOf(m, &ContactForce::tangential_W));
     }},
    {"patches", 1,
     [](const MujocoContactMoment& m, const Vector3d&) {
       return Scalar(static_cast<double>(m.patches.size()));
     }},
    {"touches", 1,
     [](const MujocoContactMoment& m, const Vector3d&) {
       return Scalar(static_cast<double>(m.touches));
     }},
    {"elastic", 1,
     [](const MujocoContactMoment& m, const Vector3d&) {
       return Scalar(m.energies.elastic + m.energies.bristle_elastic + m.energies.spin_elastic);
     }},
    {"dissipated", 1,
     [](const MujocoContactMoment& m, const Vector3d&) {
       return Scalar(m.energies.Dissipated() + m.energies.lost);
     }},
}};

int QuantityOf(const std::string& sensor, const std::string& name) {
  std::string known;
  for (std::size_t i = 0; i < kQuantities.size(); ++i) {
    if (name == kQuantities[i].name) return static_cast<int>(i);
    known += (known.empty() ? "" : ", ") + std::string(kQuantities[i].name);
  }
  throw InvalidInput(
      fmt::format("sensor \"{}\": a contact has no \"{}\"; it has {}", sensor, name, known));
}

ContactSensor Checked(const mjModel* model, int id, const std::string& name,
                      const std::string& quantity) {
  ContactSensor sensor;
  sensor.quantity = QuantityOf(name, quantity);
  sensor.address = model->sensor_adr[id];
  sensor.stage = model->sensor_needstage[id];
  const int dimension = kQuantities[static_cast<std::size_t>(sensor.quantity)].dimension;
  if (model->sensor_dim[id] != dimension) {
    throw InvalidInput(fmt::format("sensor \"{}\" has dim=\"{}\"; it must be {}", name,
                                   model->sensor_dim[id], dimension));
  }
  if (sensor.stage != mjSTAGE_VEL && sensor.stage != mjSTAGE_ACC) {
    throw InvalidInput(
        fmt::format("sensor \"{}\" asks for a stage at which there are no forces yet; give it "
                    "needstage=\"vel\" or \"acc\"",
                    name));
  }
  return sensor;
}

}  // namespace

std::vector<ContactSensor> FindSensors(const mjModel* model,
                                       const std::vector<std::string>& names) {
  std::vector<ContactSensor> sensors;
  for (int id = 0; id < model->nsensor; ++id) {
    if (model->sensor_type[id] != mjSENS_USER) continue;
    const char* const text = mj_id2name(model, mjOBJ_SENSOR, id);
    const std::string name = text == nullptr ? "" : text;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string start = names[i] + ".";
      if (name.compare(0, start.size(), start) != 0) continue;
      sensors.push_back(Checked(model, id, name, name.substr(start.size())));
      sensors.back().contact = static_cast<int>(i);
      break;
    }
  }
  return sensors;
}

void Fill(const ContactSensor& sensor, const MujocoContactMoment& moment, const mjtNum* origin_A,
          mjtNum* sensordata) {
  const ShownQuantity& quantity = kQuantities[static_cast<std::size_t>(sensor.quantity)];
  const Vector3d value = quantity.value(moment, Eigen::Map<const Vector3d>(origin_A));
  std::copy_n(value.data(), quantity.dimension, sensordata + sensor.address);
}

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
