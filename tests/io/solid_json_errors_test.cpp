// Every class of error in the JSON format: the message names the file, the place and the cure.
#include <gtest/gtest.h>

#include <span>
#include <string>

#include "io/message_checks.h"
#include "support/message_of.h"
#include "volcontact/io/solid_file.h"

namespace volcontact::solid_json_errors_test {
namespace {

std::string MessageFor(const std::string& text) {
  return MessageOf([&] { ParseSolidJson(text, "part.json"); });
}

void ExpectMessages(std::span<const MessageCase> cases) {
  ExpectMessages(
      [](const std::string& text, const std::string& file) { return ParseSolidJson(text, file); },
      "part.json", cases);
}

constexpr MessageCase kSyntax[] = {
    {"", "the file is empty"},
    {" \n\t ", "the file is empty"},
    {R"({"sphere": {"radius": 1})", "line 1, column 25: not valid JSON: "},
    {"{\"sphere\":\n  {\"radius\": }}", "line 2, column 14: not valid JSON: "},
    {R"({"sphere": {"radius": 1}} x)", "line 1, column 27: not valid JSON: "},
    {R"({"sphere": {"radius": 1}} {})", "line 1, column 27: not valid JSON: "},
    {R"({"sphere": {"radius": NaN}})", "line 1, column 2"},
    {R"({"sphere": {"radius": Infinity}})", "line 1, column 2"},
    {R"({"sphere": {"radius": 1e999}})",
     "line 1, column 27: the number \"1e999\" is beyond the range of doubles"},
    {R"({"sphere": {"radius": 1,}})", "line 1, column 25: not valid JSON: "},
    {R"({'sphere': {"radius": 1}})", "line 1, column 2: not valid JSON: "},
    {"{\"sphere\": {\"radius\": 1} // a ball\n}", "line 1, column 26: not valid JSON: "},
    {"{\"sph\xff\": 1}", "line 1, column 6: not valid JSON: "},
    {R"({"sphere": {"radius": 1, "radius": 2}})",
     "at /sphere: key \"radius\" stands twice; keep one"},
    {R"({"union": [{"half_space": {}}, {"box": {}, "box": {}}]})",
     "at /union/1: key \"box\" stands twice"},
};
TEST(SolidJsonErrors, Syntax) { ExpectMessages(kSyntax); }

constexpr MessageCase kKeys[] = {
    {R"({"volcontact": 1, "solid": {"union": [{"half_space": {}}, {"sphere": {"radus": 1}}]}})",
     "at /solid/union/1/sphere: unknown key \"radus\" (did you mean \"radius\"?); "
     "known keys: radius"},
    {R"({"spere": {"radius": 1}})",
     "at /: unknown key \"spere\" (did you mean \"sphere\"?); known keys: sphere, ellipsoid"},
    {R"({"half-space": {}})", "at /: unknown key \"half-space\" (did you mean \"half_space\"?)"},
    {R"({"sphere": {"radius": 1}, "colour": "red"})", "at /: unknown key \"colour\"; known keys"},
    {R"({"half_space": {"z": 1}})", "at /half_space: unknown key \"z\"; no keys are known here"},
    {R"({"sphere": {"radius": 1, "line\nbreak": 1}})",
     R"(at /sphere: unknown key "line\x0abreak")"},
    {R"({"sphere": {}})", "at /sphere: key \"radius\" is missing"},
    {R"({"box": {"size": [1,2,3]}, "pose": {"t": [0,0,0], "r": 1}})",
     "at /pose: unknown key \"r\""},
    {R"({})", "at /: no shape key; give one of: sphere"},
    {R"({"pose": {"t": [0,0,0]}})", "at /: no shape key"},
    {R"({"sphere": {"radius": 1}, "box": {"size": [1,1,1]}})",
     "at /: two shape keys, \"sphere\" and \"box\"; keep one"},
    {R"({"polynomial": {"terms": [{"c": 1, "e": [1,0,0], "x": 1}]}})",
     "at /polynomial/terms/0: unknown key \"x\""},
};
TEST(SolidJsonErrors, Keys) { ExpectMessages(kKeys); }

constexpr MessageCase kTypes[] = {
    {"[]", "at /: must be an object, not an array"},
    {"7", "at /: must be an object, not a number"},
    {"null", "at /: must be an object, not null"},
    {R"({"sphere": 1})", "at /sphere: must be an object, not a number"},
    {R"({"sphere": {"radius": "1"}})", "at /sphere/radius: must be a number, not a string"},
    {R"({"sphere": {"radius": null}})", "at /sphere/radius: must be a number, not null"},
    {R"({"sphere": {"radius": true}})", "at /sphere/radius: must be a number, not true or false"},
    {R"({"box": {"size": 1}})", "at /box/size: must be an array of 3 numbers, not a number"},
    {R"({"box": {"size": [1,2]}})", "at /box/size: must be an array of 3 numbers, but has 2"},
    {R"({"box": {"size": [1,2,3,4]}})", "at /box/size: must be an array of 3 numbers, but has 4"},
    {R"({"box": {"size": [1,2,"3"]}})", "at /box/size/2: must be a number, not a string"},
    {R"({"union": {}})", "at /union: must be an array of one or more solids, not an object"},
    {R"({"union": []})", "at /union: must be an array of one or more solids, but is empty"},
    {R"({"difference": []})", "at /difference: must be an array of one or more solids"},
    {R"({"complement": []})", "at /complement: must be an object, not an array"},
    {R"({"sphere": {"radius": 1}, "name": 1})", "at /name: must be a string, not a number"},
    {R"({"quadric": {"matrix": [[1,0],[0,1]]}})", "at /quadric/matrix: must be an array of 4 rows"},
    {R"({"quadric": {"matrix": [[1,0,0,0],[0,1,0],[0,0,1,0],[0,0,0,-1]]}})",
     "at /quadric/matrix/1: must be an array of 4 numbers, but has 3"},
    {R"({"polynomial": {"terms": []}})",
     "at /polynomial/terms: must be an array of one or more terms"},
    {R"({"polynomial": {"terms": [{"c": 1, "e": [0.5,0,0]}]}})",
     "at /polynomial/terms/0/e/0: must be an integer, not 0.5"},
    {R"({"polynomial": {"terms": [{"c": 1, "e": [1e300,0,0]}]}})",
     "at /polynomial/terms/0/e/0: must be an integer"},
};
TEST(SolidJsonErrors, Types) { ExpectMessages(kTypes); }

constexpr MessageCase kValues[] = {
    {R"({"sphere": {"radius": -1}})", "at /sphere: Sphere: radius is -1"},
    {R"({"sphere": {"radius": 1e-400}})", "at /sphere: Sphere: radius is 0"},
    {R"({"volcontact": 1, "units": "mm", "solid": {"slab": {"thickness": 0}}})",
     "at /solid/slab: Slab: thickness is 0"},
    {R"({"torus": {"major_radius": 1, "minor_radius": 2}})", "at /torus: Torus: minor_radius"},
    {R"({"cone": {"radius": 0, "height": 1}})", "at /cone: Cone: "},
    {R"({"quadric": {"matrix": [[1,2,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,-1]]}})",
     "at /quadric: Quadric: matrix entry (1, 0)"},
    {R"({"quadric": {"matrix": [[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]]}})",
     "at /quadric: Quadric: all matrix entries are 0"},
    {R"({"volcontact": 1, "units": "mm", "solid":
         {"polynomial": {"terms": [{"c": 1, "e": [900000000,0,0]}]}}})",
     "at /solid/polynomial: PolynomialSolid: term 0 has exponents (900000000, 0, 0)"},
    {R"({"polynomial": {"terms": [{"c": 1, "e": [-1,0,0]}]}})",
     "at /polynomial: PolynomialSolid: term 0"},
    {R"({"box": {"size": [1,1,1]}, "pose": {"t": [0,0,0], "q": [1,0.01,0,0]}})",
     "at /pose: the quaternion has length"},
    {R"({"box": {"size": [1,1,1]}, "pose": {"t": [0,0,0], "q": [1,0,0]}})",
     "at /pose/q: must be an array of 4 numbers (w, x, y, z), but has 3"},
    {R"({"box": {"size": [1,1,1]}, "pose": {"t": [1e200,0,0], "q": [1,0,0,0]}})", "at /pose: "},
    {R"({"volcontact": 2, "solid": {"sphere": {"radius": 1}}})",
     "at /volcontact: format version 2 is not known; this program reads version 1"},
    {R"({"volcontact": "1", "solid": {"sphere": {"radius": 1}}})",
     "at /volcontact: must be a number, not a string"},
    {R"({"solid": {"sphere": {"radius": 1}}})", "at /: \"solid\" needs the wrapper"},
    {R"({"volcontact": 1})", "at /: key \"solid\" is missing"},
    {R"({"volcontact": 1, "unit": "mm", "solid": {"sphere": {"radius": 1}}})",
     "at /: unknown key \"unit\" (did you mean \"units\"?); known keys: volcontact, units, solid"},
    {R"({"volcontact": 1, "units": "ft", "solid": {"sphere": {"radius": 1}}})",
     "at /units: unknown unit \"ft\"; known units: m, mm, cm, in"},
    {R"({"units": "mm", "sphere": {"radius": 1}})", "at /: \"units\" needs the wrapper"},
    {R"({"mesh": {"file": "no_such_part.stl"}})", "at /mesh: no_such_part.stl: cannot be opened"},
    {R"({"mesh": {"file": "part.step"}})", "at /mesh/file: the extension must be one of"},
    {R"({"mesh": {"file": "part.stl", "scale": 0}})", "at /mesh/scale: the scale must be positive"},
    {R"({"mesh": {"file": "part.stl", "faces": []}})", "at /mesh: a mesh has either"},
    {R"({"mesh": {"vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]],
                  "faces": [[0,2,1],[0,1,3],[1,2,3],[0,2,3]]}})",
     "at /mesh: face 3 is turned against its neighbours; swap"},
    {R"({"mesh": {"vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]],
                  "faces": [[0,2,1],[0,1,3],[1,2,3],[0,3,4]]}})",
     "at /mesh: face 3 names vertices 0, 3, 4; there are 4, numbered from 0"},
};
TEST(SolidJsonErrors, Values) { ExpectMessages(kValues); }

TEST(SolidJsonErrors, UnitQuaternionTolerance) {
  const auto with_w = [](const std::string& w) {
    return MessageFor(R"({"half_space": {}, "pose": {"q": [)" + w + ", 0, 0, 0]}}");
  };
  EXPECT_EQ(with_w("1.0000009"), "accepted");
  EXPECT_NE(with_w("1.0000011"), "accepted");
}

// Opening brackets alone, and solids that are well-formed but too deep.
TEST(SolidJsonErrors, DeepNesting) {
  EXPECT_TRUE(MessageFor(std::string(1'000'000, '[')).starts_with("part.json: nested deeper"));
  const auto nested = [](int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += R"({"complement": )";
    return text + R"({"half_space": {}})" + std::string(depth, '}');
  };
  EXPECT_EQ(MessageFor(nested(398)), "accepted");
  EXPECT_TRUE(MessageFor(nested(399)).starts_with("part.json: nested deeper than 400 levels"));
}

TEST(SolidJsonErrors, LongKeysAreCut) {
  const std::string message = MessageFor("{\"" + std::string(100'000, 'x') + "\": 1}");
  EXPECT_TRUE(message.starts_with("part.json: at /: unknown key \"xxx"));
  EXPECT_LT(message.size(), 500u);
  EXPECT_LT(MessageFor("{\"" + std::string(100'000, 'x') + "\" 1}").size(), 500u);
  EXPECT_LT(MessageFor("{\"sphere\": {\"radius\": " + std::string(9'000, '1') + "}}").size(), 500u);
}

}  // namespace
}  // namespace volcontact::solid_json_errors_test
