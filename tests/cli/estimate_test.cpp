// volcontact estimate: answers as table and JSON, the material table, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>

#include "cli/run_tool.h"
#include "support/paths.h"

namespace volcontact {
namespace {

using Json = nlohmann::json;

class EstimateTool : public ToolTest {
 protected:
  Json Answer(const std::string& arguments) const {
    const ToolRun run = Run("estimate " + arguments + " --json");
    EXPECT_EQ(run.status, 0) << arguments << ' ' << run.err;
    EXPECT_EQ(run.err, "");
    return Json::parse(run.out);
  }
  static void ExpectNear(const Json& value, double expected, double relative = 1e-12) {
    EXPECT_NEAR(value.get<double>() / expected, 1.0, relative);
  }
};

TEST_F(EstimateTool, EveryEstimateHasHelpWithAnExampleThatRuns) {
  for (const char* name : {"hertz", "volumetric", "hydroelastic", "contact", "friction", "step",
                           "voxel", "materials"}) {
    const ToolRun help = Run(std::string("estimate ") + name + " --help");
    EXPECT_EQ(help.status, 0) << name;
    const std::size_t example = help.out.find("Example:\n  volcontact estimate ");
    ASSERT_NE(example, std::string::npos) << help.out;
    const std::size_t begin = help.out.find("estimate", example);
    const std::string line = help.out.substr(begin, help.out.find('\n', begin) - begin);
    const ToolRun run = Run(line);
    EXPECT_EQ(run.status, 0) << line << ' ' << run.err;
    EXPECT_NE(run.out, "");
  }
}

TEST_F(EstimateTool, EveryValueHasUnitAndSource) {
  for (const char* arguments :
       {"hertz --material-a aluminium --radius 0.01 --force 20",
        "volumetric --material-a aluminium --radius 0.01 --force 20",
        "hydroelastic --radius 0.05 --modulus-a 1e7 --mass 1",
        "contact --radius 0.05 --mass 1 --depth 1e-4 --mu-s 0.3",
        "friction --mu-s 0.3 --impact-speed 1", "step --mass 2 --hertz-stiffness 1e7",
        "voxel --stiffness 1e7 --small-force 1e-3"}) {
    const Json answer = Answer(arguments);
    int values = 0;
    for (const auto& [key, value] : answer.items()) {
      if (!value.is_number() || key == "schema") continue;
      ++values;
      EXPECT_TRUE(answer["units"].contains(key)) << arguments << ' ' << key;
      EXPECT_NE(answer["sources"][key], "") << arguments << ' ' << key;
    }
    EXPECT_GE(values, 1) << arguments;
  }
}

TEST_F(EstimateTool, Hertz) {
  const Json answer = Answer(
      "hertz --material-a aluminum --material-b stainless_steel --radius 0.00952 --force 20");
  const double compliance = (1.0 - 0.33 * 0.33) / 69e9 + (1.0 - 0.27 * 0.27) / 200e9;
  const double k = 4.0 / 3.0 / compliance * std::sqrt(0.00952);
  ExpectNear(answer["hertz_stiffness"], k);
  ExpectNear(answer["depth"], std::pow(20.0 / k, 2.0 / 3.0));
  ExpectNear(Answer("hertz --modulus-a 69e9 --poisson-a 0.33 --modulus-b 200e9 --poisson-b 0.27 "
                    "--radius-a 0.1 --radius-b -1")["hertz_stiffness"],
             4.0 / 3.0 / compliance * std::sqrt(0.1 / 0.9));
}

TEST_F(EstimateTool, Volumetric) {
  const std::string metals = "volumetric --material-a aluminium --material-b stainless_steel ";
  ExpectNear(Answer(metals + "--patch-radius 0.005")["stiffness"], 7.26e12, 1e-3);
  const Json layers = Answer(
      "volumetric --modulus-a 1e7 --foundation-a 0.05 --modulus-b 3e7 "
      "--foundation-b 0.1");
  ExpectNear(layers["stiffness"], 1.2e8);
  EXPECT_EQ(layers["normal"], (Json{{"law", "volumetric"}, {"stiffness", layers["stiffness"]}}));
  ExpectNear(Answer("volumetric --stiffness-a 2e8 --stiffness-b 3e8")["stiffness"], 1.2e8);
  // A rigid B has no number in JSON.
  EXPECT_EQ(Answer("volumetric --modulus-a 1e7 --foundation-a 0.05")["stiffness_b"], nullptr);
}

TEST_F(EstimateTool, Hydroelastic) {
  const Json sphere = Answer("hydroelastic --shape sphere --radius 0.05 --modulus-a 1e6 --mass 1");
  ExpectNear(sphere["penetration_leading_order"], 1.767e-3, 3e-4);
  EXPECT_GT(sphere["penetration"], sphere["penetration_leading_order"]);
  ExpectNear(
      Answer("hydroelastic --shape cylinder --radius 0.05 --modulus-a 1e6 --mass 1")["penetration"],
      6.245e-5, 1e-3);
  ExpectNear(Answer("hydroelastic --shape cone --radius 0.05 --half-angle 0.5235987755982988 "
                    "--modulus-a 1e6")["foundation_depth"],
             0.05 / std::numbers::sqrt3);
  const Json pair = Answer(
      "hydroelastic --radius 0.05 --radius-b 0.02 --modulus-a 1e7 --modulus-b 1e7 --force 9.81");
  ExpectNear(pair["stiffness"], 1e7 / 0.07);
}

TEST_F(EstimateTool, ContactOfMaterialsSinksAsHertzSays) {
  const Json answer = Answer(
      "contact --radius 0.02 --mass 0.5 --material-a stainless_steel --material-b aluminium "
      "--restitution 0.7 --mu-s 0.3 --mu-c 0.2");
  const Json hertz = Answer(
      "hertz --material-a stainless_steel --material-b aluminium --radius 0.02 --force 4.905");
  ExpectNear(answer["depth"], hertz["depth"].get<double>(), 1e-4);
  ExpectNear(answer["stiffness"], hertz["volumetric_stiffness"].get<double>(), 1e-4);
  ExpectNear(answer["stiffness"], answer["elastic_stiffness"].get<double>(), 1e-6);
  EXPECT_EQ(answer["normal"]["stiffness"], answer["stiffness"]);
  EXPECT_EQ(answer["normal"]["restitution"], 0.7);
  EXPECT_EQ(answer["friction"]["mu_c"], 0.2);
  EXPECT_EQ(answer["notes"].size(), 0u);
}

TEST_F(EstimateTool, ContactOfADepthSinksThatDeep) {
  const Json answer = Answer("contact --shape cylinder --radius 0.1 --mass 20 --depth 1e-5");
  ExpectNear(answer["stiffness"], 20 * 9.81 / (std::numbers::pi * 0.01 * 1e-5), 1e-9);
  EXPECT_EQ(answer["elastic_stiffness"], nullptr);
  EXPECT_FALSE(answer.contains("friction"));
  // A material without a Poisson's ratio, and a stiffer one.
  const Json wood = Answer("contact --radius 0.02 --mass 0.5 --material-a soft_wood --depth 1e-8");
  EXPECT_GT(wood["stiffness"], wood["elastic_stiffness"]);
  ASSERT_EQ(wood["notes"].size(), 3u);
  EXPECT_NE(wood["notes"][0].get<std::string>().find("Poisson"), std::string::npos);
  EXPECT_NE(wood["notes"][1].get<std::string>().find("stiffer"), std::string::npos);
}

TEST_F(EstimateTool, ContactSaysWhatItNeeds) {
  ExpectRefusal("estimate contact --radius 0.1 --mass 1", "--depth is missing");
  ExpectRefusal("estimate contact --radius 0.1 --depth 1e-4", "--mass is required");
  ExpectRefusal("estimate contact --radius 0.1 --mass 1 --depth 1", "the body ends at 0.1 m");
  ExpectRefusal("estimate contact --radius 0.1 --mass 1 --depth 1e-4 --mu-s 0.3 --mu-c 0.4",
                "--mu-c");
  ExpectRefusal("estimate contact --radius 0.1 --mass 1 --depth 1e-4 --poisson-a 0.3",
                "--poisson-a is given without --modulus-a");
}

TEST_F(EstimateTool, Friction) {
  const Json answer = Answer("friction --mu-s 0.3 --mu-c 0.25 --pre-sliding 1e-5");
  ExpectNear(answer["sigma0"], 3e4);
  ExpectNear(answer["sigma1"], 2.0 * std::sqrt(3e4 / 9.81));
  EXPECT_EQ(answer["friction"]["law"], "bristle");
  for (const char* key :
       {"mu_s", "mu_c", "sigma0", "sigma1", "sigma2", "v_stribeck", "tau_dwell"}) {
    EXPECT_EQ(answer["friction"][key], answer[key]) << key;
  }
  EXPECT_EQ(Answer("friction --mu-s 0.3 --v-stribeck 1 --impact-speed 0.1")["notes"].size(), 1u);
}

TEST_F(EstimateTool, StepAndVoxel) {
  const Json step = Answer("step --mass 2 --stiffness 1e7 --radius 0.1 --impact-speed 1.4");
  const double depth = std::cbrt(1.5 * 2.0 * 1.4 * 1.4 / (1e7 * std::numbers::pi * 0.1));
  ExpectNear(step["depth"], depth);
  const double stiffness = 1e7 * std::numbers::pi * depth * (0.2 - depth);
  ExpectNear(step["step"], 2.0 * std::numbers::pi * std::sqrt(2.0 / stiffness) / 20.0);
  EXPECT_EQ(step["bristle_period"], nullptr);
  ExpectNear(Answer("voxel --stiffness 1e7 --small-force 8e-5")["voxel_size"], 2e-4);
}

TEST_F(EstimateTool, TableIsForReading) {
  const ToolRun run = Run("estimate voxel --stiffness 1e7 --small-force 8e-5");
  EXPECT_EQ(run.out,
            "voxel_size                       0.0002 m         Gonthier 2007, Section 4.5\n");
  const ToolRun materials = Run("estimate materials");
  EXPECT_EQ(materials.status, 0);
  EXPECT_NE(materials.out.find("aluminium "), std::string::npos);
  EXPECT_NE(materials.out.find("\ntippe-top (simulated)\n"), std::string::npos);
}

TEST_F(EstimateTool, MaterialsAreThoseOfTheDataFile) {
  std::ifstream file(std::string(volcontact::DataFolder()) + "/materials.json");
  Json table = Json::parse(file);
  table["schema"] = 1;
  EXPECT_EQ(Answer("materials"), table);
  for (const Json& material : table["materials"]) {
    EXPECT_GT(material["modulus"].get<double>(), 0.0);
    EXPECT_NE(material["source"], "");
  }
}

TEST_F(EstimateTool, MaterialsOfAFile) {
  Write("mine.json",
        R"({"materials": [{"name": "rubber", "modulus": 1e6, "poisson": 0.5, "source": "test"}]})");
  const Json answer = Answer("hertz --materials mine.json --material-a rubber --radius 1");
  ExpectNear(answer["effective_modulus"], 1e6 / 0.75);
  ExpectRefusal("estimate hertz --materials mine.json --material-a aluminium --radius 1",
                "\"aluminium\" is not a material of mine.json; it has rubber");
  Write("broken.json", R"({"materials": [)");
  Write("wrong.json", R"({"materials": [{"name": "rubber", "modulus": "soft", "source": ""}]})");
  Write("bare.json", "[]");
  ExpectRefusal("estimate materials --materials broken.json", "broken.json: ");
  ExpectRefusal("estimate materials --materials wrong.json", "wrong.json: at materials/0: ");
  ExpectRefusal("estimate materials --materials bare.json", "bare.json: at materials: ");
  ExpectRefusal("estimate materials --materials missing.json",
                "missing.json: cannot be opened: No such file");
  ExpectRefusal("estimate materials --materials .", ".: is a directory");
}

TEST_F(EstimateTool, Refusals) {
  ExpectRefusal("estimate", "no subcommand of volcontact estimate is given; choose one of");
  ExpectRefusal("estimate hertz", "--radius is required; see volcontact estimate hertz --help");
  ExpectRefusal("estimate hertz --radius 1", "--modulus-a is missing; give that or --material-a");
  ExpectRefusal("estimate hertz --radius 1 --modulus-a 1e9", "--poisson-a is missing");
  ExpectRefusal("estimate hertz --radius 1 --material-a soft_wood", "has no Poisson's ratio");
  ExpectRefusal("estimate hertz --radius 1 --material-a tin", "\"tin\" is not a material");
  ExpectRefusal("estimate hertz --radius 1 --material-a aluminium --modulus-a 1", "excludes");
  ExpectRefusal("estimate hertz --radius 1 --material-a aluminium --poisson-b 0.3", "--poisson-b");
  ExpectRefusal("estimate hertz --radius 1 --modulus-a -1 --poisson-a 0.3",
                "modulus_a is -1 Pa; it must be positive, infinite for a rigid body");
  ExpectRefusal("estimate hertz --radius 1 --modulus-a nan --poisson-a 0.3", "modulus_a is nan Pa");
  ExpectRefusal("estimate hertz --radius 1 --modulus-a inf --poisson-a 0.3", "both infinite");
  ExpectRefusal("estimate hertz --radius 1 --modulus-a 1 --poisson-a 0.6", "poisson_a is 0.6; ");
  ExpectRefusal("estimate volumetric", "give --patch-radius, or --radius with --force, ");
  ExpectRefusal("estimate volumetric --patch-radius 1 --stiffness-a 1", "excludes");
  ExpectRefusal("estimate volumetric --radius 1", "--radius requires --force");
  ExpectRefusal("estimate volumetric --modulus-a 1e7 --foundation-a 1 --foundation-b 1",
                "--foundation-b and the modulus");
  ExpectRefusal("estimate hydroelastic --shape cube --radius 1 --modulus-a 1",
                "--shape cube: not a shape; choose one of sphere, cylinder, cone");
  ExpectRefusal("estimate hydroelastic --shape cone --radius 1 --modulus-a 1", "--half-angle");
  ExpectRefusal("estimate hydroelastic --radius 1 --length 1 --modulus-a 1", "--length: only");
  ExpectRefusal("estimate hydroelastic --radius 1 --modulus-a 1 --modulus-b 1", "--foundation-b");
  ExpectRefusal("estimate hydroelastic --radius 1 --modulus-a 1 --force 1e9",
                "volume is 1000000000 m^3");
  ExpectRefusal("estimate hydroelastic --radius 1 --modulus-a 1 --force -1", "the load is -1 N");
  ExpectRefusal("estimate friction --mu-s 0", "mu_s is 0");
  ExpectRefusal("estimate friction --mu-s 0.3 --mu-c 0.4", "--mu-c 0.4: must lie in [0, 0.3]");
  ExpectRefusal("estimate step --mass 1",
                "the stiffness is missing; give --stiffness with --radius, or --hertz-stiffness");
  ExpectRefusal("estimate step --mass 1 --stiffness 1", "--stiffness requires --radius");
  ExpectRefusal("estimate step --mass 0 --hertz-stiffness 1 --force 1", "mass is 0 kg");
  ExpectRefusal("estimate step --mass 1 --hertz-stiffness 1 --sigma1 1", "--sigma1 requires");
  ExpectRefusal("estimate step --mass 1 --hertz-stiffness 1 --shape cone", "--shape: is not read");
  ExpectRefusal("estimate step --mass 1 --hertz-stiffness 1 --force 1 --gravity 3",
                "--gravity: is");
  ExpectRefusal("estimate hertz --radius 1 --modulus-a 1 --poisson-a 0.3 --materials no.json",
                "--materials: is not read");
  ExpectRefusal("estimate volumetric --stiffness-a 1 --material-a aluminium",
                "--material-a: is not");
  ExpectRefusal("estimate volumetric --modulus-a 1 --foundation-a 1 --poisson-a 0.3",
                "--poisson-a: is not read");
  ExpectRefusal("estimate voxel --stiffness 1e7",
                "the force is missing; give --small-force or --force");
  ExpectRefusal("estimate voxel --stiffness inf --force 1", "stiffness is inf");
}

}  // namespace
}  // namespace volcontact
