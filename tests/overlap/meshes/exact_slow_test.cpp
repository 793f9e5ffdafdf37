// Mesh overlaps against exact rational arithmetic.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "overlap/meshes/corefinement.h"
#include "support/meshes.h"
#include "volcontact/overlap/prepared_pair.h"

namespace volcontact::testing::exact_slow_test {
namespace {

using Eigen::Vector3d;

constexpr std::uint64_t kSeed = 314159265;

struct Shape {
  std::string name;
  TriangleMesh (*make)(Random* random);

  friend void PrintTo(const Shape& shape, std::ostream* out) { *out << shape.name; }
};

const std::vector<Shape>& Shapes() {
  static const std::vector<Shape> shapes = {
      {"hull", [](Random* random) { return HullMesh(random, 16); }},
      {"star", [](Random* random) { return StarMesh(random, 2, 0.25); }},
      {"L", [](Random*) { return LPrism(); }},
      {"torus", [](Random*) { return TorusMesh(1.0, 0.375, 16, 9); }},
      {"gear", [](Random*) { return GearMesh(8, 1.0, 0.5); }}};
  return shapes;
}

void ExpectExact(const TriangleMesh& A, const TriangleMesh& B, const Pose& X_AB, const Truth& truth,
                 double tolerance) {
  const PreparedPair pair(Mesh(A), Mesh(B));
  ExpectMetrics(pair.QueryRelative(X_AB), truth, tolerance);
}

class RandomMeshes : public ::testing::TestWithParam<Shape> {};

// Compared with a random shape of each kind in random poses.
TEST_P(RandomMeshes, AgreeWithCorefinement) {
  int compared = 0;
  for (std::size_t k = 0; k < Shapes().size(); ++k) {
    Random random(kSeed + k);
    const TriangleMesh A = GetParam().make(&random), B = Shapes()[k].make(&random);
    for (int sample = 0; sample < 4; ++sample) {
      SCOPED_TRACE(::testing::Message() << Shapes()[k].name << ", sample " << sample);
      const Pose X_AB = random.PoseAt(random.UniformVector(-0.8, 0.8));
      const std::optional<Truth> truth = ExactOverlap(A, B, X_AB);
      if (!truth) continue;
      ++compared;
      ExpectExact(A, B, X_AB, *truth, 1e-12);
    }
  }
  EXPECT_GE(compared, 15);
}

INSTANTIATE_TEST_SUITE_P(Shapes, RandomMeshes, ::testing::ValuesIn(Shapes()),
                         [](const ::testing::TestParamInfo<Shape>& shape) {
                           return shape.param.name;
                         });

// Contacts of two bodies of size one whose B comes down along −z to a depth below z = 0.
struct Contact {
  std::string name;
  TriangleMesh A, B;
  Pose touching;  // B's pose where it touches A
};

TriangleMesh Cube() { return BoxMesh({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}); }

// The lowest point of a turned mesh at z = 0.
Pose Resting(const TriangleMesh& mesh, const std::array<double, 4>& q) {
  Pose X = {Vector3d::Zero(), q};
  double lowest = 0.0;
  for (const Vector3d& p : mesh.vertices) lowest = std::min(lowest, (X * p).z());
  X.t = {0.1, 0.05, -lowest};
  return X;
}

std::vector<Contact> Contacts() {
  const TriangleMesh floor = BoxMesh({-0.75, -0.75, -1.0}, {0.75, 0.75, 0.0}, 3);
  // A ridge along x at z = 0.
  const TriangleMesh wedge = {
      {{-0.5, 0.0, 0.0},
       {-0.5, -0.5, -0.5},
       {-0.5, 0.5, -0.5},
       {0.5, 0.0, 0.0},
       {0.5, -0.5, -0.5},
       {0.5, 0.5, -0.5}},
      {{0, 2, 1}, {3, 4, 5}, {0, 4, 3}, {0, 1, 4}, {0, 5, 2}, {0, 3, 5}, {1, 5, 4}, {1, 2, 5}}};
  const TriangleMesh blade =
      Mapped(wedge, [](const Vector3d& p) { return Vector3d(p.y(), p.x(), -p.z()); });
  const TriangleMesh along =
      Mapped(wedge, [](const Vector3d& p) { return Vector3d(-p.x(), p.y(), -p.z()); });
  const TriangleMesh ball = SphereMesh(0.5, 2);
  const Pose turned = {Vector3d(0.01, 0.02, 0.0), {std::sqrt(1.0 - 0.04), 0.0, 0.0, 0.2}};
  std::vector<Contact> contacts;
  contacts.push_back({"corner on face", floor, Cube(), Resting(Cube(), {0.8, 0.2, 0.4, 0.4})});
  contacts.push_back({"edge on face", floor, Cube(), Resting(Cube(), {0.8, 0.4, 0.2, 0.4})});
  contacts.push_back({"face on face", floor, Cube(), {{0.1, 0.05, 0.5}, turned.q}});
  contacts.push_back({"edge across edge", wedge, blade, turned});
  contacts.push_back({"edge along edge", wedge, along, {Vector3d::Zero(), {1.0, 0.0, 0.0, 0.0}}});
  contacts.push_back({"sphere on face", floor, ball, Resting(ball, {0.8, 0.2, 0.4, 0.4})});
  return contacts;
}

TEST(MeshDepthSweep, AtTheOriginAndFarFromIt) {
  Random random(kSeed);
  const Pose X_WC = random.PoseAt(Vector3d::Zero());
  for (const Contact& contact : Contacts()) {
    for (const double depth : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
      SCOPED_TRACE(::testing::Message() << contact.name << ", depth " << depth);
      Pose X_AB = contact.touching;
      X_AB.t.z() -= depth;
      const std::optional<Truth> truth = ExactOverlap(contact.A, contact.B, X_AB);
      ASSERT_TRUE(truth);
      ExpectExact(contact.A, contact.B, X_AB, *truth, 1e-10);
      // Vertices turned, and moved by 100 sizes, are rounded: other solids, with a truth of their
      // own.
      const auto turn = [&](const Vector3d& p) { return X_WC * p; };
      for (const double offset : {0.0, 100.0}) {
        SCOPED_TRACE(::testing::Message() << "turned, offset " << offset);
        const Vector3d o = offset * Vector3d(0.6, 0.0, 0.8);
        const TriangleMesh A = Translated(Mapped(contact.A, turn), o);
        const TriangleMesh B = Translated(contact.B, o);
        const Pose X = Compose(Compose({o, {1.0, 0.0, 0.0, 0.0}}, Compose(X_WC, X_AB)),
                               {-o, {1.0, 0.0, 0.0, 0.0}});
        const std::optional<Truth> moved = ExactOverlap(A, B, X);
        ASSERT_TRUE(moved);
        ExpectExact(A, B, X, *moved, 1e-10);
      }
    }
  }
}

}  // namespace
}  // namespace volcontact::testing::exact_slow_test
