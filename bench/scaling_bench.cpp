// One thread against two on heavy queries and on batches, and the time of the closed forms.
// Names: heavy/<solids>/tol:.., large_meshes/<solids>/tol:.., batch/<solids>/tol:..,
// closed_form/<kind>_<kind>. All but the last report the ratio of the wall times of one and two
// threads; that of the processor times of one thread and of the first of two, which is no more
// than an upper bound of the gain but untouched by other processes; and how much the machine gains
// from two threads that have nothing to do with each other (apart_ratio).

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "geodesic_sphere.h"
#include "random_parts.h"
#include "support.h"

namespace volcontact::bench {
namespace {

constexpr std::uint64_t kSeed = 4178;
constexpr int kBatchPoses = 1000, kClosedFormPoses = 64;
// One and two threads take turns for this time [s], once at least; each counts by its best time,
// which other processes on the machine disturb least.
constexpr double kRepeatSeconds = 1.0;

// The same work on one thread, twice at the same time.
void WorkTwice(const std::function<void(int)>& work) {
  std::thread other([&] { work(1); });
  work(1);
  other.join();
}

// Times `work(threads)` for one and two threads, and twice at the same time, which two threads
// cannot beat on this machine; sets the counters.
void MeasureThreads(benchmark::State& state, const std::function<void(int)>& work) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double best[2] = {kInfinity, kInfinity}, best_cpu[2] = {kInfinity, kInfinity};
  double best_twice = kInfinity;
  for (auto _ : state) {
    const double start = WallSeconds();
    do {
      for (const int threads : {1, 2}) {
        double &time = best[threads - 1], &cpu = best_cpu[threads - 1];
        const double cpu_start = ThreadCpuSeconds();
        time = std::min(time, SecondsOf(WallSeconds, [&] { work(threads); }));
        cpu = std::min(cpu, ThreadCpuSeconds() - cpu_start);
      }
      best_twice = std::min(best_twice, SecondsOf(WallSeconds, [&] { WorkTwice(work); }));
    } while (WallSeconds() - start < kRepeatSeconds);
  }
  SetCounter(state, "ms_1", 1e3 * best[0]);
  SetCounter(state, "ms_2", 1e3 * best[1]);
  SetCounter(state, "ratio", best[0] / best[1]);
  SetCounter(state, "cpu_ratio", best_cpu[0] / best_cpu[1]);
  SetCounter(state, "apart_ratio", 2.0 * best[0] / best_twice);
}

void RegisterLong(const std::string& name, const Solid& A, const Solid& B, const Pose& X_AB,
                  Method method, double tolerance) {
  const auto posed = std::make_shared<PosedPair>(PosedPair{PreparedPair(A, B), Pose{}, X_AB});
  const auto mutex = std::make_shared<std::mutex>();
  QueryOptions options;
  options.method = method;
  options.tolerance = tolerance;
  Register(BenchmarkName(name, {{"tol", Scientific(tolerance)}}), [=](benchmark::State& state) {
    if (const std::string reason = ReasonToSkip(*posed, options, 5.0); !reason.empty()) {
      return state.SkipWithError(reason.c_str());
    }
    Metrics results[2];
    MeasureThreads(state, [&](int threads) {
      QueryOptions threaded = options;
      threaded.threads = threads;
      const Metrics result = posed->Query(threaded);
      const std::lock_guard lock(*mutex);
      results[threads - 1] = result;
    });
    SetWorkCounters(state, results[1]);
    SetCounter(
        state, "identical",
        results[0].volume == results[1].volume && results[0].inertia_W == results[1].inertia_W);
  })->Iterations(1);
}

void RegisterHeavy(const std::string& name, const Solid& A, const Solid& B, const Pose& X_AB,
                   double tolerance) {
  RegisterLong("heavy/" + name, A, B, X_AB, Method::kBoundary, tolerance);
}

// A geodesic sphere of that many triangles along the icosahedron's edges, with bumps.
Solid BumpySphere(int frequency, double amplitude, double turn) {
  constexpr double kWaves = 20.0;
  const Eigen::Vector3d axis = Eigen::Vector3d(1.0, 2.0, 3.0).normalized();
  TriangleMesh mesh =
      GeodesicSphere(frequency, Eigen::AngleAxis<double>(turn, axis).toRotationMatrix());
  for (Eigen::Vector3d& v : mesh.vertices) {
    v *= 1.0 + amplitude * std::sin(kWaves * v[0] + turn) * std::sin(kWaves * v[1] + 2.0 * turn) *
                   std::cos(kWaves * v[2]);
  }
  return Mesh(mesh);
}

// Meshes of 100,000 and 300,000 triangles each: half inside each other, 5 % deep, and with
// crossings everywhere; and meshes beside curved solids.
void RegisterLargeMeshes() {
  const auto away = [](double distance) {
    return Pose{distance * Eigen::Vector3d(0.3, -0.5, 0.81).normalized(), Pose().q};
  };
  for (const auto& [size, frequency] : {std::pair("100k", 71), std::pair("300k", 122)}) {
    const std::string prefix = std::string("large_meshes/") + size + "_";
    const Solid A = BumpySphere(frequency, 0.05, 0.0), B = BumpySphere(frequency, 0.05, 1.0);
    const auto add = [&](const std::string& name, const Solid& other, double distance) {
      RegisterLong(prefix + name, A, other, away(distance), Method::kAuto, 1e-8);
    };
    add("half", B, 0.5);
    add("shallow", B, 1.9);
    add("shells", B, 0.02);
    add("ball", Sphere(0.6), 0.7);
    add("shell_and_ball", Sphere(1.0), 0.02);
    add("cylinder", Cylinder(0.7, 3.0), 0.2);
  }
}

// A plate with a grid of n² holes.
Solid PerforatedPlate(int n) {
  std::vector<Solid> holes;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const Eigen::Vector3d center((i + 0.5) / n - 0.5, (j + 0.5) / n - 0.5, 0.0);
      holes.push_back(Cylinder(0.3 / n, 0.2).Posed({center, Pose().q}));
    }
  }
  return Difference(Box({1.0, 1.0, 0.1}), holes);
}

// Spheres of several sizes about the origin, overlapping each other.
Solid Cluster(int n) {
  std::mt19937_64 random(kSeed);
  std::uniform_real_distribution<double> radius(0.1, 0.2), distance(0.1, 0.4);
  std::vector<Solid> balls;
  for (int i = 0; i < n; ++i) {
    balls.push_back(
        Sphere(radius(random)).Posed({distance(random) * RandomDirection(random), Pose().q}));
  }
  return Union(std::move(balls));
}

std::vector<Pose> Poses(int count, const std::function<Pose(std::mt19937_64&)>& draw) {
  std::mt19937_64 random(kSeed);
  std::vector<Pose> poses;
  for (int i = 0; i < count; ++i) poses.push_back(draw(random));
  return poses;
}

void RegisterBatch(const std::string& name, const Solid& A, const Solid& B, double low, double high,
                   Method method, double tolerance) {
  const auto pair = std::make_shared<PreparedPair>(A, B);
  QueryOptions options;
  options.method = method;
  options.tolerance = tolerance;
  Register(BenchmarkName("batch/" + name,
                         {{"method", MethodName(method)}, {"tol", Scientific(tolerance)}}),
           [=](benchmark::State& state) {
             const std::vector<Pose> poses = Poses(kBatchPoses, [&](std::mt19937_64& random) {
               std::uniform_real_distribution<double> distance(low, high);
               return RandomRotation(random, distance(random) * RandomDirection(random));
             });
             const auto once = [&](int threads) {
               QueryOptions threaded = options;
               threaded.threads = threads;
               benchmark::DoNotOptimize(pair->QueryRelativeBatch(poses, threaded));
             };
             const auto finished = RunGuarded(5.0, [&] { return once(1), std::vector<double>{}; });
             if (!finished) return state.SkipWithError("no answer in 5 s, or a crash");
             MeasureThreads(state, once);
           })
      ->Iterations(1);
}

// Poses at which the closed form answers, drawn until there are enough; their part of all drawn
// that overlap is the coverage.
struct Covered {
  std::vector<Pose> poses;
  double coverage = 0.0;
};

Covered DrawCovered(const PreparedPair& pair, const std::function<Pose(std::mt19937_64&)>& draw) {
  std::mt19937_64 random(kSeed);
  Covered covered;
  int overlapping = 0;
  for (int i = 0; i < 10'000 && covered.poses.size() < kClosedFormPoses; ++i) {
    const Pose pose = draw(random);
    if (pair.Overlaps(Pose{}, pose) != OverlapProof::kOverlap) continue;
    ++overlapping;
    try {
      pair.QueryRelative(pose, {.method = Method::kClosedForm});
      covered.poses.push_back(pose);
    } catch (const InvalidInput&) {
    }
  }
  covered.coverage = overlapping == 0 ? 0.0 : 1.0 * covered.poses.size() / overlapping;
  return covered;
}

void RegisterClosedForm(const std::string& name, const Solid& A, const Solid& B,
                        bool against_plane) {
  const auto pair = std::make_shared<PreparedPair>(A, B);
  Register("closed_form/" + name, [=](benchmark::State& state) {
    const Covered covered = DrawCovered(*pair, [&](std::mt19937_64& random) {
      std::uniform_real_distribution<double> distance(0.1, 0.9);
      const Eigen::Vector3d direction =
          against_plane ? Eigen::Vector3d::UnitZ() : RandomDirection(random);
      return RandomRotation(random, distance(random) * direction);
    });
    if (covered.poses.empty()) return state.SkipWithError("no closed form at any pose drawn");
    const QueryOptions options = {.method = Method::kClosedForm};
    std::size_t next = 0;
    for (auto _ : state) {
      benchmark::DoNotOptimize(pair->QueryRelative(covered.poses[next], options));
      next = (next + 1) % covered.poses.size();
    }
    SetCounter(state, "coverage", covered.coverage);
  });
}

}  // namespace

void RegisterBenchmarks() {
  const Pose generic = {{0.1, -0.05, 0.2}, {0.36, 0.48, -0.64, 0.48}};
  const Solid ellipsoid = Ellipsoid({0.4, 0.3, 0.3});
  RegisterHeavy("plate_16_holes_ellipsoid", PerforatedPlate(4), ellipsoid, generic, 1e-6);
  RegisterHeavy("plate_25_holes_ellipsoid", PerforatedPlate(5), ellipsoid, generic, 1e-10);
  RegisterHeavy("plate_25_holes_torus", PerforatedPlate(5), Torus(0.3, 0.12), generic, 1e-10);
  RegisterHeavy("cluster_20_spheres_ellipsoid", Cluster(20), ellipsoid, generic, 1e-6);
  RegisterHeavy("cluster_30_spheres_cylinder", Cluster(30), Cylinder(0.3, 0.8), generic, 1e-10);

  for (const int n : {4, 8, 10}) {
    Draw draw(kSeed);
    const Part A = {draw.SomeCylinders(n), {}}, B = {draw.SomeCylinders(n), {}};
    RegisterHeavy("unions_of_" + std::to_string(n) + "_cylinders", A.MakeSolid(), B.MakeSolid(),
                  Pose{}, 1e-6);
  }

  RegisterLargeMeshes();

  RegisterBatch("sphere_sphere", Sphere(0.5), Sphere(0.3), 0.3, 0.9, Method::kAuto, 1e-6);
  RegisterBatch("ellipsoid_ellipsoid", Ellipsoid({0.6, 0.45, 0.35}), Ellipsoid({0.3, 0.4, 0.5}),
                0.5, 0.9, Method::kAuto, 1e-6);
  RegisterBatch("cylinder_box", Cylinder(0.4, 1.0), Box({0.9, 0.7, 0.6}), 0.5, 1.0, Method::kAuto,
                1e-6);
  RegisterBatch("torus_sphere", Torus(0.45, 0.18), Sphere(0.3), 0.3, 0.9, Method::kBoundary, 1e-4);

  const Solid sphere = Sphere(0.5), box = Box({0.9, 0.7, 0.6}), plane = HalfSpace();
  RegisterClosedForm("sphere_sphere", sphere, Sphere(0.3), false);
  RegisterClosedForm("half_space_sphere", plane, sphere, true);
  RegisterClosedForm("half_space_box", plane, box, true);
  RegisterClosedForm("box_box", box, Box({0.4, 0.5, 0.6}), false);
  RegisterClosedForm("half_space_cylinder", plane, Cylinder(0.3, 0.8), true);
}

}  // namespace volcontact::bench
