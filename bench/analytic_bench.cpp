// Overlaps of spheres, cylinders and half-spaces whose volume is known: error and time of every
// method, swept over tolerance, depth, orientation, offset and threads, beside counting voxels.
// Names: <scene>/method:../tol:../depth:../pose:../offset:../threads:.. for the methods,
// <scene>/method:voxel|naive/n:../depth:.. for counting.

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "extended_quadrature.h"
#include "support.h"

namespace volcontact::bench {
namespace {

// The references: extended precision, from the poses as given in doubles. At depth 1e-8 of the size
// they hold some eleven digits where the format has 64 bits.
using Vector3 = Eigen::Matrix<Real, 3, 1>;

// Half-space z <= 0, ball about the origin, or cylinder about z.
struct Shape {
  enum class Kind { kHalfSpace, kSphere, kCylinder, kInfiniteCylinder };
  Kind kind;
  double radius = 0.0;
  double height = 0.0;

  Solid MakeSolid() const {
    switch (kind) {
      case Kind::kHalfSpace:
        return HalfSpace();
      case Kind::kSphere:
        return Sphere(radius);
      case Kind::kCylinder:
        return Cylinder(radius, height);
      case Kind::kInfiniteCylinder:
        return InfiniteCylinder(radius);
    }
    return Solid();
  }

  bool Contains(const Eigen::Vector3d& p) const {
    switch (kind) {
      case Kind::kHalfSpace:
        return p.z() <= 0.0;
      case Kind::kSphere:
        return p.squaredNorm() <= radius * radius;
      case Kind::kCylinder:
        return p.head<2>().squaredNorm() <= radius * radius && std::abs(p.z()) <= height / 2;
      case Kind::kInfiniteCylinder:
        return p.head<2>().squaredNorm() <= radius * radius;
    }
    return false;
  }
};

// What the volume of a scene depends on: the shapes' z axes and the vector from A's to B's origin.
struct RelativePose {
  Vector3 z_a, z_b, p_ab;
};

// A pair of shapes that may be pushed together to any depth, in the frame of shape A.
struct Scene {
  virtual ~Scene() = default;
  Scene(std::string name_in, Shape a_in, Shape b_in, double size_in, bool closed_form)
      : name(std::move(name_in)), a(a_in), b(b_in), size(size_in), has_closed_form(closed_form) {}

  virtual Pose PoseOfB(double depth) const = 0;
  // A box about the overlap; exact up to depths of a radius.
  virtual Aabb OverlapBox(double depth) const = 0;
  virtual Real Volume(const RelativePose& pose) const = 0;

  std::string name;
  Shape a, b;
  double size;  // depths are counted in it [m]
  bool has_closed_form;
};

// Half-width of a disc of radius r at depth s under its rim.
double HalfChord(double r, double s) { return s < r ? std::sqrt(s * (2.0 * r - s)) : r; }

Aabb CenteredBox(double low, double high, double half_y, double half_z) {
  return {{low, -half_y, -half_z}, {high, half_y, half_z}};
}

struct Cap : Scene {
  static constexpr double kRadius = 0.5;
  Cap() : Scene("cap", {Shape::Kind::kHalfSpace}, {Shape::Kind::kSphere, kRadius}, kRadius, true) {}
  Pose PoseOfB(double depth) const override { return {{0.0, 0.0, kRadius - depth}, Pose().q}; }
  Aabb OverlapBox(double depth) const override {
    const double w = HalfChord(kRadius, depth);
    return {{-w, -w, -depth}, {w, w, 0.0}};
  }
  Real Volume(const RelativePose& pose) const override {
    const Real depth = kRadius - pose.z_a.dot(pose.p_ab);
    return kPi * depth * depth * (3 * Real{kRadius} - depth) / 3;
  }
};

struct Lens : Scene {
  static constexpr double kRadiusA = 0.5, kRadiusB = 0.3;
  Lens()
      : Scene("lens", {Shape::Kind::kSphere, kRadiusA}, {Shape::Kind::kSphere, kRadiusB}, kRadiusB,
              true) {}
  Pose PoseOfB(double depth) const override {
    return {{kRadiusA + kRadiusB - depth, 0.0, 0.0}, Pose().q};
  }
  Aabb OverlapBox(double depth) const override {
    const double d = kRadiusA + kRadiusB - depth;
    const double x = (d * d + kRadiusA * kRadiusA - kRadiusB * kRadiusB) / (2.0 * d);
    const double w = x > d ? kRadiusB : HalfChord(kRadiusA, kRadiusA - x);
    return CenteredBox(d - kRadiusB, kRadiusA, w, w);
  }
  Real Volume(const RelativePose& pose) const override {
    const Real d = pose.p_ab.norm(), sum = Real{kRadiusA} + kRadiusB, depth = sum - d;
    const Real difference = Real{kRadiusA} - kRadiusB;
    return kPi * depth * depth * (d * d + 2 * d * sum - 3 * difference * difference) / (12 * d);
  }
};

// Equal cylinders that cross at right angles; at depth 1 their axes meet: Steinmetz's solid.
struct Steinmetz : Scene {
  static constexpr double kRadius = 0.25, kHeight = 1.5;
  Steinmetz()
      : Scene("steinmetz", {Shape::Kind::kCylinder, kRadius, kHeight},
              {Shape::Kind::kCylinder, kRadius, kHeight}, 2.0 * kRadius, false) {
    const Vector3 x = Vector3::UnitX(), z = Vector3::UnitZ(), zero = Vector3::Zero();
    const Real r = kRadius, known = 16 * r * r * r / 3;
    if (std::abs(Volume({z, x, zero}) - known) > 1e-16L * known) {
      throw std::logic_error("the reference quadrature misses Steinmetz's 16/3 r³");
    }
  }
  Pose PoseOfB(double depth) const override {
    return {{2.0 * kRadius - depth, 0.0, 0.0}, {std::sqrt(0.5), std::sqrt(0.5), 0.0, 0.0}};
  }
  Aabb OverlapBox(double depth) const override {
    const double w = HalfChord(kRadius, depth);
    return CenteredBox(kRadius - depth, kRadius, w, w);
  }
  Real Volume(const RelativePose& pose) const override {
    const Vector3 across = pose.z_a.cross(pose.z_b);
    const Real sine = across.norm(), r = kRadius;
    const Real depth = 2 * r - std::abs(pose.p_ab.dot(across)) / sine;
    // At s under A's surface and depth − s under B's, a section is a parallelogram.
    return 4 / sine * IntegrateRootEnds(0.0L, depth, [&](Real s) {
             return std::sqrt(s * (2 * r - s) * (depth - s) * (2 * r - depth + s));
           });
  }
};

struct SphereCylinder : Scene {
  static constexpr double kSphere = 0.5, kCylinder = 0.25;
  SphereCylinder()
      : Scene("sphere_cylinder", {Shape::Kind::kSphere, kSphere},
              {Shape::Kind::kInfiniteCylinder, kCylinder}, kCylinder, false) {}
  Pose PoseOfB(double depth) const override {
    return {{kSphere + kCylinder - depth, 0.0, 0.0}, Pose().q};
  }
  Aabb OverlapBox(double depth) const override {
    const double w = HalfChord(kSphere, depth);
    return CenteredBox(kSphere - depth, kSphere, std::min(w, kCylinder), w);
  }
  Real Volume(const RelativePose& pose) const override {
    const Real R = kSphere, r = kCylinder;
    const Real depth = R + r - pose.p_ab.cross(pose.z_b).norm();
    // Sections across the line of centres, at s from the sphere's pole: a disc of radius a, cut by
    // a strip of half-width w from s = split on.
    const Real rate = 2 * (R + r - depth), split = depth * (2 * r - depth) / rate;
    const auto section = [&](Real s) {
      const Real w = std::sqrt((depth - s) * (2 * r - depth + s));
      const Real side = std::sqrt((s - split) * rate), a_squared = s * (2 * R - s);
      return 2 * (w * side + a_squared * std::atan2(w, side));
    };
    return kPi * split * split * (R - split / 3) + IntegrateRootEnds(split, depth, section);
  }
};

// A cylinder standing with a point of its rim under a plane at 45°: an ungula.
struct Ungula : Scene {
  static constexpr double kRadius = 0.25, kHeight = 1.0;
  static constexpr double kDiagonal = std::numbers::sqrt2 / 2;
  Ungula()
      : Scene("ungula", {Shape::Kind::kHalfSpace}, {Shape::Kind::kCylinder, kRadius, kHeight},
              kRadius, true) {}
  Pose PoseOfB(double depth) const override {
    const double half_angle = std::numbers::pi / 8.0;
    const double lift = kDiagonal * (kRadius + kHeight / 2) - depth;
    return {{kDiagonal * kHeight / 2, 0.0, lift},
            {std::cos(half_angle), 0.0, std::sin(half_angle), 0.0}};
  }
  Aabb OverlapBox(double depth) const override {
    const double rim = kDiagonal * kRadius, w = HalfChord(kRadius, depth / kDiagonal);
    return {{rim - depth, -w, -depth}, {rim + depth, w, 0.0}};
  }
  Real Volume(const RelativePose& pose) const override {
    const Real r = kRadius, cosine = pose.z_a.dot(pose.z_b), sine = pose.z_a.cross(pose.z_b).norm();
    const Vector3 base = pose.p_ab - Real{kHeight} / 2 * pose.z_b;
    const Real cut = r - pose.z_a.dot(base) / sine;  // length of the base under the plane
    if (cut > r / 10) {
      const Real phi = std::acos(1 - cut / r), s = std::sin(phi);
      return sine / cosine * r * r * r * (s - s * s * s / 3 - phi * std::cos(phi));
    }
    // The same integral of the height over the segment, where the formula would cancel.
    return sine / cosine * Integrate(0.0L, 1.0L, [&](Real v) {
             const Real u = cut * v * v;
             return 2 * (cut - u) * std::sqrt(u * (2 * r - u)) * 2 * cut * v;
           });
  }
};

// Where a scene stands in the world.
struct Placement {
  double depth = 0.1;   // in the scene's size
  bool generic = true;  // turned against the axes of A's frame and of the world
  double offset = 0.0;  // distance from the world's origin, in the scene's size
};

const std::array<double, 4> kGenericRotation = {0.36, 0.48, -0.64, 0.48};

Vector3 ZAxis(const std::array<double, 4>& q) {
  const Real w = q[0], x = q[1], y = q[2], z = q[3];
  const Vector3 axis(2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z);
  return axis / (w * w + x * x + y * y + z * z);
}

struct PlacedScene {
  const Scene* scene;
  Placement placement;
  Pose shape_a, shape_b;  // in the world
  PosedPair posed;
  double volume;

  double RelativeError(double computed) const { return std::abs(computed / volume - 1.0); }
};

PlacedScene Place(const Scene& scene, const Placement& placement) {
  const Pose turn = placement.generic ? Pose{Eigen::Vector3d::Zero(), kGenericRotation} : Pose{};
  const Pose X_AB = scene.PoseOfB(placement.depth * scene.size);
  const Eigen::Vector3d origin = placement.offset * scene.size * Eigen::Vector3d(0.48, -0.6, 0.64);
  // The shape is turned within A's frame: an algorithm that works in that frame sees it askew.
  const Pose shape_a = {origin, turn.q}, shape_b = Compose(shape_a, X_AB);
  const Real volume = scene.Volume(
      {ZAxis(shape_a.q), ZAxis(shape_b.q), shape_b.t.cast<Real>() - shape_a.t.cast<Real>()});
  PreparedPair pair(scene.a.MakeSolid().Posed(turn), scene.b.MakeSolid());
  return {&scene,
          placement,
          shape_a,
          shape_b,
          PosedPair{std::move(pair), Pose{origin, Pose().q}, shape_b},
          static_cast<double>(volume)};
}

void MeasureQuery(benchmark::State& state, const PlacedScene& placed, const QueryOptions& options) {
  if (const std::string reason = ReasonToSkip(placed.posed, options); !reason.empty()) {
    return state.SkipWithError(reason.c_str());
  }
  Metrics metrics;
  for (auto _ : state) benchmark::DoNotOptimize(metrics = placed.posed.Query(options));
  SetCounter(state, "rel_error", placed.RelativeError(metrics.volume));
  SetWorkCounters(state, metrics);
}

// Sums over the points of a regular grid of n³ in the overlap's box that lie in both shapes.
VolumeMoments CountNaively(const PlacedScene& placed, int n) {
  const Scene& scene = *placed.scene;
  const Aabb local = scene.OverlapBox(placed.placement.depth * scene.size);
  const Eigen::Matrix3d R_a = placed.shape_a.Rotation(), R_b = placed.shape_b.Rotation();
  const Eigen::Vector3d half = R_a.cwiseAbs() * local.HalfExtents();
  const Eigen::Vector3d corner = placed.shape_a * local.Center() - half, step = 2.0 / n * half;
  VolumeMoments sums;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) {
        const Eigen::Vector3d p =
            corner + step.cwiseProduct(Eigen::Vector3d(i + 0.5, j + 0.5, k + 0.5));
        if (!scene.a.Contains(R_a.transpose() * (p - placed.shape_a.t)) ||
            !scene.b.Contains(R_b.transpose() * (p - placed.shape_b.t))) {
          continue;
        }
        sums.volume += 1.0;
        sums.first += p;
        sums.second += p * p.transpose();
      }
    }
  }
  return sums *= step.prod();
}

void MeasureNaive(benchmark::State& state, const PlacedScene& placed, int n) {
  VolumeMoments sums;
  for (auto _ : state) benchmark::DoNotOptimize(sums = CountNaively(placed, n));
  SetCounter(state, "rel_error", placed.RelativeError(sums.volume));
  SetCounter(state, "cells", static_cast<double>(n) * n * n);
  SetCounter(state, "leaves", 0.0);
}

void RegisterQuery(const Scene& scene, Method method, double tolerance, const Placement& placement,
                   int threads) {
  const Labels labels = {
      {"method", MethodName(method)},           {"tol", Scientific(tolerance)},
      {"depth", Scientific(placement.depth)},   {"pose", placement.generic ? "generic" : "aligned"},
      {"offset", Scientific(placement.offset)}, {"threads", std::to_string(threads)}};
  const std::string name = BenchmarkName(scene.name, labels);
  static std::set<std::string> registered;  // the sweeps of RegisterMethod cross
  if (!registered.insert(name).second) return;
  QueryOptions options;
  options.method = method;
  options.tolerance = tolerance;
  options.threads = threads;
  const auto placed = std::make_shared<PlacedScene>(Place(scene, placement));
  Register(name, [=](benchmark::State& state) { MeasureQuery(state, *placed, options); });
}

void RegisterMethod(const Scene& scene, Method method) {
  const bool tolerant = method != Method::kClosedForm;  // reads the tolerance
  const double usual = method == Method::kBoundary ? 1e-8 : 1e-10;
  for (int exponent = tolerant ? 3 : 10; exponent <= 10; ++exponent) {
    RegisterQuery(scene, method, std::pow(10.0, -exponent), {}, 1);
  }
  for (int exponent = 0; exponent <= 8; ++exponent) {
    RegisterQuery(scene, method, usual, {.depth = std::pow(10.0, -exponent)}, 1);
  }
  for (const bool generic : {false, true}) {
    for (const double offset : {0.0, 1e3}) {
      RegisterQuery(scene, method, usual, {.depth = 1e-3, .generic = generic, .offset = offset}, 1);
    }
  }
  if (tolerant) RegisterQuery(scene, method, 1e-10, {}, 2);
}

void RegisterCounting(const Scene& scene, double depth) {
  const auto placed = std::make_shared<PlacedScene>(Place(scene, {.depth = depth}));
  const auto name = [&](const char* method, int n) {
    return BenchmarkName(
        scene.name, {{"method", method}, {"n", std::to_string(n)}, {"depth", Scientific(depth)}});
  };
  for (const int n : {4, 8, 16, 32, 64}) {
    QueryOptions options;
    options.method = Method::kVoxel;
    options.voxel_size = std::cbrt(placed->volume) / n;
    options.max_cells = 50'000'000;
    Register(name("voxel", n),
             [=](benchmark::State& state) { MeasureQuery(state, *placed, options); });
  }
  for (const int n : {8, 16, 32, 64, 128, 256}) {
    Register(name("naive", n), [=](benchmark::State& state) { MeasureNaive(state, *placed, n); });
  }
}

}  // namespace

void RegisterBenchmarks() {
  static const Cap cap;
  static const Lens lens;
  static const Steinmetz steinmetz;
  static const SphereCylinder sphere_cylinder;
  static const Ungula ungula;
  const std::vector<const Scene*> scenes = {&cap, &lens, &steinmetz, &sphere_cylinder, &ungula};
  for (const Scene* scene : scenes) {
    RegisterMethod(*scene, Method::kBoundary);
    if (scene->has_closed_form) RegisterMethod(*scene, Method::kClosedForm);
    RegisterCounting(*scene, 0.1);
  }
}

}  // namespace volcontact::bench
