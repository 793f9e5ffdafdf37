// Members of a union as the bodies of an assembly.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>
#include <string>
#include <vector>

#include "support/folder_test.h"
#include "support/message_of.h"
#include "volcontact/io/solid_file.h"
#include "volcontact/math/error.h"

namespace volcontact::testing::json_bodies_test {
namespace {

using JsonBodies = FolderTest;

TEST_F(JsonBodies, AreTheMembersOfTheOutermostUnion) {
  const auto path = Write("bodies.json", R"({"volcontact": 1, "units": "mm", "solid": {
      "pose": {"t": [0, 0, 100], "q": [1, 0, 0, 0]},
      "union": [
        {"name": "pin", "cylinder": {"radius": 5, "height": 40}},
        {"name": "plate", "difference": [{"box": {"size": [60, 50, 10]}},
                                         {"cylinder": {"radius": 6, "height": 20}}]},
        {"name": "pin", "sphere": {"radius": 5}, "pose": {"t": [20, 0, 0], "q": [1, 0, 0, 0]}},
        {"half_space": {}}]}})");
  const std::vector<SolidBody> bodies = ReadBodies(path);
  ASSERT_EQ(bodies.size(), 4u);
  const char* const names[] = {"pin:1", "plate", "pin:2", "body"};
  const double pi = std::numbers::pi;
  const double volumes[] = {pi * 25e-6 * 0.04, 0.06 * 0.05 * 0.01 - pi * 36e-6 * 0.01,
                            4.0 / 3.0 * pi * 125e-9, INFINITY};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(bodies[i].name, names[i]);
    EXPECT_EQ(bodies[i].number, i + 1);
    EXPECT_TRUE(bodies[i].exact);
    if (i == 3) continue;  // unbounded
    EXPECT_NEAR(bodies[i].volume, volumes[i], 1e-9 * volumes[i]);
    EXPECT_NEAR(bodies[i].centroid.z(), 0.1, 1e-9);
  }
  EXPECT_EQ(bodies[3].volume, volumes[3]);
  EXPECT_NEAR(bodies[2].centroid.x(), 0.02, 1e-12);
  EXPECT_EQ(bodies[3].solid->Locate({0.0, 0.0, 0.099}), Membership::kInside);
  EXPECT_EQ(bodies[3].solid->Locate({0.0, 0.0, 0.101}), Membership::kOutside);
  ReadOptions options;
  options.body = "plate";
  EXPECT_EQ(ReadBodies(path, options).at(0).number, 2);
  options.body = "bolt";
  EXPECT_THROW(ReadBodies(path, options), InvalidInput);
}

TEST_F(JsonBodies, AnotherSolidIsOneBody) {
  const auto path =
      Write("bodies.json", R"({"name": "block", "pose": {"t": [1, 0, 0], "q": [1, 0, 0, 0]},
                              "box": {"size": [1, 2, 3]}})");
  const std::vector<SolidBody> bodies = ReadBodies(path);
  ASSERT_EQ(bodies.size(), 1u);
  EXPECT_EQ(bodies[0].name, "block");
  EXPECT_NEAR(bodies[0].volume, 6.0, 1e-12);
  EXPECT_NEAR(bodies[0].centroid.x(), 1.0, 1e-12);
}

TEST_F(JsonBodies, MessagesNameThePlace) {
  const auto path = Write(
      "bodies.json", R"({"union": [{"box": {"size": [1, 2, 3]}}, {"name": 7, "sphere": {}}]})");
  const std::string message = MessageOf([&] { ReadBodies(path); });
  EXPECT_NE(message.find("/union/1/name"), std::string::npos) << message;
}

}  // namespace
}  // namespace volcontact::testing::json_bodies_test
