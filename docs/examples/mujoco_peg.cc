// A peg is pressed into a hole that is 10 µm wider all around: volumetric contact in a MuJoCo
// model, whose own contacts are of convex shapes and know no hole.
//
//   find_package(volcontact 0.3 CONFIG REQUIRED COMPONENTS mujoco)
//   add_executable(mujoco_peg mujoco_peg.cc)
//   target_link_libraries(mujoco_peg PRIVATE volcontact::mujoco)
#include <mujoco/mujoco.h>
#include <volcontact/mujoco/mujoco_contacts.h>
#include <volcontact/volcontact.h>

#include <cstdio>
#include <cstring>
#include <memory>

namespace {

// The peg hangs in a compliant wrist, with its tip 2 mm in the hole and askew by 3 mrad. [m, kg, s]
constexpr char kXml[] = R"(<mujoco>
  <option timestep="0.0001" gravity="0 0 0"/>
  <worldbody>
    <body name="plate"><geom name="plate" type="box" size="0.04 0.04 0.015"/></body>
    <body name="peg" pos="0.00009 0 0.043" euler="0 0.1719 0">
      <joint name="x" type="slide" axis="1 0 0" stiffness="2000" damping="40"/>
      <joint name="y" type="slide" axis="0 1 0" stiffness="2000" damping="40"/>
      <joint name="z" type="slide" axis="0 0 1" damping="200"/>
      <joint name="rx" type="hinge" axis="1 0 0" stiffness="20" damping="0.2"/>
      <joint name="ry" type="hinge" axis="0 1 0" stiffness="20" damping="0.2"/>
      <geom name="peg" type="cylinder" size="0.00999 0.03" mass="0.15"/>
    </body>
  </worldbody>
</mujoco>)";

// With a bore of 20 mm, in the plate's frame.
volcontact::Solid Plate() {
  using namespace volcontact;
  return Difference(Box({0.08, 0.08, 0.03}), {Cylinder(0.01, 0.04)});
}

volcontact::MujocoContactSpec PegInHole() {
  volcontact::VolumetricNormal normal;
  normal.stiffness_a = 1e11;  // [N/m³]
  normal.damping.restitution = 0.3;
  normal.damping.v_small = 0.2;
  volcontact::MujocoContactSpec spec;
  spec.name = "fit";
  spec.a.geom = "peg";
  spec.b.body = "plate";
  spec.b.solid = Plate();
  spec.parameters.normal = normal;
  spec.parameters.friction = volcontact::CoulombFriction{0.1, 1e-3};
  spec.most_patches = 8;  // walls that push against each other are contacts of their own
  return spec;
}

}  // namespace

int main() {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "peg.xml", sizeof kXml - 1);
  std::memcpy(files->filedata[0], kXml, sizeof kXml - 1);
  char error[1000] = "";
  mjModel* const model = mj_loadXML("peg.xml", files.get(), error, sizeof error);
  mj_deleteVFS(files.get());
  if (model == nullptr) {
    std::fprintf(stderr, "%s\n", error);
    return 1;
  }
  mjData* const data = mj_makeData(model);
  double depth = 0.0;
  {
    const volcontact::MujocoContacts contacts(model, {PegInHole()});
    const int peg = mj_name2id(model, mjOBJ_BODY, "peg");
    for (int step = 0; step < 500; ++step) {
      data->qfrc_applied[2] = -45.0;  // [N]
      mj_step(model, data);
      if (step % 50 != 49) continue;
      const volcontact::MujocoContactMoment& now = contacts.Last(0, data);
      depth = 0.045 - data->xpos[3 * peg + 2];
      std::printf("t = %.3f s  %5.2f mm deep  askew %5.3f mrad  %zu walls  friction %5.2f N\n",
                  data->time, 1e3 * depth, 1e3 * data->xmat[9 * peg + 2], now.patches.size(),
                  now.Total().force_W.z());
    }
  }
  mj_deleteData(data);
  mj_deleteModel(model);
  return depth > 0.01 ? 0 : 1;
}
