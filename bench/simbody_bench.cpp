// A ball of 5,000 triangles on a half-space, by Simbody's elastic foundation: the force that goes
// with the overlap volume. Name: simbody/elastic_foundation/n:.. Counter: rel_error of the force
// against stiffness times the exact volume.
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "geodesic_sphere.h"
#include "simbody_foundation.h"
#include "support.h"

namespace volcontact::bench {
namespace {

constexpr double kStiffness = 1e6;  // [N/m³]
constexpr double kHeight = 0.9;     // of the ball's centre, whose radius is 1

void BallOnGround(benchmark::State& state, int frequency) {
  const TriangleMesh mesh = GeodesicSphere(frequency, Eigen::Matrix3d::Identity());
  std::vector<std::array<double, 3>> vertices;
  for (const Eigen::Vector3d& v : mesh.vertices) vertices.push_back({v.x(), v.y(), v.z()});
  ElasticFoundation foundation(vertices, mesh.faces, kStiffness);
  double force = 0.0;
  long n = 0;
  // A height that changes a little keeps Simbody from answering from its cache.
  for (auto _ : state) force = foundation.Force(kHeight + 1e-12 * static_cast<double>(++n % 2));
  const double volume = Query(Mesh(mesh).Posed(Pose{{0.0, 0.0, kHeight}}), HalfSpace()).volume;
  state.counters["rel_error"] = std::abs(force / (kStiffness * volume) - 1.0);
}

}  // namespace

void RegisterBenchmarks() {
  Register(BenchmarkName("simbody/elastic_foundation", {{"n", "5000"}}),
           [](benchmark::State& state) { BallOnGround(state, 16); });
}

}  // namespace volcontact::bench
