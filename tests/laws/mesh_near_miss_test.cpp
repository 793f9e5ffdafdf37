// Meshes and curved solids a little apart, and a little in each other.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>

#include "support/meshes.h"
#include "support/paths.h"
#include "support/random_solids.h"
#include "volcontact/volcontact.h"

namespace volcontact::testing::mesh_near_miss_test {
namespace {

using Eigen::Vector3d;

const std::filesystem::path kMeshes = std::filesystem::path(volcontact::DataFolder()) / "meshes";
constexpr const char* kFiles[] = {"dented_sphere.obj", "gear.obj", "handrail.obj",
                                  "plate.obj",         "peg.stl",  "bracket.stl"};

// The point of a segment nearest to p.
Vector3d NearestOnSegment(const Vector3d& p, const Vector3d& a, const Vector3d& b) {
  const double t = (p - a).dot(b - a) / (b - a).squaredNorm();
  return a + std::clamp(t, 0.0, 1.0) * (b - a);
}

double DistanceToTriangle(const Vector3d& p, const std::array<Vector3d, 3>& t) {
  const Vector3d n = (t[1] - t[0]).cross(t[2] - t[0]).normalized();
  bool above = true;
  double edges = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    const Vector3d &a = t[i], &b = t[(i + 1) % 3];
    above &= n.cross(b - a).dot(p - a) >= 0.0;
    edges = std::min(edges, (NearestOnSegment(p, a, b) - p).norm());
  }
  return above ? std::min(edges, std::abs(n.dot(p - t[0]))) : edges;
}

using Triangle = std::array<Vector3d, 3>;

Triangle FaceOf(const TriangleMesh& mesh, std::size_t face) {
  const auto& f = mesh.faces[face];
  return {mesh.vertices[f[0]], mesh.vertices[f[1]], mesh.vertices[f[2]]};
}

double DistanceToMesh(const Vector3d& p, const TriangleMesh& mesh) {
  double distance = std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    distance = std::min(distance, DistanceToTriangle(p, FaceOf(mesh, f)));
  }
  return distance;
}

// Whether all faces that a ball reaches lie in the one plane at that distance from its centre: then
// it has a cap inside.
bool ReachesOnePlane(const Vector3d& center, double radius, double distance,
                     const TriangleMesh& mesh) {
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    const Triangle t = FaceOf(mesh, f);
    if (DistanceToTriangle(center, t) >= radius) continue;
    const Vector3d n = (t[1] - t[0]).cross(t[2] - t[0]).normalized();
    if (std::abs(n.dot(center - t[0]) - distance) > 1e-12 * radius) return false;
  }
  return true;
}

double SizeOf(const Solid& solid) { return 2.0 * solid.Bounds().HalfExtents().maxCoeff(); }

// A point outside, at that distance from the mesh, straight above a random point of a face.
std::optional<Vector3d> PointOff(const TriangleMesh& mesh, double distance, double size,
                                 Random* random) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    const double number = random->Uniform(0.0, static_cast<double>(mesh.faces.size()));
    const auto [a, b, c] =
        FaceOf(mesh, std::min(mesh.faces.size() - 1, static_cast<std::size_t>(number)));
    const double u = random->Uniform(0.0, 1.0), v = random->Uniform(0.0, 1.0 - u);
    const Vector3d n = (b - a).cross(c - a).normalized();
    const Vector3d p = a + u * (b - a) + v * (c - a) + distance * n;
    if (std::abs(DistanceToMesh(p, mesh) - distance) < 1e-12 * size) return p;
  }
  return std::nullopt;
}

class MeshNearMiss : public ::testing::TestWithParam<int> {
 protected:
  const TriangleMesh mesh_ = ReadMesh(kMeshes / kFiles[GetParam()]).mesh;
  const Solid solid_ = Mesh(mesh_);
  const double size_ = SizeOf(solid_);
  Random random_{static_cast<std::uint64_t>(4711 + GetParam())};
};

// Gaps from 1e-9 to 1e-2 of the size.
TEST_P(MeshNearMiss, OfABallIsNoContact) {
  int count = 0;
  for (int k = 0; k < 34; ++k) {
    const double gap = std::pow(10.0, random_.Uniform(-9.0, -2.0)) * size_;
    const double radius = random_.Uniform(0.03, 0.2) * size_;
    const auto center = PointOff(mesh_, radius + gap, size_, &random_);
    if (!center) continue;
    ++count;
    const PreparedPair pair(solid_, Sphere(radius));
    const Pose pose{*center};
    const Metrics metrics = pair.Query(Pose{}, pose);
    EXPECT_FALSE(metrics.overlap) << k << ": " << metrics.volume;
    EXPECT_TRUE(metrics.converged);
    EXPECT_LE(metrics.distance.value(), gap * (1.0 + 1e-6));
    EXPECT_EQ(pair.Overlaps(Pose{}, pose), OverlapProof::kSeparated);
  }
  EXPECT_GT(count, 20);
}

// Solids that are not convex lie in convex ones that are apart from the mesh, too.
TEST_P(MeshNearMiss, OfADrilledBallIsNoContact) {
  int count = 0;
  for (int k = 0; k < 8; ++k) {
    const double gap = std::pow(10.0, random_.Uniform(-9.0, -2.0)) * size_;
    const double radius = random_.Uniform(0.03, 0.2) * size_;
    const auto center = PointOff(mesh_, radius + gap, size_, &random_);
    if (!center) continue;
    ++count;
    const Solid hole = Cylinder(0.2 * radius, 4.0 * radius);
    const PreparedPair pair(solid_,
                            Difference(Sphere(radius), {hole.Posed(random_.PoseAt({0, 0, 0}))}));
    const Metrics metrics = pair.Query(Pose{}, Pose{*center});
    EXPECT_FALSE(metrics.overlap) << k << ": " << metrics.volume;
    EXPECT_TRUE(metrics.converged);
    EXPECT_EQ(pair.Overlaps(Pose{}, Pose{*center}), OverlapProof::kSeparated);
  }
  EXPECT_GE(count, 4);
}

// Depths from 1e-6 to 1e-2 of the size.
TEST_P(MeshNearMiss, OfAShallowBallIsACap) {
  int caps = 0;
  for (int k = 0; k < 12; ++k) {
    const double radius = random_.Uniform(0.03, 0.2) * size_;
    const double depth =
        std::min(std::pow(10.0, random_.Uniform(-6.0, -2.0)) * size_, 0.3 * radius);
    const auto center = PointOff(mesh_, radius - depth, size_, &random_);
    if (!center) continue;
    const PreparedPair pair(solid_, Sphere(radius));
    const Metrics metrics = pair.Query(Pose{}, Pose{*center});
    ASSERT_TRUE(metrics.overlap) << k;
    EXPECT_TRUE(metrics.converged);
    EXPECT_NE(pair.Overlaps(Pose{}, Pose{*center}), OverlapProof::kSeparated);
    const double distance = DistanceToMesh(*center, mesh_), h = radius - distance;
    if (!ReachesOnePlane(*center, radius, distance, mesh_)) continue;
    ++caps;
    const double cap = M_PI * h * h * (3.0 * radius - h) / 3.0,
                 disc = M_PI * h * (2.0 * radius - h);
    EXPECT_NEAR(metrics.volume, cap, 2e-6 * cap);
    EXPECT_GE((*metrics.volume_bounds)[1], cap * (1.0 - 1e-9));
    EXPECT_LE((*metrics.volume_bounds)[0], cap * (1.0 + 1e-9));
    EXPECT_NEAR(metrics.area_vector_W.norm(), disc, 2e-5 * disc);
  }
  if (GetParam() == 0) return;  // the dented sphere is nowhere flat
  EXPECT_GT(caps, 0);
}

// Solids drawn out of the mesh along a line from a corner: where contact begins, it is proved from
// both sides.
TEST_P(MeshNearMiss, OfOthersEndsInAContact) {
  const Solid solids[] = {Cylinder(0.1 * size_, 0.2 * size_), Cone(0.12 * size_, 0.2 * size_),
                          Ellipsoid(Vector3d(0.15, 0.1, 0.08) * size_),
                          Intersection({Sphere(0.12 * size_), Cylinder(0.1 * size_, size_)})};
  const auto number = random_.Uniform(0.0, static_cast<double>(mesh_.vertices.size()));
  const Vector3d corner =
      mesh_.vertices[std::min(mesh_.vertices.size() - 1, static_cast<std::size_t>(number))];
  for (std::size_t i = GetParam() % 2; i < std::size(solids); i += 2) {
    const Solid& other = solids[i];
    const PreparedPair pair(solid_, other);
    const Vector3d d = random_.UnitVector();
    Pose pose = random_.PoseAt(corner);
    const auto at = [&](double t) { return Pose{corner + t * size_ * d, pose.q}; };
    double inside = 0.0, outside = 1.5;
    ASSERT_TRUE(pair.Query(Pose{}, pose).overlap);
    for (double t = 0.1; t < 1.0; t += 0.1) {
      if (pair.Query(Pose{}, at(t)).overlap) inside = t;
    }
    for (int k = 0; k < 24; ++k) {
      const double t = 0.5 * (inside + outside);
      (pair.Overlaps(Pose{}, at(t)) == OverlapProof::kSeparated ? outside : inside) = t;
    }
    const Metrics apart = pair.Query(Pose{}, at(outside + 1e-9));
    EXPECT_FALSE(apart.overlap);
    EXPECT_TRUE(apart.converged);
    const Metrics shallow = pair.Query(Pose{}, at(outside - 1e-5));
    EXPECT_TRUE(shallow.overlap);
    EXPECT_TRUE(shallow.converged);
    EXPECT_NE(pair.Overlaps(Pose{}, at(outside - 1e-5)), OverlapProof::kSeparated);
  }
}

INSTANTIATE_TEST_SUITE_P(Files, MeshNearMiss, ::testing::Range(0, 6),
                         [](const ::testing::TestParamInfo<int>& param) {
                           const std::string file = kFiles[param.param];
                           return file.substr(0, file.find('.'));
                         });

// The ball that was reported to touch half a millimetre away.
TEST(MeshNearMissOf, TheDentedSphere) {
  const TriangleMesh dented = ReadMesh(kMeshes / "dented_sphere.obj").mesh;
  const double gap = DistanceToMesh({0.0189, 0.02016, 0.01512}, dented) - 0.006;
  const Solid mesh = Mesh(dented);
  const PreparedPair pair(Sphere(0.006), mesh);
  const Metrics metrics = pair.Query(Pose{{0.0189, 0.02016, 0.01512}}, Pose{});
  EXPECT_FALSE(metrics.overlap);
  EXPECT_TRUE(metrics.converged);
  EXPECT_GT(gap, 4e-4);
  EXPECT_LE(metrics.distance.value(), gap);
  EXPECT_GE(metrics.distance.value(), 0.9 * gap);
  EXPECT_EQ(pair.Overlaps(Pose{{0.0189, 0.02016, 0.01512}}, Pose{}), OverlapProof::kSeparated);
}

}  // namespace
}  // namespace volcontact::testing::mesh_near_miss_test
