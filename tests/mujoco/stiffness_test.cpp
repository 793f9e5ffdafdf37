// Stiffnesses that are left to us: by a depth at rest, or by materials.
#include <cmath>
#include <string>

#include "mujoco/loaded_model.h"

namespace volcontact::test {
namespace {

constexpr double kRadius = 0.1, kMass = 1.0;

std::string FileOf(const std::string& normal, const std::string& more = "") {
  return R"({"contacts": [{"name": "c", "geom_a": "ball", "geom_b": "floor", )" + more +
         R"("normal": )" + normal + "}]}";
}

ModelPointer ModelOf(const std::string& contacts, const std::string& option = "") {
  std::string xml = BallXml(option, kRadius, kMass, kRadius);
  xml.insert(std::string("<mujoco>").size(),
             "<custom><text name=\"volcontact\" data='" + contacts + "'/></custom>");
  return Loaded(xml);
}

// How deep the ball lies after a second.
double DepthAtRest(const std::string& contacts) {
  const ModelPointer model = ModelOf(contacts);
  const MujocoContacts made(model.get(), ReadMujocoContacts(model.get()));
  EXPECT_EQ(made.Notes().size(), 1u);
  ExpectSays(made.Notes().at(0), "contact \"c\": stiffness ");
  const DataPointer data = DataOf(model);
  while (data->time < 1.0) mj_step(model.get(), data.get());
  return kRadius - data->qpos[2];
}

TEST(MujocoStiffness, LetsABodyRestAsDeepAsWanted) {
  for (const double depth : {1e-3, 1e-5}) {
    const std::string normal = R"({"stiffness": "auto", "restitution": 0.3, "v_small": 0.05,
        "rest_depth": )" + std::to_string(depth) +
                               "}";
    EXPECT_NEAR(DepthAtRest(FileOf(normal)), depth, 0.02 * depth);
  }
  // Without a depth a thousandth of the edge of a cube of its volume.
  const double edge = kRadius * std::cbrt(4.0 / 3.0 * std::acos(-1.0));
  const std::string normal = R"({"stiffness": "auto", "restitution": 0.3, "v_small": 0.05})";
  EXPECT_NEAR(DepthAtRest(FileOf(normal)), 1e-3 * edge, 0.02e-3 * edge);
}

// As Hertz has it, the ball's material against a rigid floor: x = (3 f/(4 E* √R))^(2/3).
TEST(MujocoStiffness, TakesThatOfMaterials) {
  const std::string normal = R"({"stiffness": "auto", "restitution": 0.3, "v_small": 0.05})";
  const MaterialTable table = BuiltInMaterials();
  const Material& steel = table.Find("steel");
  const double poisson = steel.poisson.value_or(kCommonPoisson);
  const double modulus = steel.modulus / (1.0 - poisson * poisson);
  const auto depth = [&](double effective) {
    return std::pow(0.75 * kMass * 9.81 / (effective * std::sqrt(kRadius)), 2.0 / 3.0);
  };
  EXPECT_NEAR(DepthAtRest(FileOf(normal, R"("material_a": "steel", )")), depth(modulus),
              0.03 * depth(modulus));
  EXPECT_NEAR(DepthAtRest(FileOf(normal, R"("material": "steel", )")), depth(0.5 * modulus),
              0.03 * depth(0.5 * modulus));
}

TEST(MujocoStiffness, RefusesWhatTellsNothing) {
  const auto refusal = [](const std::string& contacts, const std::string& option) {
    try {
      const ModelPointer model = ModelOf(contacts, option);
      const MujocoContacts made(model.get(), ReadMujocoContacts(model.get()));
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string("nothing was wrong");
  };
  ExpectSays(refusal(FileOf(R"({"stiffness": "auto"})"), "gravity=\"0 0 0\""), "needs gravity");
  ExpectSays(refusal(FileOf(R"({"stiffness": 1e9})", R"("material": "steel", )"), ""),
             "a material goes with");
  ExpectSays(refusal(FileOf(R"({"stiffness": "auto"})", R"("material": "cheese", )"), ""),
             "cheese");
}

}  // namespace
}  // namespace volcontact::test
