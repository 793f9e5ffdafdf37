// Tables of materials.
#include "volcontact/io/material_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "support/message_of.h"
#include "support/paths.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

TEST(MaterialTable, FindsMaterialsByAnyOfTheirNames) {
  const MaterialTable table =
      ReadMaterialTable(std::string(volcontact::DataFolder()) + "/materials.json");
  EXPECT_EQ(table.Find("aluminium").modulus, 69e9);
  EXPECT_EQ(table.Find("aluminum").name, "aluminium");
  EXPECT_FALSE(table.Find("soft_wood").poisson);  // null
  EXPECT_EQ(table.Density("steel"), 7850.0);
  EXPECT_THROW(table.Density("soft_wood"), InvalidInput);
  EXPECT_THROW(table.Find("cheese"), InvalidInput);
}

// Sound in a thin bar travels at 1.4 km/s in plastics, and at 3.4 to 5.2 km/s in these metals.
TEST(MaterialTable, ModuliFitDensities) {
  const MaterialTable table =
      ReadMaterialTable(std::string(volcontact::DataFolder()) + "/materials.json");
  for (const Material& material : table.materials) {
    if (!material.density) continue;
    const double speed = std::sqrt(material.modulus / *material.density);
    const bool is_metal = material.modulus > 1e10;
    EXPECT_GT(speed, is_metal ? 3300.0 : 1300.0) << material.name;
    EXPECT_LT(speed, is_metal ? 5200.0 : 1700.0) << material.name;
    if (is_metal) {
      ASSERT_TRUE(material.poisson) << material.name;
      EXPECT_GT(*material.poisson, 0.2) << material.name;
      EXPECT_LT(*material.poisson, 0.36) << material.name;
    }
  }
  EXPECT_EQ(table.Find("phosphor_bronze").name, "bronze");
}

TEST(MaterialTable, SuggestsANameThatIsNear) {
  const MaterialTable table = BuiltInMaterials();
  for (const auto& [name, near] : {std::pair("Steel", "steel"), std::pair("ALUMINUM", "aluminum"),
                                   std::pair("alumnium", "aluminium")}) {
    const std::string message = MessageOf([&] { table.Find(name); });
    EXPECT_NE(message.find(std::string("(did you mean \"") + near + "\"?)"), std::string::npos)
        << message;
  }
}

TEST(MaterialTable, NamesTheEntryThatIsWrong) {
  const auto refusal = [](const std::string& text) {
    return MessageOf([&] { ParseMaterialTable(text, "m.json"); });
  };
  EXPECT_TRUE(refusal("[]").starts_with("m.json: at materials: ")) << refusal("[]");
  const std::string soft = refusal(
      R"({"materials": [{"name": "a", "modulus": 1, "source": ""},
                        {"name": "b", "modulus": "soft", "source": ""}]})");
  EXPECT_TRUE(soft.starts_with("m.json: at materials/1: at modulus: a number is expected")) << soft;
  const std::string contact = refusal(
      R"({"materials": [], "contacts": [{"name": "a", "source": "", "measured": true,
                                         "values": {"k": "x"}}]})");
  EXPECT_TRUE(contact.starts_with("m.json: at contacts/0: at values.k: ")) << contact;
}

}  // namespace
}  // namespace volcontact
