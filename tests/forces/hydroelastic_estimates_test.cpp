// Overlap volumes against integrals of the gap between the surfaces (a Winkler foundation), their
// inverses, and the table of the Drake hydroelastic guide.
#include "volcontact/forces/hydroelastic_estimates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "forces/quadrature.h"
#include "volcontact/forces/stiffness_estimates.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/primitives.h"

namespace volcontact {
namespace {

using std::numbers::pi;

TEST(FoundationDepth, IsTheGreatestDistanceFromTheSurface) {
  EXPECT_EQ(SphereFoundationDepth(0.05), 0.05);
  EXPECT_EQ(CylinderFoundationDepth(0.05), 0.05);
  EXPECT_EQ(CylinderFoundationDepth(0.05, 0.06), 0.03);
  for (const double angle : {1e-3, 0.3, pi / 4.0, 1.3, 1.57}) {
    // Along the axis, the lesser of the distances from base and flank, at its greatest.
    const double R = 0.03, height = R / std::tan(angle);
    double greatest = 0.0;
    constexpr int kPoints = 100'000;
    for (int i = 0; i <= kPoints; ++i) {
      const double above_base = height * i / kPoints;
      const double from_flank = (height - above_base) * std::sin(angle);
      greatest = std::max(greatest, std::min(above_base, from_flank));
    }
    EXPECT_NEAR(ConeFoundationDepth(R, angle) / greatest, 1.0, 1e-4) << angle;
    const double sine = std::sin(angle);
    EXPECT_NEAR(ConeFoundationDepth(R, angle), R * std::sqrt((1.0 - sine) / (1.0 + sine)), 1e-12);
  }
}

// V = ∫ 2πr (overlap of the columns at r) dr, with the height of the lower surface above its lowest
// point at r, over the disc where it is below `depth`.
template <class Height>
double WinklerVolume(double depth, double disc, Height height) {
  return Integral(0.0, disc,
                  [&](double r) { return 2.0 * pi * r * std::max(0.0, depth - height(r)); });
}

TEST(Indenter, VolumesAreThoseOfTheWinklerFoundation) {
  const double R = 0.05, x = 0.004, angle = 0.6;
  const auto sphere = [&](double r) { return R - std::sqrt(std::max(0.0, R * R - r * r)); };
  EXPECT_NEAR(Indenter::Sphere(R).Volume(x) / WinklerVolume(x, std::sqrt(x * (2 * R - x)), sphere),
              1.0, 1e-8);
  EXPECT_NEAR(Indenter::Cylinder(R).Volume(x) / WinklerVolume(x, R, [](double) { return 0.0; }),
              1.0, 1e-8);
  const auto cone = [&](double r) { return r / std::tan(angle); };
  EXPECT_NEAR(Indenter::Cone(R, angle).Volume(x) / WinklerVolume(x, x * std::tan(angle), cone), 1.0,
              1e-8);
  const double Rb = 0.02;
  const auto gap = [&](double r) {
    return sphere(r) + Rb - std::sqrt(std::max(0.0, Rb * Rb - r * r));
  };
  EXPECT_NEAR(Indenter::TwoSpheres(R, Rb).Volume(x) / WinklerVolume(x, Rb, gap), 1.0, 1e-7);
}

TEST(Indenter, VolumesAreThoseOfTheSolids) {
  const QueryOptions options;
  const double Ra = 0.05, Rb = 0.02;
  for (const double x : {1e-6, 0.003, 0.02}) {
    const Metrics pair =
        PreparedPair(Sphere(Ra), Sphere(Rb)).Query(Pose{{0.0, 0.0, Ra + Rb - x}}, Pose{}, options);
    EXPECT_NEAR(Indenter::TwoSpheres(Ra, Rb).Volume(x) / pair.volume, 1.0, 1e-9) << x;
    const Metrics plane =
        PreparedPair(Sphere(Ra), HalfSpace()).Query(Pose{{0.0, 0.0, Ra - x}}, Pose{}, options);
    EXPECT_NEAR(Indenter::Sphere(Ra).Volume(x) / plane.volume, 1.0, 1e-9) << x;
  }
  EXPECT_NEAR(Indenter::Sphere(Ra).Volume(2.0 * Ra), 4.0 / 3.0 * pi * Ra * Ra * Ra, 1e-17);
}

std::vector<std::pair<Indenter, double>> IndentersAndRadii() {
  return {{Indenter::Cylinder(0.03, 0.1), 0.1},     {Indenter::Sphere(0.05), 0.05},
          {Indenter::TwoSpheres(0.05, 0.05), 0.05}, {Indenter::TwoSpheres(0.001, 0.05), 0.001},
          {Indenter::TwoSpheres(0.05, 1e6), 0.05},  {Indenter::Cone(0.05, 0.2), 0.05},
          {Indenter::Cone(0.05, 1.5), 0.003}};
}

TEST(Indenter, DepthIsTheInverseOfVolume) {
  for (const auto& [indenter, size] : IndentersAndRadii()) {
    for (const double part : {0.0, 1e-12, 1e-6, 0.01, 0.3, 0.9, 1.0}) {
      const double depth = part * size;
      EXPECT_NEAR(indenter.DepthOfVolume(indenter.Volume(depth)), depth, 1e-14 * depth);
      EXPECT_NEAR(indenter.DepthOfVolumeLeadingOrder(indenter.VolumeLeadingOrder(0.5 * depth)),
                  0.5 * depth, 1e-14 * depth);
    }
  }
  const Indenter sphere = Indenter::Sphere(0.05);
  EXPECT_NEAR(sphere.DepthOfVolume(sphere.Volume(0.0999)), 0.0999, 1e-12);
  EXPECT_NEAR(sphere.DepthOfVolume(sphere.Volume(0.1)), 0.1, 1e-9);
}

TEST(Indenter, AreaIsTheDerivativeOfVolume) {
  for (const auto& [indenter, size] : IndentersAndRadii()) {
    for (const double part : {0.01, 0.3, 0.9}) {
      const double x = part * size, h = 1e-5 * x;
      const double slope = (indenter.Volume(x + h) - indenter.Volume(x - h)) / (2.0 * h);
      EXPECT_NEAR(indenter.Area(x) / slope, 1.0, 1e-8);
    }
  }
}

TEST(Indenter, LeadingOrderIsTheLimitAndABound) {
  for (const auto& [indenter, size] : IndentersAndRadii()) {
    double previous = 1.0;
    for (const double part : {1.0, 0.1, 0.01, 1e-4}) {
      const double x = part * size;
      const double excess = indenter.VolumeLeadingOrder(x) / indenter.Volume(x) - 1.0;
      EXPECT_GE(excess, -1e-14);
      EXPECT_LE(excess, std::max(1e-14, previous));
      EXPECT_LE(excess, part);
      previous = excess;
      const double volume = indenter.Volume(x);
      EXPECT_LE(indenter.DepthOfVolumeLeadingOrder(volume),
                indenter.DepthOfVolume(volume) * (1.0 + 1e-14));
    }
  }
}

TEST(Indenter, DepthOfAnImpactTakesUpTheEnergy) {
  const double k = 1e8, mass = 2.0, speed = 0.3;
  for (const auto& indenter :
       {Indenter::Cylinder(0.03), Indenter::Sphere(0.1), Indenter::Cone(0.05, 0.5)}) {
    const double depth = indenter.DepthOfImpactLeadingOrder(k, mass, speed);
    const double work =
        k * Integral(0.0, depth, [&](double x) { return indenter.VolumeLeadingOrder(x); });
    EXPECT_NEAR(work / (0.5 * mass * speed * speed), 1.0, 1e-8);
  }
  EXPECT_THROW(Indenter::Sphere(0.1).DepthOfImpactLeadingOrder(1.0, 2.0, 10.0), InvalidInput);
}

// The guide's table: penetration in mm under 9.81 N; its cylinder has a radius of 5 cm, and the
// sphere's result does not depend on the radius.
TEST(DrakeGuide, PenetrationTable) {
  struct Row {
    double modulus, sphere, cylinder;
  };
  const double R = 0.05;
  for (const Row& row : {Row{1e6, 1.767, 6.2e-2}, Row{1e7, 0.559, 6.2e-3}, Row{1e8, 0.177, 6.2e-4},
                         Row{1e9, 0.056, 6.2e-5}}) {
    const double volume = 9.81 / FoundationStiffness(row.modulus, SphereFoundationDepth(R));
    const Indenter sphere = Indenter::Sphere(R);
    EXPECT_NEAR(1e3 * sphere.DepthOfVolumeLeadingOrder(volume), row.sphere, 6e-4);
    // Exactly it is deeper, by x/(6R) in the first order.
    EXPECT_NEAR(sphere.DepthOfVolume(volume) / sphere.DepthOfVolumeLeadingOrder(volume) - 1.0,
                1e-3 * row.sphere / (6.0 * R), 1e-4);
    EXPECT_NEAR(1e3 * Indenter::Cylinder(R).DepthOfVolume(volume) / row.cylinder, 1.0, 0.01);
  }
}

// The guide's force on a cone, in its own form.
TEST(DrakeGuide, ForceOnACone) {
  const double E = 1e7, R = 0.02, angle = 0.5, x = 0.003;
  const double kappa = FoundationStiffness(E, ConeFoundationDepth(R, angle));
  const double sine = std::sin(angle);
  const double expected = pi / 3.0 * E / R * std::pow(x, 3) * std::pow(std::tan(angle), 2) *
                          std::sqrt((1.0 + sine) / (1.0 - sine));
  EXPECT_NEAR(kappa * Indenter::Cone(R, angle).Volume(x) / expected, 1.0, 1e-14);
}

// The tippe-top of Gonthier (2007), Section 5.2.2: under 6 g a sphere of 15 mm shall rest on a
// patch of 0.5 mm; Table 5.7 has 1.798e10 N/m^3.
TEST(TippeTop, StiffnessFollowsFromThePatch) {
  const double R = 0.015, patch = 5e-4;
  const Indenter sphere = Indenter::Sphere(R);
  const double depth = R - std::sqrt((R - patch) * (R + patch));
  EXPECT_NEAR(6e-3 * 9.81 / sphere.Volume(depth) / 1.798e10, 1.0, 1e-3);
  EXPECT_NEAR(sphere.Area(depth) / (pi * patch * patch), 1.0, 1e-12);
}

TEST(Indenter, InvalidInputIsNamed) {
  EXPECT_THROW(Indenter::Sphere(0.0), InvalidInput);
  EXPECT_THROW(Indenter::TwoSpheres(0.1, -0.1), InvalidInput);
  EXPECT_THROW(Indenter::Cone(0.1, pi / 2.0), InvalidInput);
  EXPECT_THROW(Indenter::Cone(0.1, std::nan("")), InvalidInput);
  EXPECT_THROW(Indenter::Cylinder(0.1, 0.0), InvalidInput);
  EXPECT_THROW(CylinderFoundationDepth(0.1, -1.0), InvalidInput);
  EXPECT_THROW(ConeFoundationDepth(-0.1, 0.5), InvalidInput);
  const Indenter sphere = Indenter::Sphere(0.1);
  EXPECT_THROW(sphere.Volume(-1e-9), InvalidInput);
  EXPECT_THROW(sphere.Volume(0.21), InvalidInput);
  EXPECT_THROW(sphere.Area(std::nan("")), InvalidInput);
  EXPECT_THROW(sphere.DepthOfVolume(0.1), InvalidInput);
  EXPECT_THROW(Indenter::Cylinder(0.1).DepthOfVolume(INFINITY), InvalidInput);
}

}  // namespace
}  // namespace volcontact
