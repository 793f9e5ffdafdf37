#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "overlap/arcs/sums_testing.h"
#include "overlap/columns/column_method.h"
#include "support/random_solids.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::torus_arcs_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using std::numbers::pi;

constexpr std::uint64_t kSeed = 77;
constexpr long kManyCells = 100'000;

ArcMethodResult SumEdgesOf(const Solid& A, const Solid& B, double tolerance) {
  return testing::SumEdgesOf(A, B, {tolerance, kManyCells});
}

Pose At(double x, double y, double z) { return {{x, y, z}, {1.0, 0.0, 0.0, 0.0}}; }

// All of a torus, which has no edges: its face is cut at the seam alone.
TEST(TorusArcs, WholeTorus) {
  Random random(kSeed);
  for (const auto& [R, r] : {std::pair(0.5, 0.2), std::pair(1.0, 0.03), std::pair(0.7, 0.66)}) {
    const Pose X = random.PoseAt(random.UniformVector(-0.3, 0.3));
    const ArcMethodResult result = SumEdgesOf(Torus(R, r).Posed(X), Box({5.0, 6.0, 7.0}), 1e-10);
    ASSERT_EQ(result.failure, ArcFailure::kNone) << Describe(result.failure);
    const SumsInA actual(result.raw);
    const double volume = 2.0 * pi * pi * R * r * r;
    EXPECT_NEAR(actual.moments.volume / volume, 1.0, 1e-12);
    EXPECT_LE((actual.moments.Centroid() - X.t).norm(), 1e-12);
    const Matrix3d turn = Rigid(X).RotationDouble();
    const double along = volume * r * r / 4.0;
    const double across = volume * (R * R / 2.0 + 3.0 * r * r / 8.0);
    const Matrix3d second = turn * Vector3d(across, across, along).asDiagonal() * turn.transpose();
    EXPECT_LE((actual.moments.CentralSecond() - second).norm(), 1e-11 * across);
    EXPECT_LE(actual.area.norm(), 1e-12);
  }
}

// One sheet of a torus with R < r: between the sheets its polynomial is negative, and the ball
// through the poles, in which they meet, holds the inner one. Coefficients in numbers that have all
// their digits.
Solid SheetOf(double R, double r, bool outer) {
  const double level = R * R - r * r, RR4 = 4.0 * R * R;
  const Solid ball =
      PolynomialSolid({{1.0, {2, 0, 0}}, {1.0, {0, 2, 0}}, {1.0, {0, 0, 2}}, {level, {0, 0, 0}}});
  const Solid between = PolynomialSolid({{1.0, {4, 0, 0}},
                                         {1.0, {0, 4, 0}},
                                         {1.0, {0, 0, 4}},
                                         {2.0, {2, 2, 0}},
                                         {2.0, {2, 0, 2}},
                                         {2.0, {0, 2, 2}},
                                         {2.0 * level - RR4, {2, 0, 0}},
                                         {2.0 * level - RR4, {0, 2, 0}},
                                         {2.0 * level, {0, 0, 2}},
                                         {level * level, {0, 0, 0}}});
  return outer ? Union({ball, between}) : Difference(ball, {between});
}

// Up to the height z, of the outer sheet or the inner one: ρ = R + r cos t, z = r sin t, of the
// inner one with −R, and of the outer one without its dimples beyond the crests.
double VolumeOfSheet(double R, double r, double t) {
  const double s = std::sin(t);
  return pi * r * (R * R * s + R * r * (t + s * std::cos(t)) + r * r * (s - s * s * s / 3.0));
}

// Whole ones hold their poles, where no edge runs; so do those that a plane cuts, on one side.
TEST(TorusArcs, SheetsOfSpindles) {
  Random random(kSeed + 8);
  for (const auto& [R, r] :
       {std::pair(0.25, 0.75), std::pair(0.5, 0.625), std::pair(0.03125, 1.0)}) {
    const double pole = std::acos(-R / r), lemon = pi - pole;
    const double whole_outer = 2.0 * VolumeOfSheet(R, r, pole);
    const double whole_inner = 2.0 * VolumeOfSheet(-R, r, lemon);
    for (const bool outer : {true, false}) {
      const Pose X = random.PoseAt(random.UniformVector(-0.3, 0.3));
      const Solid sheet = SheetOf(R, r, outer).Posed(X);
      const double whole = outer ? whole_outer : whole_inner;
      const ArcMethodResult all = SumEdgesOf(sheet, Box({5.0, 6.0, 7.0}), 1e-10);
      ASSERT_EQ(all.failure, ArcFailure::kNone) << Describe(all.failure);
      EXPECT_NEAR(all.raw.moments.volume / whole, 1.0, 1e-11) << R << outer;
      EXPECT_LE((SumsInA(all.raw).moments.Centroid() - X.t).norm(), 1e-11);
      for (const double t : {-0.4 * lemon, 0.1 * lemon, 0.7 * lemon}) {
        const Solid below = HalfSpace().Posed(At(0.0, 0.0, r * std::sin(t))).Posed(X);
        const ArcMethodResult cut = SumEdgesOf(sheet, below, 1e-10);
        ASSERT_EQ(cut.failure, ArcFailure::kNone) << Describe(cut.failure);
        const double volume = 0.5 * whole + VolumeOfSheet(outer ? R : -R, r, t);
        EXPECT_NEAR(cut.raw.moments.volume / volume, 1.0, 1e-10) << R << outer << t;
      }
    }
  }
}

// Planes across the axis, at all heights, the crests and the middle among them.
TEST(TorusArcs, PlaneAcrossTheAxis) {
  Random random(kSeed + 1);
  const double R = 0.5, r = 0.2;
  for (const double z : {-0.19, -0.1, -0.0597, 0.0, 0.0616, 0.15, 0.199}) {
    const Pose X = random.PoseAt(random.UniformVector(-0.3, 0.3));
    const ArcMethodResult result =
        SumEdgesOf(Torus(R, r).Posed(X), HalfSpace().Posed(At(0.0, 0.0, z)).Posed(X), 1e-10);
    ASSERT_EQ(result.failure, ArcFailure::kNone) << Describe(result.failure) << " at " << z;
    const double w = std::sqrt(r * r - z * z);
    const double volume = 2.0 * pi * R * (z * w + r * r * (std::asin(z / r) + pi / 2.0));
    const double first = -4.0 / 3.0 * pi * R * w * w * w;
    const SumsInA actual(result.raw);
    EXPECT_NEAR(actual.moments.volume / volume, 1.0, 1e-10) << z;
    const Matrix3d turn = Rigid(X).RotationDouble();
    const Vector3d centroid = X.t + first / volume * turn.col(2);
    EXPECT_LE((actual.moments.Centroid() - centroid).norm(), 1e-11) << z;
    EXPECT_LE((actual.area - 4.0 * pi * R * w * turn.col(2)).norm(), 1e-9) << z;
    EXPECT_NEAR(result.raw.projected_area, 4.0 * pi * R * (z < 0.0 ? w : r), 1e-5) << z;
  }
}

// A torus is the union of balls along a circle: its projection is what lies within r of an ellipse.
TEST(TorusArcs, Projection) {
  const double R = 0.5, r = 0.1;
  for (const double tilt : {0.1, 0.5, 0.9}) {
    const double b = R * std::cos(tilt);
    ASSERT_LT(r, b * b / R);
    const double perimeter = 4.0 * R * std::comp_ellint_2(std::sin(tilt));
    const Pose X = AxisAngle(Vector3d::UnitX(), tilt);
    // A ground wide and deep: the contact's normal is along z.
    const Solid ring = Torus(R, r).Posed(X);
    const SurfaceSet set = RegionOf(ring, Box({4.0, 4.0, 4.0}));
    ArcMethod method;
    ASSERT_EQ(method.Run(set, ring.Bounds(), {1e-9, kManyCells}).failure, ArcFailure::kNone);
    const LocalProblem& problem = method.problem();
    EdgeFinder edges;
    EdgeNodes nodes;
    ASSERT_TRUE(edges.Run(problem, kManyCells, 1e-12));
    ASSERT_TRUE(nodes.Run(edges));
    const Vector3d z_C = problem.frame.X_AC.RotationDouble().transpose() * Vector3d::UnitZ();
    const auto area = ProjectedArea().Run(problem, edges, nodes, z_C, 1e-10, kManyCells);
    ASSERT_TRUE(area.has_value());
    EXPECT_NEAR(*area, 2.0 * r * perimeter, 1e-5) << tilt;
  }
}

// Two paraboloids touch with relative curvatures k and l: to the first order in the depth.
double ThinVolume(double depth, double k, double l) {
  return pi * depth * depth / std::sqrt(k * l);
}

TEST(TorusArcs, ThinContacts) {
  Random random(kSeed + 2);
  const double R = 0.5, r = 0.2, ball = 0.1;
  for (const double depth : {1e-3, 1e-6, 1e-8}) {
    const Pose X = random.PoseAt(random.UniformVector(-0.3, 0.3));
    const auto expect = [&](const Solid& A, const Solid& B, double volume) {
      for (const bool swapped : {false, true}) {
        const ArcMethodResult result = swapped ? SumEdgesOf(B, A, 1e-9) : SumEdgesOf(A, B, 1e-9);
        ASSERT_EQ(result.failure, ArcFailure::kNone) << Describe(result.failure) << depth;
        EXPECT_NEAR(result.raw.moments.volume / volume, 1.0, 10.0 * depth + 1e-7) << depth;
        EXPECT_LE(result.raw.volume_error, 1e-9 * volume) << depth;
      }
    };
    // On edge on a plane; a ball on the outer equator, and one in the hole. Poses have roundings of
    // 1e-16, a part of 1e-8 of the least depth: parts are moved along axes, and no further.
    const Pose upright = AxisAngle(Vector3d::UnitY(), 0.5 * pi);
    expect(Torus(R, r).Posed(upright), HalfSpace().Posed(At(0.0, 0.0, depth - R - r)),
           ThinVolume(depth, 1.0 / (R + r), 1.0 / r));
    expect(Torus(R, r).Posed(X), Sphere(ball).Posed(At(R + r + ball - depth, 0.0, 0.0)).Posed(X),
           ThinVolume(depth, 1.0 / ball + 1.0 / (R + r), 1.0 / ball + 1.0 / r));
    expect(Torus(R, r).Posed(X), Sphere(ball).Posed(At(R - r - ball + depth, 0.0, 0.0)).Posed(X),
           ThinVolume(depth, 1.0 / ball - 1.0 / (R - r), 1.0 / ball + 1.0 / r));
  }
}

// A one-sheeted hyperboloid about z with the waist a and the slope s: x² + y² <= a² + s² z².
Solid Hyperboloid(double a, double s) {
  QuadricMatrix matrix = QuadricMatrix::Zero();
  matrix.diagonal() << 1.0, 1.0, -s * s, -a * a;
  return Quadric(matrix);
}

TEST(SaddleArcs, HyperboloidBetweenPlanes) {
  Random random(kSeed + 3);
  const double a = 0.3, s = 0.8;
  for (const auto& [low, high] :
       {std::pair(-0.5, 0.4), std::pair(0.2, 0.6), std::pair(3.0, 3.01)}) {
    const Pose X = random.PoseAt(random.UniformVector(-0.3, 0.3));
    const Solid disc = Cylinder(10.0, high - low).Posed(At(0.0, 0.0, 0.5 * (low + high)));
    const ArcMethodResult result = SumEdgesOf(disc.Posed(X), Hyperboloid(a, s).Posed(X), 1e-10);
    ASSERT_EQ(result.failure, ArcFailure::kNone) << Describe(result.failure);
    const double volume =
        pi * (a * a * (high - low) + s * s / 3.0 * (high * high * high - low * low * low));
    EXPECT_NEAR(result.raw.moments.volume / volume, 1.0, 1e-10) << low;
  }
}

// A ball that rests on a saddle z = x²/2p − y²/2q from above, in its valley.
TEST(SaddleArcs, ThinContacts) {
  const double p = 0.7, q = 0.4, ball = 0.2;
  QuadricMatrix saddle = QuadricMatrix::Zero();
  saddle.diagonal() << -0.5 / p, 0.5 / q, 0.0, 0.0;
  saddle(2, 3) = saddle(3, 2) = 0.5;
  for (const double depth : {1e-3, 1e-6, 1e-8}) {
    const ArcMethodResult result =
        SumEdgesOf(Sphere(ball).Posed(At(0.0, 0.0, ball - depth)), Quadric(saddle), 1e-9);
    ASSERT_EQ(result.failure, ArcFailure::kNone) << Describe(result.failure);
    const double volume = ThinVolume(depth, 1.0 / ball - 1.0 / p, 1.0 / ball + 1.0 / q);
    EXPECT_NEAR(result.raw.moments.volume / volume, 1.0, 10.0 * depth + 1e-8) << depth;
  }
}

// The same scene far off, a thousand times smaller, and larger.
TEST(TorusArcs, MovedAndScaled) {
  Random random(kSeed + 4);
  const Pose X = random.PoseAt(random.UniformVector(-0.1, 0.1));
  const Pose Y = random.PoseAt({0.5, 0.2, 0.1});
  const auto volume_of = [&](double scale, const Pose& where, bool swapped) {
    const auto at = [&](const Pose& pose) { return Pose{scale * pose.t, pose.q}; };
    const Solid A = Torus(0.5 * scale, 0.2 * scale).Posed(at(X)).Posed(where);
    const Solid B = Cylinder(0.3 * scale, 0.8 * scale).Posed(at(Y)).Posed(where);
    const ArcMethodResult result = swapped ? SumEdgesOf(B, A, 1e-10) : SumEdgesOf(A, B, 1e-10);
    EXPECT_EQ(result.failure, ArcFailure::kNone) << Describe(result.failure);
    return result.raw.moments.volume / (scale * scale * scale);
  };
  const double volume = volume_of(1.0, Pose(), false);
  EXPECT_GT(volume, 0.01);
  for (const double scale : {1e-3, 1.0, 1e3}) {
    const Pose where = random.PoseAt(random.UniformVector(-3.0 * scale, 3.0 * scale));
    for (const bool swapped : {false, true}) {
      EXPECT_NEAR(volume_of(scale, where, swapped) / volume, 1.0, 1e-9) << scale;
    }
  }
}

struct Family {
  std::string name;
  std::function<std::pair<Solid, Solid>(Random*)> make;

  friend void PrintTo(const Family& family, std::ostream* out) { *out << family.name; }
};

Solid Near(const Solid& solid, Random* random) {
  return solid.Posed(random->PoseAt(random->UniformVector(-0.4, 0.4)));
}

Solid SomeTorus(Random* random) {
  const double R = random->Uniform(0.4, 0.9);
  return Near(Torus(R, R * random->Uniform(0.2, 0.7)), random);
}

Solid SomeSaddle(Random* random) {
  QuadricMatrix matrix = QuadricMatrix::Zero();
  const Vector3d bend = random->UniformVector(0.5, 3.0);
  matrix.diagonal() << bend.x(), bend.y(), -bend.z(), -random->Uniform(0.05, 0.3);
  if (random->Uniform(0.0, 1.0) < 0.5) {
    matrix.diagonal() << bend.x(), -bend.y(), 0.0, 0.0;
    matrix(2, 3) = matrix(3, 2) = random->Uniform(0.3, 1.0);
  }
  return Near(Quadric(matrix), random);
}

std::vector<Family> Families() {
  const auto box = [](Random* r) {
    const Vector3d size = r->UniformVector(0.6, 1.6);
    return Near(Box({size.x(), size.y(), size.z()}), r);
  };
  const auto ball = [](Random* r) { return Near(Sphere(r->Uniform(0.3, 0.7)), r); };
  const auto rod = [](Random* r) {
    return Near(Cylinder(r->Uniform(0.2, 0.5), r->Uniform(0.5, 2.0)), r);
  };
  const auto cone = [](Random* r) {
    return Near(Cone(r->Uniform(0.4, 0.9), r->Uniform(0.5, 1.2)), r);
  };
  const auto plane = [](Random* r) { return Near(HalfSpace(), r); };
  const auto with = [](const auto& first, const auto& second) {
    return [=](Random* r) {
      const Solid A = first(r);
      return std::pair(A, second(r));
    };
  };
  return {
      {"torus_plane", with(SomeTorus, plane)},     {"torus_ball", with(SomeTorus, ball)},
      {"torus_box", with(SomeTorus, box)},         {"torus_rod", with(SomeTorus, rod)},
      {"torus_cone", with(SomeTorus, cone)},       {"torus_saddle", with(SomeTorus, SomeSaddle)},
      {"torus_torus", with(SomeTorus, SomeTorus)}, {"box_saddle", with(box, SomeSaddle)},
      {"ball_saddle", with(ball, SomeSaddle)},     {"cone_saddle", with(cone, SomeSaddle)},
  };
}

class HigherFamilies : public ::testing::TestWithParam<Family> {};

// Every integral is that of columns, which are found and integrated in another way.
TEST_P(HigherFamilies, AgreeWithColumns) {
  Random random(kSeed + 5);
  const int count = GetParam().name == "torus_torus" ? 4 : 10;
  int compared = 0;
  for (int n = 0; n < count; ++n) {
    const auto [A, B] = GetParam().make(&random);
    const ArcMethodResult arcs = SumEdgesOf(A, B, 1e-9);
    ASSERT_EQ(arcs.failure, ArcFailure::kNone) << Describe(arcs.failure) << ", case " << n;
    const ColumnMethodResult columns =
        ColumnMethod().Run(RegionOf(A, B), CommonBox(A, B), {1e-10, 10'000'000, 1, false});
    if (!columns.raw.converged || columns.raw.moments.volume == 0.0) continue;
    ++compared;
    const SumsInA actual(arcs.raw), expected(columns.raw);
    const double volume = expected.moments.volume;
    const Matrix3d second = expected.moments.CentralSecond();
    const double size = std::sqrt(second.trace() / volume);
    EXPECT_NEAR(actual.moments.volume, volume, 1e-9 * volume) << "case " << n;
    EXPECT_LE((actual.moments.Centroid() - expected.moments.Centroid()).norm(), 1e-9 * size) << n;
    EXPECT_LE((actual.moments.CentralSecond() - second).norm(), 3e-9 * second.norm()) << n;
    const double area = volume / size;
    EXPECT_LE((actual.area - expected.area).norm(), 3e-8 * area) << n;
    EXPECT_LE((actual.torque - expected.torque).norm(), 3e-8 * area * (1.0 + size)) << n;
  }
  EXPECT_GE(compared, count / 2);
}

INSTANTIATE_TEST_SUITE_P(Families, HigherFamilies, ::testing::ValuesIn(Families()),
                         [](const auto& family) { return family.param.name; });

// The far pole of the ellipsoid's form must keep off all of the edges, not only off where they
// begin: between two nodes of a rule nobody sees it.
TEST(TorusArcs, BesideAnEllipsoidAtLooseTolerances) {
  const Solid A = Torus(0.5471414863801396, 0.40821533026648332)
                      .Posed({{0.20621471138719344, -0.10604477357510303, 0.2618569112155919},
                              {-0.031182789317745648, -0.38689801056583156, 0.84903421107951893,
                               -0.35843893690159484}});
  const Solid B = Ellipsoid({0.33623786894540619, 0.60917361426487704, 0.39340116616048038})
                      .Posed({{0.074049307120556906, -0.04961694824154339, 0.33740599312186947},
                              {0.97771262959653038, 0.18480250616756824, -0.018320703371267479,
                               0.097930584954883576}});
  const ColumnMethodResult columns =
      ColumnMethod().Run(RegionOf(A, B), CommonBox(A, B), {1e-6, 10'000'000, 1, false});
  ASSERT_TRUE(columns.raw.converged);
  const double volume = columns.raw.moments.volume;
  for (const double tolerance : {1e-2, 1e-3, 1e-4}) {
    const ArcMethodResult arcs = SumEdgesOf(A, B, tolerance);
    ASSERT_EQ(arcs.failure, ArcFailure::kNone) << Describe(arcs.failure);
    EXPECT_NEAR(arcs.raw.moments.volume, volume, tolerance * volume) << tolerance;
  }
}

}  // namespace
}  // namespace volcontact::testing::torus_arcs_test
