// volcontact force: the wrench, its parts, states, and bad parameter files.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "cli/run_tool.h"

namespace volcontact::testing::force_test {
namespace {

using Json = nlohmann::json;

constexpr double kRadius = 0.1, kDepth = 0.002, kStiffness = 1e9;
constexpr char kContact[] =
    R"({"normal": {"law": "volumetric", "stiffness": 1e9, "restitution": 0.5},
        "friction": {"law": "bristle", "mu_s": 0.5, "mu_c": 0.4, "sigma0": 1e4, "sigma1": 60}})";

class ForceTool : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    Write("ground.json", R"({"half_space": {}})");
    Write("ball.json", R"({"sphere": {"radius": 0.1}})");
    Write("contact.json", kContact);
  }

  Json Answer(const std::string& arguments) const {
    const ToolRun run =
        Run("force ball.json ground.json --pose-a 0,0,0.098,1,0,0,0 --params contact.json --json " +
            arguments);
    EXPECT_EQ(run.status, 0) << arguments << ' ' << run.err;
    EXPECT_EQ(run.err, "");
    return Json::parse(run.out);
  }

  // The volume of the cap that the ground cuts off the ball.
  static double Volume() { return M_PI * kDepth * kDepth * (kRadius - kDepth / 3.0); }
};

TEST_F(ForceTool, HasEveryKeyOfTheContract) {
  const Json answer = Answer("");
  for (const char* key : {"point", "force", "torque", "parts", "state", "state_rate", "metrics"}) {
    EXPECT_TRUE(answer.contains(key)) << key;
  }
  std::set<std::string> parts;
  for (const auto& [key, value] : answer["parts"].items()) parts.insert(key);
  EXPECT_EQ(parts, (std::set<std::string>{"normal", "tangential", "rolling", "spinning"}));
  EXPECT_EQ(answer["metrics"]["overlap"], true);
}

TEST_F(ForceTool, AtRestTheForceIsThatOfTheSpring) {
  const Json answer = Answer("");
  EXPECT_NEAR(answer["force"][2].get<double>(), kStiffness * Volume(),
              1e-9 * kStiffness * Volume());
  EXPECT_EQ(answer["torque"][2].get<double>(), 0.0);
}

// A shaft that is 10 µm thicker than its bore, 40 mm long.
class ForceToolOfShafts : public ForceTool {
 protected:
  void SetUp() override {
    ForceTool::SetUp();
    Write("shaft.json", R"({"cylinder": {"radius": 0.01001, "height": 0.06}})");
    Write("bore.json", R"({"difference": [{"box": {"size": [0.1, 0.1, 0.04]}},
                                          {"cylinder": {"radius": 0.01}}]})");
  }

  // The force of a shaft that is 2 µm beside the axis.
  ToolRun ForceOf(const std::string& options) const {
    return Run("force shaft.json bore.json --params contact.json --pose-a 2e-6,0,0,1,0,0,0 " +
               options);
  }
};

TEST_F(ForceToolOfShafts, DividesAContactThatGoesAroundABody) {
  const ToolRun run = ForceOf("--json --division auto");
  ASSERT_EQ(run.status, 0) << run.err;
  const Json answer = Json::parse(run.out);
  // All around, the wall is deeper by e cos(φ). One direction for all of the wall finds no force.
  const double pushed = kStiffness * M_PI * 0.01 * 0.04 * 2e-6;
  EXPECT_NEAR(answer["force"][0].get<double>(), -pushed, 5e-3 * pushed);
  EXPECT_NEAR(answer["force"][1].get<double>(), 0.0, 1e-3 * pushed);
  EXPECT_EQ(Json::parse(ForceOf("--json").out)["force"][0].get<double>(), 0.0);
  ASSERT_EQ(answer["sectors"].size(), 24u);
  double sum = 0.0;
  for (const Json& sector : answer["sectors"]) sum += sector["force"][0].get<double>();
  EXPECT_NEAR(answer["force"][0].get<double>(), sum, 1e-9 * pushed);
  EXPECT_EQ(answer["state"], nullptr);
  EXPECT_NE(run.out.find("divided into 24 sectors about the axis"), std::string::npos);
  EXPECT_EQ(run.out.find("is wrong"), std::string::npos);
  EXPECT_NE(ForceOf("--division auto").out.find("force on A"), std::string::npos);
}

TEST_F(ForceToolOfShafts, DividesAsOftenAsAskedFor) {
  const auto without_time = [](const ToolRun& run) {
    Json answer = Json::parse(run.out);
    answer["metrics"]["stats"].erase("seconds");
    return answer;
  };
  EXPECT_EQ(Json::parse(ForceOf("--json --division 48").out)["sectors"].size(), 48u);
  EXPECT_EQ(without_time(ForceOf("--json --division 24")),
            without_time(ForceOf("--json --division auto")));
  EXPECT_EQ(without_time(ForceOf("--json --division none")), without_time(ForceOf("--json")));
  const std::string command = "force shaft.json bore.json --params contact.json --division ";
  for (const char* wrong : {"2", "361", "some", "24.5", "-3"}) {
    ExpectRefusal(command + wrong, "--division: \"" + std::string(wrong) + "\" is no division");
  }
  Write("poses.csv", "x,y,z,qw,qx,qy,qz\n0,0,0,1,0,0,0\n");
  ExpectRefusal(command + "24 --poses poses.csv", "leave out --poses and --state");
}

TEST_F(ForceToolOfShafts, WarnsOfAContactThatGoesAroundABody) {
  Write("poses.csv", "x,y,z,qw,qx,qy,qz\n1.2e-5,0,0,1,0,0,0\n");
  const std::string pair = "force shaft.json bore.json --params contact.json ";
  const std::string at = "--pose-a 1.2e-5,0,0,1,0,0,0 ";
  const auto warns = [](const std::string& text) {
    return text.find("goes around a body") != std::string::npos;
  };
  EXPECT_TRUE(warns(Run(pair + at).out));
  EXPECT_TRUE(warns(Run(pair + at + "--json").out));
  EXPECT_TRUE(warns(Run(pair + "--poses poses.csv").out));
  EXPECT_TRUE(warns(Run(pair + "--poses poses.csv --csv").err));
  EXPECT_FALSE(warns(Run(pair + at + "--max-seconds 60").out));
  // A shaft that lies against one wall of a wider bore.
  Write("shaft.json", R"({"cylinder": {"radius": 0.008, "height": 0.06}})");
  EXPECT_FALSE(warns(Run(pair + "--pose-a 0.00201,0,0,1,0,0,0").out));
}

TEST_F(ForceTool, FrictionOverThePatchTurnsEveryElement) {
  Write("contact.json", R"({"normal": {"stiffness": 1e9},
                            "friction": {"law": "patch_coulomb", "mu": 0.4, "v_epsilon": 1e-6}})");
  // Midpoint rule for the torque of μ k h(r) at the arm r, h the cap's height.
  const double rim = std::sqrt(kDepth * (2.0 * kRadius - kDepth));
  constexpr int kRings = 2000;
  double torque = 0.0;
  for (int i = 0; i < kRings; ++i) {
    const double r = (i + 0.5) * rim / kRings;
    const double height = std::sqrt(kRadius * kRadius - r * r) - (kRadius - kDepth);
    torque += 0.4 * kStiffness * height * r * 2.0 * M_PI * r * rim / kRings;
  }
  EXPECT_NEAR(Answer("--twist-a 0,0,0,0,0,5")["torque"][2].get<double>(), -torque,
              2e-3 * torque);  // of a direction that vanishes
  Write("contact.json", R"({"normal": {"law": "hertz", "stiffness": 1e9},
                            "friction": {"law": "patch_coulomb", "mu": 0.4}})");
  const ToolRun run = Run("force ball.json ground.json --params contact.json");
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.err.find("friction"), std::string::npos) << run.err;
}

TEST_F(ForceTool, AnImpactIsDamped) {
  // f = k V (1 + a v) with a v = d/e at the velocity of impact.
  const double d = 0.716375266635688;
  const double force = kStiffness * Volume() * (1.0 + d / 0.5);
  const Json first = Answer("--twist-a 0,0,-0.3,0,0,0");
  EXPECT_NEAR(first["force"][2].get<double>(), force, 1e-9 * force);
  EXPECT_NEAR(first["state"]["impact_speed"].get<double>(), 0.3, 1e-15);
  // B moving towards A is the same impact.
  const Json moved = Answer("--twist-b 0,0,0.3,0,0,0");
  EXPECT_NEAR(moved["force"][2].get<double>(), force, 1e-9 * force);
}

TEST_F(ForceTool, AStateGoesOn) {
  const Json first = Answer("--twist-a 0,0,-0.3,0,0,0");
  Json state = first["state"];
  state["deflection"] = {1e-6, 0.0, 0.0};
  Write("state.json", state.dump());
  // On the way out, at e times the speed of impact: 1 − d is left of the spring.
  const Json last = Answer("--twist-a 0,0,0.15,0,0,0 --state state.json");
  const double normal = kStiffness * Volume() * (1.0 - 0.716375266635688);
  EXPECT_NEAR(last["parts"]["normal"][2].get<double>(), normal, 1e-8 * normal);
  EXPECT_NEAR(last["parts"]["tangential"][0].get<double>(), -normal * 1e4 * 1e-6, 1e-8 * normal);
}

TEST_F(ForceTool, ApartThereIsNoForce) {
  const ToolRun run =
      Run("force ball.json ground.json --pose-a 0,0,0.2,1,0,0,0 --params contact.json --json");
  ASSERT_EQ(run.status, 0) << run.err;
  const Json answer = Json::parse(run.out);
  EXPECT_EQ(answer["force"], Json::parse("[0.0, 0.0, 0.0]"));
  EXPECT_EQ(answer["point"], nullptr);
  EXPECT_EQ(answer["state"]["touching"], false);
}

TEST_F(ForceTool, TheTableNamesTheParts) {
  const ToolRun run =
      Run("force ball.json ground.json --pose-a 0,0,0.098,1,0,0,0 --params contact.json");
  EXPECT_EQ(run.status, 0);
  for (const char* part : {"force on A", "normal", "tangential", "rolling", "spinning"}) {
    EXPECT_NE(run.out.find(part), std::string::npos) << part;
  }
}

TEST_F(ForceTool, BadParametersAreNamed) {
  const std::string command = "force ball.json ground.json --params bad.json";
  const auto refuse = [&](const std::string& text, const std::string& message) {
    Write("bad.json", text);
    ExpectRefusal(command, message);
  };
  refuse(R"({"normal": {"stiffness": 1e9, "restitution": 0}})", "restitution is 0");
  refuse(R"({"normal": {"stiffness": 1e9, "restitution": 1.5}})", "restitution is 1.5");
  refuse(R"({"normal": {"stiffness": -1}})", "at normal.stiffness: stiffness is -1 N/m^3");
  refuse(R"({"normal": {"stifness": 1}})", "(did you mean \"stiffness\"?)");
  refuse(R"({"volcontact": 2, "normal": {"stiffness": 1}})", "format version 2 is not known");
  refuse(R"({"normal": {}})", "\"stiffness\" is missing");
  refuse(R"({"normal": {"stiffness": 1, "stiffness_a": 1}})", "give either \"stiffness\"");
  refuse(R"({"normal": {"stiffness": "big"}})", "at normal.stiffness: a number is expected");
  refuse(R"({"normal": {"stiffness": 1, "colour": 2}})", "unknown key \"colour\"");
  refuse(R"({"normal": {"law": "soft", "stiffness": 1}})", "choose one of volumetric");
  refuse(R"({"normal": {"stiffness": 1}, "friction": {"mu_s": 0.1, "mu_c": 0.2, "sigma0": 1,
             "sigma1": 1}})",
         "mu_s is 0.1");
  refuse(R"({"normal": {"stiffness": 1}, "friction": {"mu_c": 0.2, "sigma0": 1, "sigma1": 1,
             "v_stribeck": 0}})",
         "v_stribeck is 0");
  refuse(R"({"normal": {"stiffness": 1}, "friction": {"mu_c": 0.2}})", "\"sigma0\" is missing");
  refuse(R"({"normal": {"stiffness": 1}, "friction": {"mu": 0.2}})", "add \"law\": \"coulomb\"");
  refuse(R"({"normal": {"law": "hertz", "stiffness": 1}})", "at normal.law");
  refuse(R"({"normal": )", "bad.json: is not valid JSON");
  refuse("[]", "an object in braces is expected");
  refuse("", "bad.json: is empty");
  refuse(R"({"normal": {"stiffness": 1, "stiffness": 2}})", "stands twice");
  refuse(R"({"normal": {"stiffness": 1}, "friction": {"law": "clutch", "mu": 0.5, "stiffness": 1,
             "damping": 1}})",
         "clutch friction reads the depth");
  refuse(R"({"normal": {"stiffness": 1, "restitution": 1e-308}})", "infinite damping");
  std::string deep = "1";
  deep.insert(0, 100'000, '[');
  refuse(deep, "nested deeper than");
  ExpectRefusal("force ball.json ground.json --params none.json", "check its name and folder");
  ExpectRefusal("force ball.json ground.json --params contact.json --twist-a 1,2,3",
                "--twist-a: has 3 numbers, not 6");
  ExpectRefusal(
      "force ball.json ground.json --pose-a 0,0,0.098,1,0,0,0 --params contact.json "
      "--twist-a 1e200,0,0,0,0,0",
      "too large");
  for (const char* member : {"\"dwell\": -0.2", "\"dwell\": 7", "\"relaxation\": -1"}) {
    Write("state.json", std::string(R"({"impact_speed": 1, "normal": [0, 0, 1], )") + member + "}");
    ExpectRefusal("force ball.json ground.json --params contact.json --state state.json",
                  "it must");
  }
  Write("state.json", R"({"impact_speed": 1, "normal": [0, 0, 2]})");
  ExpectRefusal("force ball.json ground.json --params contact.json --state state.json",
                "must be a unit vector");
}

}  // namespace
}  // namespace volcontact::testing::force_test
