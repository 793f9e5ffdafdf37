
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>

#include "support/random_solids.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing {
namespace {

// The matrix of a x² + b y² + c z² + 2 e z + d.
QuadricMatrix Diagonal(double a, double b, double c, double e, double d) {
  QuadricMatrix matrix = QuadricMatrix::Zero();
  matrix.diagonal() << a, b, c, d;
  matrix(2, 3) = matrix(3, 2) = e;
  return matrix;
}

// The kind is the same at any pose, near and far.
void ExpectKind(const Solid& solid, SurfaceKind kind, std::size_t surface = 0) {
  Random random(7);
  for (const double distance : {0.0, 1.0, 1e6}) {
    const Pose X = random.PoseAt(random.UniformVector(-distance, distance));
    EXPECT_EQ(Compile(solid.Posed(X)).kinds.at(surface), kind) << "at " << distance;
  }
}

TEST(SurfaceKind, OfPrimitives) {
  ExpectKind(HalfSpace(), SurfaceKind::kPlane);
  ExpectKind(Sphere(1e-3), SurfaceKind::kElliptic);
  ExpectKind(Ellipsoid({0.1, 2.0, 30.0}), SurfaceKind::kElliptic);
  ExpectKind(Cylinder(0.3, 2.0), SurfaceKind::kCylinder);
  ExpectKind(Cone(0.3, 2.0), SurfaceKind::kCone);
  ExpectKind(Cone(0.3, 2.0, 0.1), SurfaceKind::kCone);
  ExpectKind(Torus(0.3, 0.1), SurfaceKind::kTorus);
  ExpectKind(Torus(0.3, 0.3), SurfaceKind::kTorus);
  ExpectKind(PolynomialSolid({{1.0, {4, 0, 0}}, {1.0, {0, 4, 0}}, {1.0, {0, 0, 4}}, {-1.0, {}}}),
             SurfaceKind::kOther);
  // (x² + y² + z² + R² − r²)² − 4 R² (x² + y²), R = 1/4, r = 3/4.
  ExpectKind(PolynomialSolid({{1.0, {4, 0, 0}},
                              {1.0, {0, 4, 0}},
                              {1.0, {0, 0, 4}},
                              {2.0, {2, 2, 0}},
                              {2.0, {2, 0, 2}},
                              {2.0, {0, 2, 2}},
                              {-1.25, {2, 0, 0}},
                              {-1.25, {0, 2, 0}},
                              {-1.0, {0, 0, 2}},
                              {0.25, {0, 0, 0}}}),
             SurfaceKind::kTorus);
}

TEST(SurfaceKind, OfQuadrics) {
  ExpectKind(Quadric(Diagonal(1, 2, 0, -0.5, 0)), SurfaceKind::kElliptic);  // paraboloid
  ExpectKind(Quadric(Diagonal(1, 2, -1, 0, 1)), SurfaceKind::kElliptic);    // two sheets
  ExpectKind(Quadric(Diagonal(1, 2, -1, 0, -1)), SurfaceKind::kSaddle);     // one sheet
  ExpectKind(Quadric(Diagonal(1, -2, 0, -0.5, 0)), SurfaceKind::kSaddle);   // hyperbolic paraboloid
  ExpectKind(Quadric(Diagonal(1, 2, 0, 0, -1)), SurfaceKind::kCylinder);    // elliptic
  ExpectKind(Quadric(Diagonal(1, -2, 0, 0, -1)), SurfaceKind::kCylinder);   // hyperbolic
  ExpectKind(Quadric(Diagonal(1, -2, 0, 0, 0)), SurfaceKind::kOther);       // two planes
  ExpectKind(Quadric(Diagonal(1, 2, -1, 0, 0)), SurfaceKind::kCone);
}

// Where translations cancel, roundings are left of coefficients that would be zero.
TEST(SurfaceKind, OfConesWithTheApexNearTheOrigin) {
  Random random(8);
  for (int trial = 0; trial < 300; ++trial) {
    const double height = random.Uniform(0.1, 1.0),
                 near = std::pow(10.0, -random.Uniform(0.0, 20.0));
    const Solid tip = Cone(random.Uniform(0.1, 0.5), height).Posed({{0.0, 0.0, -height}});
    const Pose X = random.PoseAt(random.UniformVector(-near, near));
    EXPECT_EQ(Compile(Union({tip}).Posed(X)).kinds.at(0), SurfaceKind::kCone) << near;
  }
}

// Roundings of coefficients count at the apex with its distance.
TEST(SurfaceKind, OfConesThatAreNearlyCylinders) {
  Random random(9);
  for (int trial = 0; trial < 300; ++trial) {
    const double radius = random.Uniform(0.1, 0.5), taper = std::pow(10.0, -random.Uniform(0, 5));
    const Solid cone = Cone(radius, random.Uniform(0.1, 1.0), radius * (1.0 - 0.5 * taper));
    const Pose X = random.PoseAt(random.UniformVector(-0.5, 0.5)),
               X_again = random.PoseAt(random.UniformVector(-0.5, 0.5));
    const Solid posed = Union({cone.Posed(X)}).Posed(X_again);
    EXPECT_EQ(Compile(posed).kinds.at(0), SurfaceKind::kCone) << taper;
  }
}

}  // namespace
}  // namespace volcontact::testing
