// What each method that is asked for answers, and by which name; and that all lists of methods are
// those of AllMethods.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "support/meshes.h"
#include "support/paths.h"
#include "volcontact/c_api.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::methods_test {
namespace {

constexpr double kTolerance = 1e-7;

Pose At(double x, double y, double z) { return {{x, y, z}, {1.0, 0.0, 0.0, 0.0}}; }

Solid DrilledBox() { return Difference(Box({1.0, 0.9, 0.8}), {InfiniteCylinder(0.2)}); }

// |x|⁴ + |y|⁴ + |z|⁴ <= 1/16, which has no sums over edges.
Solid RoundCube() {
  return PolynomialSolid(
      {{1.0, {4, 0, 0}}, {1.0, {0, 4, 0}}, {1.0, {0, 0, 4}}, {-0.0625, {0, 0, 0}}});
}

Metrics Ask(const Solid& A, const Solid& B, Method method, double tolerance = kTolerance) {
  QueryOptions options;
  options.tolerance = tolerance;
  options.method = method;
  return PreparedPair(A, B).Query(Pose{}, Pose{}, options);
}

MassProperties MassBy(const Solid& A, Method method, double tolerance = kTolerance) {
  QueryOptions options;
  options.tolerance = tolerance;
  options.method = method;
  return ComputeMassProperties(A, options);
}

void ExpectSame(const VolumeMetrics& one, const VolumeMetrics& other) {
  const double tolerance = 2.0 * std::max(one.tolerance, other.tolerance);
  EXPECT_NEAR(one.volume, other.volume, tolerance * other.volume);
  EXPECT_LE((one.centroid_W - other.centroid_W).norm(),
            std::max(1e-5, tolerance) * std::cbrt(other.volume));
}

struct NamedPair {
  std::string name;
  Solid A, B;
  bool has_columns = true;
  double columns_to = kTolerance;  // that converge to it
};

std::vector<NamedPair> PairsWithSums() {
  const Solid prism = Mesh(LPrism());
  return {{"CSG", DrilledBox(), Sphere(0.5).Posed(At(0.4, 0.3, 0.2))},
          {"of revolution", Torus(0.5, 0.2), Cylinder(0.6, 0.3)},
          {"curves alone", Ellipsoid({0.5, 0.4, 0.3}), Sphere(0.5).Posed(At(0.6, 0.1, 0.0))},
          {"mesh beside a ball", prism, Sphere(0.5).Posed(At(0.9, 0.8, 0.4)), true, 1e-3},
          {"mesh in CSG", Difference(prism, {Sphere(0.4)}), Sphere(0.6).Posed(At(0.9, 0.8, 0.4)),
           true, 1e-3},
          {"meshes", prism, prism.Posed(At(0.3, 0.2, 0.1)), false},
          {"mesh on a plane", prism, HalfSpace().Posed(At(0.0, 0.0, 0.3)), false}};
}

TEST(Methods, BoundaryAndColumnsAnswerAsTheyAreNamed) {
  for (const NamedPair& pair : PairsWithSums()) {
    SCOPED_TRACE(pair.name);
    const Metrics boundary = Ask(pair.A, pair.B, Method::kBoundary);
    ASSERT_TRUE(boundary.overlap);
    EXPECT_EQ(boundary.method, Method::kBoundary) << boundary.stats.fallback;
    EXPECT_EQ(boundary.stats.fallback, "");
    if (!pair.has_columns) {
      EXPECT_THROW(Ask(pair.A, pair.B, Method::kColumns), InvalidInput);
      continue;
    }
    const Metrics columns = Ask(pair.A, pair.B, Method::kColumns, pair.columns_to);
    EXPECT_EQ(columns.method, Method::kColumns);
    EXPECT_EQ(columns.stats.edges, 0);
    EXPECT_TRUE(columns.converged);
    ExpectSame(columns, boundary);
  }
}

// What was forced and does not do is said, and the answer has its true name.
TEST(Methods, BoundaryThatDoesNotDoIsSaid) {
  const Solid box = Box({0.5, 0.5, 0.5}).Posed(At(0.4, 0.3, 0.2));
  const Metrics forced = Ask(RoundCube(), box, Method::kBoundary);
  EXPECT_EQ(forced.method, Method::kColumns);
  ASSERT_EQ(forced.warnings.size(), 1U);
  EXPECT_NE(forced.warnings[0].find("columns answered"), std::string::npos) << forced.warnings[0];
  EXPECT_NE(forced.warnings[0].find(forced.stats.fallback), std::string::npos);
  const Metrics chosen = Ask(RoundCube(), box, Method::kAuto);
  EXPECT_EQ(chosen.method, Method::kColumns);
  EXPECT_EQ(chosen.warnings, std::vector<std::string>());
  EXPECT_EQ(chosen.volume, forced.volume);
}

TEST(Methods, NothingIsTheSameByAll) {
  const Solid box = Box({1.0, 1.0, 1.0});
  for (const Pose& X : {At(3.0, 0.0, 0.0), At(1.0, 0.2, 0.3), At(1.0, 1.0, 0.0)}) {
    for (const Method method : {Method::kBoundary, Method::kColumns}) {
      const Metrics metrics = Ask(box, box.Posed(X), method);
      EXPECT_FALSE(metrics.overlap);
      EXPECT_TRUE(metrics.converged);
      EXPECT_EQ(metrics.method, method);
      EXPECT_LE(metrics.distance.value(), 2.0);
    }
  }
}

TEST(Methods, MassPropertiesTakeThemToo) {
  const Solid mesh = Mesh(LPrism());
  const std::pair<Solid, double> solids[] = {{DrilledBox(), kTolerance},
                                             {Difference(mesh, {Sphere(0.4)}), 1e-3}};
  for (const auto& [solid, tolerance] : solids) {
    const MassProperties boundary = MassBy(solid, Method::kBoundary);
    EXPECT_EQ(boundary.method, Method::kBoundary);
    const MassProperties columns = MassBy(solid, Method::kColumns, tolerance);
    EXPECT_EQ(columns.method, Method::kColumns);
    ExpectSame(columns, boundary);
  }
  EXPECT_EQ(MassBy(mesh, Method::kAuto).method, Method::kBoundary);
  EXPECT_THROW(MassBy(mesh, Method::kColumns), InvalidInput);
  EXPECT_EQ(MassBy(RoundCube(), Method::kBoundary).warnings.size(), 1U);
}

TEST(Methods, PatchesTakeThemToo) {
  const Solid balls =
      Union({Sphere(0.3).Posed(At(-1.0, 0.0, 0.0)), Sphere(0.4).Posed(At(1.0, 0.0, 0.0))});
  const PreparedPair pair(balls, Box({4.0, 1.0, 0.5}).Posed(At(0.0, 0.0, -0.45)));
  for (const Method method : {Method::kBoundary, Method::kColumns}) {
    QueryOptions options;
    options.method = method;
    options.hessian = true;
    const std::vector<Metrics> patches = pair.QueryPatches(Pose{}, Pose{}, options);
    ASSERT_EQ(patches.size(), 2U);
    for (const Metrics& patch : patches) {
      EXPECT_EQ(patch.method, method);
      EXPECT_TRUE(patch.hessian_W.has_value());
    }
  }
}

TEST(Methods, NamesAndNumbersAreRead) {
  for (const MethodEntry& entry : AllMethods()) {
    EXPECT_EQ(MethodName(entry.method), entry.name);
    EXPECT_EQ(FindMethod(entry.name), entry.method);
    EXPECT_EQ(MethodWarning(entry.name), "");
    EXPECT_EQ(MethodOfNumber(static_cast<long>(entry.method)), entry.method);
  }
  for (const std::string replaced : {"octree", "mesh", "patch"}) {
    EXPECT_EQ(FindMethod(replaced), Method::kBoundary);
    EXPECT_NE(MethodWarning(replaced).find("boundary"), std::string::npos);
  }
  EXPECT_EQ(FindMethod("Boundary"), std::nullopt);
  EXPECT_EQ(FindMethod(""), std::nullopt);
  for (const long replaced : {2L, 3L, 4L}) EXPECT_EQ(MethodOfNumber(replaced), Method::kBoundary);
  for (const long none : {-1L, 8L, 1L << 40}) EXPECT_EQ(MethodOfNumber(none), std::nullopt);
}

TEST(Methods, NumbersAreThoseOfC) {
  EXPECT_EQ(static_cast<int>(Method::kAuto), VC_METHOD_AUTO);
  EXPECT_EQ(static_cast<int>(Method::kClosedForm), VC_METHOD_CLOSED_FORM);
  EXPECT_EQ(static_cast<int>(Method::kBoundary), VC_METHOD_BOUNDARY);
  EXPECT_EQ(static_cast<int>(Method::kColumns), VC_METHOD_COLUMNS);
  EXPECT_EQ(static_cast<int>(Method::kVoxel), VC_METHOD_VOXEL);
}

std::string TextOf(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Every list of methods in a schema, wherever it stands.
void FindLists(const nlohmann::json& node, std::vector<std::vector<std::string>>* lists) {
  if (node.is_object() && node.contains("method") && node["method"].contains("enum")) {
    lists->push_back(node["method"]["enum"]);
  }
  for (const auto& child : node) {
    if (child.is_structured()) FindLists(child, lists);
  }
}

TEST(Methods, ListsInDocumentsAreThoseOfTheTable) {
  const std::string page = TextOf(DataFolder() + std::string("/../docs/cli.md"));
  std::string rows = "| method | what answers |\n|---|---|\n";
  std::vector<std::string> answering;
  for (const MethodEntry& entry : AllMethods()) {
    rows += std::string("| `") + entry.name + "` | " + entry.meaning + " |\n";
    if (entry.method != Method::kAuto) answering.emplace_back(entry.name);
  }
  EXPECT_NE(page.find(rows + "\n"), std::string::npos) << rows;
  std::vector<std::vector<std::string>> lists;
  const std::string schema = DataFolder() + std::string("/schema/answers.schema.json");
  FindLists(nlohmann::json::parse(TextOf(schema)), &lists);
  EXPECT_EQ(lists.size(), 4U);
  for (const std::vector<std::string>& list : lists) EXPECT_EQ(list, answering);
}

}  // namespace
}  // namespace volcontact::testing::methods_test
