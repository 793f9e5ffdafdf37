// Two geodesic spheres of radius 1, beside CGAL's corefinement; a sphere on a half-space; building.
// Names: mesh/spheres/n:../distance:../method:.., mesh/half_space/n:..,
// mesh/half_space/file:../depth:.., mesh/build/n:../threads:..
// Counters: rel_error against corefinement with exact constructions, or against the large box that
// a half-space is, and bound, half the width of the certified bracket over the volume; for files
// also faces and faces_cut, the mean over the poses.

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "corefinement/corefinement.h"
#include "geodesic_sphere.h"
#include "solids/mesh/mesh_tree.h"
#include "solids/tree/solid_node.h"
#include "support.h"
#include "support/paths.h"

namespace volcontact::bench {
namespace {

using Eigen::Vector3d;
using testing::Constructions;

constexpr std::uint64_t kSeed = 1729;
constexpr int kLargestCorefined = 100'000;
// Triangles along an edge of the icosahedron, by the number of triangles they are named for.
const std::map<int, int> kFrequencies = {
    {1'000, 7}, {5'000, 16}, {10'000, 22}, {100'000, 71}, {1'000'000, 224}};

// B's vertices are turned, its pose only moves it: what the kernels are given is the same.
struct Spheres {
  TriangleMesh A, B;
  Vector3d t;
};

Spheres MakeSpheres(int n, double distance) {
  std::mt19937_64 random(kSeed);
  const Pose turn = RandomRotation(random);
  return {GeodesicSphere(kFrequencies.at(n), Eigen::Matrix3d::Identity()),
          GeodesicSphere(kFrequencies.at(n), turn.Rotation()), distance * RandomDirection(random)};
}

// Exact ones, by n and distance; filled by the benchmarks that run first.
std::map<std::pair<int, double>, double>& KnownVolumes() {
  static std::map<std::pair<int, double>, double> volumes;
  return volumes;
}

void SetError(benchmark::State& state, int n, double distance, double volume) {
  const auto known = KnownVolumes().find({n, distance});
  if (known == KnownVolumes().end()) return;
  SetCounter(state, "rel_error", std::abs(volume / known->second - 1.0));
}

void Corefine(benchmark::State& state, Constructions constructions, int n, double distance) {
  const Spheres spheres = MakeSpheres(n, distance);
  const auto corefinement =
      testing::MakeCorefinement(constructions, spheres.A, spheres.B, spheres.t);
  bool done = false;
  for (auto _ : state) done = corefinement->Run();
  if (!done) return state.SkipWithError("corefinement failed");
  const double volume = corefinement->Volume();
  if (constructions == Constructions::kExact) {
    KnownVolumes()[{n, distance}] = volume;
  } else {
    SetError(state, n, distance, volume);
  }
}

void QuerySpheres(benchmark::State& state, int n, double distance) {
  const Spheres spheres = MakeSpheres(n, distance);
  const PreparedPair pair(Mesh(spheres.A), Mesh(spheres.B));
  const Pose X_AB = {spheres.t, Pose().q};
  Metrics metrics = pair.QueryRelative(X_AB);
  for (auto _ : state) benchmark::DoNotOptimize(metrics = pair.QueryRelative(X_AB));
  SetError(state, n, distance, metrics.volume);
  const auto [lower, upper] = *metrics.volume_bounds;
  SetCounter(state, "bound", 0.5 * (upper - lower) / metrics.volume);
  SetWorkCounters(state, metrics);
}

// Turned at random to a depth of a tenth of the radius, against the large box that the half-space
// then is.
void QueryHalfSpace(benchmark::State& state, int n) {
  std::mt19937_64 random(kSeed);
  const TriangleMesh sphere = GeodesicSphere(kFrequencies.at(n), Eigen::Matrix3d::Identity());
  const Pose X_AB = RandomRotation(random, {0.0, 0.0, 0.9});
  const PreparedPair pair(HalfSpace(), Mesh(sphere)), boxed(Box({8.0, 8.0, 8.0}), Mesh(sphere));
  Metrics metrics = pair.QueryRelative(X_AB);
  for (auto _ : state) benchmark::DoNotOptimize(metrics = pair.QueryRelative(X_AB));
  const double known = boxed.Query({{0.0, 0.0, -4.0}, Pose().q}, X_AB).volume;
  SetCounter(state, "rel_error", std::abs(metrics.volume / known - 1.0));
  const auto [lower, upper] = *metrics.volume_bounds;
  SetCounter(state, "bound", 0.5 * (upper - lower) / metrics.volume);
}

// A shipped mesh, turned in many ways, a part of its size deep in the half-space.
void QueryFile(benchmark::State& state, const std::string& file, double depth) {
  constexpr std::size_t kPoses = 32;
  std::mt19937_64 random(kSeed);
  const TriangleMesh mesh =
      ReadMesh(std::filesystem::path(volcontact::DataFolder()) / "meshes" / file).mesh;
  const Solid solid = Mesh(mesh);
  const double size = 2.0 * solid.Bounds().HalfExtents().maxCoeff();
  const PreparedPair pair(HalfSpace(), solid), boxed(Box({8.0, 8.0, 8.0}), solid);
  std::vector<Pose> poses;
  double error = 0.0, bound = 0.0, faces_cut = 0.0;
  for (std::size_t k = 0; k < kPoses; ++k) {
    Pose X_AB = RandomRotation(random);
    double lowest = std::numeric_limits<double>::infinity();
    for (const Vector3d& p : mesh.vertices) lowest = std::min(lowest, (X_AB * p).z());
    X_AB.t.z() = -lowest - depth * size;
    const Metrics metrics = pair.QueryRelative(X_AB);
    const double known = boxed.Query({{0.0, 0.0, -4.0}, Pose().q}, X_AB).volume;
    const auto [lower, upper] = *metrics.volume_bounds;
    error = std::max(error, std::abs(metrics.volume / known - 1.0));
    bound = std::max(bound, 0.5 * (upper - lower) / metrics.volume);
    faces_cut += static_cast<double>(metrics.stats.leaves) / kPoses;
    poses.push_back(X_AB);
  }
  std::size_t k = 0;
  for (auto _ : state) benchmark::DoNotOptimize(pair.QueryRelative(poses[k++ % kPoses]));
  SetCounter(state, "rel_error", error);
  SetCounter(state, "bound", bound);
  SetCounter(state, "faces", static_cast<double>(mesh.faces.size()));
  SetCounter(state, "faces_cut", faces_cut);
}

void Build(benchmark::State& state, int n, int threads) {
  const TriangleMesh sphere = GeodesicSphere(kFrequencies.at(n), Eigen::Matrix3d::Identity());
  Solid solid;
  for (auto _ : state) solid = Mesh(sphere, threads);
  const double bytes = static_cast<double>(std::get<MeshShape>(solid.node().shape).mesh->bytes());
  SetCounter(state, "bytes_per_triangle", bytes / static_cast<double>(sphere.faces.size()));
}

std::string SpheresName(int n, const std::string& distance, const std::string& method) {
  return BenchmarkName("mesh/spheres",
                       {{"n", std::to_string(n)}, {"distance", distance}, {"method", method}});
}

}  // namespace

void RegisterBenchmarks() {
  for (const auto& [label, distance] : std::map<std::string, double>{{"0.5", 0.5}, {"1.9", 1.9}}) {
    for (const int n : {1'000, 10'000, 100'000, 1'000'000}) {
      if (n <= kLargestCorefined) {
        Register(SpheresName(n, label, "epeck"), [n, d = distance](benchmark::State& state) {
          Corefine(state, Constructions::kExact, n, d);
        })->Iterations(1);
      }
      Register(SpheresName(n, label, "mesh"), [n, d = distance](benchmark::State& state) {
        QuerySpheres(state, n, d);
      })->Unit(benchmark::kMicrosecond);
      if (n <= kLargestCorefined) {
        Register(SpheresName(n, label, "epick"), [n, d = distance](benchmark::State& state) {
          Corefine(state, Constructions::kInexact, n, d);
        })->Iterations(1);
      }
    }
  }
  Register(BenchmarkName("mesh/half_space", {{"n", "5000"}}),
           [](benchmark::State& state) { QueryHalfSpace(state, 5'000); });
  for (const char* file : {"bowl.obj", "bracket.stl", "dented_sphere.obj", "gear.obj",
                           "handrail.obj", "peg.stl", "plate.obj"}) {
    for (const auto& [label, depth] :
         std::map<std::string, double>{{"0.05", 0.05}, {"1e-5", 1e-5}}) {
      Register(BenchmarkName("mesh/half_space", {{"file", file}, {"depth", label}}),
               [file, d = depth](benchmark::State& state) { QueryFile(state, file, d); });
    }
  }
  for (const int threads : {1, 2}) {
    Register(BenchmarkName("mesh/build", {{"n", "1000000"}, {"threads", std::to_string(threads)}}),
             [threads](benchmark::State& state) { Build(state, 1'000'000, threads); })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  }
}

}  // namespace volcontact::bench
