// Defective meshes are refused, and taken on demand.
#include "cli/run_tool.h"

namespace volcontact {
namespace {

using Accept = ToolTest;

// Two cubes of edge 2 along the diagonal, as one mesh: their surfaces cross.
std::string CrossingCubes() {
  std::string vertices, faces;
  const int face[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                           {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  for (int cube = 0; cube < 2; ++cube) {
    for (int k = 0; k < 8; ++k) {
      for (int i = 0; i < 3; ++i) vertices += std::to_string(((k >> i) & 1) * 2 + cube) + ' ';
      vertices += '\n';
    }
    for (const auto& f : face) {
      faces += "3";
      for (const int v : f) faces += ' ' + std::to_string(v + 8 * cube);
      faces += '\n';
    }
  }
  return "OFF\n16 24 0\n" + vertices + faces;
}

TEST_F(Accept, DefectiveMeshesOnDemand) {
  Write("two.off", CrossingCubes());
  Write("low.json", R"({"half_space": {}, "pose": {"t": [0, 0, 0.5]}})");
  const ToolRun refused = Run("query two.off low.json");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("two.off: faces"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("cross or overlap"), std::string::npos) << refused.err;
  const ToolRun accepted = Run("query two.off low.json --accept-defects --json");
  EXPECT_EQ(accepted.status, 0) << accepted.err;
  // Below z = 0.5 there is the first cube only.
  EXPECT_NE(accepted.out.find("\"volume\":2.0"), std::string::npos) << accepted.out;
  EXPECT_NE(accepted.out.find("accepted: faces"), std::string::npos) << accepted.out;
}

TEST_F(Accept, OpenMeshesAreNeverTaken) {
  Write("open.off", "OFF\n4 3 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n");
  const ToolRun run = Run("mass open.off --accept-defects");
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.err.find("open.off: a hole of 3 edges"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace volcontact
