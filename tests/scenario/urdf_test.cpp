// Robots from URDF files: against the same mechanism written as a scenario, closed forms, and what
// is wrong with files.
#include <Eigen/Eigenvalues>
#include <filesystem>
#include <fstream>

#include "scenario/scenarios.h"
#include "support/paths.h"

namespace volcontact::scenario::testing {
namespace {

namespace fs = std::filesystem;

std::string Robot(const std::string& body) { return "<robot name=\"r\">" + body + "</robot>"; }

std::string Link(const std::string& name, const std::string& members = "") {
  return "<link name=\"" + name + "\">" + members + "</link>";
}

std::string Inertial(double mass, const Vector3d& center, const Vector3d& moments,
                     const std::string& rpy = "0 0 0") {
  std::ostringstream text;
  text.precision(17);
  text << "<inertial><origin xyz=\"" << center.transpose() << "\" rpy=\"" << rpy
       << "\"/><mass value=\"" << mass << "\"/><inertia ixx=\"" << moments[0] << "\" iyy=\""
       << moments[1] << "\" izz=\"" << moments[2]
       << "\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>";
  return text.str();
}

std::string Joint(const std::string& name, const std::string& type, const std::string& parent,
                  const std::string& child, const std::string& members = "") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent +
         "\"/><child link=\"" + child + "\"/>" + members + "</joint>";
}

// A rod of length l below its joint about y, as a link and the joint.
std::string Rod(const std::string& name, const std::string& parent, double m, double l,
                const std::string& origin) {
  const double J = m * l * l / 12;
  return Link(name, Inertial(m, {0, 0, -l / 2}, {J, J, 0})) +
         Joint("to_" + name, "continuous", parent, name,
               "<origin xyz=\"" + origin + "\"/><axis xyz=\"0 1 0\"/>");
}

class Urdf : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(::testing::TempDir()) / (std::string("volcontact_urdf_") + test->name());
    fs::create_directories(folder_ / "robots");
    before_ = fs::current_path();
    fs::current_path(folder_);  // where ScenarioOf looks for files
  }
  void TearDown() override {
    fs::current_path(before_);
    fs::remove_all(folder_);
  }

  static void Write(const fs::path& name, const std::string& text) {
    if (name.has_parent_path()) fs::create_directories(name.parent_path());
    std::ofstream(name) << text;
  }

  // The scenario with the links in their places.
  static Json Read(const std::string& robot, const Json& changes = Json::object()) {
    Write("robots/r.urdf", robot);
    Json document = Document();
    document["urdf"] = "robots/r.urdf";
    document["gravity"] = {0, 0, -kGravity};
    document.merge_patch(changes);
    Write("s.json", document.dump());
    return Json::parse(ReadScenarioFile("s.json").variants[0].document);
  }

  void ExpectRefusal(const std::string& robot, const std::vector<std::string>& words,
                     const Json& changes = Json::object()) const {
    SCOPED_TRACE(robot);
    const std::string message = RefusalOf([&] { Simulator(ScenarioOf(Read(robot, changes))); });
    for (const std::string& word : words) ExpectContains(message, word);
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }

  fs::path folder_, before_;
};

// Every column of two runs.
void ExpectSameMotion(const Json& a, const Json& b, double end, double tolerance) {
  Simulation one(a), other(b);
  one.Run(end, 20);
  other.Run(end, 20);
  const std::vector<std::string>& names = one.simulator().column_names();
  ASSERT_EQ(names, other.simulator().column_names());
  for (const std::string& name : names) {
    const auto &x = one.All(name), &y = other.All(name);
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], y[i], tolerance) << name << i;
  }
}

TEST_F(Urdf, APendulumSwingsInItsPeriod) {
  // T = 4 √(2 l / (3 g)) K(sin(a/2)) of a rod that is let go at the angle a.
  const double l = 0.7, start = 1.1;
  Simulation simulation(Read(Robot(Link("base") + Rod("rod", "base", 1.3, l, "0 0 0")),
                             {{"bodies", {{{"name", "rod"}, {"coordinates", {start}}}}}}));
  const double period =
      4 * std::sqrt(2 * l / (3 * kGravity)) * std::comp_ellint_1(std::sin(start / 2));
  simulation.AdvanceTo(period / 4);
  EXPECT_NEAR(simulation("rod.qy"), 0, 1e-9);
  simulation.AdvanceTo(period);
  EXPECT_NEAR(simulation("rod.qy"), std::sin(start / 2), 1e-9);
  EXPECT_LE(simulation.LedgerError(), 1e-9);
}

TEST_F(Urdf, ADoublePendulumSwingsInItsModes) {
  // Small angles a and b of two rods against the vertical: M ä + K a = 0. Each mode keeps its
  // shape.
  const double m1 = 1.3, l1 = 0.7, m2 = 0.8, l2 = 0.4, small = 1e-5;
  Eigen::Matrix2d M, K = Eigen::Matrix2d::Zero();
  M << (m1 / 3 + m2) * l1 * l1, m2 * l1 * l2 / 2, m2 * l1 * l2 / 2, m2 * l2 * l2 / 3;
  K(0, 0) = (m1 / 2 + m2) * kGravity * l1;
  K(1, 1) = m2 / 2 * kGravity * l2;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix2d> modes(K, M);
  const std::string robot = Robot(Link("base") + Rod("upper", "base", m1, l1, "0 0 0") +
                                  Rod("lower", "upper", m2, l2, "0 0 -0.7"));
  for (int i = 0; i < 2; ++i) {
    const Eigen::Vector2d shape = small * modes.eigenvectors().col(i).normalized();
    Simulation simulation(
        Read(robot, {{"bodies",
                      {{{"name", "upper"}, {"coordinates", {shape[0]}}},
                       {{"name", "lower"}, {"coordinates", {shape[1] - shape[0]}}}}}}));
    simulation.AdvanceTo(1);
    const double swing = std::cos(std::sqrt(modes.eigenvalues()[i]));
    EXPECT_NEAR(2 * simulation("upper.qy"), swing * shape[0], 1e-4 * small);
    EXPECT_NEAR(2 * simulation("lower.qy"), swing * shape[1], 1e-4 * small);
  }
}

TEST_F(Urdf, JointsOfAllKindsAreThoseOfAScenario) {
  const std::string dynamics = "<dynamics damping=\"0.2\" friction=\"0.05\"/>";
  const std::string limits = "<limit lower=\"-0.1\" upper=\"0.2\" effort=\"50\" velocity=\"9\"/>";
  const std::string robot = Robot(
      Link("world") + Link("base") + Link("arm", Inertial(2, {0.1, 0, 0.05}, {0.3, 0.4, 0.5})) +
      Link("slide", Inertial(1, {0, 0.1, 0}, {0.1, 0.2, 0.15}, "0 0 1.5707963267948966")) +
      Link("flange") + Link("wheel", Inertial(0.5, {0, 0, 0}, {0.01, 0.02, 0.02})) +
      Link("plate", Inertial(3, {0, 0, 0}, {0.1, 0.1, 0.2})) +
      Link("buoy", Inertial(4, {0, 0, 0}, {0.2, 0.2, 0.2})) +
      Joint("j0", "fixed", "world", "base", "<origin xyz=\"0 0 1\" rpy=\"0 0 0.4\"/>") +
      Joint("j1", "revolute", "base", "arm",
            "<origin xyz=\"0.1 0.2 0.3\" rpy=\"0.3 0 0\"/><axis xyz=\"0 1 0\"/>" + limits) +
      Joint("j2", "prismatic", "arm", "slide", "<axis xyz=\"0 0 -2\"/>" + limits + dynamics) +
      Joint("j3", "fixed", "slide", "flange", "<origin xyz=\"0 0 0.1\"/>") +
      Joint("j4", "continuous", "flange", "wheel", "<axis xyz=\"1 0 0\"/>" + dynamics) +
      Joint("j5", "planar", "base", "plate", "<axis xyz=\"1 0 0\"/>") +
      Joint("j6", "floating", "base", "buoy", "<origin xyz=\"5 0 0\" rpy=\"0 0.5 0\"/>"));
  const auto frame = [](const Vector3d& t, const Quaterniond& q) {
    return Json{{"t", ListOf(t)}, {"q", ListOf(q)}};
  };
  const auto turn = [](double angle, const Vector3d& axis) {
    return Quaterniond(Eigen::AngleAxisd(angle, axis));
  };
  const Quaterniond about_y = turn(-M_PI / 2, Vector3d::UnitX()),     // z to y
      along_minus_z = turn(M_PI / 2, Vector3d::UnitY()),              // x to -z
      about_x = turn(M_PI / 2, Vector3d::UnitY()), none(1, 0, 0, 0);  // z to x
  const Quaterniond base = turn(0.4, Vector3d::UnitZ());
  const Json stops = {{"lower", -0.1}, {"upper", 0.2}, {"stiffness", 5e4}, {"damping", 1}};
  const Json friction = {{"viscous", 0.2}, {"coulomb", 0.05}};
  const Vector3d zero = Vector3d::Zero();
  Json hand = Document();
  hand["gravity"] = {0, 0, -kGravity};
  hand["bodies"] = {
      {{"name", "world"}, {"fixed", true}},
      {{"name", "base"}, {"fixed", true}, {"pose", frame({0, 0, 1}, base)}},
      {{"name", "arm"},
       {"mass", 2},
       {"center_of_mass", {0.1, 0, 0.05}},
       {"inertia", {0.3, 0.4, 0.5}},
       {"joint",
        {{"type", "pin"},
         {"parent", "base"},
         {"frame_parent", frame({0.1, 0.2, 0.3}, turn(0.3, Vector3d::UnitX()) * about_y)},
         {"frame_body", frame(zero, about_y)},
         {"limits", stops}}}},
      {{"name", "plate"},
       {"mass", 3},
       {"inertia", {0.1, 0.1, 0.2}},
       {"joint",
        {{"type", "planar"},
         {"parent", "base"},
         {"frame_parent", frame(zero, about_x)},
         {"frame_body", frame(zero, about_x)}}}},
      {{"name", "buoy"},
       {"mass", 4},
       {"inertia", {0.2, 0.2, 0.2}},
       {"pose",
        frame(Vector3d(0, 0, 1) + base * Vector3d(5, 0, 0), base * turn(0.5, Vector3d::UnitY()))}},
      {{"name", "slide"},
       {"mass", 1},
       {"center_of_mass", {0, 0.1, 0}},
       {"inertia", {0.2, 0.1, 0.15}},
       {"joint",
        {{"type", "slider"},
         {"parent", "arm"},
         {"frame_parent", frame(zero, along_minus_z)},
         {"frame_body", frame(zero, along_minus_z)},
         {"limits", stops},
         {"friction", friction}}}},
      {{"name", "flange"},
       {"mass", 0},
       {"joint",
        {{"type", "weld"}, {"parent", "slide"}, {"frame_parent", frame({0, 0, 0.1}, none)}}}},
      {{"name", "wheel"},
       {"mass", 0.5},
       {"inertia", {0.01, 0.02, 0.02}},
       {"joint",
        {{"type", "pin"},
         {"parent", "flange"},
         {"frame_parent", frame(zero, about_x)},
         {"frame_body", frame(zero, about_x)},
         {"friction", friction}}}}};
  ExpectSameMotion(Read(robot), hand, 0.5, 1e-9);
}

TEST_F(Urdf, AJointFollowsTheOneThatItMimics) {
  const std::string slide = "<limit lower=\"-1\" upper=\"1\" effort=\"10\" velocity=\"1\"/>";
  const std::string mass = Inertial(0.2, {0, 0, 0}, {1e-4, 1e-4, 1e-4});
  const Json scenario =
      Read(Robot(Link("palm") + Link("left", mass) + Link("right", mass) +
                 Joint("a", "prismatic", "palm", "left", slide) +
                 Joint("b", "prismatic", "palm", "right",
                       slide + "<mimic joint=\"a\" multiplier=\"-2\" offset=\"0.1\"/>")),
           {{"bodies", {{{"name", "left"}, {"coordinates", {0.3}}}}},
            {"loads", {{{"body", "left"}, {"force", {1, 0, 0}}}}}});
  Simulation simulation(scenario);
  EXPECT_NEAR(simulation("left.x"), 0.3, 1e-12);
  EXPECT_NEAR(simulation("right.x"), -0.5, 1e-12);
  simulation.AdvanceTo(0.2);
  const double acceleration = 1 / (0.2 + 4 * 0.2);
  EXPECT_NEAR(simulation("left.x"), 0.3 + acceleration * 0.02, 1e-9);
  EXPECT_NEAR(simulation("right.x"), 0.1 - 2 * simulation("left.x"), 1e-9);
}

// Half of a cube as a wedge: its mirror image is another solid.
constexpr const char* kWedge =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\n"
    "f 1 3 2\nf 4 5 6\nf 1 2 5\nf 1 5 4\nf 2 3 6\nf 2 6 5\nf 3 1 4\nf 3 4 6\n";

TEST_F(Urdf, CollisionShapesAreSolidsOfWhatTouches) {
  const auto shape = [](const std::string& geometry, const std::string& origin) {
    return "<collision><origin " + origin + "/><geometry>" + geometry + "</geometry></collision>";
  };
  Write("hand_pkg/meshes/wedge.obj", kWedge);
  const std::string robot = Robot(
      Link("base") +
      Link("foot", Inertial(1, {0, 0, 0}, {0.1, 0.1, 0.1}) +
                       shape("<box size=\"0.2 0.1 0.1\"/>", "xyz=\"0 0 0.01\"") +
                       shape("<cylinder radius=\"0.05\" length=\"0.2\"/>", "rpy=\"0 0.4 0\"") +
                       shape("<sphere radius=\"0.08\"/>", "xyz=\"0.1 0 0\"") +
                       shape("<mesh filename=\"package://hand_pkg/meshes/wedge.obj\" "
                             "scale=\"-0.1 0.2 0.3\"/>",
                             "xyz=\"-0.1 0 -0.1\"")) +
      Link("far", Inertial(1, {0, 0, 0}, {0.1, 0.1, 0.1}) +
                      shape("<mesh filename=\"not_there.stl\"/>", "xyz=\"0 0 0\"")) +
      Joint("j", "continuous", "base", "foot") + Joint("k", "continuous", "foot", "far"));
  const Json contact = Volumetric("foot", "ground_plate", 1e6, 0.5);
  const Json plate = {{"name", "ground_plate"},
                      {"fixed", true},
                      {"solid", {{"half_space", Json::object()}}},
                      {"pose", {{"t", {0, 0, -0.02}}}}};
  const Json scenario = Read(robot, {{"bodies", {plate}}, {"contacts", {contact}}});
  EXPECT_FALSE(
      ScenarioOf(scenario).bodies[2].solid);  // "far" touches nothing: its mesh is not read
  Json hand = Document();
  hand["gravity"] = {0, 0, -kGravity};
  hand["contacts"] = {contact};
  const double s = std::sin(0.2), c = std::cos(0.2);
  const Json solid = {
      {"union",
       {{{"box", {{"size", {0.2, 0.1, 0.1}}}}, {"pose", {{"t", {0, 0, 0.01}}}}},
        {{"cylinder", {{"radius", 0.05}, {"height", 0.2}}}, {"pose", {{"q", {c, 0, s, 0}}}}},
        {{"sphere", {{"radius", 0.08}}}, {"pose", {{"t", {0.1, 0, 0}}}}},
        {{"mesh", {{"file", "hand_pkg/meshes/wedge.obj"}, {"scale", {-0.1, 0.2, 0.3}}}},
         {"pose", {{"t", {-0.1, 0, -0.1}}}}}}}};
  const Quaterniond about_x(Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitY()));
  const auto pin = [&](const char* parent) {
    return Json{{"type", "pin"},
                {"parent", parent},
                {"frame_parent", {{"q", ListOf(about_x)}}},
                {"frame_body", {{"q", ListOf(about_x)}}}};
  };
  hand["bodies"] = {
      {{"name", "base"}, {"fixed", true}},
      {{"name", "foot"},
       {"mass", 1},
       {"inertia", {0.1, 0.1, 0.1}},
       {"solid", solid},
       {"joint", pin("base")}},
      {{"name", "far"}, {"mass", 1}, {"inertia", {0.1, 0.1, 0.1}}, {"joint", pin("foot")}},
      plate};
  Simulation one(scenario);
  EXPECT_GT(one("contact.volume"), 1e-4);
  ExpectSameMotion(scenario, hand, 0.002, 1e-7);
  ExpectRefusal(robot, {"not_there.stl"},
                {{"urdf", {{"file", "robots/r.urdf"}, {"solids", "all"}}}});
}

TEST_F(Urdf, BodiesOfTheScenarioChangeLinks) {
  const std::string robot =
      Robot(Link("base-link") + Rod("rod", "base-link", 1, 0.5, "0 0 0") + Link("eye") +
            Joint("look", "fixed", "rod", "eye", "<origin xyz=\"0 0 -0.5\"/>"));
  const Json scenario = Read(
      robot, {{"urdf", {{"file", "robots/r.urdf"}, {"pose", {{"t", {0, 0, 2}}}}}},
              {"bodies",
               {{{"name", "weight"}, {"mass", 3}, {"joint", {{"type", "weld"}, {"parent", "eye"}}}},
                {{"name", "rod"}, {"motion", {{"rate", 0.5}}}, {"mass", 2}}}}});
  const std::vector<BodySpec> bodies = ScenarioOf(scenario).bodies;
  ASSERT_EQ(bodies.size(), 4u);
  EXPECT_EQ(bodies[0].name, "base_link");
  EXPECT_TRUE(bodies[0].fixed);
  EXPECT_EQ(bodies[1].mass, 2);
  Simulation simulation(scenario);
  simulation.AdvanceTo(1);
  ExpectNear(simulation.Position("weight"), {-0.5 * std::sin(0.5), 0, 2 - 0.5 * std::cos(0.5)},
             1e-9);

  // A root that is not fixed falls.
  const std::string ball = Robot(Link("ball", Inertial(1, {0, 0, 0}, {0.1, 0.1, 0.1})));
  Simulation fall(Read(ball, {{"urdf", {{"file", "robots/r.urdf"}, {"fixed", false}}}}));
  fall.AdvanceTo(1);
  EXPECT_NEAR(fall("ball.z"), -kGravity / 2, 1e-9);
}

TEST_F(Urdf, TheArmPressesAsTheMomentsAboutItsElbowBalance) {
  const ScenarioFile file = ReadScenarioFile(std::string(DataFolder()) + "/robots/arm.json");
  ScenarioFile here;
  here.file = file.file;
  Simulator simulator(ReadScenario(here, file.variants[0]));
  simulator.AdvanceTo(1);
  const std::vector<std::string>& names = simulator.column_names();
  const auto column = std::find(names.begin(), names.end(), "press.fn") - names.begin();
  // The tip's centre is 20 mm above the table, and the arm's weight helps the motor.
  const double sine = (0.15 + 0.3 * std::sin(0.3) - 0.02) / 0.25,
               lever = 0.25 * std::sqrt(1 - sine * sine);
  const double force = (0.5 + 0.4 * kGravity * lever / 2) / lever;
  EXPECT_NEAR(simulator.Row()[static_cast<std::size_t>(column)], force, 1e-3 * force);
}

TEST_F(Urdf, RefusesWhatIsNoRobot) {
  const std::string limit = "<limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/>";
  const std::string a = Link("a"), b = Link("b", Inertial(1, {0, 0, 0}, {0.1, 0.1, 0.1}));
  ExpectRefusal("", {"r.urdf"});
  ExpectRefusal("<html/>", {"r.urdf", "robot"});
  ExpectRefusal(Robot(a + b), {"r.urdf", "root"});
  ExpectRefusal(Robot(a + b + Joint("j", "hinge", "a", "b")), {"r.urdf", "hinge"});
  ExpectRefusal(Robot(a + b + Joint("j", "revolute", "a", "b")), {"r.urdf", "limit"});
  ExpectRefusal(Robot(a + b + Joint("j", "continuous", "a", "c")), {"r.urdf", "[c]"});
  ExpectRefusal(Robot(a + b + Joint("j", "continuous", "a", "b", "<axis xyz=\"0 0 0\"/>")),
                {"r.urdf", "\"j\"", "axis"});
  ExpectRefusal(
      Robot(a + b + Joint("j", "continuous", "a", "b") + Joint("k", "continuous", "a", "b")),
      {"r.urdf", "\"b\"", "\"j\"", "\"k\"", "loops"});
  ExpectRefusal(Robot(a + b + Link("c") + Joint("j", "continuous", "c", "b") +
                      Joint("k", "continuous", "b", "c")),
                {"r.urdf", "ring"});
  ExpectRefusal(Robot(a + b + Link("c", Inertial(1, {0, 0, 0}, {1, 1, 1})) +
                      Joint("j", "continuous", "a", "b") + Joint("k", "floating", "b", "c")),
                {"r.urdf", "\"k\"", "\"b\""});
  ExpectRefusal(Robot(a + b + Joint("j", "continuous", "a", "b", "<mimic joint=\"i\"/>")),
                {"r.urdf", "\"j\"", "\"i\""});
  ExpectRefusal(Robot(a + b +
                      Joint("j", "prismatic", "a", "b",
                            "<limit lower=\"-1\" upper=\"1\" effort=\"0\" velocity=\"1\"/>")),
                {"r.urdf", "\"j\"", "effort", "stops"});
  ExpectRefusal(Robot(a + b + Joint("j", "planar", "a", "b", "<dynamics damping=\"1\"/>")),
                {"r.urdf", "\"j\"", "dynamics"});
  ExpectRefusal("<robot name=\"r\" xmlns:xacro=\"x\"><xacro:arm/></robot>", {"r.urdf", "xacro"});
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  EXPECT_THROW(Read(deep), InvalidInput);
}

TEST_F(Urdf, RefusesLinksThatNoBodyCanBe) {
  const auto arm = [](const std::string& link) {
    return Robot(Link("a") + link + Joint("j", "continuous", "a", "b"));
  };
  ExpectRefusal(arm(Link("b")), {"accelerations are infinite"});
  ExpectRefusal(arm(Link("b", Inertial(1, {0, 0, 0}, {0, 0, 0}))), {"accelerations are infinite"});
  ExpectRefusal(arm(Link("b", Inertial(-1, {0, 0, 0}, {1, 1, 1}))), {"r.urdf#b.mass", "-1"});
  ExpectRefusal(arm(Link("b", Inertial(1, {0, 0, 0}, {1, 1, 3}))), {"r.urdf#b.inertia"});
  ExpectRefusal(Robot(Link("b")), {"moves"});
  const std::string mesh = "<collision><geometry><mesh filename=\"";
  const Json touch = {{"contacts", {Volumetric("b", "a", 1e6, 0.5)}},
                      {"bodies", {{{"name", "a"}, {"solid", {{"half_space", Json::object()}}}}}}};
  const std::string mass = Inertial(1, {0, 0, 0}, {0.1, 0.1, 0.1});
  const auto with_mesh = [&](const std::string& name) {
    return arm(Link("b", mass + mesh + name + "\"/></geometry></collision>"));
  };
  ExpectRefusal(with_mesh("none.stl"), {"none.stl"}, touch);
  ExpectRefusal(with_mesh("none.dae"), {"r.urdf#b.solid", "extension"}, touch);
  ExpectRefusal(with_mesh("package://none/a.stl"), {"r.urdf", "\"b\"", "\"none\""}, touch);
  ExpectRefusal(with_mesh("http://host/a.stl"), {"r.urdf", "\"b\"", "http"}, touch);
  ExpectRefusal(arm(Link("b", mass)), {"solid"}, touch);
}

TEST_F(Urdf, RefusesRequestsThatMakeNoSense) {
  const std::string robot = Robot(Link("a") + Rod("rod", "a", 1, 1, "0 0 0"));
  for (const auto& [urdf, word] : std::initializer_list<std::pair<Json, const char*>>{
           {3, "urdf"},
           {Json::object(), "file"},
           {{{"file", "none.urdf"}}, "none.urdf"},
           {{{"file", "robots/r.urdf"}, {"solids", "some"}}, "urdf.solids"},
           {{{"file", "robots/r.urdf"}, {"stops", {{"stiffness", 0}}}}, "urdf.stops.stiffness"},
           {{{"file", "robots/r.urdf"}, {"base", "free"}}, "base"},
           {Json::array({"robots/r.urdf", "robots/r.urdf"}), "two bodies"}}) {
    SCOPED_TRACE(urdf.dump());
    ExpectContains(RefusalOf([&] { ScenarioOf(Read(robot, {{"urdf", urdf}})); }), word);
  }
  const Json rod = {{"name", "rod"}};
  ExpectContains(RefusalOf([&] { Read(robot, {{"bodies", {rod, rod}}}); }), "bodies[1].name");
  ExpectContains(RefusalOf([&] {
                   ScenarioOf(Read(robot, {{"bodies", {{{"name", "rod"}, {"velocty", 3}}}}}));
                 }),
                 "velocty");
}

}  // namespace
}  // namespace volcontact::scenario::testing
