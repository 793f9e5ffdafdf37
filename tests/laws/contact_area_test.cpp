// The contact area is the area of the overlap's projection along the reported normal.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "support/metrics_checks.h"
#include "support/random_solids.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::contact_area_test {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using std::numbers::pi;

constexpr std::uint64_t kSeed = 271828182;
constexpr double kTolerance = 1e-8;
// The tolerance speaks of volumes; areas follow it to a digit.
constexpr double kAreaTolerance = 10.0 * kTolerance;

// Calls `expected(metrics)`, the contact area by other means, for all methods.
template <typename Expected>
void ExpectContactArea(const Solid& A, const Solid& B, const Expected& expected) {
  for (const Method method : {Method::kAuto, Method::kBoundary}) {
    SCOPED_TRACE(MethodName(method));
    const Metrics metrics = QueryWith(A, B, method, kTolerance);
    ASSERT_TRUE(metrics.overlap);
    const double area = expected(metrics);
    EXPECT_NEAR(metrics.contact_area, area, kAreaTolerance * area)
        << "relative error " << metrics.contact_area / area - 1.0;
    EXPECT_NEAR(metrics.mean_height, metrics.volume / area, kAreaTolerance * metrics.mean_height);
  }
}

double Cross(const Vector2d& a, const Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

// Area of the convex hull of points seen along n.
double ProjectedHullArea(const std::vector<Vector3d>& points, const Vector3d& n) {
  const Vector3d e1 = n.unitOrthogonal(), e2 = n.cross(e1);
  std::vector<Vector2d> flat;
  for (const Vector3d& p : points) flat.emplace_back(e1.dot(p), e2.dot(p));
  std::sort(flat.begin(), flat.end(), [](const Vector2d& a, const Vector2d& b) {
    return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y();
  });
  double area = 0.0;
  for (const double side : {1.0, -1.0}) {  // lower hull, upper hull
    std::vector<Vector2d> chain;
    for (const Vector2d& p : flat) {
      while (chain.size() >= 2) {
        const Vector2d &a = chain[chain.size() - 2], &b = chain.back();
        if (side * Cross(b - a, p - a) > 0.0) break;
        chain.pop_back();
      }
      chain.push_back(p);
    }
    for (std::size_t i = 1; i < chain.size(); ++i) {
      area += side * 0.5 * Cross(chain[i - 1] - flat[0], chain[i] - flat[0]);
    }
  }
  return area;
}

// Corners of a posed box, and where its edges cross the plane z = 0, that lie in z <= 0.
std::vector<Vector3d> BoxBelowPlane(const Vector3d& size, const Pose& pose) {
  std::vector<Vector3d> corners, points;
  for (int k = 0; k < 8; ++k) {
    const Vector3d sign(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5);
    corners.push_back(pose * size.cwiseProduct(sign));
  }
  for (int k = 0; k < 8; ++k) {
    if (corners[k].z() <= 0.0) points.push_back(corners[k]);
    for (const int bit : {1, 2, 4}) {
      const Vector3d &a = corners[k], &b = corners[k ^ bit];
      if (a.z() <= 0.0 && b.z() > 0.0) points.push_back(a + (b - a) * (a.z() / (a.z() - b.z())));
    }
  }
  return points;
}

TEST(ContactArea, OfASphereOnAPlane) {
  Random random(kSeed);
  for (const double depth : {0.4, 1e-2, 1e-4, 1e-6}) {
    SCOPED_TRACE(depth);
    const Pose X = random.PoseAt(random.UniformVector(-1.0, 1.0));
    const Pose ball = {{0.1, 0.2, 0.5 - depth}, {1.0, 0.0, 0.0, 0.0}};
    const double d = 0.5 - ball.t.z();
    ExpectContactArea(Sphere(0.5).Posed(ball).Posed(X), HalfSpace().Posed(X),
                      [&](const Metrics&) { return pi * (2.0 * 0.5 * d - d * d); });
  }
}

TEST(ContactArea, OfALens) {
  Random random(kSeed);
  const double r = 0.5, s = 0.75, d = 1.125;
  const double x = (d * d + r * r - s * s) / (2.0 * d);  // of the rim's plane
  const Pose X = random.PoseAt(random.UniformVector(-1.0, 1.0));
  ExpectContactArea(Sphere(r).Posed(X), Sphere(s).Posed({{0.0, 0.0, d}, {1, 0, 0, 0}}).Posed(X),
                    [&](const Metrics&) { return pi * (r * r - x * x); });
}

TEST(ContactArea, OfABoxFaceOnAPlane) {
  Random random(kSeed);
  for (const double depth : {1e-1, 1e-3, 1e-6}) {
    SCOPED_TRACE(depth);
    const Pose X = random.PoseAt(random.UniformVector(-1.0, 1.0));
    const Pose box = {{0.0, 0.0, 0.25 - depth}, {1.0, 0.0, 0.0, 0.0}};
    ExpectContactArea(Box({1.0, 0.75, 0.5}).Posed(box).Posed(X), HalfSpace().Posed(X),
                      [](const Metrics& metrics) {
                        EXPECT_NEAR(metrics.gyration_radius, std::sqrt((1.0 + 0.75 * 0.75) / 12.0),
                                    1e-6);
                        return 0.75;
                      });
  }
}

// The normal of a tilted box is not that of the plane; the projection goes along the normal.
TEST(ContactArea, OfATiltedBoxOnAPlane) {
  Random random(kSeed + 1);
  const Vector3d size(1.0, 0.75, 0.5);
  for (int i = 0; i < 12; ++i) {
    // From nearly flat, through standing on an edge, to any attitude at all.
    const double tilt = std::pow(10.0, random.Uniform(-3.0, 0.0));
    Pose pose = i < 8 ? AxisAngle(random.UnitVector(), tilt) : random.PoseAt(Vector3d::Zero());
    const double lowest = 0.5 * size.dot(Vector3d(pose.Rotation().row(2).transpose().cwiseAbs()));
    pose.t.z() = lowest * random.Uniform(0.3, 0.99);
    SCOPED_TRACE(::testing::Message() << i << ", tilt " << tilt);
    const std::vector<Vector3d> overlap = BoxBelowPlane(size, pose);
    ExpectContactArea(Box(size).Posed(pose), HalfSpace(), [&](const Metrics& metrics) {
      return ProjectedHullArea(overlap, metrics.normal_W);
    });
  }
}

// Outline of a cylinder's overlap with the half-space z <= 0: its lower rim, where that is below
// the plane, with the corners where it meets the plane, and the ellipse in the plane, where that is
// on the cylinder.
std::vector<Vector3d> CylinderBelowPlane(double radius, double height, const Pose& pose) {
  constexpr int kPoints = 40'000;
  std::vector<Vector3d> points;
  const Eigen::Matrix3d R = pose.Rotation();
  const auto on_rim = [&](double angle) -> Vector3d {
    return pose * Vector3d(radius * std::cos(angle), radius * std::sin(angle), -0.5 * height);
  };
  for (int i = 0; i < kPoints; ++i) {
    const Vector3d bottom = on_rim(2.0 * pi * i / kPoints);
    const double up = -bottom.z() / R(2, 2);  // along the axis to the plane
    if (up < 0.0) continue;
    points.push_back(bottom);
    points.push_back(bottom + std::min(up, height) * R.col(2));
  }
  // The rim is at z = middle + rise cos(angle − highest).
  const double middle = pose.t.z() - 0.5 * height * R(2, 2);
  const double rise = radius * std::hypot(R(2, 0), R(2, 1)), highest = std::atan2(R(2, 1), R(2, 0));
  if (std::abs(middle) < rise) {
    const double half = std::acos(-middle / rise);
    points.push_back(on_rim(highest - half));
    points.push_back(on_rim(highest + half));
  }
  return points;
}

TEST(ContactArea, OfATiltedCylinderOnAPlane) {
  const double radius = 0.25, height = 1.0;
  for (const double tilt : {1e-3, 0.1, 0.5}) {
    for (const double sunk : {1.5, 0.7}) {  // of the low point, by the rise across the bottom
      SCOPED_TRACE(::testing::Message() << "tilt " << tilt << ", sunk " << sunk);
      Pose pose = AxisAngle(Vector3d(0.6, 0.8, 0.0), tilt);
      const double rise = 2.0 * radius * std::sin(tilt);
      pose.t.z() = 0.5 * height * std::cos(tilt) + (0.5 - sunk) * rise;
      const std::vector<Vector3d> outline = CylinderBelowPlane(radius, height, pose);
      for (const Method method : {Method::kAuto, Method::kBoundary}) {
        SCOPED_TRACE(MethodName(method));
        const Metrics metrics =
            QueryWith(Cylinder(radius, height).Posed(pose), HalfSpace(), method, kTolerance);
        const double area = ProjectedHullArea(outline, metrics.normal_W);
        EXPECT_NEAR(metrics.contact_area, area, 1e-6 * area)
            << "relative error " << metrics.contact_area / area - 1.0;
      }
    }
  }
}

TEST(ContactArea, OfAnEllipsoidInsideABox) {
  const Vector3d axes(0.5, 0.375, 0.25);
  Random random(kSeed + 2);
  const Pose X = random.PoseAt(random.UniformVector(-0.5, 0.5));
  ExpectContactArea(Box({2.0, 2.0, 2.0}), Ellipsoid(axes).Posed(X), [&](const Metrics& metrics) {
    const Vector3d n = X.Rotation().transpose() * metrics.normal_W;
    return pi * axes.prod() * n.cwiseQuotient(axes).norm();
  });
}

// Two lumps one above the other have one projection, which counts once.
TEST(ContactArea, OfAPunchThroughTwoPlates) {
  const Solid plate = Slab(0.125);
  const Solid plates = Union({plate, plate.Posed({{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0, 0.0}})});
  const Metrics metrics = QueryWith(plates, Box({2.0, 2.0, 4.0}), Method::kBoundary, kTolerance);
  EXPECT_NEAR(metrics.volume, 1.0, kTolerance);
  EXPECT_NEAR(std::abs(metrics.normal_W.z()), 1.0, 1e-9);
  EXPECT_NEAR(metrics.contact_area, 4.0, 4.0 * kAreaTolerance);
}

// Expects the area to 1e-4 of it, unless a warning says that it may be off. Counts the areas
// without.
void ExpectAreaOrWarning(const Metrics& metrics, double area, const std::string& what,
                         int* without_warning) {
  ASSERT_TRUE(metrics.overlap) << what;
  if (!metrics.warnings.empty()) return;
  ++*without_warning;
  EXPECT_NEAR(metrics.contact_area, area, 1e-4 * area)
      << what << ": relative error " << metrics.contact_area / area - 1.0;
}

struct BallInItsSocket {
  double ball, socket, slab, bore, outer, height;  // radii, and lengths along the axes
  bool has_cone;
  Pose X_WA;
  // By rays along the normal through the files of the scene, in numpy: good to 2e-5.
  double area;
};

// Outlines of two spheres of nearly one radius leave their edge by the square of the way.
TEST(ContactArea, OfABallInASocketOfItsSize) {
  const BallInItsSocket scenes[] = {
      {0.33464643987748044,
       0.33464643987748044,
       0.37677843833913927,
       0.14042594285522447,
       0.5019696598162207,
       0.34252585303558114,
       false,
       {{1.066719646688081e-05, 4.266878586752324e-06, 1.066719646688081e-05},
        {0.9946347607051406, -0.07412347063636252, 0.0709852566775526, 0.012980648376334811}},
       0.19965740},
      {0.37335866493954345,
       0.37335866493954345,
       0.4435991467881776,
       0.11759644159250407,
       0.5600379974093151,
       0.40327195162561597,
       true,
       {{9.19751009259792e-05, 3.6790040370391686e-05, -4.59875504629896e-05},
        {0.9920767495499054, -0.07696798261066976, 0.09722476118346926, 0.020174203036431696}},
       0.21975533}};
  int without_warning = 0;
  for (const BallInItsSocket& scene : scenes) {
    const Solid ball = Difference(Intersection({Sphere(scene.ball), Slab(scene.slab)}),
                                  {Cylinder(scene.bore, 3.0)})
                           .Posed(scene.X_WA);
    std::vector<Solid> hollows = {Sphere(scene.socket)};
    if (scene.has_cone) {
      hollows.push_back(Cone(0.7 * scene.ball, scene.height, 1.4 * scene.ball));
    }
    const Solid hollow = Difference(Cylinder(scene.outer, scene.height), hollows);
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const std::string what = "tolerance " + std::to_string(tolerance);
      ExpectAreaOrWarning(QueryWith(ball, hollow, Method::kAuto, tolerance), scene.area, what,
                          &without_warning);
      ExpectAreaOrWarning(QueryWith(hollow, ball, Method::kAuto, tolerance), scene.area,
                          what + ", exchanged", &without_warning);
    }
  }
  EXPECT_GE(without_warning, 10);  // of 12
}

// What lies apart is summed part by part, and the parts may hide each other.
TEST(ContactArea, WarnsWherePartsHideEachOther) {
  const auto balls = [](double above, double below, double aside) {
    return Union({Sphere(0.1).Posed({{0.0, 0.0, above}, {1.0, 0.0, 0.0, 0.0}}),
                  Sphere(0.1).Posed({{aside, 0.0, below}, {1.0, 0.0, 0.0, 0.0}})});
  };
  const Metrics behind =
      QueryWith(balls(0.42, -0.19, 0.0), balls(0.3, -0.3, 0.02), Method::kAuto, kTolerance);
  ASSERT_FALSE(behind.warnings.empty());
  EXPECT_NE(behind.warnings.front().find("behind each other"), std::string::npos);
  const Metrics beside =
      QueryWith(balls(0.42, -0.18, 0.5), balls(0.3, -0.3, 0.5), Method::kAuto, kTolerance);
  EXPECT_TRUE(beside.warnings.empty()) << beside.warnings.front();
  const auto rings = [](double aside) {
    return QueryWith(Union({Torus(0.2, 0.05).Posed({{0.0, 0.0, 0.3}}),
                            Torus(0.2, 0.05).Posed({{aside, 0.0, -0.3}})}),
                     Union({Box({2.0, 2.0, 0.1}).Posed({{0.01, 0.0, 0.202}}),
                            Box({2.0, 2.0, 0.1}).Posed({{0.01, 0.0, -0.398}})}),
                     Method::kAuto, 1e-6);
  };
  ASSERT_FALSE(rings(0.01).warnings.empty());
  EXPECT_NE(rings(0.01).warnings.front().find("behind each other"), std::string::npos);
  EXPECT_TRUE(rings(0.7).warnings.empty());
  // Two lenses of balls 0.12 apart.
  EXPECT_NEAR(beside.contact_area, 2.0 * pi * (0.01 - 0.0036), kAreaTolerance);
}

// A ring across a groove, along the normal of which outlines lie on edges in one order of the
// bodies. The expected area is that of 6e4 lines, each with 400 points.
TEST(ContactArea, OfARingInAGrooveInEitherOrder) {
  const Solid ring = Torus(0.4, 0.2);
  const double side = 0.3 * std::sqrt(2.0);
  const Solid cut = Box({side, 3.0, side})
                        .Posed({{0.0, 0.0, 0.3}, {std::cos(pi / 8), 0.0, std::sin(pi / 8), 0.0}});
  const Solid block = Difference(Box({1.5, 1.5, 0.3}).Posed({{0.0, 0.0, 0.15}}), {cut})
                          .Posed({{0.15, 0.15, -0.2}, {-0.5, 0.5, 0.5, -0.5}});
  const Metrics one = QueryWith(ring, block, Method::kAuto, 1e-6);
  const Metrics other = QueryWith(block, ring, Method::kAuto, 1e-6);
  EXPECT_TRUE(one.warnings.empty());
  EXPECT_NEAR(one.contact_area, 0.171061, 3e-4);
  EXPECT_NEAR(other.contact_area, one.contact_area, 1e-5);
}

// A slide whose dovetail overlaps its rail by roundings: points of the contour were no numbers, and
// the search for its rim had no end.
TEST(ContactArea, EndsForASlideThatOverlapsByRoundings) {
  const auto at = [](double y, double z) { return Pose{{0.0, y, z}, {1.0, 0.0, 0.0, 0.0}}; };
  const auto dovetail = [&](const Vector3d& size, double beside) {
    const auto side = [&](double sign) {
      const Eigen::Vector4d q(0.4999999999999999, -sign * 0.8660254037844387, 0.0, 0.0);
      return HalfSpace()
          .Posed({Vector3d::Zero(), {q[0], q[1], q[2], q[3]}})
          .Posed(at(sign * beside, 0.0));
    };
    return Intersection({Box(size).Posed(at(0.0, 0.5 * size.z())), side(1.0), side(-1.0)});
  };
  const Solid body = Box({0.1, 0.06, 0.03}).Posed(at(0.0, 0.015));
  const Solid slide = Difference(body, {dovetail({0.5, 0.2, 0.0101}, 0.01002)});
  const PreparedPair pair(slide, dovetail({0.4, 0.2, 0.01}, 0.01));
  QueryOptions options;
  options.bound_distance = options.bound_volume = false;
  for (const double tilt : {0.0, 1e-7, 1e-6, 1e-5}) {
    for (const double gap : {-1e-11, -1e-10, -1e-9}) {
      const double norm = std::sqrt(1.0 + tilt * tilt);
      const Pose X{{-0.1, 0.0, -1e-4 + gap + 0.1 * tilt}, {1.0 / norm, 0.0, tilt / norm, 0.0}};
      const Metrics metrics = pair.Query(X, Pose(), options);
      EXPECT_GE(metrics.contact_area, (1.0 - kAreaTolerance) * metrics.area_vector_W.norm());
    }
  }
}

// Where nothing tells a direction there is none to project along, in either order.
TEST(ContactArea, IsNoneWithoutANormal) {
  const Solid ball = Sphere(0.25).Posed({{0.125, 0.0, 0.25}, {1.0, 0.0, 0.0, 0.0}});
  const Solid box = Box({2.0, 2.0, 2.0});
  for (const auto& [A, B] : {std::pair(ball, box), std::pair(box, ball), std::pair(ball, ball)}) {
    const Metrics metrics = QueryWith(A, B, Method::kBoundary, kTolerance);
    ASSERT_TRUE(metrics.overlap);
    EXPECT_TRUE(metrics.normal_W.isZero());
    EXPECT_EQ(metrics.contact_area, 0.0);
    EXPECT_EQ(metrics.mean_height, 0.0);
    EXPECT_EQ(metrics.gyration_radius, 0.0);
  }
}

}  // namespace
}  // namespace volcontact::testing::contact_area_test
