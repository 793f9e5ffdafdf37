// What contacts take from a model, and what they refuse.
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "mujoco/loaded_model.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::test {
namespace {

using Eigen::Vector3d;

// Off the middle and askew: MuJoCo puts a mesh's frame into its centre and principal axes.
constexpr char kShapes[] = R"(<mujoco><asset>
  <mesh name="brick" vertex="1 2 3  1.4 2 3  1 2.2 3  1.4 2.2 3  1 2 3.1  1.4 2 3.1  1 2.2 3.1  1.4 2.2 3.1"
    face="0 2 1  1 2 3  4 5 6  5 7 6  0 1 4  1 5 4  2 6 3  3 6 7  0 4 2  2 4 6  1 3 5  3 7 5"/>
  <hfield name="hills" nrow="2" ncol="2" size="1 1 1 1"/></asset><worldbody>
  <geom name="floor" type="plane" size="1 1 1" pos="0 0 0.2" euler="30 0 0"/>
  <geom name="hills" type="hfield" hfield="hills"/>
  <body name="things" pos="0 0 5"><freejoint/>
  <geom name="sphere" type="sphere" size="0.3" pos="1 0 0"/>
  <geom name="capsule" type="capsule" size="0.1 0.4" pos="0 1 0" euler="10 20 30"/>
  <geom name="ellipsoid" type="ellipsoid" size="0.1 0.2 0.3"/>
  <geom name="cylinder" type="cylinder" size="0.2 0.5" euler="0 40 0"/>
  <geom name="box" type="box" size="0.1 0.2 0.3" pos="0 0 2"/>
  <geom name="brick" type="mesh" mesh="brick" pos="0.5 0 0" euler="0 0 90"/>
  <geom type="sphere" size="0.3"/>
  </body></worldbody></mujoco>)";

int GeomNamed(const ModelPointer& model, const char* name) {
  return mj_name2id(model.get(), mjOBJ_GEOM, name);
}

TEST(MujocoShapes, AreThoseOfTheModel) {
  const ModelPointer model = Loaded(kShapes);
  struct Case {
    const char* name;
    double volume;
    Vector3d centroid;
  };
  const double pi = std::acos(-1.0);
  const Case cases[] = {
      {"sphere", 4.0 / 3.0 * pi * 0.027, {1, 0, 0}},
      {"capsule", pi * 0.01 * 0.8 + 4.0 / 3.0 * pi * 0.001, {0, 1, 0}},
      {"ellipsoid", 4.0 / 3.0 * pi * 0.006, {0, 0, 0}},
      {"cylinder", pi * 0.04, {0, 0, 0}},
      {"box", 8 * 0.006, {0, 0, 2}},
      // The file's middle (1.2, 2.1, 3.05) turned by a quarter about z.
      {"brick", 0.4 * 0.2 * 0.1, {0.5 - 2.1, 1.2, 3.05}},
  };
  for (const Case& c : cases) {
    const MassProperties mass =
        ComputeMassProperties(SolidOfGeom(model.get(), GeomNamed(model, c.name)));
    // Vertices of meshes are floats.
    const double error = std::string(c.name) == "brick" ? 1e-6 : 1e-9;
    EXPECT_NEAR(mass.volume, c.volume, error * c.volume) << c.name;
    EXPECT_LT((mass.centroid_W - c.centroid).norm(), error * 4.0) << c.name;
  }
  const Solid floor = SolidOfGeom(model.get(), GeomNamed(model, "floor"));
  EXPECT_EQ(floor.Locate({0, 1, 0.7}), Membership::kInside);
  EXPECT_EQ(floor.Locate({0, 1, 0.8}), Membership::kOutside);
}

TEST(MujocoForces, AreThoseOfMuJoCosOwnJacobians) {
  // An arm of two links with a hinge and a ball joint, whose tip pushes a box on a slide. In a step
  // that follows the laws, or forces would be those at its end, from where the bodies are then.
  const ModelPointer model = Loaded(R"(<mujoco><option timestep="1e-6"/><worldbody>
    <body name="upper" pos="0 0 1"><joint type="hinge" axis="0 1 0"/><geom type="capsule" size="0.05 0.2"/>
    <body name="lower" pos="0 0 -0.4"><joint type="ball"/><geom type="capsule" size="0.05 0.2"/>
    <body name="hand" pos="0 0 -0.3" euler="20 0 0"><geom name="tip" type="ellipsoid" size="0.1 0.12 0.15"/></body>
    </body></body>
    <body name="cart" pos="0.03 0.02 0.12"><joint type="slide" axis="1 0 0"/><joint type="hinge" axis="0 0 1"/>
    <geom name="cart" type="box" size="0.2 0.2 0.1"/></body></worldbody></mujoco>)");
  MujocoContactSpec spec = BallOnFloor(1e6, 0.5);
  spec.a.geom = "tip";
  spec.b.geom = "cart";
  spec.parameters.friction = SomeBristles();
  MujocoContacts contacts(model.get(), {spec});
  const DataPointer data = DataOf(model);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  int touched = 0;
  for (int i = 0; i < 50; ++i) {
    for (int k = 0; k < model->nv; ++k) data->qvel[k] = 0.3 * number(random);
    mj_integratePos(model.get(), data->qpos, data->qvel, 0.1);
    contacts.Forget(data.get());
    mj_forward(model.get(), data.get());
    const MujocoContactMoment& now = contacts.Last(0, data.get());
    std::vector<mjtNum> expected(static_cast<std::size_t>(model->nv), 0.0);
    for (const MujocoPatch& patch : now.patches) {
      ++touched;
      for (const auto& [geom, sign] : {std::pair{"tip", 1.0}, std::pair{"cart", -1.0}}) {
        const Vector3d force = sign * patch.force.force_W, torque = sign * patch.force.torque_W;
        mj_applyFT(model.get(), data.get(), force.data(), torque.data(), patch.force.point_W.data(),
                   model->geom_bodyid[GeomNamed(model, geom)], expected.data());
      }
    }
    for (int k = 0; k < model->nv; ++k) {
      const double scale = 1e-12 * (1.0 + now.Total().force_W.norm());
      EXPECT_NEAR(data->qfrc_passive[k], expected[static_cast<std::size_t>(k)], scale) << k;
    }
  }
  EXPECT_GT(touched, 10);
}

// A second ball, not named, keeps MuJoCo's contacts, with contype and conaffinity as they are.
TEST(MujocoFilter, TakesOutTheNamedPairAlone) {
  const std::string other =
      "<body pos=\"1 0 0.099\"><freejoint/><geom size=\"0.1\"/></body>"
      "<body pos=\"2 0 0.099\"><freejoint/><geom size=\"0.1\" contype=\"0\" "
      "conaffinity=\"0\"/></body>";
  const ModelPointer model = Loaded(BallXml("", 0.1, 2.0, 0.099, other));
  const DataPointer data = DataOf(model);
  mj_forward(model.get(), data.get());
  EXPECT_EQ(data->ncon, 2);
  {
    const MujocoContacts contacts(model.get(), {BallOnFloor(1e8, 0.5)});
    mj_forward(model.get(), data.get());
    ASSERT_EQ(data->ncon, 1);
    EXPECT_EQ(model->geom_bodyid[data->contact[0].geom2], 2);
    EXPECT_GT(data->qfrc_passive[2], 0.0);
  }
  EXPECT_EQ(mjcb_passive, nullptr);
  EXPECT_EQ(mjcb_contactfilter, nullptr);
  EXPECT_EQ(mjcb_sensor, nullptr);
  mj_forward(model.get(), data.get());
  EXPECT_EQ(data->ncon, 2);
  EXPECT_EQ(data->qfrc_passive[2], 0.0);
}

int calls = 0;
void Count(const mjModel*, mjData*) { ++calls; }

TEST(MujocoCallbacks, OfOthersGoOn) {
  const ModelPointer model = Loaded(BallXml("", 0.1, 2.0, 0.099));
  const DataPointer data = DataOf(model);
  mjcb_passive = Count;
  for (const bool is_reset : {false, true}) {
    const MujocoContacts contacts(model.get(), {BallOnFloor(1e8, 0.5)});
    calls = 0;
    mj_forward(model.get(), data.get());
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(contacts.Last(0, data.get()).patches.size(), 1u);
    if (is_reset) mj_resetCallbacks();
  }
  // Those who reset them find contacts again when they are made again.
  const MujocoContacts contacts(model.get(), {BallOnFloor(1e8, 0.5)});
  mj_forward(model.get(), data.get());
  EXPECT_GT(data->qfrc_passive[2], 0.0);
}

TEST(MujocoSensors, ShowWhatTheContactsDo) {
  std::string xml = BallXml("timestep=\"0.001\"", 0.1, 2.0, 0.0999);
  xml.insert(xml.find("</mujoco>"),
             "<sensor><user datatype=\"real\" objtype=\"body\" objname=\"ball\" name=\"c.force\" "
             "dim=\"3\" "
             "needstage=\"vel\"/>"
             "<user datatype=\"real\" objtype=\"body\" objname=\"ball\" name=\"c.torque\" "
             "dim=\"3\" needstage=\"acc\"/>"
             "<user datatype=\"real\" objtype=\"body\" objname=\"ball\" name=\"c.volume\" "
             "dim=\"1\" needstage=\"vel\"/>"
             "<user datatype=\"real\" objtype=\"body\" objname=\"ball\" name=\"mine\" dim=\"1\" "
             "needstage=\"vel\"/></sensor>");
  const ModelPointer model = Loaded(xml);
  MujocoContactSpec spec = BallOnFloor(1e7, 0.5);
  spec.parameters.friction = CoulombFriction{0.5};
  const MujocoContacts contacts(model.get(), {spec});
  const DataPointer data = DataOf(model);
  data->qvel[0] = 1.0;
  mj_forward(model.get(), data.get());
  const MujocoContactMoment& now = contacts.Last(0, data.get());
  ASSERT_EQ(now.patches.size(), 1u);
  EXPECT_EQ(Vector3d(data->sensordata), now.patches[0].force.force_W);
  EXPECT_LT(data->sensordata[0], 0.0);
  EXPECT_NEAR(data->sensordata[4], data->qfrc_passive[4], 1e-12);
  EXPECT_EQ(data->sensordata[6], now.patches[0].geometry.volume);
  EXPECT_EQ(data->sensordata[7], 0.0);
}

TEST(MujocoInput, WhatIsWrongIsNamed) {
  const ModelPointer model = Loaded(kShapes);
  const auto spec = [](const char* a, const char* b) {
    MujocoContactSpec result = BallOnFloor(1e8, 0.5);
    result.a.geom = a;
    result.b.geom = b;
    return result;
  };
  ExpectSays(Refusal(model, {spec("spere", "floor")}),
             "contact \"c\": the model has no geom \"spere\"; it has floor, hills, sphere");
  ExpectSays(Refusal(model, {spec("sphere", "hills")}),
             "geom \"hills\": a height field is not a closed solid");
  ExpectSays(Refusal(model, {spec("sphere", "box")}), "belong to one body");
  ExpectSays(Refusal(model, {spec("sphere", "floor"), spec("box", "floor")}),
             "another contact has this name");
  MujocoContactSpec bare = spec("sphere", "");
  bare.b.body = "things";
  ExpectSays(Refusal(model, {bare}), "body \"things\" is given without a shape");
  bare.b.index = 7;
  ExpectSays(Refusal(model, {bare}), "has 7 geoms, counted from 0, and none of index 7");
  MujocoContactSpec by_index = spec("", "floor");
  by_index.a.body = "things";
  by_index.a.index = 6;
  EXPECT_EQ(Refusal(model, {by_index}), "nothing was wrong");
  MujocoContactSpec power = spec("sphere", "floor");
  power.parameters.normal = PowerNormal{1e8};
  ExpectSays(Refusal(model, {power}), "volumetric law");
  const MujocoContacts first(model.get(), {spec("sphere", "floor")});
  ExpectSays(Refusal(model, {spec("box", "floor")}), "has contacts already");
  EXPECT_THROW(first.IndexOf("d"), InvalidInput);
  const DataPointer data = DataOf(model);
  EXPECT_THROW(first.Last(0, data.get()), InvalidInput);
  model->opt.disableflags |= mjDSBL_PASSIVE;
  ExpectSays(Refusal(model, {spec("sphere", "floor")}), "disables passive forces");
}

TEST(MujocoInput, SensorsAndPairsThatDoNotGoAreNamed) {
  const auto with = [](const char* more) {
    std::string xml = BallXml("", 0.1, 2.0, 0.0999);
    return Loaded(xml.insert(xml.find("</mujoco>"), more));
  };
  const std::vector<MujocoContactSpec> contacts = {BallOnFloor(1e8, 0.5)};
  ExpectSays(
      Refusal(
          with("<sensor><user datatype=\"real\" objtype=\"body\" objname=\"ball\" name=\"c.force\" "
               "dim=\"1\" needstage=\"vel\"/></sensor>"),
          contacts),
      "sensor \"c.force\" has dim=\"1\"; it must be 3");
  ExpectSays(
      Refusal(
          with(
              "<sensor><user datatype=\"real\" objtype=\"body\" objname=\"ball\" name=\"c.forces\" "
              "dim=\"3\" needstage=\"vel\"/></sensor>"),
          contacts),
      "has no \"forces\"; it has force, torque");
  ExpectSays(
      Refusal(
          with("<sensor><user datatype=\"real\" objtype=\"body\" objname=\"ball\" name=\"c.force\" "
               "dim=\"3\" needstage=\"pos\"/></sensor>"),
          contacts),
      "needstage");
  ExpectSays(Refusal(with("<contact><pair geom1=\"ball\" geom2=\"floor\"/></contact>"), contacts),
             "<pair>");
}

// Exceptions cannot pass through MuJoCo: they are kept.
TEST(MujocoInput, WhatFailsInAStepIsTold) {
  const ModelPointer model = Loaded(BallXml("timestep=\"1\" gravity=\"0 0 0\"", 0.1, 2.0, 0.0999));
  MujocoContactSpec spec = BallOnFloor(1e3, 0.5);
  spec.a.body = "ball";
  spec.a.geom.clear();
  spec.a.solid = Union({Sphere(0.1), Sphere(0.1).Posed({{1.0, 0.0, 0.0}})});
  spec.most_patches = 1;
  const MujocoContacts contacts(model.get(), {spec});
  const DataPointer data = DataOf(model);
  static std::string told;
  mju_user_warning = [](const char* text) { told = text; };
  mj_step(model.get(), data.get());
  mju_user_warning = nullptr;
  ExpectSays(told, "contact \"c\" at 0 s: ");
  ExpectSays(told, "raise \"most_patches\"");
  EXPECT_THROW(contacts.Last(0, data.get()), std::runtime_error);
}

constexpr char kList[] = R"({"volcontact": 1, "contacts": [{"name": "c", "geom_a": "ball",
  "geom_b": {"body": "world"}, "geometry": {"tolerance": 1e-7, "per_patch": true},
  "normal": {"stiffness": 1e8, "restitution": 0.5}}]})";

TEST(MujocoFiles, AreReadFromTheModel) {
  std::string xml = BallXml("", 0.1, 2.0, 0.0999);
  xml.insert(xml.find("</mujoco>"),
             "<custom><text name=\"volcontact\" data='" + std::string(kList) + "'/></custom>");
  const ModelPointer model = Loaded(xml);
  const std::vector<MujocoContactSpec> list = ReadMujocoContacts(model.get());
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].tolerance, 1e-7);
  EXPECT_EQ(list[0].most_patches, 8);
  EXPECT_EQ(list[0].b.body, "world");
  const MujocoContacts contacts(model.get(), list);
  const DataPointer data = DataOf(model);
  mj_forward(model.get(), data.get());
  EXPECT_EQ(contacts.Last(contacts.IndexOf("c"), data.get()).patches.size(), 1u);
  EXPECT_THROW(ReadMujocoContacts(Loaded(BallXml("", 0.1, 2.0, 0.1)).get()), InvalidInput);
}

// The shapes of a URDF model's root belong to the world, and no geom has a name.
TEST(MujocoFiles, NameGeomsOfUrdfModelsByTheirBodies) {
  const ModelPointer model = Loaded(R"(<robot name="press">
    <link name="base"><collision><geometry><box size="1 1 0.2"/></geometry></collision></link>
    <link name="ball"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><sphere radius="0.1"/></geometry></collision></link>
    <joint name="slide" type="prismatic"><parent link="base"/><child link="ball"/><axis xyz="0 0 1"/>
    <origin xyz="0 0 0.1999"/><limit effort="1e6" velocity="10" lower="-1" upper="1"/></joint></robot>)");
  MujocoContactSpec spec = BallOnFloor(1e8, 0.5);
  spec.a = {"", "ball", 0, {}};
  spec.b = {"", "world", 0, {}};
  const MujocoContacts contacts(model.get(), {spec});
  const DataPointer data = DataOf(model);
  mj_forward(model.get(), data.get());
  EXPECT_EQ(data->ncon, 0);
  ASSERT_EQ(contacts.Last(0, data.get()).patches.size(), 1u);
  const double depth = 1e-4, volume = std::acos(-1.0) * depth * depth * (0.1 - depth / 3.0);
  EXPECT_NEAR(data->qfrc_passive[0], 1e8 * volume, 1e-6 * 1e8 * volume);
}

TEST(MujocoFiles, WhatIsWrongInThemIsNamed) {
  const auto told = [](const std::string& from, const std::string& to) {
    std::string list = kList;
    list.replace(list.find(from), from.size(), to);
    std::string xml = BallXml("", 0.1, 2.0, 0.0999);
    xml.insert(xml.find("</mujoco>"),
               "<custom><text name=\"volcontact\" data='" + list + "'/></custom>");
    try {
      ReadMujocoContacts(Loaded(xml).get());
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string("nothing was wrong");
  };
  ExpectSays(told("\"geom_a\"", "\"geom_c\""), "geom_c");
  ExpectSays(told("\"geom_a\": \"ball\"", "\"body_a\": \"ball\""), "solid_a");
  ExpectSays(told("\"ball\"", "\"\""), "contacts[0].geom_a");
  ExpectSays(told("\"world\"", "\"world\", \"index\": -1"), "counted from 0");
  ExpectSays(told("\"stiffness\": 1e8", "\"law\": \"hertz\", \"stiffness\": 1e8"),
             "volumetric law");
  ExpectSays(told("\"per_patch\": true", "\"cells\": true"), "per_patch");
  ExpectSays(told("\"contacts\": [", "\"contact\": ["), "contact");
  EXPECT_THROW(ReadMujocoContacts(std::filesystem::path("nowhere/contacts.json")), InvalidInput);
}

}  // namespace
}  // namespace volcontact::test
