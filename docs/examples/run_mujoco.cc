// Runs a MuJoCo model with the contacts that it names itself, and prints a table of its motion.
//
//   run_mujoco ../../data/mujoco/ball_in_cup.xml 2
//
//   find_package(volcontact 0.3 CONFIG REQUIRED COMPONENTS mujoco)
//   add_executable(run_mujoco run_mujoco.cc)
//   target_link_libraries(run_mujoco PRIVATE volcontact::mujoco)
#include <mujoco/mujoco.h>
#include <volcontact/mujoco/mujoco_contacts.h>
#include <volcontact/volcontact.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>

namespace {

// The last body's place, and what the first contact does, a hundred times; from the first keyframe.
void Run(const mjModel* model, mjData* data, const std::filesystem::path& folder, double duration) {
  const volcontact::MujocoContacts contacts(model, volcontact::ReadMujocoContacts(model, folder));
  if (model->nkey > 0) mj_resetDataKeyframe(model, data, 0);
  const mjtNum* const place = data->xpos + 3 * (model->nbody - 1);
  std::printf("t,x,y,z,volume,fn,ft,elastic,dissipated\n");
  for (int row = 1; row <= 100; ++row) {
    while (data->time < duration * row / 100) mj_step(model, data);
    mj_forward(model, data);
    const volcontact::MujocoContactMoment& now = contacts.Last(0, data);
    double volume = 0.0;
    for (const volcontact::MujocoPatch& patch : now.patches) volume += patch.geometry.volume;
    const volcontact::ContactForce force = now.Total();
    std::printf("%.4f,%.6f,%.6f,%.6f,%.4g,%.4g,%.4g,%.4g,%.4g\n", data->time, place[0], place[1],
                place[2], volume, force.normal_W.norm(), force.tangential_W.norm(),
                now.energies.elastic, now.energies.Dissipated());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: run_mujoco MODEL.xml SECONDS\n");
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
    Run(model, data, std::filesystem::path(argv[1]).parent_path(), std::atof(argv[2]));
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    status = 2;
  }
  mj_deleteData(data);
  mj_deleteModel(model);
  return status;
}
