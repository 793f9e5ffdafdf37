// Curved solids cut by a half-space, against a table of quadratures in 50 digits (data/).
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "overlap/closed_forms/closed_form_testing.h"
#include "support/paths.h"

namespace volcontact::testing::closed_form_reference_test {
namespace {

using Eigen::Vector3d;

struct Row {
  std::string kind;
  std::vector<double> v;  // as closed_form_reference.py says
};

std::vector<Row> ReadTable() {
  std::ifstream file(std::string(volcontact::TestsFolder()) +
                     "/overlap/closed_forms/data/closed_form_reference.csv");
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    std::istringstream stream(line);
    Row row;
    std::getline(stream, row.kind, ',');
    for (std::string number; std::getline(stream, number, ',');) row.v.push_back(std::stod(number));
    rows.push_back(row);
  }
  return rows;
}

Solid MakeSolid(const Row& row) {
  const auto& v = row.v;
  if (row.kind == "ellipsoid") {
    return v[0] == v[1] && v[1] == v[2] ? Sphere(v[0]) : Ellipsoid({v[0], v[1], v[2]});
  }
  if (row.kind == "cylinder") return Cylinder(v[0], v[1]);
  if (row.kind == "capsule") return Capsule(v[0], v[1]);
  if (row.kind == "torus") return Torus(v[0], v[1]);
  return Cone(v[0], v[1]);
}

Overlap Expected(const Row& row) {
  const double* r = row.v.data() + 10;
  Overlap o;
  o.volume = r[0];
  o.centroid = {r[4], r[5], r[6]};
  o.inertia << r[7], r[10], r[11], r[10], r[8], r[12], r[11], r[12], r[9];
  o.area = {0.0, 0.0, -r[13]};
  return o;
}

Pose PoseOf(const Row& row) {
  const double* r = row.v.data() + 3;
  return {{r[0], r[1], r[2]}, {r[3], r[4], r[5], r[6]}};
}

TEST(ClosedFormReference, AgreesAtAllDepthsAndTilts) {
  const std::vector<Row> rows = ReadTable();
  ASSERT_GT(rows.size(), 100u);
  for (const Row& row : rows) {
    std::ostringstream trace;
    for (int i = 0; i < 10; ++i) trace << row.v[i] << ' ';
    SCOPED_TRACE(row.kind + ' ' + trace.str());
    const Vector3dd reference = ToDoubleDouble(Vector3d(row.v[11], row.v[12], row.v[13]));
    const auto overlap = Evaluate(HalfSpace(), MakeSolid(row), Rigid(PoseOf(row)), reference);
    ASSERT_TRUE(overlap);
    ExpectNear(*overlap, Expected(row), 2e-14);
  }
}

// The same overlaps with both solids moved by one rigid motion, a thousand sizes away: the table's
// values hold in A's frame, since the motion is undone exactly as far as double-double goes.
TEST(ClosedFormReference, HoldsFarFromTheOrigin) {
  const Pose far{{812.0, -455.0, 367.0}, {0.1, -0.7, 0.5, 0.5}};
  const Rigid X_FW(far);
  for (const Row& row : ReadTable()) {
    std::ostringstream trace;
    for (int i = 0; i < 10; ++i) trace << row.v[i] << ' ';
    SCOPED_TRACE(row.kind + ' ' + trace.str());
    const Vector3d c(row.v[11], row.v[12], row.v[13]);
    // A and B posed inside their own frames, with the whole of the distance between these frames.
    const Rigid X_AB = X_FW;
    const Solid A = HalfSpace().Posed(far);
    const Solid B = MakeSolid(row).Posed(PoseOf(row));
    const auto overlap = Evaluate(A, B, X_AB, X_FW * ToDoubleDouble(c));
    ASSERT_TRUE(overlap);
    Overlap expected = Expected(row);
    const Eigen::Matrix3d R = X_FW.RotationDouble();
    expected.centroid = R * expected.centroid;
    expected.area = R * expected.area;
    expected.inertia = R * expected.inertia * R.transpose();
    ExpectNear(*overlap, expected, 2e-14);
  }
}

}  // namespace
}  // namespace volcontact::testing::closed_form_reference_test
