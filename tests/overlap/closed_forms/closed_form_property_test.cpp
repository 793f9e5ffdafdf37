// Properties that every closed form has, over all pairs of kinds: derivatives, symmetry, brackets.
#include <cmath>
#include <string>
#include <vector>

#include "overlap/closed_forms/closed_form_testing.h"
#include "volcontact/overlap/contact_normal.h"

namespace volcontact::testing::closed_form_property_test {
namespace {

using Eigen::Vector3d;

struct Case {
  std::string name;
  Solid A, B;
  Pose X_AB;
};

const Pose kTilted{{0.3, -0.2, 0.0}, {0.9, 0.3, 0.3, 0.1}};

Pose At(const Vector3d& t, const Pose& like = kTilted) { return {t, like.q}; }

// Poses whose neighbourhood the same formula covers, so that differences can be taken in all six
// directions.
std::vector<Case> SmoothCases() {
  const Solid prism = Intersection({Slab(1.0), Slab(1.5).Posed({{0, 0, 0}, {0.8, 0.6, 0, 0}}),
                                    HalfSpace().Posed({{0.4, 0, 0.1}, {0.7, 0.1, 0.7, 0.1}}),
                                    HalfSpace().Posed({{-0.4, 0, 0.1}, {0.7, 0.1, -0.7, 0.1}})});
  return {
      {"lens", Sphere(1.0), Sphere(0.4), At({0.3, 0.6, 0.9})},
      {"lens, centre inside", Sphere(1.0), Sphere(0.4), At({0.3, 0.4, 0.5})},
      {"ball on a shaft", Cylinder(0.5, 2.0), Sphere(0.4), At({0.7, 0.3, 0.2})},
      {"large ball on a wire", Cylinder(0.1, 8.0), Sphere(3.0), At({-1.9, 2.4, 0.5})},
      {"ball in a bore", Complement(Cylinder(0.9, 4.0)), Sphere(0.3), At({0.5, 0.4, 0.2})},
      {"ball nearly as wide as its bore", Complement(InfiniteCylinder(0.32)), Sphere(0.3),
       At({0.015, 0.02, 0.1})},
      {"ball and half-space", HalfSpace(), Sphere(0.5), At({0.1, 0.2, 0.3})},
      {"ball and slab, both planes", Slab(0.3), Sphere(0.5), At({0.1, 0.2, 0.1})},
      {"ball and box, one face", Box({2.0, 2.0, 1.0}), Sphere(0.3), At({0.1, 0.2, 0.6})},
      {"large ball and box face", Box({2.0, 2.0, 1.0}), Sphere(5.0), At({0.1, 0.2, 5.45})},
      {"ellipsoid and half-space", HalfSpace(), Ellipsoid({0.5, 0.3, 0.2}), At({0, 0, 0.15})},
      {"ellipsoid and slab", Slab(0.2), Ellipsoid({0.5, 0.3, 0.2}), At({0, 0, 0.02})},
      {"ellipsoid, deep", HalfSpace(), Ellipsoid({0.5, 0.3, 0.2}), At({0, 0, -0.2})},
      {"cylinder, base cut", HalfSpace(), Cylinder(0.4, 1.5), At({0, 0, 0.7})},
      {"cylinder, base whole", HalfSpace(), Cylinder(0.2, 1.5), At({0, 0, 0.1})},
      {"cylinder, both ends cut", HalfSpace(), Cylinder(0.5, 0.3), At({0, 0, 0.02})},
      {"cylinder, top cut", HalfSpace(), Cylinder(0.4, 0.8), At({0, 0, -0.3})},
      {"infinite cylinder and slab", Slab(0.3), InfiniteCylinder(0.2), At({0, 0, 0.02})},
      {"cylinder and slab", Slab(0.1), Cylinder(0.2, 3.0), At({0, 0, 0.02})},
      {"cone tip", HalfSpace(), Cone(0.0, 1.0, 0.3), At({0, 0, -0.2})},
      {"cone tip, upside down", HalfSpace(), Cone(0.3, 1.0),
       At({0, 0, 0.7}, {Vector3d::Zero(), {0.1, 0.9, 0.3, 0.2}})},
      {"capsule end", HalfSpace(), Capsule(0.3, 1.0), At({0, 0, 0.6})},
      {"box and half-space", HalfSpace(), Box({1.0, 1.25, 0.75}), At({0, 0, 0.3})},
      {"box and slab", Slab(0.3), Box({1.0, 1.25, 0.75}), At({0, 0, 0.1})},
      {"boxes",
       Box({1.0, 1.25, 0.75}),
       Box({0.5, 0.75, 1.0}),
       {{0.5, 0.25, 0.375}, {0.2, 0.4, 0.4, 0.8}}},
      {"box and prism", prism, Box({0.5, 0.75, 1.0}), At({0.2, 0.1, 0.5})},
      {"prism and half-space", prism, HalfSpace(), At({0.0, 0.1, 0.1})},
  };
}

double Volume(const Solid& A, const Solid& B, const Rigid& X_AB) {
  const auto overlap = Evaluate(A, B, X_AB);
  EXPECT_TRUE(overlap);
  return overlap ? overlap->volume : std::nan("");
}

// d(V)/d(step) by the fourth-order central difference.
template <class F>
double Derivative(const F& f, double h) {
  return (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h);
}

// Moving A by d about a fixed B is moving B by −d: dV = −a·d.
TEST(ClosedFormProperty, AreaVectorIsTheDerivativeByTranslation) {
  for (const Case& c : SmoothCases()) {
    for (const bool swapped : {false, true}) {
      SCOPED_TRACE(c.name + (swapped ? ", swapped" : ""));
      const Rigid X = swapped ? Rigid(c.X_AB).Inverse() : Rigid(c.X_AB);
      const Solid& A = swapped ? c.B : c.A;
      const Solid& B = swapped ? c.A : c.B;
      const auto overlap = Evaluate(A, B, X);
      ASSERT_TRUE(overlap);
      for (int i = 0; i < 3; ++i) {
        const double slope = Derivative(
            [&](double h) {
              Rigid moved = X;
              moved.t[i] += h;
              return Volume(A, B, moved);
            },
            2e-4);
        EXPECT_NEAR(slope, overlap->area[i], 1e-8 * std::cbrt(overlap->volume));
      }
    }
  }
}

// Turning B about the centroid by w changes V by m·w.
TEST(ClosedFormProperty, TorqueIsTheDerivativeByRotation) {
  for (const Case& c : SmoothCases()) {
    for (const bool swapped : {false, true}) {
      SCOPED_TRACE(c.name + (swapped ? ", swapped" : ""));
      const Rigid X = swapped ? Rigid(c.X_AB).Inverse() : Rigid(c.X_AB);
      const Solid& A = swapped ? c.B : c.A;
      const Solid& B = swapped ? c.A : c.B;
      const auto overlap = Evaluate(A, B, X);
      ASSERT_TRUE(overlap);
      for (int i = 0; i < 3; ++i) {
        const double slope = Derivative(
            [&](double h) {
              const Pose turn = MakePoseAxisAngle(Vector3d::Zero(), Vector3d::Unit(i), h);
              Rigid about = Rigid(turn);
              const Vector3dd g = ToDoubleDouble(overlap->centroid);
              const Vector3dd moved = about.Rotate(g);
              for (int k = 0; k < 3; ++k) about.t[k] = g[k] - moved[k];
              return Volume(A, B, about * X);
            },
            2e-4);
        EXPECT_NEAR(slope, overlap->torque[i], 1e-8);
      }
    }
  }
}

TEST(ClosedFormProperty, BracketIsNarrow) {
  for (const Case& c : SmoothCases()) {
    SCOPED_TRACE(c.name);
    const auto overlap = Evaluate(c.A, c.B, Rigid(c.X_AB));
    ASSERT_TRUE(overlap);
    EXPECT_LT(overlap->lower, overlap->volume);
    EXPECT_GT(overlap->upper, overlap->volume);
    EXPECT_LT(overlap->upper - overlap->lower, 2e-13 * overlap->volume);
  }
}

TEST(ClosedFormProperty, SwappingTurnsAreaAndTorqueAndNothingElse) {
  for (const Case& c : SmoothCases()) {
    SCOPED_TRACE(c.name);
    const Rigid X(c.X_AB);
    const auto ab = Evaluate(c.A, c.B, X), ba = Evaluate(c.B, c.A, X.Inverse());
    ASSERT_TRUE(ab && ba);
    const Eigen::Matrix3d R = X.RotationDouble();
    EXPECT_NEAR(ab->volume, ba->volume, 1e-14 * ab->volume);
    EXPECT_NEAR(ab->projected, ba->projected, 1e-13 * ab->projected);
    EXPECT_LT((ab->centroid - X.t[0].hi * Vector3d::UnitX() - X.t[1].hi * Vector3d::UnitY() -
               X.t[2].hi * Vector3d::UnitZ() - R * ba->centroid)
                  .norm(),
              2e-15 * (1.0 + ab->centroid.norm() + Round(X.t).norm()));
    EXPECT_LT((ab->inertia - R * ba->inertia * R.transpose()).norm(), 2e-14 * ab->inertia.norm());
    EXPECT_LT((ab->area + R * ba->area).norm(), 1e-13 * (ab->area.norm() + ab->projected));
    EXPECT_LT((ab->torque + R * ba->torque).norm(), 1e-13 * ab->projected);
  }
}

// The frame's z axis is along the area vector.
TEST(ClosedFormProperty, FrameFollowsTheAreaVector) {
  for (const Case& c : SmoothCases()) {
    SCOPED_TRACE(c.name);
    const auto overlap = Evaluate(c.A, c.B, Rigid(c.X_AB));
    ASSERT_TRUE(overlap);
    const Eigen::Matrix3d& R = overlap->frame;
    EXPECT_LT((R.transpose() * R - Eigen::Matrix3d::Identity()).norm(), 4e-15);
    EXPECT_NEAR(R.determinant(), 1.0, 1e-14);
    if (overlap->area.norm() < 1e-12) continue;
    EXPECT_GT(R.col(2).dot(overlap->area.normalized()), 1.0 - 1e-14);
    // The projection is at least the flux through it.
    const Vector3d n = ComputeContactNormal(overlap->inertia, overlap->area).normal;
    EXPECT_GE(overlap->projected, overlap->area.dot(n) * (1.0 - 1e-14));
  }
}

TEST(ClosedFormProperty, SeparatedSolidsHaveABoundOfTheirDistance) {
  const Pose apart{{0.0, 0.0, 3.0}, kTilted.q};
  const std::vector<Case> cases = {{"balls", Sphere(1.0), Sphere(0.5), apart},
                                   {"half-space and ball", HalfSpace(), Sphere(0.5), apart},
                                   {"boxes", Box({1, 1, 1}), Box({1, 1, 1}), apart},
                                   {"half-space and cylinder", HalfSpace(), Cylinder(1, 1), apart}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const auto overlap = Evaluate(c.A, c.B, Rigid(c.X_AB));
    ASSERT_TRUE(overlap);
    EXPECT_EQ(overlap->volume, 0.0);
    EXPECT_EQ(overlap->upper, 0.0);
    EXPECT_GT(overlap->distance, 1.0);
    EXPECT_LT(overlap->distance, 3.0);
  }
}

TEST(ClosedFormProperty, NestedSolidsKeepTheirOwnMetrics) {
  const std::vector<Case> cases = {
      {"ball in ball", Sphere(1.0), Sphere(0.5), At({0.1, 0.2, 0.3})},
      {"ball in box", Box({2, 2, 2}), Sphere(0.5), At({0.1, 0.2, 0.3})},
      {"torus in box", Box({2, 2, 2}), Torus(0.5, 0.1), At({0.1, 0.2, 0.3})},
      {"cone in half-space", HalfSpace(), Cone(0.5, 0.8, 0.2), At({0.1, 0.2, -2.0})},
      {"box in box", Box({2, 2, 2}), Box({0.5, 0.6, 0.7}), At({0.1, 0.2, 0.3})}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const auto overlap = Evaluate(c.A, c.B, Rigid(c.X_AB));
    const auto mass = ClosedFormMass(c.B);
    ASSERT_TRUE(overlap && mass);
    const Overlap own = Finish(*mass, {});
    EXPECT_NEAR(overlap->volume, own.volume, 1e-14 * own.volume);
    const Rigid X(c.X_AB);
    const Vector3d centroid = Round(X * ToDoubleDouble(own.centroid));
    EXPECT_LT((overlap->centroid - centroid).norm(), 1e-14);
    const Eigen::Matrix3d R = X.RotationDouble();
    EXPECT_LT((overlap->inertia - R * own.inertia * R.transpose()).norm(),
              1e-14 * own.inertia.norm());
    EXPECT_EQ(overlap->area.norm(), 0.0);
    EXPECT_EQ(overlap->torque.norm(), 0.0);
  }
}

// Centres that are one but for roundings give no direction: the ball is in the other.
TEST(ClosedFormProperty, EqualBallsInOnePlace) {
  Rigid X;
  X.t = {DoubleDouble(1e-33), DoubleDouble(-2e-33), DoubleDouble(3e-34)};
  for (const double larger : {1.0, 1.0 + 0x1p-52}) {
    for (const bool a_is_larger : {false, true}) {
      const auto overlap = Evaluate(Sphere(0.3 * (a_is_larger ? larger : 1.0)),
                                    Sphere(0.3 * (a_is_larger ? 1.0 : larger)), X);
      ASSERT_TRUE(overlap);
      EXPECT_NEAR(overlap->volume, 0.036 * M_PI, 1e-14);
      EXPECT_EQ(overlap->area.norm(), 0.0);
    }
  }
}

}  // namespace
}  // namespace volcontact::testing::closed_form_property_test
