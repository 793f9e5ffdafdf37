// Contacts of many geoms, named by patterns and subtrees.
#include <sstream>
#include <string>
#include <vector>

#include "mujoco/loaded_model.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::test {
namespace {

// A hand of two fingers with two geoms each, a ball and a table; one finger has a geom to look at
// only, and the ball is kept off one other.
constexpr char kHand[] = R"(<mujoco><worldbody>
  <geom name="table" type="plane" size="1 1 1"/>
  <body name="hand" pos="0 0 1"><joint type="slide"/><geom name="palm" type="box" size="0.1 0.1 0.01"/>
    <body name="finger_1"><joint type="hinge"/><geom name="f1_a" size="0.01"/><geom size="0.01" pos="0 0 0.1"/></body>
    <body name="finger_2"><joint type="hinge"/><geom name="f2_a" size="0.01"/>
      <geom name="look" size="0.02" contype="0" conaffinity="0"/></body></body>
  <body name="ball" pos="0 0 2"><freejoint/><geom name="ball" size="0.05"/></body>
  </worldbody><contact><exclude body1="finger_2" body2="ball"/></contact></mujoco>)";

std::vector<std::string> NamesOf(const std::vector<MujocoContactSpec>& specs,
                                 const char* expected) {
  const ModelPointer model = Loaded(kHand);
  const MujocoContacts contacts(model.get(), specs);
  std::vector<std::string> names;
  std::istringstream list(expected);
  for (std::string name; list >> name;) {
    EXPECT_NO_THROW(contacts.IndexOf(name)) << name;
    names.push_back(name);
  }
  EXPECT_EQ(contacts.NumContacts(), static_cast<int>(names.size()));
  return names;
}

TEST(MujocoPatterns, NameThePairsThatMayCollide) {
  MujocoContactSpec spec = BallOnFloor(1e8, 0.5);
  spec.a = {};
  spec.a.subtree = "hand";
  spec.b.geom = "ball";
  NamesOf({spec}, "c/palm/ball c/f1_a/ball c/finger_1.1/ball");
  spec.a = {.geom = "f?_*", .body = ""};
  spec.b.geom = "*l*";
  // A finger's parent is not asked, nor what is excluded.
  NamesOf({spec}, "c/f1_a/ball c/f1_a/table c/f2_a/table");
  spec.a = {.geom = "", .body = "finger*"};
  MujocoContactSpec own = BallOnFloor(1e7, 0.5);
  own.name = "own";
  own.a.geom = "f1_a";
  own.b.geom = "ball";
  spec.b.geom = "ball";
  NamesOf({spec, own}, "own c/finger_1.1/ball");
  spec.a = {.geom = "*", .body = ""};
  spec.b.geom = "*";
  NamesOf({spec},
          "c/table/palm c/table/f1_a c/table/finger_1.1 c/table/f2_a c/table/ball c/palm/ball "
          "c/f1_a/f2_a c/f1_a/ball c/finger_1.1/f2_a c/finger_1.1/ball");
}

// A brick one face of which is missing, as scans have it.
TEST(MujocoMeshes, AreMendedOnRequest) {
  const ModelPointer model = Loaded(R"(<mujoco><asset>
    <mesh name="brick" vertex="0 0 0  .4 0 0  0 .2 0  .4 .2 0  0 0 .1  .4 0 .1  0 .2 .1  .4 .2 .1"
      face="0 2 1  1 2 3  4 5 6  5 7 6  0 1 4  1 5 4  2 6 3  3 6 7  0 4 2  2 4 6  1 3 5"/></asset><worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body name="brick" pos="0 0 -0.001"><freejoint/><geom name="brick" type="mesh" mesh="brick"/></body>
    </worldbody></mujoco>)");
  MujocoContactSpec spec = BallOnFloor(1e8, 0.5);
  spec.a.geom = "brick";
  ExpectSays(Refusal(model, {spec}), "\"repair\": true");
  spec.repair_meshes = true;
  const MujocoContacts contacts(model.get(), {spec});
  ASSERT_EQ(contacts.Notes().size(), 1u);
  ExpectSays(contacts.Notes()[0], "geom \"brick\": ");
  const DataPointer data = DataOf(model);
  mj_forward(model.get(), data.get());
  // Vertices are floats.
  const MujocoContactMoment& now = contacts.Last(0, data.get());
  ASSERT_EQ(now.patches.size(), 1u);
  EXPECT_NEAR(now.patches[0].geometry.volume, 0.4 * 0.2 * 0.001, 1e-3 * 0.4 * 0.2 * 0.001);
}

TEST(MujocoPatterns, WhatIsWrongIsNamed) {
  const ModelPointer model = Loaded(kHand);
  MujocoContactSpec spec = BallOnFloor(1e8, 0.5);
  spec.a.geom = "thumb*";
  ExpectSays(Refusal(model, {spec}), "no geom that \"thumb*\" names");
  spec.a.geom = "";
  spec.a.subtree = "arm";
  ExpectSays(Refusal(model, {spec}), "no body \"arm\"");
  spec.a.subtree = "hand";
  spec.a.solid = Sphere(0.1);
  ExpectSays(Refusal(model, {spec}), "a solid replaces one shape");
  spec.a.solid.reset();
  spec.b.geom = "look";
  ExpectSays(Refusal(model, {spec}), "lets none of its pairs of geoms collide");
}

}  // namespace
}  // namespace volcontact::test
