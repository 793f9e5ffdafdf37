// Clipping of boxes by planes, and polytope pairs.
#include "overlap/polytopes/polytope.h"

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "overlap/closed_forms/closed_form_testing.h"

namespace volcontact::testing {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Integrals over the box |x_i| <= half_i within all the planes; its own faces are artificial.
PolytopeMoments ClippedBox(const Vector3d& half, std::span<const Plane> planes) {
  constexpr auto kBox = PlaneOwner::kArtificial;
  ConvexPolytope polytope(-half, half, {kBox, kBox, kBox, kBox, kBox, kBox});
  for (const Plane& plane : planes) {
    const double reach = plane.n.cwiseAbs().dot(half);
    if (reach < plane.offset) continue;
    if (!polytope.Clip(plane, 4.0 * std::numeric_limits<double>::epsilon() * reach)) break;
  }
  return polytope.Integrate();
}

TEST(ConvexPolytope, WholeBox) {
  const PolytopeMoments m = ClippedBox({1.0, 2.0, 3.0}, {});
  EXPECT_DOUBLE_EQ(m.moments.volume, 48.0);
  EXPECT_EQ(m.moments.first.norm(), 0.0);
  EXPECT_TRUE(m.moments.second.isApprox(
      (48.0 / 3.0 * Vector3d(1.0, 4.0, 9.0)).asDiagonal().toDenseMatrix(), 1e-15));
  EXPECT_EQ(m.area.norm(), 0.0);
  EXPECT_TRUE(m.has_artificial_face);
}

TEST(ConvexPolytope, CornerTetrahedron) {
  // x, y, z >= -1 and x + y + z <= -3 + h: a tetrahedron with legs h at the corner.
  for (const double h : {1.0, 1e-3}) {
    const std::array<Plane, 1> planes = {Plane{Vector3d::Ones(), -3.0 + h, PlaneOwner::kB}};
    const PolytopeMoments m = ClippedBox(Vector3d::Ones(), planes);
    const double tolerance = 1e-15 / h;
    EXPECT_NEAR(m.moments.volume, h * h * h / 6.0, 40.0 * tolerance * h * h * h);
    EXPECT_LE(std::abs(m.moments.volume - h * h * h / 6.0), m.volume_error);
    const Vector3d centroid = m.moments.Centroid();
    EXPECT_LT((centroid - Vector3d::Constant(-1.0 + h / 4.0)).norm(), 40.0 * tolerance);
    EXPECT_LT((m.area - Vector3d::Constant(h * h / 2.0)).norm(), 40.0 * tolerance * h * h);
  }
}

TEST(ConvexPolytope, FlushPlanesLeaveNothing) {
  const std::array<Plane, 2> planes = {Plane{Vector3d::UnitZ(), 0.25, PlaneOwner::kA},
                                       Plane{-Vector3d::UnitZ(), -0.25, PlaneOwner::kB}};
  const PolytopeMoments m = ClippedBox(Vector3d::Ones(), planes);
  EXPECT_EQ(m.moments.volume, 0.0);
  EXPECT_EQ(m.moments.second.norm(), 0.0);
  EXPECT_EQ(m.area.norm(), 0.0);
}

TEST(ConvexPolytope, PlanesThroughVerticesAndEdges) {
  // Both diagonal planes through four vertices each, and one through three.
  const std::array<Plane, 3> planes = {Plane{{1, -1, 0}, 0.0, PlaneOwner::kA},
                                       Plane{{-1, 1, 0}, 1e-300, PlaneOwner::kB},
                                       Plane{{1, 1, 1}, 1.0, PlaneOwner::kB}};
  EXPECT_DOUBLE_EQ(ClippedBox(Vector3d::Ones(), {planes.data(), 1}).moments.volume, 4.0);
  EXPECT_EQ(ClippedBox(Vector3d::Ones(), {planes.data(), 2}).moments.volume, 0.0);
  EXPECT_DOUBLE_EQ(ClippedBox(Vector3d::Ones(), {planes.data() + 2, 1}).moments.volume,
                   8.0 - 4.0 / 3.0);
}

TEST(ConvexPolytope, CoincidentFacesCountHalf) {
  const std::array<Plane, 2> planes = {Plane{Vector3d::UnitZ(), 0.5, PlaneOwner::kA},
                                       Plane{Vector3d::UnitZ(), 0.5, PlaneOwner::kB}};
  const PolytopeMoments m = ClippedBox(Vector3d::Ones(), planes);
  EXPECT_DOUBLE_EQ(m.moments.volume, 6.0);
  EXPECT_DOUBLE_EQ(m.area.z(), 2.0);
  // Opposite faces do not merge.
  const std::array<Plane, 2> bottom = {Plane{Vector3d::UnitZ(), 0.5, PlaneOwner::kA},
                                       Plane{-Vector3d::UnitZ(), 1.0, PlaneOwner::kB}};
  EXPECT_DOUBLE_EQ(ClippedBox(Vector3d::Ones(), bottom).area.z(), -4.0);
}

// A point-wise check of the moments: the sums over the parts on both sides of a plane are the
// whole.
TEST(ConvexPolytope, PartsAddUp) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<Plane> planes;
    for (int i = 0; i < 8; ++i) {
      planes.push_back({{uniform(random), uniform(random), uniform(random)},
                        0.4 + 0.4 * uniform(random),
                        i % 2 == 0 ? PlaneOwner::kA : PlaneOwner::kB});
    }
    const Vector3d half(1.0, 0.7, 0.4);
    const Vector3d n(uniform(random), uniform(random), uniform(random));
    const double offset = 0.2 * uniform(random);
    const PolytopeMoments whole = ClippedBox(half, planes);
    planes.push_back({n, offset, PlaneOwner::kB});
    PolytopeMoments parts = ClippedBox(half, planes);
    planes.back() = {-n, -offset, PlaneOwner::kB};
    const PolytopeMoments rest = ClippedBox(half, planes);
    parts.moments += rest.moments;
    EXPECT_NEAR(parts.moments.volume, whole.moments.volume, 1e-14);
    EXPECT_LT((parts.moments.first - whole.moments.first).norm(), 1e-14);
    EXPECT_LT((parts.moments.second - whole.moments.second).norm(), 1e-14);
    EXPECT_LT((parts.area + rest.area - whole.area).norm(), 1e-13);
    EXPECT_LT((parts.torque + rest.torque - whole.torque).norm(), 1e-13);
  }
}

TEST(ConvexPolytope, TakesAsManyPlanesAsItPromises) {
  std::vector<Plane> planes;
  for (int i = 0; i < 26; ++i) {
    const double z = -1.0 + (2.0 * i + 1.0) / 26.0, r = std::sqrt(1.0 - z * z);
    planes.push_back({{r * std::cos(2.4 * i), r * std::sin(2.4 * i), z}, 0.9, PlaneOwner::kA});
  }
  const double volume = ClippedBox(Vector3d::Ones(), planes).moments.volume;
  EXPECT_GT(volume, 4.0 / 3.0 * M_PI * 0.9 * 0.9 * 0.9);
  EXPECT_LT(volume, 4.0);
}

// A cube's corner enters a cube's face by δ: a tetrahedron with V = δ³/(6 n1 n2 n3), its centroid
// at 3/4 of the depth, whatever the offset of both from the origin.
TEST(PolytopePair, CornerIntoFace) {
  const std::array<double, 4> q = {0.8, 0.4, 0.4, 0.2};
  const Rigid R(Pose{{0, 0, 0}, q});
  for (const double depth : {1e-1, 1e-4, 1e-8}) {
    for (const Vector3d& place : {Vector3d(0, 0, 0), Vector3d(100, -37, 1000)}) {
      // The lowest corner's height below the centre of B: half the sum of |R_2j|.
      const DoubleDouble reach = 0.5 * (Abs(R.R[2][0]) + Abs(R.R[2][1]) + Abs(R.R[2][2]));
      const Pose X_AB{{0.1, 0.05, (reach + 0.5 - depth).hi}, q};
      const DoubleDouble delta = reach + 0.5 - X_AB.t.z();
      const double volume =
          (delta * delta * delta / (6.0 * Abs(R.R[2][0] * R.R[2][1] * R.R[2][2]))).hi;
      const Rigid X_FW(Pose{place, {1, 0, 0, 0}});
      const Solid A = Box(Vector3d::Ones()).Posed({place, {1, 0, 0, 0}});
      const auto overlap = Evaluate(A, Box(Vector3d::Ones()).Posed(X_AB), X_FW, X_FW.t);
      ASSERT_TRUE(overlap);
      EXPECT_NEAR(overlap->volume, volume, 1e-14 * volume);
      EXPECT_LE(overlap->lower, volume);
      EXPECT_GE(overlap->upper, volume);
      EXPECT_NEAR(overlap->centroid.z(), 0.5 - 0.25 * delta.hi, 1e-15);
      EXPECT_NEAR(overlap->area.z(), -3.0 * volume / delta.hi, 1e-13 * volume / delta.hi);
    }
  }
}

// Crossed wedges: two cubes' edges meet at a right angle, each edge along its own line, with depth
// δ. The overlap is a tetrahedron with two opposite edges of length 2δ: V = (2δ)² δ/6.
TEST(PolytopePair, EdgeOnEdge) {
  const double half = std::sqrt(0.5);
  for (const double depth : {1e-2, 1e-6, 1e-10}) {
    // A's edge along x at the top, B's along y at the bottom: turns by 45° about x and y.
    const Solid A =
        Box(Vector3d::Ones()).Posed({{0, 0, 0}, {std::cos(M_PI / 8), std::sin(M_PI / 8), 0, 0}});
    const Solid B = Box(Vector3d::Ones())
                        .Posed({{0.1, 0.2, 0}, {std::cos(M_PI / 8), 0, std::sin(M_PI / 8), 0}});
    Rigid X_AB;
    X_AB.t[2] = 2.0 * half - depth;
    const auto overlap = Evaluate(A, B, X_AB);
    ASSERT_TRUE(overlap);
    // The pose's rounding (1e-16) is part of the depth.
    const double volume = 4.0 * depth * depth * depth / 6.0;
    EXPECT_NEAR(overlap->volume, volume, 1e-15 / depth * volume + 1e-14 * volume);
  }
}

// Thin flat overlaps keep their digits, and flush faces leave nothing, also turned within the
// plane.
TEST(PolytopePair, FlatOverlaps) {
  const std::array<double, 4> turned = {0.8, 0.0, 0.0, 0.6};
  for (const double depth : {0x1p-4, 0x1p-20, 0x1p-30, 0.0, -0x1p-30}) {
    for (const auto& q : {turned, std::array<double, 4>{1, 0, 0, 0}, {0, 0, 1, 0}}) {
      const Pose X_AB{{0.125, 0.125, 0.75 - depth}, q};
      const auto overlap = Evaluate(Box({1, 1, 1}), Box({0.25, 0.25, 0.5}), Rigid(X_AB));
      ASSERT_TRUE(overlap);
      if (depth <= 0.0) {
        EXPECT_EQ(overlap->volume, 0.0);
        EXPECT_LE(overlap->upper, 1e-25);
        EXPECT_NEAR(overlap->distance, -depth, 2e-14);
        continue;
      }
      EXPECT_NEAR(overlap->volume, depth / 16.0, 1e-15 * depth);
      EXPECT_NEAR(overlap->area.z(), -0.0625, 1e-15);
      EXPECT_NEAR(overlap->projected, 0.0625, 1e-15);
    }
  }
}

// The volume of a box less a slanted half-space over a small tilt, against the exact wedge.
TEST(PolytopePair, SlightlyTiltedFace) {
  for (const double angle : {1e-3, 1e-6, 1e-9}) {
    // B's lower face turned by the angle about its lower edge, which lies at the height −δ: a wedge
    // of length L = δ/tan(angle) where it is shorter than B.
    const double delta = 0.25 * angle;
    const Solid edge_box = Box({1, 1, 1}).Posed({{0.5, 0, 0.5}, {1, 0, 0, 0}});
    const Pose X_AB{{0, 0, -delta}, {1.0, 0, -0.5 * angle, 0}};
    const Rigid X(X_AB);
    const auto overlap = Evaluate(HalfSpace(), edge_box, X);
    ASSERT_TRUE(overlap);
    // In the plane of symmetry a triangle with the right angle at the edge's lower corner.
    const double sine = X.R[2][0].hi, cosine = X.R[2][2].hi;
    const double volume = 0.5 * delta * delta / (sine * cosine);
    EXPECT_NEAR(overlap->volume, volume, 1e-14 * volume);
    EXPECT_NEAR(overlap->area.z(), -delta / (sine * cosine), 1e-14 * delta / sine);
  }
}

// A chamfered box pressed flat on a half-space by its chamfer: thin across none of the box's axes.
// The chamfer's outline is a rectangle, its walls slant outwards on two sides.
TEST(PolytopePair, ThinAcrossAChamfer) {
  const std::array<double, 4> q = {std::cos(M_PI / 8), 0.0, std::sin(M_PI / 8), 0.0};
  const Solid chamfered = Intersection({Box({1, 1, 1}), HalfSpace().Posed({{0.4, 0, 0.4}, q})});
  for (const double depth : {0x1p-10, 0x1p-24, 0x1p-34, 0.0}) {
    // The half-space z >= -depth in the chamfer's frame, turned upside down about its y axis.
    const Rigid X_AH = Rigid(Pose{{0.4, 0, 0.4}, q}) * Rigid(Pose{{0, 0, -depth}, {0, 0, 1, 0}});
    const auto overlap = Evaluate(chamfered, HalfSpace(), X_AH);
    ASSERT_TRUE(overlap);
    if (depth == 0.0) {
      EXPECT_EQ(overlap->volume, 0.0);
      EXPECT_LT(overlap->upper, 1e-25);
      continue;
    }
    const double width = 0.2 * std::sqrt(2.0);
    const double volume = width * depth + depth * depth;
    EXPECT_NEAR(overlap->volume, volume, 1e-13 * volume);
    EXPECT_NEAR(overlap->area.norm(), width + 2.0 * depth, 1e-14);
    EXPECT_LE(overlap->upper - overlap->lower, 1e-12 * volume);
  }
}

TEST(PolytopePair, IntersectionsOfSlabsWithoutABox) {
  const Solid cube =
      Intersection({Slab(1.0), Slab(1.0).Posed({Vector3d::Zero(), {0.5, 0.5, 0.5, 0.5}}),
                    Slab(1.0).Posed({Vector3d::Zero(), {0.5, -0.5, -0.5, -0.5}})});
  const Pose X_AB{{0.5, 0.25, 0.375}, {0.2, 0.4, 0.4, 0.8}};
  const auto a = Evaluate(cube, Box({0.5, 0.75, 1.0}), Rigid(X_AB));
  const auto b = Evaluate(Box({1, 1, 1}), Box({0.5, 0.75, 1.0}), Rigid(X_AB));
  const auto c = Evaluate(cube, Intersection({cube}), Rigid(X_AB));
  const auto d = Evaluate(Box({1, 1, 1}), Box({1, 1, 1}), Rigid(X_AB));
  ASSERT_TRUE(a && b && c && d);
  ExpectNear(*a, *b, 1e-14);
  ExpectNear(*c, *d, 1e-13);
  EXPECT_FALSE(Evaluate(Slab(1.0), HalfSpace(), Rigid(X_AB)));
  EXPECT_FALSE(Evaluate(HalfSpace(), HalfSpace(), Rigid(X_AB)));
}

TEST(PolytopePair, CoincidentFacesCountHalf) {
  // Two equal boxes, one moved along x: four side faces coincide, and give nothing across.
  const auto overlap =
      Evaluate(Box({1, 1, 1}), Box({1, 1, 1}), Rigid(Pose{{0.25, 0, 0}, {1, 0, 0, 0}}));
  ASSERT_TRUE(overlap);
  EXPECT_DOUBLE_EQ(overlap->volume, 0.75);
  EXPECT_TRUE(overlap->area.isApprox(Vector3d(-1, 0, 0), 1e-15));
  // The same box: the mean of the one-sided derivatives vanishes.
  const auto same = Evaluate(Box({1, 1, 1}), Box({1, 1, 1}), Rigid());
  ASSERT_TRUE(same);
  EXPECT_DOUBLE_EQ(same->volume, 1.0);
  EXPECT_LT(same->area.norm(), 1e-15);
}

// Vertices that other planes have cut are off their face by roundings.
TEST(PolytopePair, CoincidentFacesCountHalfInAnyPose) {
  std::mt19937 random(20261126);
  std::uniform_real_distribution<double> offset(-0.3, 0.3);
  std::normal_distribution<double> normal;
  int compared = 0;
  for (int n = 0; n < 300; ++n) {
    std::vector<Solid> operands = {Box({1, 1, 1})};
    for (int k = 0; k < 1 + n % 7; ++k) {
      const Eigen::Quaterniond q =
          Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random))
              .normalized();
      operands.push_back(HalfSpace().Posed(
          {{offset(random), offset(random), offset(random)}, {q.w(), q.x(), q.y(), q.z()}}));
    }
    const Solid solid = Intersection(operands);
    const auto same = Evaluate(solid, solid, Rigid());
    if (!same || !(same->volume > 0.0)) continue;
    ++compared;
    EXPECT_LT(same->area.norm(), 1e-13) << n;
  }
  EXPECT_GE(compared, 200);
}

}  // namespace
}  // namespace volcontact::testing
