// Projections of which parts lie before and behind others: what their contours' crossings tell.

#include "overlap/arcs/projection/contour_crossings.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "overlap/arcs/crossing/curve_finder.h"
#include "overlap/arcs/lines/line_probe.h"
#include "overlap/arcs/projection/projected_area.h"
#include "overlap/arcs/sums_testing.h"
#include "support/random_solids.h"

namespace volcontact::testing {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using std::numbers::pi;

constexpr double kPrecision = 1e-11;

// The solid lies in a cube of half the given size; along the cube's z axis.
std::optional<double> ProjectionAlongZ(const Solid& solid, double half) {
  const SurfaceSet set = RegionOf(solid, Box(4.0 * half * Vector3d::Ones()));
  LocalProblem problem = ProblemOf(set, FrameAt(Pose(), half * Vector3d::Ones()));
  SimplifyInBox(&problem);
  TorusSeams seams;
  seams.Choose(set, &problem);
  CurveFinder edges;
  if (!edges.Run(problem, set.kinds, seams, 2e-13)) return std::nullopt;
  return ProjectedArea().Run(problem, set.kinds, &edges, Vector3d::UnitZ(), kPrecision);
}

// Numbered curves y = a x² + b x³ + c x + d across z, up to x = 0.3; an angle turns them about the
// origin.
class Cubics : public ContourCurves {
 public:
  struct Cubic {
    double a, b, turn, c = 0.0, d = 0.0;
  };
  explicit Cubics(std::vector<Cubic> cubics) : cubics_(std::move(cubics)) {}

  bool PointOn(int curve, double u, CurvePoint* point) const override {
    const auto [a, b, turn, c, d] = cubics_[curve];
    const double x = kLength * u;
    const Eigen::AngleAxisd turned(turn, Vector3d::UnitZ());
    point->p = turned * Vector3d(x, ((a + b * x) * x + c) * x + d, 0.2 * x);
    point->derivative = turned * Vector3d(1.0, (2.0 * a + 3.0 * b * x) * x + c, 0.2) * kLength;
    return true;
  }
  int ArcsOf(int, double, double) const override { return 1; }
  std::vector<ContourPart> Parts() const {
    std::vector<ContourPart> parts;
    for (int n = 0; n < static_cast<int>(cubics_.size()); ++n)
      parts.push_back({this, n, 0.0, 1.0, 1.0});
    return parts;
  }

  static constexpr double kLength = 0.3;

 private:
  std::vector<Cubic> cubics_;
};

// Edges and outlines touch where they end.
TEST(ContourCrossings, CurvesThatTouchAtTheirEnds) {
  ContourCrossings crossings;
  for (const Cubics::Cubic& other :
       {Cubics::Cubic{1.2, 0.0, 0.0}, {0.9, -0.2, 0.0}, {-1.0, 0.5, 0.0}, {1.0, 0.0, pi}}) {
    const Cubics curves({{1.0, 0.3, 0.0}, other});
    const std::vector<ContourPart> parts = curves.Parts();
    crossings.Run(Vector3d::UnitZ(), parts);
    for (const std::size_t part : {0, 1}) {
      EXPECT_FALSE(crossings.IsAmbiguous(part)) << other.a;
      EXPECT_TRUE(crossings.Of(part).empty()) << other.a;
    }
  }
}

// Beyond the end at which they touch they cross once more.
TEST(ContourCrossings, CurvesThatCrossBesideTheirSharedEnd) {
  ContourCrossings crossings;
  for (const double x : {0.02, 0.1, 0.21, 0.29}) {
    const Cubics curves({{1.0, 0.0, 0.4}, {1.3, -0.3 / x, 0.4}});
    const std::vector<ContourPart> parts = curves.Parts();
    crossings.Run(Vector3d::UnitZ(), parts);
    for (const std::size_t part : {0, 1}) {
      ASSERT_EQ(crossings.Of(part).size(), 1u) << x;
      EXPECT_NEAR(crossings.Of(part)[0] * Cubics::kLength, x, 1e-9);
      EXPECT_FALSE(crossings.IsAmbiguous(part)) << x;
    }
  }
}

// Edges and outlines of parts that nearly fit are seen beside each other.
TEST(ContourCrossings, CurvesThatRunBesideEachOther) {
  ContourCrossings crossings;
  for (const double angle : {1e-3, 1e-5, 1e-7}) {
    for (const double x : {-0.02, 0.11, 0.17}) {
      const Cubics curves({{1.0, 0.3, 0.4}, {1.0, 0.3, 0.4, angle, -angle * x}});
      const std::vector<ContourPart> parts = curves.Parts();
      crossings.Run(Vector3d::UnitZ(), parts);
      for (const std::size_t part : {0, 1}) {
        EXPECT_FALSE(crossings.IsAmbiguous(part)) << angle << ' ' << x;
        ASSERT_EQ(crossings.Of(part).size(), x > 0.0 ? 1u : 0u) << angle << ' ' << x;
        if (x > 0.0) {
          EXPECT_NEAR(crossings.Of(part)[0] * Cubics::kLength, x, 1e-12 / angle);
        }
      }
    }
  }
}

// An arc y = sin 2x + ε cos k x across z, x from 0 to 1, and the same without the waves.
class WavesBesideArc : public ContourCurves {
 public:
  WavesBesideArc(double height, double frequency) : height_(height), frequency_(frequency) {}

  bool PointOn(int curve, double x, CurvePoint* point) const override {
    ++points_;
    const double height = curve == 0 ? 0.0 : height_, phase = frequency_ * x;
    point->p = {x, std::sin(2.0 * x) + height * std::cos(phase), 0.1 * x};
    point->derivative = {1.0, 2.0 * std::cos(2.0 * x) - height * frequency_ * std::sin(phase), 0.1};
    return true;
  }
  int ArcsOf(int, double, double) const override { return 2; }
  long points() const { return points_; }

 private:
  double height_, frequency_;
  mutable long points_ = 0;
};

// What the arcs have in common cancels: a thinner gap does not need shorter arcs.
TEST(ContourCrossings, CurvesThatNearlyCoincide) {
  ContourCrossings crossings;
  for (const double height : {1e-4, 1e-6, 1e-8}) {
    for (const double frequency : {2.0, 6.3, 9.1, 17.0}) {
      const WavesBesideArc curves(height, frequency);
      const std::vector<ContourPart> parts = {{&curves, 0, 0.0, 1.0, 1.0},
                                              {&curves, 1, 0.0, 1.0, 1.0}};
      crossings.Run(Vector3d::UnitZ(), parts);
      const std::size_t zeros = static_cast<std::size_t>(frequency / pi + 0.5);
      for (const std::size_t part : {0, 1}) {
        EXPECT_FALSE(crossings.IsAmbiguous(part)) << height << ' ' << frequency;
        ASSERT_EQ(crossings.Of(part).size(), zeros) << height << ' ' << frequency;
        for (std::size_t n = 0; n < zeros; ++n) {
          const double x = (static_cast<double>(n) + 0.5) * pi / frequency;
          EXPECT_NEAR(crossings.Of(part)[n], x, 1e-12 / height) << frequency;
        }
      }
      EXPECT_LE(curves.points(), 500 + 400 * static_cast<long>(zeros))
          << height << ' ' << frequency;
    }
  }
}

// The middles of the two discs are `distance` apart.
double UnionOfDiscs(double r, double s, double distance) {
  const double x = (distance * distance + r * r - s * s) / (2.0 * distance);
  const auto cap = [](double radius, double at) {
    return radius * radius * std::acos(at / radius) - at * std::sqrt(radius * radius - at * at);
  };
  return pi * (r * r + s * s) - cap(r, x) - cap(s, distance - x);
}

TEST(ContourCrossings, BallsThatHideEachOther) {
  for (const double distance : {0.11, 0.3, 0.5, 0.69}) {
    for (const double turn : {0.0, 0.7, 2.9}) {
      const Vector3d apart(distance * std::cos(turn), distance * std::sin(turn), -0.8);
      const Solid balls = Union({Sphere(0.4), Sphere(0.3).Posed({apart, {1.0, 0.0, 0.0, 0.0}})});
      const std::optional<double> area = ProjectionAlongZ(balls, 2.0);
      ASSERT_TRUE(area.has_value());
      EXPECT_NEAR(*area, UnionOfDiscs(0.4, 0.3, distance), 1e-9) << distance;
    }
  }
}

// Long bars above each other, cut off at a box: what both cover is a rhomboid.
TEST(ContourCrossings, BarsThatCrossAboveEachOther) {
  const double r = 0.1, s = 0.15, height = 0.5;
  for (const double angle : {0.4, 0.9, 1.5}) {
    const Pose lying = AxisAngle(Vector3d::UnitY(), 0.5 * pi);
    const auto bar = [&](double radius, double turn, double z) {
      return Cylinder(radius, 2.0)
          .Posed(lying)
          .Posed(AxisAngle(Vector3d::UnitZ(), turn, {0.0, 0.0, z}));
    };
    const std::optional<double> area =
        ProjectionAlongZ(Union({bar(r, 0.1, 0.0), bar(s, 0.1 + angle, height)}), 2.0);
    ASSERT_TRUE(area.has_value());
    EXPECT_NEAR(*area, 4.0 * (r + s) - 4.0 * r * s / std::sin(angle), 1e-9) << angle;
  }
}

// How much of a square across the direction is hidden, by lines in a grid.
double ProjectionByGrid(const LocalProblem& problem, const Vector3d& direction) {
  constexpr int kLines = 300;
  const Vector3d& half = problem.frame.half;
  LineProbe probe;
  probe.Begin(problem, direction.cwiseQuotient(half));
  const Vector3d across = direction.unitOrthogonal(), third = direction.cross(across);
  const double reach = half.norm(), step = 2.0 * reach / kLines;
  long count = 0;
  for (int i = 0; i < kLines; ++i) {
    for (int k = 0; k < kLines; ++k) {
      const Vector3d p = ((i + 0.5) * step - reach) * across + ((k + 0.5) * step - reach) * third;
      count += probe.CountIntervals(p.cwiseQuotient(half)) > 0 ? 1 : 0;
    }
  }
  return static_cast<double>(count) * step * step;
}

TEST(ContourCrossings, PartsOfManyKindsAsByLines) {
  Random random(61);
  const auto near = [&](double distance) {
    return random.PoseAt(random.UniformVector(-distance, distance));
  };
  const auto some = [&](int kind) -> Solid {
    if (kind % 3 == 0) return Box(random.UniformVector(0.5, 1.2)).Posed(near(0.5));
    if (kind % 3 == 1) return Cylinder(random.Uniform(0.2, 0.4), 1.5).Posed(near(0.5));
    return Ellipsoid(random.UniformVector(0.2, 0.6)).Posed(near(0.5));
  };
  for (int n = 0; n < 12; ++n) {
    SCOPED_TRACE(n);
    const Solid A = n % 2 == 0 ? Union({some(n), some(n + 1)})
                               : Difference(Box({1.6, 1.5, 1.4}), {some(n + 1)});
    const Solid B = Union({some(n / 2), some(n / 3)});
    double by_curves = 0.0;
    for (const bool whole_curves : {true, false}) {
      ArcMethod method;
      const ArcMethodResult result =
          method.Run(RegionOf(A, B), CommonBox(A, B), {.whole_curves = whole_curves});
      ASSERT_EQ(result.failure, ArcFailure::kNone);
      const double area = result.raw.projected_area;
      if (!whole_curves) {
        EXPECT_NEAR(area / by_curves, 1.0, 1e-6);
        continue;
      }
      by_curves = area;
      EXPECT_NEAR(area / ProjectionByGrid(method.problem(), ProjectionAxis(result.raw)), 1.0, 3e-3);
    }
  }
}

// The corners of a convex hull seen along z, counterclockwise.
std::vector<Vector2d> HullAlongZ(std::vector<Vector2d> points) {
  const auto cross = [](const Vector2d& a, const Vector2d& b, const Vector2d& c) {
    return (b - a)[0] * (c - a)[1] - (b - a)[1] * (c - a)[0];
  };
  std::sort(points.begin(), points.end(), [](const Vector2d& a, const Vector2d& b) {
    return std::pair(a[0], a[1]) < std::pair(b[0], b[1]);
  });
  std::vector<Vector2d> hull;
  for (int pass = 0; pass < 2; ++pass) {
    const std::size_t begin = hull.size();
    for (const Vector2d& p : points) {
      while (hull.size() >= begin + 2 && cross(hull[hull.size() - 2], hull.back(), p) <= 0.0) {
        hull.pop_back();
      }
      hull.push_back(p);
    }
    hull.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return hull;
}

// How much of the line at x lies in one of the polygons.
double LengthAt(const std::vector<std::vector<Vector2d>>& polygons, double x) {
  std::vector<std::array<double, 2>> spans;
  for (const std::vector<Vector2d>& polygon : polygons) {
    double low = 1e300, high = -1e300;
    for (std::size_t n = 0; n < polygon.size(); ++n) {
      const Vector2d &a = polygon[n], &b = polygon[(n + 1) % polygon.size()];
      if ((a[0] - x) * (b[0] - x) > 0.0 || a[0] == b[0]) continue;
      const double y = a[1] + (b[1] - a[1]) * (x - a[0]) / (b[0] - a[0]);
      low = std::min(low, y);
      high = std::max(high, y);
    }
    if (low < high) spans.push_back({low, high});
  }
  std::sort(spans.begin(), spans.end());
  double sum = 0.0, covered = -1e300;
  for (const auto& [low, high] : spans) {
    sum += std::max(0.0, high - std::max(low, covered));
    covered = std::max(covered, high);
  }
  return sum;
}

// The area of a union of polygons: between corners and crossings lengths are linear.
double AreaOfUnion(const std::vector<std::vector<Vector2d>>& polygons) {
  std::vector<std::array<Vector2d, 2>> sides;
  std::vector<double> places;
  for (const std::vector<Vector2d>& polygon : polygons) {
    for (std::size_t n = 0; n < polygon.size(); ++n) {
      sides.push_back({polygon[n], polygon[(n + 1) % polygon.size()]});
      places.push_back(polygon[n][0]);
    }
  }
  for (std::size_t m = 0; m < sides.size(); ++m) {
    for (std::size_t n = 0; n < m; ++n) {
      const Vector2d d = sides[m][1] - sides[m][0], e = sides[n][1] - sides[n][0];
      const Vector2d gap = sides[n][0] - sides[m][0];
      const double determinant = d[0] * e[1] - d[1] * e[0];
      if (determinant == 0.0) continue;
      const double t = (gap[0] * e[1] - gap[1] * e[0]) / determinant;
      if (t > 0.0 && t < 1.0) places.push_back(sides[m][0][0] + t * d[0]);
    }
  }
  std::sort(places.begin(), places.end());
  double sum = 0.0;
  for (std::size_t n = 1; n < places.size(); ++n) {
    sum += (places[n] - places[n - 1]) * LengthAt(polygons, 0.5 * (places[n] + places[n - 1]));
  }
  return sum;
}

// Hundreds of edges behind each other, seen along z.
TEST(ContourCrossings, HeapsOfBoxesAsUnionsOfPolygons) {
  Random random(71);
  int found = 0;
  for (int n = 0; n < 20; ++n) {
    SCOPED_TRACE(n);
    std::vector<Solid> boxes;
    std::vector<std::vector<Vector2d>> polygons;
    for (int k = 0; k < 30; ++k) {
      const Vector3d size = random.UniformVector(0.1, 0.5);
      const Pose X = random.PoseAt(random.UniformVector(-0.5, 0.5));
      std::vector<Vector2d> corners;
      for (int c = 0; c < 8; ++c) {
        const Vector3d corner((c & 1) - 0.5, (c >> 1 & 1) - 0.5, (c >> 2) - 0.5);
        corners.push_back((X.Rotation() * corner.cwiseProduct(size) + X.t).head<2>());
      }
      boxes.push_back(Box(size).Posed(X));
      polygons.push_back(HullAlongZ(corners));
    }
    const std::optional<double> area = ProjectionAlongZ(Union(boxes), 1.2);
    if (!area) continue;
    ++found;
    EXPECT_NEAR(*area, AreaOfUnion(polygons), 1e-10);
  }
  EXPECT_GE(found, 18);
}

}  // namespace
}  // namespace volcontact::testing
