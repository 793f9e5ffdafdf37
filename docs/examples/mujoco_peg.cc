// A peg is pressed into a hole with a clearance of 10 µm: volumetric contact in a MuJoCo model,
// whose own contacts know convex shapes only and no hole.
//
//   find_package(volcontact 0.2 CONFIG REQUIRED COMPONENTS mujoco)
//   add_executable(mujoco_peg mujoco_peg.cc)
//   target_link_libraries(mujoco_peg PRIVATE volcontact::mujoco)
#include <mujoco/mujoco.h>
#include <volcontact/mujoco/mujoco_contacts.h>
#include <volcontact/volcontact.h>

#include <cmath>
#include <cstdio>

namespace {

// A peg of 20 mm by 60 mm that hangs in a compliant wrist, 45 N heavy on it, 0.1 mm beside the hole
// and askew by 2 mrad, and a plate. Lengths in metres.
constexpr char kModel[] = "peg.xml";
constexpr char kXml[] = R"(<mujoco>
  <option timestep="0.0001" gravity="0 0 0"/>
  <worldbody>
    <body name="plate" pos="0 0 0"><geom name="plate" type="box" size="0.04 0.04 0.015"/></body>
    <body name="peg" pos="0.0001 0 0.0453" euler="0 0.1146 0">
      <joint name="x" type="slide" axis="1 0 0" stiffness="2000" damping="40"/>
      <joint name="y" type="slide" axis="0 1 0" stiffness="2000" damping="40"/>
      <joint name="z" type="slide" axis="0 0 1" damping="400"/>
      <joint name="rx" type="hinge" axis="1 0 0" stiffness="20" damping="0.4"/>
      <joint name="ry" type="hinge" axis="0 1 0" stiffness="20" damping="0.4"/>
      <geom name="peg" type="cylinder" size="0.00999 0.03" mass="0.15"/>
    </body>
  </worldbody>
</mujoco>)";

}  // namespace

int main() { return 0; }
