// The contact area of meshes beside curved solids is the area of the projection: by rays, and by
// the same solids without meshes.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "support/meshes.h"
#include "support/random_solids.h"
#include "volcontact/volcontact.h"

namespace volcontact::testing::mesh_contact_area_test {
namespace {

using Eigen::Vector3d;

constexpr std::uint64_t kSeed = 20070402;

struct ProjectedMesh {
  std::string name;
  TriangleMesh mesh;
};

std::vector<ProjectedMesh> ProjectedMeshes() {
  Random random(kSeed);
  const auto scaled = [](const TriangleMesh& mesh, double factor) {
    return Mapped(mesh, [=](const Vector3d& p) { return Vector3d(factor * p); });
  };
  return {{"cube", BoxMesh(Vector3d::Constant(-0.5), Vector3d::Constant(0.5), 1)},
          {"star", scaled(StarMesh(&random, 1, 0.2), 0.6)},
          {"gear", GearMesh(7, 0.6, 0.4)},
          {"corner", Translated(scaled(LPrism(), 0.5), {-0.35, -0.35, -0.25})}};
}

using Inside = std::function<bool(const Vector3d& p)>;

struct ProjectedSolid {
  const char* name;
  Solid solid;
  Inside holds;  // in the solid's frame
};

std::vector<ProjectedSolid> ProjectedSolids() {
  const auto ball = [](const Vector3d& p, double r) { return p.norm() < r; };
  const auto rod = [](const Vector3d& p, double r) { return p.head<2>().norm() < r; };
  const auto ring = [](const Vector3d& p, double R, double r) {
    return std::hypot(p.head<2>().norm() - R, p.z()) < r;
  };
  return {
      {"ball", Sphere(0.35), [=](const Vector3d& p) { return ball(p, 0.35); }},
      {"shaft", Cylinder(0.25, 0.7),
       [=](const Vector3d& p) { return rod(p, 0.25) && std::abs(p.z()) < 0.35; }},
      {"cone", Cone(0.35, 0.7),
       [=](const Vector3d& p) {
         return p.z() > 0.0 && p.z() < 0.7 && rod(p, 0.35 * (1.0 - p.z() / 0.7));
       }},
      {"ellipsoid", Ellipsoid({0.5, 0.3, 0.2}),
       [=](const Vector3d& p) { return ball(p.cwiseQuotient(Vector3d(0.5, 0.3, 0.2)), 1.0); }},
      {"ring", Torus(0.35, 0.12), [=](const Vector3d& p) { return ring(p, 0.35, 0.12); }},
      {"saddle",
       Intersection({Quadric(Eigen::Vector4d(1.0, 1.0, -1.0, -0.04).asDiagonal()), Sphere(0.45)}),
       [=](const Vector3d& p) {
         return p.head<2>().squaredNorm() - p.z() * p.z() < 0.04 && ball(p, 0.45);
       }},
      {"drilled_ball", Difference(Sphere(0.4), {Cylinder(0.15, 2.0)}),
       [=](const Vector3d& p) { return ball(p, 0.4) && !rod(p, 0.15); }},
      {"wheel", Union({Cylinder(0.15, 1.0), Torus(0.4, 0.1)}), [=](const Vector3d& p) {
         return (rod(p, 0.15) && std::abs(p.z()) < 0.5) || ring(p, 0.4, 0.1);
       }}};
}

// The area of the projection along n, by rays through a grid of points: these find the mesh's faces
// one by one, and look at points along what is inside.
double AreaByRays(const TriangleMesh& mesh, const Inside& holds, const Pose& X_SM,
                  const Vector3d& n_S, const Metrics& metrics) {
  constexpr int kRays = 72, kPoints = 300;
  constexpr double kReach = 0.75;
  const Vector3d u = n_S.unitOrthogonal(), v = n_S.cross(u);
  std::vector<std::array<Vector3d, 3>> faces;
  for (const auto& face : mesh.faces) {
    auto& t = faces.emplace_back();
    for (int i = 0; i < 3; ++i) {
      const Vector3d p = X_SM * mesh.vertices[face[i]];
      t[i] = {u.dot(p), v.dot(p), n_S.dot(p)};
    }
  }
  const auto meets = [&](double x, double y) {
    std::vector<double> crossings;
    for (const auto& t : faces) {
      const auto side = [&](const Vector3d& a, const Vector3d& b) {
        return (a.x() - x) * (b.y() - y) - (a.y() - y) * (b.x() - x);
      };
      const double w[] = {side(t[1], t[2]), side(t[2], t[0]), side(t[0], t[1])};
      const auto [least, most] = std::minmax({w[0], w[1], w[2]});
      if (least < 0.0 && most > 0.0) continue;
      crossings.push_back((w[0] * t[0].z() + w[1] * t[1].z() + w[2] * t[2].z()) /
                          (w[0] + w[1] + w[2]));
    }
    std::sort(crossings.begin(), crossings.end());
    for (std::size_t k = 0; k + 1 < crossings.size(); k += 2) {
      const double low = std::max(crossings[k], -kReach), high = std::min(crossings[k + 1], kReach);
      for (int m = 0; m < kPoints && low < high; ++m) {
        const double z = low + (high - low) * (m + 0.5) / kPoints;
        if (holds(x * u + y * v + z * n_S)) return true;
      }
    }
    return false;
  };
  // An irrational angle to what may be aligned.
  const double step = 2.0 * kReach / kRays, c = std::cos(0.4), s = std::sin(0.4);
  long hits = 0;
  for (int i = 0; i < kRays; ++i) {
    for (int j = 0; j < kRays; ++j) {
      const double x = -kReach + (i + 0.5) * step, y = -kReach + (j + 0.5) * step;
      hits += meets(c * x - s * y, s * x + c * y) ? 1 : 0;
    }
  }
  EXPECT_GT(metrics.contact_area, 0.0);
  return static_cast<double>(hits) * step * step;
}

class MeshContactArea : public ::testing::TestWithParam<int> {};

// Lines that meet the overlap more than once count once: deep in meshes that are not convex.
TEST_P(MeshContactArea, IsThatOfTheProjection) {
  const ProjectedSolid curved = ProjectedSolids()[GetParam()];
  Random random(kSeed + 7 * GetParam());
  for (const ProjectedMesh& mesh : ProjectedMeshes()) {
    SCOPED_TRACE(mesh.name + " and " + curved.name);
    const Pose X_SM = random.PoseAt(0.3 * random.UnitVector());
    const Metrics metrics = PreparedPair(Mesh(mesh.mesh), curved.solid).Query(X_SM, Pose{});
    ASSERT_TRUE(metrics.overlap);
    EXPECT_TRUE(metrics.stats.fallback.empty()) << metrics.stats.fallback;
    EXPECT_TRUE(metrics.warnings.empty()) << metrics.warnings.front();
    const double rays = AreaByRays(mesh.mesh, curved.holds, X_SM, metrics.normal_W, metrics);
    // Rays lie 0.02 apart: of a rim of some units of length they miss the inside by chance.
    EXPECT_NEAR(metrics.contact_area, rays, 0.004 + 0.01 * rays);
  }
}

INSTANTIATE_TEST_SUITE_P(Solids, MeshContactArea, ::testing::Range(0, 8),
                         [](const ::testing::TestParamInfo<int>& param) {
                           return ProjectedSolids()[param.param].name;
                         });

// The area for a mesh of a box is that of the box, along faces as well.
TEST(MeshContactAreaOfABox, IsThatOfTheBox) {
  Random random(kSeed);
  const Vector3d half(0.5, 0.4, 0.3);
  for (const ProjectedSolid& curved : ProjectedSolids()) {
    for (const Pose& X : {random.PoseAt(0.3 * random.UnitVector()), Pose{{0.1, 0.05, 0.35}}}) {
      SCOPED_TRACE(curved.name);
      const Metrics found =
          PreparedPair(Mesh(BoxMesh(-half, half, 3)), curved.solid).Query(Pose{}, X);
      const Metrics expected = PreparedPair(Box(2.0 * half), curved.solid).Query(Pose{}, X);
      EXPECT_NEAR(found.contact_area, expected.contact_area, 4e-5 * expected.contact_area);
    }
  }
}

// A ring upright in a box, seen from above: two discs and the bridge between them, of which lines
// meet both halves.
TEST(MeshContactAreaOfABox, OfARingIsItsProjection) {
  const double R = 0.3, r = 0.1;
  const Solid box = Mesh(BoxMesh(Vector3d::Constant(-1.0), Vector3d::Constant(1.0), 2));
  const Solid half_ring = Intersection(
      {Torus(R, r), HalfSpace().Posed(MakePose(AxisAngle(Vector3d::UnitX(), 0.5 * M_PI).Rotation(),
                                               {0.0, 0.0, 0.0}))});
  const Metrics found = PreparedPair(box, half_ring).Query(Pose{}, Pose{{0.0, -0.999, 0.0}});
  const Metrics expected =
      PreparedPair(Box(Vector3d::Constant(2.0)), half_ring).Query(Pose{}, Pose{{0.0, -0.999, 0.0}});
  ASSERT_TRUE(found.overlap);
  EXPECT_NEAR(found.contact_area, expected.contact_area, 4e-5 * expected.contact_area);
}

}  // namespace
}  // namespace volcontact::testing::mesh_contact_area_test
