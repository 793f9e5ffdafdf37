// Damaged files are read or refused with InvalidInput; nothing else happens.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "support/mutator.h"
#include "volcontact/io/csv_table.h"
#include "volcontact/io/solid_file.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

constexpr std::string_view kJsonSeeds[] = {
    R"({"volcontact": 1, "units": "mm", "solid": {"difference": [
        {"box": {"size": [10, 20, 30]}, "pose": {"t": [1, -2, 3.5e0], "q": [0.6, 0, 0.8, 0]}},
        {"union": [{"cylinder": {"radius": 4}}, {"cone": {"radius": 1, "height": 2}}]},
        {"complement": {"torus": {"major_radius": 3, "minor_radius": 1}}}], "name": "part"}})",
    R"({"intersection": [{"quadric": {"matrix": [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,-1]]}},
        {"polynomial": {"terms": [{"c": -1, "e": [0,0,0]}, {"c": 2.5, "e": [1,2,1]}]}},
        {"capsule": {"radius": 1, "height": 0}}, {"ellipsoid": {"semi_axes": [1,2,3]}},
        {"slab": {"thickness": 1e-3}}, {"half_space": {}}]})",
};

constexpr std::string_view kScadSeeds[] = {
    "group() {\n  multmatrix([[1, 0, 0, 5], [0, 0.707107, -0.707107, 0], [0, 0.707107, 0.707107, "
    "0],"
    " [0, 0, 0, 1]]) {\n    difference() { cube(size = [1, 2, 3], center = true); /* c */\n"
    "      cylinder($fn = 0, $fa = 12, $fs = 2, h = 10, r1 = 5, r2 = 2.5, center = false); } }\n"
    "  %color([1, 0, 0, 1]) { sphere(r = 1e1); }\n  #union() { sphere(r = 2); *hull(); }\n}\n",
    "multmatrix([[2,0,0,0],[0,1,0,0],[0,0,-1,0],[0,0,0,1]]) intersection() { sphere(r = 2);"
    " cube(3); render(convexity = 1) cylinder(h = 3, r = 1); } // end",
    "linear_extrude(height = 4, scale = 0.5) difference() { polygon(points = [[0,0],[9,0],[5,3],"
    "[9,9],[0,9]], paths = [[0,1,2,3,4]]); multmatrix([[1,0,0,3],[0,1,0,3],[0,0,1,0],[0,0,0,1]])"
    " circle($fn = 0, r = 1); }\nrotate_extrude(angle = 90) hull() { square([2,1]); circle(r = 1); "
    "}"
    " hull() { sphere(r = 2); multmatrix([[1,0,0,9],[0,1,0,0],[0,0,1,0],[0,0,0,1]]) sphere(r = 2); "
    "}",
};

template <class Parse>
void Mutate(std::string_view seed_text, Parse parse) {
  constexpr int kRuns = 20'000;
  Mutator mutator(20071);
  int accepted = 0;
  for (int i = 0; i < kRuns; ++i) {
    const std::string text = mutator.Mutated(std::string(seed_text));
    try {
      parse(text).solid.Locate({1e-3, 2e-3, 3e-3});
      ++accepted;
    } catch (const InvalidInput& error) {
      const std::string_view message = error.what();
      ASSERT_TRUE(message.starts_with("file: ")) << message << "\n" << text;
      ASSERT_EQ(message.find('\n'), std::string_view::npos) << message << "\n" << text;
      ASSERT_LT(message.size(), 1000u) << message << "\n" << text;
    }
  }
  // Both outcomes occur, or the mutations test nothing.
  EXPECT_GT(accepted, kRuns / 1000);
  EXPECT_LT(accepted, kRuns / 2);
}

TEST(Mutation, Json) {
  for (const std::string_view seed : kJsonSeeds) {
    Mutate(seed, [](const std::string& text) { return ParseSolidJson(text, "file"); });
  }
}

TEST(Mutation, OpenScad) {
  for (const std::string_view seed : kScadSeeds) {
    Mutate(seed, [](const std::string& text) { return ParseOpenScad(text, "file"); });
  }
}

// Tables take nearly all text; what they refuse is said in one line.
TEST(Mutation, Csv) {
  const std::string seeds[] = {
      "Press; 3\n\nposition;force;run\n[mm];N;\n0,1;2,5;a\n0,2;3;\"b;c\"\n# end\n",
      "  t [s]   force (N)\n  0.1   2.5\n  0.2   3\n",
      "\xef\xbb\xbfWeg (\xb5m)\tF\r\n1\t2\r\n3\t4\r\n",
  };
  Mutator mutator(11);
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    try {
      const CsvTable table = CsvTable::Parse(mutator.Mutated(seeds[i % 3]), "file");
      for (std::size_t row = 0; row < table.rows(); ++row) {
        for (std::size_t c = 0; c < table.columns().size(); ++c) table.FiniteNumber(row, c);
      }
    } catch (const InvalidInput& error) {
      const std::string_view message = error.what();
      ASSERT_TRUE(message.starts_with("file: ")) << message;
      ASSERT_EQ(message.find('\n'), std::string_view::npos) << message;
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_LT(refused, 20'000);
}

}  // namespace
}  // namespace volcontact
