// A wheel turns a nut up a bolt: two meshes whose threads touch all around, in a MuJoCo model.
//
//   mujoco_nut ../../data/mujoco/nut_on_bolt.xml 1
//
//   find_package(volcontact 0.3 CONFIG REQUIRED COMPONENTS mujoco)
//   add_executable(mujoco_nut mujoco_nut.cc)
//   target_link_libraries(mujoco_nut PRIVATE volcontact::mujoco)
#include <mujoco/mujoco.h>
#include <volcontact/mujoco/mujoco_contacts.h>
#include <volcontact/volcontact.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <stdexcept>

namespace {

constexpr double kPitch = 0.0025;  // [m]
constexpr int kRows = 50;

// Prints how far the nut has come, and the mean torque and lift since the row before. The greatest
// distance from the thread's helix [m].
double Turn(const mjModel* model, mjData* data, const std::filesystem::path& folder,
            double duration) {
  if (model->nkey == 0 || model->nu != 1 || model->nv != 6) {
    throw std::runtime_error("the model must have one free body, one actuator and a keyframe");
  }
  const volcontact::MujocoContacts contacts(model, volcontact::ReadMujocoContacts(model, folder));
  mj_resetDataKeyframe(model, data, 0);
  const double start = data->qpos[2], step = model->opt.timestep;
  double turns = 0.0, greatest = 0.0;
  std::printf("t,turns,height,from_helix,tilt,torque,lift,dissipated\n");
  for (int row = 1; row <= kRows; ++row) {
    double torque = 0.0, lift = 0.0, lost = 0.0;
    int steps = 0;
    for (; data->time < duration * row / kRows; ++steps) {
      mj_step(model, data);
      turns += data->qvel[5] * step / (2.0 * std::acos(-1.0));
      torque += data->actuator_force[0];
      for (int i = 0; i < contacts.NumContacts(); ++i) {
        lift += contacts.Last(i, data).Total().force_W.z();
      }
    }
    if (steps == 0) continue;  // rows closer than steps
    for (int i = 0; i < contacts.NumContacts(); ++i) {
      lost += contacts.Last(i, data).energies.Dissipated();
    }
    const double height = data->qpos[2] - start, off = height - kPitch * turns;
    const double tilt = std::hypot(data->xmat[9 + 2], data->xmat[9 + 5]);
    greatest = std::fmax(greatest, std::fabs(off));
    std::printf("%.4f,%.5f,%.7f,%.3g,%.3g,%.6f,%.4f,%.6f\n", data->time, turns, height, off, tilt,
                torque / steps, lift / steps, lost);
  }
  return greatest;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 || std::atof(argv[2]) <= 0.0) {
    std::fprintf(stderr, "usage: mujoco_nut nut_on_bolt.xml SECONDS\n");
    return 2;
  }
  char error[1000] = "";
  mjModel* const model = mj_loadXML(argv[1], nullptr, error, sizeof error);
  if (model == nullptr) {
    std::fprintf(stderr, "%s\n", error);
    return 2;
  }
  mjData* const data = mj_makeData(model);
  int status = 0;
  try {
    const auto folder = std::filesystem::path(argv[1]).parent_path();
    status = Turn(model, data, folder, std::atof(argv[2])) < 5e-6 ? 0 : 1;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    status = 2;
  }
  mj_deleteData(data);
  mj_deleteModel(model);
  return status;
}
