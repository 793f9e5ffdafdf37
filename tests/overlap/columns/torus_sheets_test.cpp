#include "overlap/columns/torus_sheets.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <optional>

#include "overlap/columns/slice_surface.h"
#include "solids/implicit/surface_kind.h"
#include "support/random_solids.h"
#include "volcontact/solids/primitives.h"

namespace volcontact {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

SurfacePolynomial TorusPolynomial(double major, double minor, const Pose& pose) {
  return Compile(Torus(major, minor).Posed(pose)).surfaces.at(0);
}

SurfaceSet SetOf(const SurfacePolynomial& psi) {
  return {{psi}, {Owner::kB}, {KindOf(psi, 0.0)}, Expression::Below(0)};
}

double Distance(const Vector3dd& a, const Vector3dd& b) {
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) sum += std::abs((a[i] - b[i]).hi);
  return sum;
}

TEST(RecognizeTorus, FindsCentreAxisAndRadii) {
  testing::Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const double major = random.Uniform(0.1, 3.0), minor = major * random.Uniform(0.01, 1.0);
    const Pose pose = random.PoseAt(random.UniformVector(-2.0, 2.0));
    const auto torus = RecognizeTorus(TorusPolynomial(major, minor, pose));
    ASSERT_TRUE(torus);
    const Rigid X(pose);
    Vector3dd axis = {X.R[0][2], X.R[1][2], X.R[2][2]};
    if (axis[0].hi * torus->axis[0].hi < 0.0) axis = {-axis[0], -axis[1], -axis[2]};
    EXPECT_LT(Distance(torus->axis, axis), 1e-24);
    EXPECT_LT(Distance(torus->center, X.t), 1e-24);
    EXPECT_LT(std::abs((torus->major - DoubleDouble(major)).hi), 1e-24);
    EXPECT_LT(std::abs((torus->minor - DoubleDouble(minor)).hi), 1e-24);
    EXPECT_FALSE(torus->positive_inside);
  }
}

TEST(RecognizeTorus, SeesWhichSideIsInside) {
  const auto torus = RecognizeTorus(-TorusPolynomial(1.0, 0.25, Pose{}));
  ASSERT_TRUE(torus);
  EXPECT_TRUE(torus->positive_inside);
  EXPECT_DOUBLE_EQ(torus->major.hi, 1.0);
}

TEST(RecognizeTorus, AcceptsAHornTorus) {
  testing::Random random(2);
  const auto torus = RecognizeTorus(TorusPolynomial(0.7, 0.7, random.PoseAt({0.1, 0.2, 0.3})));
  ASSERT_TRUE(torus);
  EXPECT_LT(std::abs((torus->minor - DoubleDouble(0.7)).hi), 1e-24);
}

TEST(RecognizeTorus, RefusesWhatIsNone) {
  testing::Random random(3);
  const SurfacePolynomial psi = TorusPolynomial(1.0, 0.3, random.PoseAt({0.1, 0.2, 0.3}));
  for (int m = 0; m < psi.size(); ++m) {
    SurfacePolynomial bent = psi;
    bent.c[m] += 1e-14;
    EXPECT_FALSE(RecognizeTorus(bent)) << "monomial " << m;
  }
  EXPECT_FALSE(RecognizeTorus(Compile(Sphere(1.0)).surfaces.at(0)));
  SurfacePolynomial quartic;
  quartic.degree = 4;
  EXPECT_FALSE(RecognizeTorus(quartic));
  quartic.c[MonomialIndex(4, 0, 0)] = quartic.c[MonomialIndex(0, 4, 0)] = 1.0;
  quartic.c[MonomialIndex(0, 0, 4)] = 1.0;
  quartic.c[0] = -1.0;
  EXPECT_FALSE(RecognizeTorus(quartic));
}

TEST(FrameAcross, HoldsTheGivenBoxAndStandsOnTheAxis) {
  testing::Random random(4);
  for (int trial = 0; trial < 50; ++trial) {
    const Pose pose = random.PoseAt(random.UniformVector(-1.0, 1.0));
    const auto torus = RecognizeTorus(TorusPolynomial(1.0, 0.3, pose));
    ASSERT_TRUE(torus);
    const LocalFrame box = {Rigid(random.PoseAt(random.UniformVector(-1.0, 1.0))), {0.1, 0.2, 0.3}};
    const LocalFrame frame = FrameAcross(*torus, box);
    const Vector3dd axis = frame.X_AC.InverseRotate(torus->axis);
    EXPECT_LT(std::abs((axis[0] - DoubleDouble(1.0)).hi), 1e-28);
    EXPECT_LT(std::abs(axis[1].hi) + std::abs(axis[2].hi), 1e-28);
    for (int corner = 0; corner < 8; ++corner) {
      const Vector3d p((corner & 1) ? 0.1 : -0.1, (corner & 2) ? 0.2 : -0.2,
                       (corner & 4) ? 0.3 : -0.3);
      const Vector3d in_frame = Round(frame.X_AC.Inverse() * (box.X_AC * ToDoubleDouble(p)));
      EXPECT_TRUE((in_frame.cwiseAbs().array() <= frame.half.array()).all());
    }
  }
}

// The product of the sheets is the torus's polynomial: it must be the same multiple of it at all
// points of slices that meet the torus.
TEST(SplitTori, SheetsMultiplyToTheTorus) {
  testing::Random random(5);
  for (int trial = 0; trial < 50; ++trial) {
    const Pose pose = random.PoseAt(random.UniformVector(-1.0, 1.0));
    const SurfacePolynomial psi = TorusPolynomial(0.8, random.Uniform(0.05, 0.8), pose);
    const auto torus = RecognizeTorus(psi);
    ASSERT_TRUE(torus);
    LocalFrame frame = FrameAcross(*torus, {Rigid(pose), {0.2, 0.5, 0.4}});
    frame.X_AC = Rigid(Pose{random.UniformVector(-0.1, 0.1)}) * frame.X_AC;
    const SurfaceSet set = SetOf(psi);
    LocalProblem problem;
    Localize(set, frame, &problem);
    SplitTori(set, kRoundingTilt, &problem);
    ASSERT_EQ(problem.surfaces.size(), 3u);
    double factor = 0.0;
    int compared = 0;
    for (int point = 0; point < 100; ++point) {
      const Vector3d y = random.UniformVector(-1.0, 1.0);
      if (!problem.surfaces[1].profile.Meets(y.x())) continue;
      ++compared;
      double product = 1.0;
      for (const int s : {1, 2}) {
        SliceSurface sheet;
        Restrict(problem.surfaces[s], Vector2d(y.x(), 0.0), Vector2d::UnitY(), &sheet);
        product *= sheet.Value(y.y(), y.z());
      }
      const double value = problem.surfaces[0].psi(y.x(), y.y(), y.z());
      if (factor == 0.0) factor = product / value;
      EXPECT_NEAR(product, factor * value, 1e-11 * std::abs(factor));
    }
    EXPECT_GE(compared, 10);
  }
}

// The derivatives of the profile, and those across the slice, against differences.
TEST(SplitTori, ProfilesHaveTheirDerivatives) {
  const SurfacePolynomial psi = TorusPolynomial(0.8, 0.3, Pose{});
  const LocalFrame frame = FrameAcross(*RecognizeTorus(psi), {Rigid(), {0.2, 0.9, 0.2}});
  const SurfaceSet set = SetOf(psi);
  LocalProblem problem;
  Localize(set, frame, &problem);
  SplitTori(set, kRoundingTilt, &problem);
  for (const int s : {1, 2}) {
    const SheetProfile& profile = problem.surfaces[s].profile;
    constexpr double kStep = 1e-5;
    for (const double x : {-0.9, -0.3, 0.2, 0.7}) {
      const auto low = profile.At(x - kStep), here = profile.At(x), high = profile.At(x + kStep);
      EXPECT_NEAR(here[1], (high[0] - low[0]) / (2.0 * kStep), 1e-8);
      EXPECT_NEAR(here[2], (high[1] - low[1]) / (2.0 * kStep), 1e-8);
    }
  }
}

// A box 1e-9 thin on the torus's outer equator: the sheet's value keeps its digits there.
TEST(SplitTori, KeepsDigitsInThinBoxes) {
  const double depth = 1e-9;
  const SurfacePolynomial psi = TorusPolynomial(0.8, 0.3, Pose{});
  LocalFrame frame;
  frame.X_AC.R = {Vector3dd{0.0, 0.0, 1.0}, Vector3dd{0.0, 1.0, 0.0}, Vector3dd{1.0, 0.0, 0.0}};
  frame.X_AC.t = {DoubleDouble(0.8) + DoubleDouble(0.3), 0.0, 0.0};
  frame.half = {1e-5, 1e-5, depth};
  const SurfaceSet set = SetOf(psi);
  LocalProblem problem;
  Localize(set, frame, &problem);
  SplitTori(set, kRoundingTilt, &problem);
  SliceSurface outer;
  Restrict(problem.surfaces[1], Vector2d(0.5, 0.0), Vector2d::UnitY(), &outer);
  // On the slice ζ = 5e-6 the circle's radius is R + sqrt(r² − ζ²), less than R + r by ζ²/(2r).
  const double zeta = 0.5e-5, expected = -zeta * zeta / (2.0 * 0.3) / depth;
  const double b = outer.B(0.0), c = outer.C(0.0);
  EXPECT_NEAR(-c / b, expected, 1e-9 * std::abs(expected));
}

}  // namespace
}  // namespace volcontact
