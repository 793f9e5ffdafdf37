// Two geodesic spheres of radius 1, beside CGAL's corefinement; a sphere on a half-space; building.
// Names: mesh/spheres/n:../distance:../method:.., mesh/half_space/n:.., mesh/build/n:../threads:..
// Counters: rel_error against corefinement with exact constructions, or against the large box that
// a half-space is, and bound, half the width of the certified bracket over the volume.

#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/corefinement.h>
#include <CGAL/Polygon_mesh_processing/measure.h>
#include <CGAL/Surface_mesh.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "geodesic_sphere.h"
#include "math/rigid.h"
#include "solids/mesh/mesh_tree.h"
#include "solids/tree/solid_node.h"
#include "support.h"

namespace volcontact::bench {
namespace {

using Eigen::Vector3d;
using Inexact = CGAL::Exact_predicates_inexact_constructions_kernel;
using Exact = CGAL::Exact_predicates_exact_constructions_kernel;
template <class Kernel>
using Surface = CGAL::Surface_mesh<typename Kernel::Point_3>;

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

template <class Kernel>
Surface<Kernel> ToSurface(const TriangleMesh& mesh, const Vector3d& t) {
  using FT = typename Kernel::FT;
  Surface<Kernel> surface;
  for (const Vector3d& p : mesh.vertices) {
    surface.add_vertex({FT(p.x()) + FT(t.x()), FT(p.y()) + FT(t.y()), FT(p.z()) + FT(t.z())});
  }
  using Vertex = typename Surface<Kernel>::Vertex_index;
  for (const auto& [i, j, k] : mesh.faces) {
    surface.add_face(Vertex(static_cast<unsigned>(i)), Vertex(static_cast<unsigned>(j)),
                     Vertex(static_cast<unsigned>(k)));
  }
  return surface;
}

// The exact points rounded to double-doubles, summed in double-doubles.
double VolumeOf(const Surface<Exact>& surface) {
  DoubleDouble six_fold = 0.0;
  for (const auto face : surface.faces()) {
    std::array<Vector3dd, 3> v;
    int corner = 0;
    for (const auto vertex : surface.vertices_around_face(surface.halfedge(face))) {
      const auto& p = surface.point(vertex);
      for (int i = 0; i < 3; ++i) {
        const auto x = p[i].exact();
        const double high = CGAL::to_double(x);
        v[corner][i] = {high, CGAL::to_double(std::decay_t<decltype(x)>(x - high))};
      }
      ++corner;
    }
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      six_fold += v[0][i] * (v[1][j] * v[2][k] - v[1][k] * v[2][j]);
    }
  }
  return six_fold.hi / 6.0;
}

double VolumeOf(const Surface<Inexact>& surface) {
  return CGAL::to_double(CGAL::Polygon_mesh_processing::volume(surface));
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

template <class Kernel>
void Corefine(benchmark::State& state, int n, double distance) {
  const Spheres spheres = MakeSpheres(n, distance);
  Surface<Kernel> a = ToSurface<Kernel>(spheres.A, Vector3d::Zero());
  Surface<Kernel> b = ToSurface<Kernel>(spheres.B, spheres.t);
  Surface<Kernel> both;
  bool done = false;
  for (auto _ : state) {
    done = CGAL::Polygon_mesh_processing::corefine_and_compute_intersection(a, b, both);
  }
  if (!done) return state.SkipWithError("corefinement failed");
  const double volume = VolumeOf(both);
  if (std::is_same_v<Kernel, Exact>) {
    KnownVolumes()[{n, distance}] = volume;
  } else {
    SetError(state, n, distance, volume);
  }
}

void QuerySpheres(benchmark::State& state, int n, double distance) {
  const Spheres spheres = MakeSpheres(n, distance);
  const PreparedPair pair(Mesh(spheres.A), Mesh(spheres.B));
  const Pose X_AB = {spheres.t, Pose().q};
  Metrics metrics = pair.Query(X_AB);
  for (auto _ : state) benchmark::DoNotOptimize(metrics = pair.Query(X_AB));
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
  Metrics metrics = pair.Query(X_AB);
  for (auto _ : state) benchmark::DoNotOptimize(metrics = pair.Query(X_AB));
  const double known = boxed.Query({{0.0, 0.0, -4.0}, Pose().q}, X_AB).volume;
  SetCounter(state, "rel_error", std::abs(metrics.volume / known - 1.0));
  const auto [lower, upper] = *metrics.volume_bounds;
  SetCounter(state, "bound", 0.5 * (upper - lower) / metrics.volume);
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
          Corefine<Exact>(state, n, d);
        })->Iterations(1);
      }
      Register(SpheresName(n, label, "mesh"), [n, d = distance](benchmark::State& state) {
        QuerySpheres(state, n, d);
      })->Unit(benchmark::kMicrosecond);
      if (n <= kLargestCorefined) {
        Register(SpheresName(n, label, "epick"), [n, d = distance](benchmark::State& state) {
          Corefine<Inexact>(state, n, d);
        })->Iterations(1);
      }
    }
  }
  Register(BenchmarkName("mesh/half_space", {{"n", "5000"}}),
           [](benchmark::State& state) { QueryHalfSpace(state, 5'000); });
  for (const int threads : {1, 2}) {
    Register(BenchmarkName("mesh/build", {{"n", "1000000"}, {"threads", std::to_string(threads)}}),
             [threads](benchmark::State& state) { Build(state, 1'000'000, threads); })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  }
}

}  // namespace volcontact::bench
