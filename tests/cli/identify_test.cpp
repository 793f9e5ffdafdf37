// volcontact identify: the examples, files that `force` reads, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>

#include "cli/run_tool.h"
#include "support/paths.h"

namespace volcontact {
namespace {

using Json = nlohmann::json;

const std::string kData = std::string(volcontact::DataFolder()) + "/identify/";

class IdentifyTool : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    Write("ball.json", R"({"sphere": {"radius": 0.01}})");
  }
  Json Answer(const std::string& arguments, int status = 0) const {
    const ToolRun run = Run("identify " + arguments + " --json");
    EXPECT_EQ(run.status, status) << arguments << ' ' << run.err;
    return Json::parse(run.out, nullptr, false);
  }
  static void ExpectWithin(const Json& answer, const char* name, double truth) {
    const Json& estimate = answer["parameters"][name];
    const double error = estimate["standard_error"].get<double>();
    EXPECT_NEAR(estimate["value"].get<double>(), truth, 4.0 * error) << name;
    EXPECT_LT(error, 0.5 * std::abs(truth)) << name;
    EXPECT_NE(estimate["source"], "") << name;
  }
};

TEST_F(IdentifyTool, EveryKindHasHelpWithAnExampleThatRuns) {
  for (const char* name : {"stiffness", "damping", "friction", "restitution"}) {
    const ToolRun help = Run(std::string("identify ") + name + " --help");
    EXPECT_EQ(help.status, 0) << name;
    const std::size_t example = help.out.find("Example:");
    ASSERT_NE(example, std::string::npos) << help.out;
    std::string line = help.out.substr(help.out.find("identify", help.out.find('\n', example)));
    line = line.substr(0, line.find("\n\n"));
    for (std::size_t at = line.find("data/"); at != std::string::npos;
         at = line.find("data/", at)) {
      line.replace(at, 4, volcontact::DataFolder());
      at += std::string(volcontact::DataFolder()).size();
    }
    while (line.ends_with('\n')) line.pop_back();
    const ToolRun run = Run(line);
    EXPECT_EQ(run.status, 0) << line << ' ' << run.err;
    EXPECT_NE(run.out, "");
  }
}

// A press as a measuring program of another country writes it, with a sensor that is 0.8 N off.
TEST_F(IdentifyTool, ForeignFilesAndAnOffsetOfTheForce) {
  constexpr double kPi = std::numbers::pi, kStiffness = 1e13, kRadius = 0.01;
  std::string text =
      "Pr\xfc"
      "fung 7\nKugel;20 mm\n\nposition;force\n\xb5m;N\n";
  for (int i = 0; i < 200; ++i) {
    const double p = 0.05 * i, depth = 1e-6 * std::max(p - 2.0, 0.0);
    const double noise = 0.02 * std::sin(37.0 * i * i);
    const double force =
        kStiffness * kPi / 3.0 * depth * depth * (3.0 * kRadius - depth) + 0.8 + noise;
    std::string row = std::to_string(p) + ";" + std::to_string(force) + "\n";
    std::replace(row.begin(), row.end(), '.', ',');
    text += row;
  }
  Write("press.csv", text);
  const Json wrong = Answer("stiffness press.csv --solid ball.json");
  const Json& off = wrong["parameters"]["stiffness"];
  EXPECT_GT(std::abs(off["value"].get<double>() - kStiffness),
            5.0 * off["standard_error"].get<double>());
  EXPECT_EQ(wrong["models"]["volumetric"]["residuals"]["structure"], true);
  const std::string notes = wrong["notes"].dump();
  EXPECT_NE(notes.find("WARNING: the residuals of the volumetric fit are not noise"),
            std::string::npos)
      << notes;
  EXPECT_NE(notes.find("try --fit-offset or --fit-drift"), std::string::npos) << notes;
  EXPECT_NE(notes.find("numbers have a decimal comma"), std::string::npos) << notes;
  const Json right = Answer("stiffness press.csv --solid ball.json --fit-offset");
  ExpectWithin(right, "stiffness", kStiffness);
  ExpectWithin(right, "force_offset", 0.8);
  EXPECT_EQ(right["models"]["volumetric"]["residuals"]["structure"], false);
}

TEST_F(IdentifyTool, StiffnessOfTheExample) {
  const Json answer = Answer("stiffness " + kData + "press_sphere.csv --solid " + kData +
                             "ball.json --out contact.json --bootstrap 50");
  ExpectWithin(answer, "stiffness", 7.59e13);
  ExpectWithin(answer, "contact_point", 3e-6);
  EXPECT_EQ(answer["better_model"], "volumetric");
  EXPECT_EQ(answer["models"]["hertz"]["measurements"], 400);
  EXPECT_GT(answer["models"]["volumetric"]["correlations"][0][1], 0.9);
  EXPECT_TRUE(answer["parameters"]["stiffness"]["bootstrap"].contains("interval"));
  Write("ground.json", R"({"half_space": {}})");
  const ToolRun force =
      Run("force ball.json ground.json --pose-a 0,0,0.009999,1,0,0,0 --params contact.json --json");
  EXPECT_EQ(force.status, 0) << force.err;
  const double depth = 1e-6, r = 0.01;
  const double volume = std::numbers::pi / 3.0 * depth * depth * (3.0 * r - depth);
  EXPECT_NEAR(Json::parse(force.out)["force"][2].get<double>() /
                  (answer["parameters"]["stiffness"]["value"].get<double>() * volume),
              1.0, 1e-9);
}

// A cube as a mesh, pressed sideways into a box.
TEST_F(IdentifyTool, MeshesAndOtherDirections) {
  Write("cube.json", R"({"mesh": {"vertices": [[0,0,0], [0.01,0,0], [0.01,0.01,0], [0,0.01,0],
    [0,0,0.01], [0.01,0,0.01], [0.01,0.01,0.01], [0,0.01,0.01]],
    "faces": [[0,2,1], [0,3,2], [4,5,6], [4,6,7], [0,1,5], [0,5,4],
              [1,2,6], [1,6,5], [2,3,7], [2,7,6], [3,0,4], [3,4,7]]}})");
  Write("wall.json",
        R"({"box": {"size": [1, 1, 1]}, "pose": {"t": [1, 0, 0], "q": [1, 0, 0, 0]}})");
  std::string text = "displacement [mm];F [kN]\n";
  for (int i = 0; i <= 20; ++i) {
    const double depth = 1e-6 * (i - 5);
    text +=
        std::to_string(i) + "e-3;" + std::to_string(std::max(0.0, 1e12 * 1e-4 * depth)) + "e-3\n";
  }
  Write("press.csv", text);
  const Json answer = Answer(
      "stiffness press.csv --solid cube.json --solid wall.json --direction 1,0,0 --tol 1e-10");
  EXPECT_NEAR(answer["parameters"]["stiffness"]["value"].get<double>() / 1e12, 1.0, 1e-6);
  EXPECT_NEAR(answer["parameters"]["contact_point"]["value"].get<double>(), 5e-6, 1e-11);
  EXPECT_EQ(answer["better_model"], "volumetric");
}

TEST_F(IdentifyTool, TiltSaysWhereTheWedgeEnds) {
  const Json answer = Answer("stiffness " + kData + "press_punch.csv --solid " + kData +
                             "punch.json --tilt --stiffness 7.26e12");
  ExpectWithin(answer, "tilt", 0.32 * std::numbers::pi / 180.0);
  const double tilt = answer["parameters"]["tilt"]["value"];
  EXPECT_NEAR(answer["wedge"]["depth_limit"].get<double>() / (0.01 * std::sin(tilt)), 1.0, 1e-12);
  EXPECT_EQ(answer["wedge"]["within"], true);
  EXPECT_LT(std::abs(answer["wedge"]["formula_over_volume_less_1"].get<double>()), 1e-10);
}

TEST_F(IdentifyTool, DampingOfTheExample) {
  Write("base.json", R"({"normal": {"stiffness": 7.59e13, "v_small": 1e-4}})");
  const std::string impacts = "damping " + kData + "impacts.csv --solid " + kData + "ball.json ";
  const Json answer = Answer(impacts + "--base base.json --out contact.json");
  ExpectWithin(answer, "damping", 7.4566);
  ExpectWithin(answer, "restitution", 0.13387);
  ExpectWithin(answer, "exponent", 1.0);
  EXPECT_EQ(answer["runs"].size(), 6u);
  std::ifstream file(std::filesystem::path(testing::TempDir()) /
                     "volcontact_IdentifyTool_DampingOfTheExample" / "contact.json");
  const Json contact = Json::parse(file);
  EXPECT_EQ(contact["normal"]["v_small"], 1e-4);
  EXPECT_EQ(contact["normal"]["stiffness"], 7.59e13);
  // Two bodies in series; a stiffness of the pair takes their place.
  Write("series.json", R"({"normal": {"stiffness_a": 1.518e14, "stiffness_b": 1.518e14}})");
  const Json series = Answer(impacts + "--base series.json --out contact.json");
  EXPECT_EQ(series["parameters"], answer["parameters"]);
  // The default v_small is faster than these impacts.
  EXPECT_NEAR(series["contact"]["normal"]["v_small"].get<double>(), 1.2e-4, 1e-12);
  Answer(impacts + "--base series.json --stiffness 7.59e13 --out contact.json");
  EXPECT_EQ(contact["normal"]["restitution"], answer["parameters"]["restitution"]["value"]);
}

TEST_F(IdentifyTool, FrictionOfTheExample) {
  Write("base.json", R"({"normal": {"stiffness": 1e12}})");
  const Json answer =
      Answer("friction " + kData + "friction.csv --base base.json --out contact.json");
  ExpectWithin(answer, "mu_s", 0.30);
  ExpectWithin(answer, "mu_c", 0.19);
  ExpectWithin(answer, "sigma0", 4500.0);
  ExpectWithin(answer, "sigma1", 300.0);
  ExpectWithin(answer, "sigma2", 10.0);
  ExpectWithin(answer, "v_stribeck", 4e-4);
  ExpectWithin(answer, "tau_dwell", 0.3);
  const ToolRun force =
      Run("force ball.json ball.json --pose-a 0,0,0.0199,1,0,0,0 --params contact.json");
  EXPECT_EQ(force.status, 0) << force.err;
  ExpectRefusal("identify friction " + kData + "friction.csv --out contact.json",
                "\"normal\" is missing; give the parameters that are not in these data with a "
                "contact file, --base FILE");
}

TEST_F(IdentifyTool, RestitutionOfTheExample) {
  const std::string drops =
      "restitution " + kData + "drops.csv --mass 0.066 --hertz-stiffness 1e10";
  const Json answer = Answer(drops);
  ExpectWithin(answer, "lambda", 1e5);
  EXPECT_EQ(answer["better_model"], "azad_featherstone");
  Answer(drops + " --model azad_featherstone --out contact.json");
  EXPECT_TRUE(
      Answer("restitution " + kData + "drops.csv")["parameters"]["lambda"]["value"].is_null());
  ExpectRefusal("identify " + drops + " --out contact.json", "\"stiffness\" is missing");
}

TEST_F(IdentifyTool, TorqueGivesTheSameAsForce) {
  const double r = 0.009, load = 20.0;
  std::string text = "normal_force,friction_torque,angular_velocity,velocity\n";
  for (int i = 1; i < 6; ++i) {
    const double w = 0.05 * i, v = 2e-4, surface = r * w, average = std::hypot(surface, v);
    const double torque = r * load * (0.177 * surface / average + 17.1 * surface);
    text += std::to_string(load) + ',' + std::to_string(1e6 * torque) + "e-6," + std::to_string(w) +
            ",0.0002\n";
  }
  Write("torque.csv", text);
  const Json answer = Answer("friction torque.csv --experiment steady --gyration-radius 0.009");
  EXPECT_NEAR(answer["parameters"]["mu_c"]["value"].get<double>(), 0.177, 1e-6);
  EXPECT_NEAR(answer["parameters"]["sigma2"]["value"].get<double>(), 17.1, 1e-3);
  EXPECT_TRUE(answer["parameters"]["tau_dwell"]["value"].is_null());
  EXPECT_NE(answer["parameters"]["mu_s"]["undetermined"], "");
  ExpectRefusal("identify friction torque.csv --experiment steady", "--gyration-radius is missing");
}

TEST_F(IdentifyTool, PlotsAreDrawnOrMissedWithAWarning) {
  const std::string stiffness =
      "identify stiffness " + kData + "press_sphere.csv --solid " + kData + "ball.json ";
  const ToolRun without = Run(stiffness + "--plot no/such/folder/fit.svg");
  EXPECT_EQ(without.status, 0);
  EXPECT_NE(without.err.find("volcontact: warning: no/such/folder/fit.svg: "), std::string::npos);
  EXPECT_NE(without.out.find("stiffness"), std::string::npos);
  if (without.err.find("cannot be drawn") != std::string::npos) {
    EXPECT_NE(without.err.find(".svg, .png or .pdf"), std::string::npos) << without.err;
  }
  const ToolRun drawn = Run(stiffness + "--plot fit.svg");
  EXPECT_EQ(drawn.status, 0);
  const auto file = std::filesystem::path(testing::TempDir()) /
                    "volcontact_IdentifyTool_PlotsAreDrawnOrMissedWithAWarning" / "fit.svg";
  EXPECT_TRUE(std::filesystem::exists(file) || !drawn.err.empty());
}

TEST_F(IdentifyTool, IllPosedDataGetAnExplanation) {
  Write("flat.csv", "position,force\n1e-6,0\n2e-6,0\n3e-6,0\n");
  ExpectRefusal("identify stiffness flat.csv --solid ball.json", "no contact shows in the data");
  Write("turned.csv", "position,force\n0,0\n-1e-6,-1\n-2e-6,-3\n-3e-6,-6\n");
  ExpectRefusal("identify stiffness turned.csv --solid ball.json",
                "change both signs with --negate, or check");
  ExpectRefusal("identify stiffness " + kData + "press_sphere.csv --solid " + kData +
                    "ball.json --negate position --negate force",
                "change both signs with --negate, or check");
  Write("still.csv", "position,force\n1e-6,1\n1e-6,2\n1e-6,3\n");
  ExpectRefusal("identify stiffness still.csv --solid ball.json", "positions are all the same");
  ExpectRefusal("identify stiffness " + kData + "press_sphere.csv --tilt --solid ball.json",
                "the data do not determine ");
  ExpectRefusal(
      "identify stiffness " + kData + "press_sphere.csv --unit position=m --solid ball.json",
      "where the overlap of the solids does not grow any more; check the unit");
  Write("few.csv", "position,force\n1e-6,1\n");
  ExpectRefusal("identify stiffness few.csv --solid ball.json", "few.csv: the positions");
  Write("one_speed.csv", "impact_speed,restitution\n1,0.5\n1,0.6\n1,0.55\n");
  ExpectRefusal("identify restitution one_speed.csv", "all impacts are at about 1 m/s");
  EXPECT_NEAR(
      Answer("restitution one_speed.csv --model constant")["parameters"]["restitution"]["value"]
          .get<double>(),
      0.55, 1e-12);
  Write("steady.csv", "normal_force,friction_force,velocity\n20,4,0.001\n20,4.1,0.001\n");
  ExpectRefusal("identify friction steady.csv --experiment steady",
                "no parameter is determined: all steady runs are at about 0.001 m/s");
  Write("one_impact.csv",
        "position [um],velocity [mm/s],force\n0,.1,0\n1,.1,0\n2,.1,.2\n3,.1,1\n4,.1,3\n");
  const Json one = Answer("damping one_impact.csv --solid ball.json --stiffness 1e12");
  EXPECT_TRUE(one["parameters"]["restitution"]["value"].is_null());
  ExpectRefusal("identify damping one_impact.csv --solid ball.json --stiffness 1e12 --out c.json",
                "all impacts are at about 0.0001 m/s");
}

TEST_F(IdentifyTool, Refusals) {
  Write("press.csv", "position,force\n0,0\n1e-6,1\n2e-6,3\n3e-6,oops\n");
  Write("drops.csv", "impact_speed,restitution\n1,0.5\n2,1.5\n");
  Write("empty.csv", "");
  Write("good.csv", "position [m],force [N]\n0,0\n1e-6,1\n2e-6,3\n3e-6,6\n");
  const std::string good = "identify stiffness good.csv --solid ball.json";
  const std::string press = "identify stiffness press.csv --solid ball.json";
  ExpectRefusal("identify", "no subcommand of volcontact identify is given; choose one of");
  ExpectRefusal("identify stiffness",
                "--solid is required; see volcontact identify stiffness --help");
  ExpectRefusal("identify stiffness press.csv", "--solid is required");
  ExpectRefusal(press, "press.csv: line 5: column \"force\": \"oops\" is not a finite number");
  ExpectRefusal("identify stiffness empty.csv --solid ball.json", "empty.csv: is empty");
  ExpectRefusal("identify stiffness missing.csv --solid ball.json",
                "missing.csv: cannot be opened: No such file");
  ExpectRefusal("identify stiffness good.csv --solid missing.json", "missing.json");
  ExpectRefusal(good + " --loss cauchy", "--loss cauchy: not a loss; choose one of squared, huber");
  ExpectRefusal(good + " --bootstrap 3", "--bootstrap 3: must be 10 to 100000");
  ExpectRefusal(good + " --direction 0,0,0", "--direction 0,0,0: has no direction");
  ExpectRefusal(good + " --stiffness -1", "--stiffness -1: must be positive");
  ExpectRefusal(good + " --tol 2", "--tol 2: must lie between");
  ExpectRefusal(good + " --solid ball.json --solid ball.json", "--solid: is given more than twice");
  ExpectRefusal(good + " --column force=weight", "\"weight\" of --column force");
  ExpectRefusal("identify damping press.csv --solid ball.json", "--stiffness is missing");
  ExpectRefusal("identify restitution drops.csv", "drops.csv: line 3: the restitution is 1.5");
  ExpectRefusal("identify restitution drops.csv --model linear", "--model linear: not a model");
  ExpectRefusal("identify friction press.csv", "name the right one with --column");
  Write("pull.csv", "normal_force,friction_force,velocity\n1,1,1\n0,1,1\n");
  ExpectRefusal("identify friction pull.csv", "or give --experiment for all");
  ExpectRefusal("identify friction pull.csv --unit velocity=furlong",
                "--unit velocity: \"furlong\"");
  ExpectRefusal("identify friction pull.csv --negate speed",
                "--negate speed: \"speed\" is not a column");
  ExpectRefusal("identify friction pull.csv --experiment fast", "\"fast\" is not an experiment");
  ExpectRefusal("identify friction pull.csv --experiment steady",
                "pull.csv: line 3: the normal force is 0 N");
}

TEST_F(IdentifyTool, OutputsDoNotReplaceInputs) {
  const std::string press = "position [m],force [N]\n0,0\n1e-6,1\n2e-6,3\n3e-6,6\n";
  Write("good.csv", press);
  Write("base.json", R"({"normal": {"stiffness": 1e12}})");
  const std::string good = "identify stiffness good.csv --solid ball.json --base base.json ";
  ExpectRefusal(good + "--out ./good.csv",
                "--out ./good.csv: would replace the input file good.csv");
  ExpectRefusal(good + "--out ball.json", "--out ball.json: would replace the input file");
  ExpectRefusal(good + "--out base.json", "--out base.json: would replace");
  ExpectRefusal(good + "--plot good.csv", "--plot good.csv: would replace");
  ExpectRefusal(good + "--out fit.svg --plot ./fit.svg", "--plot ./fit.svg: is the file of --out");
  ExpectRefusal("identify damping good.csv --solid ball.json --out ball.json", "would replace");
  ExpectRefusal(good, "--base base.json: this fit needs it for --out only; add --out FILE");
  ExpectRefusal(good + "--out no/folder/c.json", "--out no/folder/c.json: cannot be written");
  Write("old.json", "old");
  Answer("stiffness good.csv --solid ball.json --out old.json");
  Answer("stiffness good.csv --solid ball.json --base old.json --out new.json");
}

TEST_F(IdentifyTool, RestitutionAtTheEndsOfItsRange) {
  Write("gain.csv", "impact_speed,restitution\n0.1,1.02\n0.5,1.01\n1,1.01\n2,1.02\n");
  const Json gain = Answer("restitution gain.csv --mass 1 --hertz-stiffness 1e9");
  for (const char* name : {"alpha", "beta", "lambda"}) {
    EXPECT_TRUE(gain["parameters"][name]["value"].is_null()) << name;
    EXPECT_NE(gain["parameters"][name]["undetermined"].dump().find("no loss of speed"),
              std::string::npos);
  }
  EXPECT_TRUE(gain["better_model"].is_null());
  EXPECT_EQ(gain["contact"]["normal"]["restitution"], 1.0);
  EXPECT_NE(gain["notes"].dump().find("restitution = 1"), std::string::npos);
  ExpectRefusal("identify restitution gain.csv --model hunt_crossley", "no loss of speed");
  Write("dead.csv", "impact_speed,restitution\n0.1,0\n0.5,0\n1,0\n2,0\n");
  ExpectRefusal("identify restitution dead.csv", "no parameter is determined: no impact rebounds");
}

TEST_F(IdentifyTool, FrictionRunsThatSayNothingLeaveTheRest) {
  std::string text = "experiment,run,time,velocity,normal_force,friction_force\n";
  for (int i = 1; i < 6; ++i) {
    text += "steady," + std::to_string(i) + ",0," + std::to_string(i) + "e-3,20," +
            std::to_string(4.0 + 0.1 * i) + '\n';
  }
  std::string flat = text;
  for (int i = 0; i < 20; ++i) {
    flat += "slow,a," + std::to_string(i) + ',' + std::to_string(i) + "e-5,20," +
            std::to_string(0.01 * i * i) + '\n';
  }
  Write("flat.csv", flat);
  const Json answer = Answer("friction flat.csv");
  EXPECT_NEAR(answer["parameters"]["mu_c"]["value"].get<double>(), 0.2, 1e-9);
  EXPECT_TRUE(answer["parameters"]["mu_s"]["value"].is_null());
  EXPECT_NE(answer["parameters"]["mu_s"]["undetermined"].dump().find("never breaks away"),
            std::string::npos);
  EXPECT_NE(answer["notes"].dump().find("slow run left out"), std::string::npos);
  // A good run beside it; its travel is the integral of the velocity.
  std::string pull = flat;
  for (int i = 0; i <= 200; ++i) {
    const double t = 0.02 * i, v = 4e-5 * t, mu = std::min(4500.0 * 0.5 * v * t + 300.0 * v, 0.3);
    pull += "slow,b," + std::to_string(t) + ',' + std::to_string(4e4 * t) + "e-9,20," +
            std::to_string(1e6 * 20.0 * (mu + 5.0 * v)) + "e-6\n";
  }
  Write("pull.csv", pull);
  const Json both = Answer("friction pull.csv");
  EXPECT_NEAR(both["parameters"]["sigma0"]["value"].get<double>(), 4500.0, 1.0);
  EXPECT_NEAR(both["parameters"]["mu_s"]["value"].get<double>(), 0.3, 1e-6);
  ExpectRefusal("identify friction flat.csv --column experiment=run", "is not an experiment");
}

TEST_F(IdentifyTool, SteadyRowsLedByTheOtherMotionAreCounted) {
  Write("share.csv",
        "angular_velocity,velocity,normal_force,friction_torque\n"
        "1,0.06,20,0.0001\n2,0.2,20,0.0001\n");
  ExpectRefusal("identify friction share.csv --experiment steady --gyration-radius 0.001",
                "no row of a steady run can be used: 2 of 2 rows of steady runs are left out");
  Write("some.csv",
        "angular_velocity,velocity,normal_force,friction_torque\n"
        "1,0.06,20,0.0001\n2,0,20,0.004\n3,0,20,0.004\n0,0,20,0.001\n");
  const Json some = Answer("friction some.csv --experiment steady --gyration-radius 0.001");
  const std::string notes = some["notes"].dump();
  EXPECT_NE(notes.find("1 of 4 rows of steady runs are left out, because the speed"),
            std::string::npos);
  EXPECT_NE(notes.find("1 of 4 rows of steady runs are left out, because the body"),
            std::string::npos);
}

}  // namespace
}  // namespace volcontact
