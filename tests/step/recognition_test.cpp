// Surfaces given by points: which plane, quadric or torus they are, and which none.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>
#include <random>

#include "step/faces/step_recognition.h"

namespace volcontact::recognition_test {
namespace {

constexpr double kTolerance = 1e-7;

// A patch of a surface in its own frame: a point by two parameters in [0, 1].
using Patch = std::function<Eigen::Vector3d(double u, double v)>;

std::vector<StepPointNormal> Points(const Patch& patch, const Eigen::Isometry3d& X,
                                    double off = 0.0) {
  constexpr int kAlong = 12;
  constexpr double kStep = 1e-6;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-off, off);
  std::vector<StepPointNormal> points;
  for (int i = 0; i <= kAlong; ++i) {
    for (int k = 0; k <= kAlong; ++k) {
      const double u = static_cast<double>(i) / kAlong, v = static_cast<double>(k) / kAlong;
      const Eigen::Vector3d along_u = patch(u + kStep, v) - patch(u - kStep, v);
      const Eigen::Vector3d along_v = patch(u, v + kStep) - patch(u, v - kStep);
      const Eigen::Vector3d n = along_u.cross(along_v).normalized();
      points.push_back(
          {X * (patch(u, v) + (off > 0.0 ? uniform(random) : 0.0) * n), X.linear() * n});
    }
  }
  return points;
}

Eigen::Isometry3d SomePlace() {
  Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
  X.translate(Eigen::Vector3d(0.1, -0.2, 0.05));
  X.rotate(Eigen::Quaterniond(0.3, -0.5, 0.7, 0.2).normalized());
  return X;
}

// Around a circle by so many turns, at a radius and a height.
Eigen::Vector3d Around(double turns, double radius, double z) {
  const double angle = 2.0 * std::numbers::pi * turns;
  return {radius * std::cos(angle), radius * std::sin(angle), z};
}

struct Case {
  StepSurface surface;
  double radius, minor;
  Patch patch;
};

std::vector<Case> Cases() {
  const auto sphere = [](double turns, double u, double v) {
    const double z = -0.2 + 0.9 * v;
    return Eigen::Vector3d(0.02 * Around(turns * u, std::sqrt(1.0 - z * z), z));
  };
  const auto torus = [](double turns, double tube, double u, double v) {
    const double angle = 2.0 * std::numbers::pi * tube * v;
    return Around(turns * u, 0.03 + 0.01 * std::cos(angle), 0.01 * std::sin(angle));
  };
  return {
      {StepSurface::kPlane, 0, 0,
       [](double u, double v) { return Eigen::Vector3d(0.03 * u, 0.02 * v - u * 0.01, 0.0); }},
      {StepSurface::kCylinder, 0.01, 0,
       [](double u, double v) { return Around(0.25 * u, 0.01, 0.05 * v); }},
      {StepSurface::kCylinder, 0.01, 0,
       [](double u, double v) { return Around(0.5 * u, 0.01, 0.001 * v); }},
      {StepSurface::kCylinder, 0.01, 0,
       [](double u, double v) { return Around(u, 0.01, 0.05 * v); }},
      {StepSurface::kCone, 0, 0.5,
       [](double u, double v) { return Around(0.4 * u, 0.01 + 0.01 * v, 0.02 * v); }},
      {StepSurface::kCone, 0, 0.5,
       [](double u, double v) { return Around(u, 0.01 + 0.01 * v, 0.02 * v); }},
      {StepSurface::kSphere, 0.02, 0, [=](double u, double v) { return sphere(0.25, u, v); }},
      {StepSurface::kSphere, 0.02, 0, [=](double u, double v) { return sphere(1.0, u, v); }},
      {StepSurface::kTorus, 0.03, 0.01,
       [=](double u, double v) { return torus(0.25, 0.25, u, v); }},
      {StepSurface::kTorus, 0.03, 0.01, [=](double u, double v) { return torus(1.0, 1.0, u, v); }},
      {StepSurface::kTorus, 0.03, 0.01, [=](double u, double v) { return torus(0.1, 0.5, u, v); }},
  };
}

TEST(StepRecognition, PatchesAreWhatTheyAre) {
  for (const Eigen::Isometry3d& X : {Eigen::Isometry3d::Identity(), SomePlace()}) {
    int number = 0;
    for (const Case& each : Cases()) {
      SCOPED_TRACE(number++);
      const std::vector<StepPointNormal> points = Points(each.patch, X);
      const std::optional<StepFace> found = RecognisedSurface(points, kTolerance);
      ASSERT_TRUE(found);
      EXPECT_EQ(found->surface, each.surface);
      if (each.surface != StepSurface::kCone) {
        EXPECT_NEAR(found->radius, each.radius, 1e-12);
      }
      EXPECT_NEAR(found->minor, each.minor, 1e-10);
      for (const StepPointNormal& point : points)
        EXPECT_LT(std::abs(found->Height(point.p)), 1e-12);
    }
  }
}

// What is along the axes has no rounding of the fit: bodies that share a face share it exactly.
TEST(StepRecognition, AlignedSurfacesAreExact) {
  Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
  X.translate(Eigen::Vector3d(0.1, -0.2, 0.05));
  for (const Case& each : Cases()) {
    const std::optional<StepFace> found = RecognisedSurface(Points(each.patch, X), kTolerance);
    ASSERT_TRUE(found);
    if (each.surface != StepSurface::kCone) {
      EXPECT_EQ(found->radius, each.radius);
    }
    if (each.surface == StepSurface::kSphere) continue;
    EXPECT_EQ(found->axes.col(2).cwiseAbs(), Eigen::Vector3d::UnitZ());
    if (each.surface == StepSurface::kPlane) {
      EXPECT_EQ(found->origin.z(), 0.05);
    } else {
      EXPECT_EQ(Eigen::Vector2d(found->origin.head<2>()), Eigen::Vector2d(0.1, -0.2));
    }
  }
}

// Splines that stand for them are so only to some digits.
TEST(StepRecognition, AlsoWhereTheyAreSoOnlyNearly) {
  int number = 0;
  for (const Case& each : Cases()) {
    SCOPED_TRACE(number++);
    const std::vector<StepPointNormal> points = Points(each.patch, SomePlace(), 0.5 * kTolerance);
    const std::optional<StepFace> found = RecognisedSurface(points, kTolerance);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->surface, each.surface);
    EXPECT_FALSE(RecognisedSurface(points, 0.1 * kTolerance));
  }
}

// By nine unknowns: only as near as numbers are rounded.
TEST(StepRecognition, OtherQuadrics) {
  const Patch patches[] = {
      // elliptic cylinder, ellipsoid, elliptic cone, saddle, one-sheeted hyperboloid
      [](double u, double v) {
        return Eigen::Vector3d(0.01 * std::cos(u), 0.011 * std::sin(u), 0.05 * v);
      },
      [](double u, double v) {
        return Eigen::Vector3d(0.01 * std::cos(u) * std::cos(v), 0.012 * std::sin(u) * std::cos(v),
                               0.008 * std::sin(v));
      },
      [](double u, double v) {
        return Eigen::Vector3d((1.0 + v) * 0.01 * std::cos(u), (1.0 + v) * 0.011 * std::sin(u),
                               0.05 * v);
      },
      [](double u, double v) { return Eigen::Vector3d(0.01 * u, 0.01 * v, 0.01 * u * v); },
      [](double u, double v) {
        return Eigen::Vector3d(0.01 * std::cosh(v) * std::cos(u), 0.01 * std::cosh(v) * std::sin(u),
                               0.02 * std::sinh(v));
      }};
  int number = 0;
  for (const Patch& patch : patches) {
    SCOPED_TRACE(number++);
    const std::vector<StepPointNormal> points = Points(patch, SomePlace());
    const std::optional<StepFace> found = RecognisedSurface(points, kTolerance);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->surface, StepSurface::kQuadric);
    for (const StepPointNormal& point : points) {
      EXPECT_LT(std::abs(found->Height(point.p)), 1e-12);
      EXPECT_GT(std::abs(found->Up(point.p).dot(point.n)), 1.0 - 1e-9);
      // About a distance.
      EXPECT_NEAR(std::abs(found->Height(point.p + 1e-6 * point.n)), 1e-6, 1e-9);
    }
    EXPECT_FALSE(RecognisedSurface(Points(patch, SomePlace(), 0.01 * kTolerance), kTolerance));
  }
}

TEST(StepRecognition, OthersAreNone) {
  const Patch others[] = {
      // twisted strip, a tube along a parabola and one along a cubic
      [](double u, double v) {
        return Eigen::Vector3d(0.01 * u * std::cos(v), 0.01 * u * std::sin(v), 0.01 * v);
      },
      [](double u, double v) { return Eigen::Vector3d(0.01 * u, 0.01 * u * u, 0.05 * v); },
      [](double u, double v) { return Eigen::Vector3d(0.01 * u, 0.01 * u * u * u, 0.05 * v); }};
  int number = 0;
  for (const Patch& patch : others) {
    EXPECT_FALSE(RecognisedSurface(Points(patch, SomePlace()), kTolerance)) << number++;
  }
  EXPECT_FALSE(RecognisedSurface({}, kTolerance));
  EXPECT_FALSE(RecognisedSurface({{Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitZ()}}, 1.0));
}

}  // namespace
}  // namespace volcontact::recognition_test
