#include "overlap/arcs/crossing/boundary.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include "overlap/arcs/crossing/side_conditions.h"
#include "overlap/arcs/sums_testing.h"
#include "support/random_solids.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::boundary_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr std::uint64_t kSeed = 20261127;

struct Family {
  std::string name;
  std::function<Solid(Random*)> make;

  friend void PrintTo(const Family& family, std::ostream* out) { *out << family.name; }
};

Pose Near(Random* random, double distance) {
  return random->PoseAt(random->UniformVector(-distance, distance));
}

Solid SomeCylinder(Random* r) {
  return Cylinder(r->Uniform(0.1, 0.4), r->Uniform(0.5, 1.5)).Posed(Near(r, 0.4));
}

Solid SomeBox(Random* r) { return Box(r->UniformVector(0.4, 1.2)).Posed(Near(r, 0.4)); }

Solid SomeCone(Random* r) {
  return Cone(r->Uniform(0.2, 0.6), r->Uniform(0.5, 1.2)).Posed(Near(r, 0.4));
}

Solid SomeBall(Random* r) { return Sphere(r->Uniform(0.2, 0.5)).Posed(Near(r, 0.5)); }

Solid SomeRing(Random* r) {
  return Torus(r->Uniform(0.4, 0.7), r->Uniform(0.08, 0.2)).Posed(Near(r, 0.3));
}

std::vector<Family> Families() {
  return {
      {"cylinders",
       [](Random* r) {
         return Union({SomeCylinder(r), SomeCylinder(r)});
       }},
      {"bodies",
       [](Random* r) {
         return Union({SomeBox(r), SomeCone(r), SomeCylinder(r), SomeBall(r)});
       }},
      {"drilled",
       [](Random* r) {
         return Difference(SomeBox(r), {SomeCylinder(r), SomeCone(r)});
       }},
      {"lenses",
       [](Random* r) {
         return Union({Intersection({SomeBall(r), SomeBall(r)}), SomeBox(r)});
       }},
      {"ring_and_rod",
       [](Random* r) {
         return Union({SomeRing(r), SomeCylinder(r)});
       }},
      {"ring_cut_off",
       [](Random* r) {
         return Intersection({SomeRing(r), SomeBox(r)});
       }},
      {"ellipsoid_with_bores",
       [](Random* r) {
         return Difference(Ellipsoid(r->UniformVector(0.4, 0.9)), {SomeCylinder(r), SomeBall(r)});
       }},
  };
}

// What the boundaries of two solids in one frame tell of their overlap.
struct KnownOfPair {
  ImplicitSolid A, B;
  Boundary of_A, of_B;
  std::array<KnownEdges, 2> known;

  KnownOfPair(const Solid& a, const Solid& b)
      : A(Compile(a)), B(Compile(b)), of_A(A, a.Bounds()), of_B(B, b.Bounds()) {
    const int count = static_cast<int>(A.surfaces.size());
    Take(of_A, Owner::kA, A, 0, B.expression, count, &known[0]);
    Take(of_B, Owner::kB, B, count, A.expression, 0, &known[1]);
  }

  static void Take(const Boundary& boundary, Owner body, const ImplicitSolid& solid, int first,
                   const Expression& other, int first_of_other, KnownEdges* known) {
    known->body = body;
    known->edges = &boundary.edges();
    known->boxes = &boundary.boxes();
    known->faces = &boundary.faces();
    known->frame = boundary.frame();
    known->surfaces.resize(solid.surfaces.size());
    std::iota(known->surfaces.begin(), known->surfaces.end(), first);
    known->others.AssignAnd(Expression::Constant(true), other, first_of_other);
  }
};

class BoundaryFamilies : public ::testing::TestWithParam<Family> {};

// Edges that were made with the solids give the sums, and the contact area, of edges that were
// searched for at the pose.
TEST_P(BoundaryFamilies, TellWhatASearchFinds) {
  Random random(kSeed);
  int compared = 0;
  for (int n = 0; n < 24; ++n) {
    const Solid A = GetParam().make(&random), B = GetParam().make(&random);
    const KnownOfPair pair(A, B);
    ASSERT_TRUE(pair.of_A.IsKnown() && pair.of_B.IsKnown()) << n;
    ArcMethodOptions options{.tolerance = 1e-10};
    const ArcMethodResult searched = SumEdgesOf(A, B, options);
    options.known = pair.known;
    const ArcMethodResult told = SumEdgesOf(A, B, options);
    ASSERT_EQ(told.failure, searched.failure) << n;
    const SumsInA actual(told.raw), expected(searched.raw);
    const double volume = expected.moments.volume;
    if (volume == 0.0) continue;
    ++compared;
    EXPECT_NEAR(actual.moments.volume, volume, 1e-10 * volume) << n;
    EXPECT_LE((actual.moments.first - expected.moments.first).norm(), 1e-10 * volume) << n;
    EXPECT_LE((actual.moments.second - expected.moments.second).norm(), 1e-10 * volume) << n;
    EXPECT_LE((actual.area - expected.area).norm(), 1e-9) << n;
    EXPECT_NEAR(told.raw.projected_area, searched.raw.projected_area,
                1e-8 * searched.raw.projected_area)
        << n;
  }
  EXPECT_GE(compared, 6);
}

// A and B of a pair: sums over all edges of a solid are its volume, by a region that holds it.
TEST_P(BoundaryFamilies, HoldsAllEdgesOfTheSolid) {
  Random random(kSeed + 1);
  int compared = 0;
  for (int n = 0; n < 4; ++n) {
    const Solid A = GetParam().make(&random), B = Box(Vector3d::Constant(9.0));
    const KnownOfPair pair(A, B);
    if (Compile(A).expression.IsConstant()) continue;
    ++compared;
    ArcMethodOptions options{.tolerance = 1e-10, .projection = false};
    options.known = std::span(pair.known).first(1);
    const ArcMethodResult told = SumEdgesOf(A, B, options);
    ASSERT_EQ(told.failure, ArcFailure::kNone) << n;
    QueryOptions plain;
    plain.tolerance = 1e-9;
    const double volume = ComputeMassProperties(A, plain).volume;
    EXPECT_NEAR(told.raw.moments.volume, volume, 3e-9 * volume) << n;
  }
  EXPECT_GE(compared, 1);
}

INSTANTIATE_TEST_SUITE_P(Families, BoundaryFamilies, ::testing::ValuesIn(Families()),
                         [](const auto& family) { return family.param.name; });

// Whether a solid contains a point, and which of its surfaces the point is below.
bool IsInside(const ImplicitSolid& solid, const Vector3d& p, std::vector<std::uint8_t>* below) {
  below->clear();
  for (const SurfacePolynomial& psi : solid.surfaces)
    below->push_back(psi(p.x(), p.y(), p.z()).hi <= 0.0 ? 1 : 0);
  return solid.expression.Evaluate(below->data());
}

// The surface at which a solid ends on a segment from a point inside to one outside, and where.
int SurfaceOfFace(const ImplicitSolid& solid, Vector3d inside, Vector3d outside, Vector3d* p) {
  std::vector<std::uint8_t> below, there;
  for (int n = 0; n < 60; ++n) {
    *p = 0.5 * (inside + outside);
    (IsInside(solid, *p, &below) ? inside : outside) = *p;
  }
  IsInside(solid, inside, &there);
  IsInside(solid, outside, &below);
  for (std::size_t s = 0; s < below.size(); ++s) {
    if (there[s] != below[s]) return static_cast<int>(s);
  }
  return -1;
}

// Points at which the solid ends lie in the boxes of their faces; boxes are not much larger.
TEST_P(BoundaryFamilies, BoxesHoldTheFaces) {
  Random random(kSeed + 4);
  int points = 0;
  for (int n = 0; n < 4; ++n) {
    const Solid solid = GetParam().make(&random);
    const ImplicitSolid implicit = Compile(solid);
    if (implicit.expression.IsConstant()) continue;
    const Boundary boundary(implicit, solid.Bounds());
    ASSERT_TRUE(boundary.IsKnown());
    const LocalFrame& frame = boundary.frame();
    const Rigid X_CS = frame.X_AC.Inverse();
    std::vector<std::uint8_t> below;
    for (int k = 0; k < 4000; ++k) {
      const Vector3d inside = random.UniformVector(-1.0, 1.0),
                     outside = inside + 4.0 * random.UniformVector(-1.0, 1.0).normalized();
      if (!IsInside(implicit, inside, &below) || IsInside(implicit, outside, &below)) continue;
      Vector3d p;
      const int s = SurfaceOfFace(implicit, inside, outside, &p);
      ASSERT_GE(s, 0);
      ++points;
      const std::optional<Cell>& box = boundary.faces()[s];
      ASSERT_TRUE(box.has_value()) << n;
      const Vector3d p_C = X_CS.RotationDouble() * p + Round(X_CS.t),
                     y = p_C.cwiseQuotient(frame.half);
      EXPECT_LE(((y - box->center).cwiseAbs() - box->half).maxCoeff(), 1e-12) << n;
    }
  }
  EXPECT_GT(points, 100);
}

// A plane between two halves of a rod has no face. The box of a ball is its own, that of a cap the
// box of its rim.
TEST(Boundary, BoxesKeepToTheFaces) {
  const Solid lower = Intersection({HalfSpace(), Cylinder(0.25, 2.0)}),
              upper = Difference(Cylinder(0.25, 2.0), {HalfSpace()});
  const Solid rod = Union({lower, upper, Sphere(0.5).Posed(PoseAt(0.0, 0.0, 3.0))});
  const ImplicitSolid implicit = Compile(rod);
  const Boundary boundary(implicit, rod.Bounds());
  ASSERT_TRUE(boundary.IsKnown());
  int without = 0, balls = 0, caps = 0;
  for (std::size_t s = 0; s < implicit.surfaces.size(); ++s) {
    const std::optional<Cell>& box = boundary.faces()[s];
    without += box ? 0 : 1;
    if (!box) continue;
    const Vector3d half = box->half.cwiseProduct(boundary.frame().half);
    const bool is_ball = implicit.kinds[s] == SurfaceKind::kElliptic;
    const bool is_cap = implicit.kinds[s] == SurfaceKind::kPlane;
    balls += is_ball && (half - Vector3d::Constant(0.5)).norm() < 1e-9 ? 1 : 0;
    caps += is_cap && (half - Vector3d(0.25, 0.25, 0.0)).norm() < 1e-9 ? 1 : 0;
  }
  EXPECT_EQ(without, 1);
  EXPECT_EQ(balls, 1);
  EXPECT_EQ(caps, 2);
}

// Where a face of one body holds an edge of the other the search has to tell.
TEST(Boundary, LeavesSharedEdgesToTheSearch) {
  const Solid A = Box({1.0, 1.0, 1.0});
  for (const double z : {0.5, 0.0, -0.25}) {
    const Solid B = Union({Box({0.5, 0.5, 1.0}).Posed(PoseAt(0.25, 0.25, z)),
                           Cylinder(0.25, 1.0).Posed(PoseAt(-0.5, 0.0, z))});
    const KnownOfPair pair(A, B);
    ArcMethodOptions options{.tolerance = 1e-9};
    const ArcMethodResult searched = SumEdgesOf(A, B, options);
    options.known = pair.known;
    const ArcMethodResult told = SumEdgesOf(A, B, options);
    EXPECT_EQ(told.failure, searched.failure) << z;
    EXPECT_NEAR(told.raw.moments.volume, searched.raw.moments.volume, 1e-12) << z;
    EXPECT_LE((SumsInA(told.raw).area - SumsInA(searched.raw).area).norm(), 1e-11) << z;
  }
}

// Where all edges of a rod beside a box are lost the faces left over close, and are those of the
// box. Lines through the region tell, and then all edges are searched for. A rod too thin for the
// lines is left out, as the same edges say.
TEST(Boundary, LostEdgesAreSearchedForOnceLinesTell) {
  const Vector3d middle(0.5, 0.1, 0.0), box(0.9, 1.6, 1.2);
  for (const double radius : {0.4, 0.01}) {
    const Solid rod = Cylinder(radius, 2.0 * radius).Posed({middle, Pose().q});
    const Solid A = Union({Box(box).Posed({Vector3d(-0.55, 0.0, 0.0), Pose().q}), rod});
    const Solid B = Box(Vector3d::Constant(4.0));
    KnownOfPair pair(A, B);
    ASSERT_TRUE(pair.of_A.IsKnown() && pair.of_B.IsKnown());
    Edges left = pair.of_A.edges();
    std::vector<Cell> boxes;
    left.pieces.clear();
    for (std::size_t n = 0; n < pair.of_A.boxes().size(); ++n) {
      const EdgePiece& piece = pair.of_A.edges().pieces[n];
      const LocalFrame& frame = pair.of_A.frame();
      const Vector3d p = frame.half.cwiseProduct(piece.start.p) + Round(frame.X_AC.t);
      if ((p - middle).cwiseAbs().maxCoeff() <= radius + 1e-9) continue;
      left.pieces.push_back(piece);
      boxes.push_back(pair.of_A.boxes()[n]);
    }
    ASSERT_EQ(left.pieces.size(), 12u);
    ASSERT_LT(left.pieces.size(), pair.of_A.boxes().size());
    pair.known[0].edges = &left;
    pair.known[0].boxes = &boxes;
    const ArcMethodResult result =
        SumEdgesOf(A, B, {.tolerance = 1e-9, .bound = BoundEffort::kQuick, .known = pair.known});
    EXPECT_EQ(result.failure, ArcFailure::kNone) << Describe(result.failure);
    EXPECT_EQ(result.incomplete, ArcFailure::kNone);
    EXPECT_TRUE(result.raw.converged);
    const double of_rod = radius > 0.1 ? 2.0 * std::numbers::pi * std::pow(radius, 3) : 0.0;
    EXPECT_NEAR(result.raw.moments.volume, box.prod() + of_rod, 1e-9);
    EXPECT_LE(result.raw.volume_bound, 1e-2 * box.prod());
    EXPECT_GE(result.raw.volume_bound,
              std::abs(result.raw.moments.volume - (box.prod() + of_rod)) - 1e-15);
  }
}

TEST(Boundary, IsNotKnownOfSolidsThatGoToInfinity) {
  const Solid trough = Difference(HalfSpace(), {Cylinder(0.2, 1.0)});
  EXPECT_FALSE(Boundary(Compile(trough), trough.Bounds()).IsKnown());
  const Solid plane = HalfSpace();
  const Boundary of_plane(Compile(plane), plane.Bounds());
  EXPECT_TRUE(of_plane.IsKnown());
  EXPECT_TRUE(of_plane.edges().pieces.empty());
}

// Curves of all kinds that boundaries have, after a map that stretches and turns.
TEST(Boundary, CurvesAreMappedPointByPoint) {
  Random random(kSeed + 2);
  std::array<int, 7> kinds = {};
  for (const Family& family : Families()) {
    for (int n = 0; n < 6; ++n) {
      const Solid solid = family.make(&random);
      const Boundary boundary(Compile(solid), solid.Bounds());
      Matrix3d linear;
      for (int k = 0; k < 3; ++k) linear.col(k) = random.UniformVector(-2.0, 2.0);
      const Vector3d offset = random.UniformVector(-1.0, 1.0);
      for (const EdgePiece& piece : boundary.edges().pieces) {
        const WholeCurve& curve = boundary.edges().curves[piece.curve];
        ++kinds[static_cast<int>(curve.kind)];
        const WholeCurve mapped = curve.Mapped(linear, offset);
        const double t = random.Uniform(piece.from, piece.to);
        const CurvePoint before = curve.At(t), after = mapped.At(t);
        EXPECT_LE((linear * before.p + offset - after.p).norm(), 1e-13);
        EXPECT_LE((linear * before.derivative - after.derivative).norm(),
                  1e-12 * (1.0 + before.derivative.norm()));
      }
    }
  }
  for (const auto kind : {WholeCurve::Kind::kLine, WholeCurve::Kind::kConic,
                          WholeCurve::Kind::kRuled, WholeCurve::Kind::kChart}) {
    EXPECT_GT(kinds[static_cast<int>(kind)], 0) << static_cast<int>(kind);
  }
}

// Points at which the region changes across one surface alone meet the conditions of that surface.
TEST(SideConditions, HoldOnAllFaces) {
  std::mt19937 engine(kSeed);
  Random random(kSeed + 3);
  int faces = 0, conditions = 0;
  for (int n = 0; n < 60; ++n) {
    const LocalProblem problem = ProblemOf(RegionOf(RandomSolid(&engine, 4), SomeBox(&random)),
                                           FrameAt(Pose(), Vector3d::Ones()));
    SideConditions all;
    all.Run(problem.expression, problem.surfaces.size());
    std::vector<std::uint8_t> below(problem.surfaces.size());
    for (int k = 0; k < 200; ++k) {
      const Vector3d p = random.UniformVector(-1.0, 1.0);
      for (std::size_t s = 0; s < below.size(); ++s) {
        below[s] = problem.surfaces[s].psi(p.x(), p.y(), p.z()) <= 0.0 ? 1 : 0;
      }
      // Where turning the state of a surface turns the region's the surface matters.
      for (std::size_t s = 0; s < below.size(); ++s) {
        const bool before = problem.expression.Evaluate(below.data());
        below[s] ^= 1;
        const bool matters = problem.expression.Evaluate(below.data()) != before;
        below[s] ^= 1;
        if (!matters) continue;
        ++faces;
        for (const SideCondition& condition : all.Of(static_cast<int>(s))) {
          ++conditions;
          EXPECT_EQ(ToTruth(below[condition.surface] != 0), condition.below) << n;
        }
      }
    }
  }
  EXPECT_GT(faces, 1000);
  EXPECT_GT(conditions, 1000);
}

}  // namespace
}  // namespace volcontact::testing::boundary_test
