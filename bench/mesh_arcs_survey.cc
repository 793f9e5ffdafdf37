// Queries meshes beside spheres, cylinders, cones and ellipsoids and writes a section of
// docs/benchmarks_parts.md: time by family.
//
//   mesh_arcs_survey [POSES]
//
// The solids dip into the mesh by some 5 % of its size at random places, at random angles.

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "geodesic_sphere.h"
#include "support/paths.h"
#include "volcontact/volcontact.h"

namespace volcontact::bench {
namespace {

using Eigen::Vector3d;

constexpr double kTolerance = 1e-9, kDepth = 0.05;
constexpr int kRepeats = 5;

struct NamedMesh {
  std::string name;
  TriangleMesh mesh;
};

std::vector<NamedMesh> Meshes() {
  std::vector<NamedMesh> meshes = {
      {"geodesic sphere", GeodesicSphere(16, Eigen::Matrix3d::Identity())}};
  for (const char* file :
       {"dented_sphere.obj", "gear.obj", "handrail.obj", "plate.obj", "peg.stl", "bracket.stl"}) {
    const auto path = std::filesystem::path(volcontact::DataFolder()) / "meshes" / file;
    meshes.push_back({file, ReadMesh(path).mesh});
  }
  return meshes;
}

// With how far it reaches along a direction.
struct NamedSolid {
  const char* name;
  Solid solid;
  std::function<double(const Vector3d&)> reach;
};

std::vector<NamedSolid> Solids(double size) {
  const auto round = [](const Vector3d& u) { return std::hypot(u.x(), u.y()); };
  return {{"sphere", Sphere(0.15 * size), [=](const Vector3d&) { return 0.15 * size; }},
          {"cylinder", Cylinder(0.1 * size, 0.3 * size),
           [=](const Vector3d& u) { return (0.1 * round(u) + 0.15 * std::abs(u.z())) * size; }},
          {"cone", Cone(0.12 * size, 0.25 * size),
           [=](const Vector3d& u) { return std::max(0.12 * round(u), 0.25 * u.z()) * size; }},
          {"ellipsoid", Ellipsoid(Vector3d(0.2, 0.12, 0.1) * size), [=](const Vector3d& u) {
             return Vector3d(0.2, 0.12, 0.1).cwiseProduct(u).norm() * size;
           }}};
}

// The solid's lowest point so deep below the middle of a random face.
Pose PoseOn(const TriangleMesh& mesh, const NamedSolid& other, double depth,
            std::mt19937_64* random) {
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<std::size_t> number(0, mesh.faces.size() - 1);
  const auto& face = mesh.faces[number(*random)];
  const Vector3d &a = mesh.vertices[face[0]], &b = mesh.vertices[face[1]],
                 &c = mesh.vertices[face[2]];
  const Vector3d n = (b - a).cross(c - a).normalized();
  Eigen::Quaterniond q;
  for (int i = 0; i < 4; ++i) q.coeffs()[i] = normal(*random);
  const Eigen::Matrix3d R = q.normalized().toRotationMatrix();
  const double reach = other.reach(-(R.transpose() * n));
  return MakePose(R, (a + b + c) / 3.0 + (reach - depth) * n);
}

struct Answer {
  Metrics metrics;
  double microseconds;
};

Answer Ask(const PreparedPair& pair, const Pose& X_WB, int repeats) {
  QueryOptions options;
  options.tolerance = kTolerance;
  Answer best = {{}, 1e300};
  for (int n = 0; n < repeats; ++n) {
    const auto start = std::chrono::steady_clock::now();
    best.metrics = pair.Query(Pose{}, X_WB, options);
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    best.microseconds = std::min(best.microseconds, time.count());
  }
  return best;
}

double Median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

void Survey(const NamedMesh& named, int poses) {
  const Solid mesh = Mesh(named.mesh);
  const double size = 2.0 * mesh.Bounds().HalfExtents().maxCoeff();
  for (const NamedSolid& other : Solids(size)) {
    const PreparedPair by_arcs(mesh, other.solid);
    std::mt19937_64 random(14);
    std::vector<double> arcs, faces, of_face;
    int answered = 0, overlaps = 0;
    for (int n = 0; n < poses; ++n) {
      const Pose X_WB = PoseOn(named.mesh, other, kDepth * size, &random);
      const Answer found = Ask(by_arcs, X_WB, kRepeats);
      if (!found.metrics.overlap) continue;
      ++overlaps;
      arcs.push_back(found.microseconds);
      if (!found.metrics.stats.fallback.empty()) continue;
      ++answered;
      const double count = static_cast<double>(found.metrics.stats.leaves);
      faces.push_back(count);
      if (count > 0.0) of_face.push_back(found.microseconds / count);
    }
    const double worst = arcs.empty() ? 0.0 : *std::max_element(arcs.begin(), arcs.end());
    fmt::print("| {} ({}) × {} | {} of {} | {:.0f} | {:.3f} | {:.3f} | {:.1f} |\n", named.name,
               named.mesh.faces.size(), other.name, answered, overlaps, Median(faces),
               Median(arcs) * 1e-3, worst * 1e-3, Median(of_face));
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace volcontact::bench

int main(int argc, char** argv) {
  const int poses = argc > 1 ? std::atoi(argv[1]) : 40;
  fmt::print(
      R"(# Meshes beside curved solids

Written by `mesh_arcs_survey {0} > docs/benchmarks_mesh_arcs.md` (target `mesh_arcs_survey`); do not edit.

{0} random poses for each pair. The solid's size is about a fifth of the mesh's, and about 5 % of it lies in the mesh.
One core, all metrics at 1e-9, the best of {1} runs.

- "By arcs": the poses with overlap that sums over arcs answered.
- "Per face": the time of a query divided by the number of faces that surfaces cut.

| mesh (faces) × solid | by arcs | faces cut | median [ms] | worst [ms] | per face [µs] |
|---|---|---|---|---|---|
)",
      poses, volcontact::bench::kRepeats);
  for (const auto& mesh : volcontact::bench::Meshes()) volcontact::bench::Survey(mesh, poses);
  return 0;
}
