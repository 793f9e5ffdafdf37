// A contact for every patch: the same as cells where these are the patches, and books that close
// where patches grow together and come apart.
#include "scenario/scenarios.h"

namespace volcontact::scenario::testing {
namespace {

using Eigen::AngleAxisd;

Json PlacedAt(Json solid, const Vector3d& t) {
  solid["pose"] = {{"t", ListOf(t)}};
  return solid;
}

// A table top with four legs, each of 60 mm.
Json Table() {
  Json parts = {PlacedAt({{"box", {{"size", {1.0, 0.7, 0.05}}}}}, {0, 0, 0.225})};
  for (const double x : {-0.4, 0.4}) {
    for (const double y : {-0.3, 0.3}) {
      parts.push_back(PlacedAt({{"box", {{"size", {0.06, 0.06, 0.4}}}}}, {x, y, 0.0}));
    }
  }
  return {{"union", parts}};
}

// A body with gravity above a plane, under bristle friction.
Json DropOf(const Json& solid, double stiffness, const char* how) {
  Json document = Document();
  document["gravity"] = {0, 0, -9.81};
  document["integrator"]["tolerance"] = 1e-8;
  document["bodies"] = {{{"name", "body"}, {"solid", solid}, {"density", 300}}, Plane()};
  Json contact = Volumetric("body", "plane", stiffness, 0.3);
  contact["geometry"] = {{"tolerance", 1e-8}};
  if (std::string(how) != "whole") contact["geometry"][how] = true;
  contact["friction"] = Bristles();
  document["contacts"] = {contact};
  return document;
}

Json TableDrop(const char* how) {
  Json document = DropOf(Table(), 1e7, how);
  const Quaterniond q(AngleAxisd(0.01, Vector3d(1.0, 0.4, 0.0).normalized()));
  document["bodies"][0]["pose"] = {{"t", {0, 0, 0.2055}}, {"q", ListOf(q)}};
  document["bodies"][0]["velocity"] = {0.5, 0.1, -0.2};
  document["bodies"][0]["angular_velocity"] = {0, 0, 1.0};
  return document;
}

// Legs touch one after the other while the table slides, turns and rocks.
TEST(PerPatch, ATableOfOneUnionMovesAsOneOfCells) {
  Simulation patches(TableDrop("per_patch")), cells(TableDrop("cells"));
  for (int i = 1; i <= 10; ++i) {
    for (Simulation* simulation : {&patches, &cells}) simulation->AdvanceTo(0.004 * i);
    ASSERT_EQ(patches("contact.cells"), cells("contact.cells")) << i;
    ASSERT_EQ(patches("contact.touches"), cells("contact.touches")) << i;
    ExpectNear(patches.Position("body"), cells.Position("body"), 1e-7);
    ExpectNear(patches.Velocity("body"), cells.Velocity("body"), 1e-5);
    ExpectNear(patches.Spin("body"), cells.Spin("body"), 1e-4);
    for (const char* column : {"elastic", "dissipated_bristle", "dissipated_damping",
                               "dissipated_separation", "elastic_work"}) {
      const std::string name = std::string("energy.") + column;
      EXPECT_NEAR(patches(name), cells(name), 1e-5) << name;
    }
  }
  EXPECT_GE(patches("contact.touches"), 4);
  EXPECT_GE(patches.Measure("max(contact.cells)"), 3);
  EXPECT_LT(patches.LedgerError(), 1e-6);
}

// A prism with the section of a W, as a mesh: it touches with one edge, then with the other one,
// and deeper than 10 mm the patches grow together.
Json Prism() {
  const double section[5][2] = {
      {-0.06, 0.1}, {-0.03, 0.0}, {0.0, 0.01}, {0.03, 0.001}, {0.06, 0.1}};
  Json vertices = Json::array();
  for (const double y : {-0.05, 0.05}) {
    for (const auto& p : section) vertices.push_back({p[0], y, p[1]});
  }
  Json faces = {{2, 4, 0}, {0, 1, 2}, {2, 3, 4}, {5, 9, 7}, {7, 6, 5}, {9, 8, 7}};
  for (int i = 0; i < 5; ++i) {
    const int j = (i + 1) % 5;
    faces.push_back({i, 5 + i, 5 + j});
    faces.push_back({i, 5 + j, j});
  }
  return {{"mesh", {{"vertices", vertices}, {"faces", faces}}}};
}

Json PrismDrop(const char* how) {
  Json document = DropOf(Prism(), 3e5, how);
  document["bodies"][0]["pose"] = {{"t", {0, 0, 0.0005}}};
  document["bodies"][0]["velocity"] = {0.2, 0.1, -1.0};
  document["bodies"][0]["angular_velocity"] = {0, 0, 3.0};
  document["contacts"][0]["rolling"] = "none";
  document["contacts"][0]["normal"]["restitution"] = 0.8;
  return document;
}

TEST(PerPatch, ElasticMotionIsThatOfTheWhole) {
  Json each = PrismDrop("per_patch"), whole = PrismDrop("whole");
  for (Json* document : {&each, &whole}) {
    (*document)["contacts"][0].erase("friction");
    (*document)["contacts"][0]["normal"]["restitution"] = 1.0;
  }
  Simulation patches(each), one(whole);
  for (Simulation* simulation : {&patches, &one}) simulation->Run(0.06, 30);
  EXPECT_EQ(patches.Measure("max(contact.cells)"), 2);
  EXPECT_EQ(patches("contact.touching"), 0);
  ExpectNear(patches.Velocity("body"), one.Velocity("body"), 1e-5);
  ExpectNear(patches.Spin("body"), one.Spin("body"), 1e-4);
  const double kinetic = patches.All("energy.kinetic").front();
  EXPECT_NEAR(patches("energy.elastic_work"), 0.0, 1e-5 * kinetic);
  EXPECT_EQ(patches("energy.elastic"), 0.0);
  EXPECT_LT(patches.LedgerError(), 1e-5);
}

TEST(PerPatch, BooksCloseWherePatchesGrowTogetherAndComeApart) {
  Simulation simulation(PrismDrop("per_patch"));
  simulation.Run(0.06, 600);
  const std::vector<double>& cells = simulation.All("contact.cells");
  int joined = 0, parted = 0;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    joined += cells[i] == 1 && cells[i - 1] == 2 ? 1 : 0;
    parted += cells[i] == 2 && cells[i - 1] == 1 ? 1 : 0;
  }
  EXPECT_GE(joined, 1);
  EXPECT_GE(parted, 2);  // one by touching, one by coming apart
  EXPECT_EQ(simulation("contact.touching"), 0);
  EXPECT_EQ(simulation("contact.touches"), 2);
  EXPECT_EQ(simulation("energy.elastic"), 0.0);
  EXPECT_LT(simulation.LedgerError(), 1e-5);
  for (const char* name : {"damping", "bristle", "viscous", "spin", "separation"}) {
    const std::vector<double>& loss = simulation.All(std::string("energy.dissipated_") + name);
    for (std::size_t i = 1; i < loss.size(); ++i) ASSERT_GE(loss[i], loss[i - 1] - 1e-10) << name;
  }
  // What bent bristles push does not jump where patches meet; how far sliding and turning share the
  // friction does, a little, as that is by the radius of each.
  const std::vector<double>& ft = simulation.All("contact.ft");
  const double most = *std::max_element(ft.begin(), ft.end());
  for (std::size_t i = 1; i < cells.size(); ++i) {
    if (cells[i] == 0 || cells[i - 1] == 0 || cells[i] == cells[i - 1]) continue;
    EXPECT_LT(std::abs(ft[i] - ft[i - 1]), 0.2 * most) << i;
  }
}

TEST(PerPatch, GoesOnFromWhatWasSaved) {
  Simulation straight(PrismDrop("per_patch")), resumed(PrismDrop("per_patch"));
  straight.AdvanceTo(0.012);
  resumed.simulator().Load(straight.simulator().Save());
  for (Simulation* simulation : {&straight, &resumed}) simulation->AdvanceTo(0.05);
  ExpectNear(resumed.Velocity("body"), straight.Velocity("body"), 1e-6);
  EXPECT_NEAR(resumed("energy.dissipated_bristle"), straight("energy.dissipated_bristle"), 1e-7);
}

// Standing at the start: each leg's spring holds its share, and there is nothing to book.
TEST(PerPatch, BeginsWithLegsThatStand) {
  Json document = TableDrop("per_patch");
  document["bodies"][0]["pose"] = {{"t", {0, 0, 0.199}}};
  document["bodies"][0]["velocity"] = document["bodies"][0]["angular_velocity"] = {0, 0, 0};
  Simulation simulation(document);
  EXPECT_EQ(simulation("contact.cells"), 4);
  const double energy = 4 * 1e7 * 0.5 * 1e-6 * 0.06 * 0.06;  // 4 · ½ k δ² A
  EXPECT_NEAR(simulation("energy.elastic"), energy, 1e-7 * energy);
}

TEST(PerPatch, RefusesWhatItCannotDo) {
  const auto refusal = [](const char* path, const Json& value) {
    Json document = TableDrop("per_patch");
    SetValue(path, value, &document);
    return RefusalOf([&] { Simulation simulation(document); });
  };
  ExpectContains(refusal("contacts.0.geometry.cells", true), "choose one");
  ExpectContains(refusal("contacts.0.geometry.most_patches", 2.5), "whole number");
  ExpectContains(refusal("contacts.0.geometry.per_patch", "yes"), "per_patch");
  ExpectContains(refusal("contacts.0.friction", {{"law", "patch_coulomb"}, {"mu", 0.3}}),
                 "patch_coulomb samples the whole overlap");
  Json standing = TableDrop("per_patch");
  standing["bodies"][0]["pose"] = {{"t", {0, 0, 0.199}}};
  standing["contacts"][0]["geometry"]["most_patches"] = 3;
  ExpectContains(RefusalOf([&] { Simulation simulation(standing); }), "more than 3 patches touch");
  Json unused = TableDrop("cells");
  unused["contacts"][0]["geometry"]["most_patches"] = 3;
  ExpectContains(RefusalOf([&] { Simulation simulation(unused); }), "per_patch");
}

}  // namespace
}  // namespace volcontact::scenario::testing
