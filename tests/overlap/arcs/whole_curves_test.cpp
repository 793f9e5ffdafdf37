#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "math/minimal_rotation.h"
#include "overlap/arcs/curves/curve_crossings.h"
#include "overlap/arcs/curves/function_zeros.h"
#include "overlap/arcs/curves/quadric_curves.h"
#include "overlap/arcs/edges/edges.h"
#include "overlap/arcs/faces/face_form.h"
#include "overlap/arcs/sums_testing.h"
#include "support/random_solids.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::whole_curves_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using std::numbers::pi;

constexpr std::uint64_t kCurvesSeed = 29;

Pose PoseNear(Random* random, double distance) {
  return random->PoseAt(random->UniformVector(-distance, distance));
}

// One surface each, infinite cones without the planes at their ends. The apex of a slender cone is
// far off: 25 to 500 times the cube.
Solid SomeSurface(Random* random, int kind) {
  switch (kind) {
    case 0:
      return HalfSpace();
    case 1:
      return InfiniteCylinder(random->Uniform(0.2, 0.9));
    case 2:
      return Cone(random->Uniform(0.3, 1.0), random->Uniform(0.4, 1.5));
    case 3:
      return Sphere(random->Uniform(0.3, 1.0));
    case 4:
      return Ellipsoid(random->UniformVector(0.3, 1.0));
    default: {
      const double radius = random->Uniform(0.3, 0.8);
      return Cone(radius, 1.0, radius - std::pow(10.0, random->Uniform(-2.8, -1.7)));
    }
  }
}

// Surfaces of given kinds, in the cube.
struct Surfaces {
  LocalProblem problem;
  std::vector<CurveSurface> prepared;

  Surfaces(Random* random, const std::vector<int>& kinds) {
    std::vector<Solid> solids;
    for (const int kind : kinds) {
      solids.push_back(SomeSurface(random, kind).Posed(PoseNear(random, 0.5)));
    }
    Prepare(solids, random->UniformVector(0.8, 1.2));
  }
  explicit Surfaces(const std::vector<Solid>& solids) { Prepare(solids, Vector3d::Ones()); }

  // The first surface of each that is no plane, if there is one.
  void Prepare(const std::vector<Solid>& solids, const Vector3d& half) {
    SurfaceSet set;
    for (const Solid& one : solids) {
      const ImplicitSolid solid = Compile(one);
      std::size_t wanted = 0;
      while (wanted + 1 < solid.kinds.size() && solid.kinds[wanted] == SurfaceKind::kPlane) {
        ++wanted;
      }
      set.surfaces.push_back(solid.surfaces[wanted]);
      set.kinds.push_back(solid.kinds[wanted]);
      set.owners.push_back(Owner::kA);
    }
    set.expression = Compile(Sphere(1.0)).expression;
    Localize(set, LocalFrame{Rigid(), half}, &problem);
    for (std::size_t n = 0; n < set.surfaces.size(); ++n) {
      prepared.emplace_back(problem.surfaces[n], set.kinds[n]);
    }
  }
  double Psi(int surface, const Vector3d& p) const {
    Vector3d gradient;
    return EvaluateSurface(problem.surfaces[surface], p, &gradient);
  }
};

// At n places, without the ends.
std::vector<double> PlacesOn(const WholeCurve& curve, int n) {
  std::vector<double> places;
  for (int k = 0; k < n; ++k) {
    places.push_back(curve.from + (curve.to - curve.from) * (k + 0.37) / n);
  }
  return places;
}

// Points of whole curves lie on both surfaces, and the derivative is that of the points.
TEST(WholeCurves, LieOnBothSurfaces) {
  Random random(kCurvesSeed);
  int found = 0;
  for (int first = 0; first < 6; ++first) {
    for (int second = 0; second < 6; ++second) {
      for (int n = 0; n < 12; ++n) {
        const Surfaces surfaces(&random, {first, second});
        std::vector<WholeCurve> curves;
        if (!AddCurves(surfaces.prepared[0], surfaces.prepared[1], &curves)) continue;
        for (const WholeCurve& curve : curves) {
          ++found;
          for (const double t : PlacesOn(curve, 40)) {
            const CurvePoint here = curve.At(t);
            // Far off nothing is looked at.
            if (!(here.p.cwiseAbs().maxCoeff() < 1.0)) continue;
            EXPECT_NEAR(surfaces.Psi(0, here.p), 0.0, 1e-12) << first << ' ' << second;
            EXPECT_NEAR(surfaces.Psi(1, here.p), 0.0, 1e-12) << first << ' ' << second;
            constexpr double h = 1e-5;
            const Vector3d slope = (curve.At(t + h).p - curve.At(t - h).p) / (2.0 * h);
            const double size = 1.0 + here.derivative.norm();
            EXPECT_LE((slope - here.derivative).norm(), 1e-6 * size * size * size)
                << first << ' ' << second << " at " << t;
          }
        }
      }
    }
  }
  EXPECT_GE(found, 300);
}

// A point of a curve tells its parameter, beside others too; a point off the curve tells none.
TEST(WholeCurves, ParameterOfPoint) {
  Random random(kCurvesSeed + 5);
  int found = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Surfaces surfaces(&random, {trial % 6, trial / 6 % 6});
    std::vector<WholeCurve> curves;
    if (!AddCurves(surfaces.prepared[0], surfaces.prepared[1], &curves)) continue;
    for (const WholeCurve& curve : curves) {
      if (!curve.HasPointsAt()) continue;
      for (const double t : PlacesOn(curve, 25)) {
        const CurvePoint here = curve.At(t);
        if (!(here.p.cwiseAbs().maxCoeff() < 1.0)) continue;
        ++found;
        const std::optional<double> told = curve.ParameterOf(here.p, 1e-9);
        ASSERT_TRUE(told.has_value()) << trial << " at " << t;
        EXPECT_NEAR(*told, t, 1e-7) << trial;
        EXPECT_LE((curve.At(*told).p - here.p).norm(), 1e-11) << trial << " at " << t;
        const Vector3d beside = here.derivative.unitOrthogonal();
        EXPECT_FALSE(curve.ParameterOf(here.p + 1e-7 * beside, 1e-9)) << trial << " at " << t;
      }
    }
  }
  EXPECT_GE(found, 2000);
}

// Four points at a time, and what they add to the sums of the faces beside a curve, have the bits
// of each by itself.
TEST(WholeCurves, AreTheSameForSeveralPoints) {
  Random random(kCurvesSeed + 3);
  int found = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Surfaces surfaces(&random, {trial % 5, trial / 5 % 5});
    Edges edges;
    if (!AddCurves(surfaces.prepared[0], surfaces.prepared[1], &edges.curves)) continue;
    for (std::size_t n = 0; n < edges.curves.size(); ++n) {
      ++found;
      const double from = edges.curves[n].from, to = edges.curves[n].to;
      EdgePiece piece{0, 1};
      piece.curve = static_cast<int>(n);
      piece.from = from;
      piece.to = to;
      const Lanes places(0.11, 0.37, 0.59, 0.83);
      CurvePoints points;
      ASSERT_TRUE(edges.PointsOn(surfaces.problem, piece, places, &points));
      for (const CurveSurface& surface : surfaces.prepared) {
        const std::vector<Vector3d> on_edges = {edges.curves[n].At(from).p};
        const FaceForm form(*surface.surface, surface.kind, on_edges);
        LaneSums sums = {};
        form.Evaluate(points, false, &sums);
        for (std::size_t k = 0; k < Lanes::kCount; ++k) {
          CurvePoint point;
          BoundarySums one;
          ASSERT_TRUE(edges.PointOn(surfaces.problem, piece, places.x[k], &point));
          form.Evaluate(point.p, point.derivative, false, &one);
          for (int s = 0; s < BoundarySums::kSize; ++s) {
            if (!std::isfinite(one.s[s])) continue;
            EXPECT_EQ(sums[s].x[k], one.s[s]) << trial << " " << s;
          }
        }
      }
    }
  }
  EXPECT_GE(found, 30);
}

// How often a function changes its sign at many places from one to another.
int SignChanges(const std::function<double(double)>& f, double from, double to) {
  constexpr int kSamples = 4000;
  int changes = 0;
  bool positive = f(from) > 0.0;
  for (int n = 1; n <= kSamples; ++n) {
    const bool now = f(from + (to - from) * n / kSamples) > 0.0;
    changes += now != positive ? 1 : 0;
    positive = now;
  }
  return changes;
}

TEST(WholeCurves, ZerosOfTrigonometricPolynomials) {
  Random random(kCurvesSeed + 1);
  for (int n = 0; n < 300; ++n) {
    TrigPolynomial f;
    for (double& c : f) c = random.Uniform(-1.0, 1.0);
    if (n % 3 == 0) f[3] = f[4] = 0.0;
    const double from = random.Uniform(-3.0, 3.0), to = from + random.Uniform(0.1, 2.0 * pi);
    double slope;
    const auto at = [&](double t) { return EvaluateTrig(f, std::cos(t), std::sin(t), &slope); };
    std::vector<double> zeros;
    ASSERT_TRUE(FindTrigZeros(f, 1e-13, from, to, DoubleZeros::kRefused, &zeros)) << n;
    EXPECT_EQ(static_cast<int>(zeros.size()), SignChanges(at, from, to)) << n;
    for (const double t : zeros) {
      EXPECT_TRUE(t >= from && t < to);
      EXPECT_NEAR(at(t), 0.0, 1e-13);
    }
  }
}

// Products of two factors with known zeros, of which two are near each other, wherever the places
// are at which the search begins.
TEST(WholeCurves, PairsOfZerosNearEachOther) {
  Random random(kCurvesSeed + 5);
  for (int n = 0; n < 3000; ++n) {
    const double near = std::pow(10.0, random.Uniform(-4.0, 0.0)),
                 a = random.Uniform(0.0, 2.0 * pi);
    const double r = random.Uniform(0.2, 2.0), q = n % 2 == 0 ? near : random.Uniform(0.2, 1.0);
    const double b = a + r + q + (n % 2 == 0 ? random.Uniform(0.2, 0.8) : near);
    // (cos(t − a) − cos r) (cos(t − b) − cos q)
    const double ca = std::cos(a), sa = std::sin(a), cb = std::cos(b), sb = std::sin(b);
    const double cr = std::cos(r), cq = std::cos(q);
    const TrigPolynomial f = {cr * cq + 0.5 * (ca * cb + sa * sb), -cr * cb - cq * ca,
                              -cr * sb - cq * sa, 0.5 * (ca * cb - sa * sb),
                              0.5 * (ca * sb + sa * cb)};
    const double from = random.Uniform(0.0, 2.0 * pi);
    std::vector<double> zeros, wanted = {a - r, a + r, b - q, b + q};
    for (double& t : wanted) t -= 2.0 * pi * std::floor((t - from) / (2.0 * pi));
    std::sort(wanted.begin(), wanted.end());
    ASSERT_TRUE(FindTrigZeros(f, 1e-15, from, from + 2.0 * pi, DoubleZeros::kRefused, &zeros)) << n;
    std::sort(zeros.begin(), zeros.end());
    ASSERT_EQ(zeros.size(), 4u) << n;
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(zeros[k], wanted[k], 1e-7) << n;
  }
}

TEST(WholeCurves, DoubleZerosAreRefusedOrToldOnce) {
  Random random(kCurvesSeed + 2);
  for (int n = 0; n < 50; ++n) {
    // (1 − cos(t − a)) (2 + cos t), of which one factor has a double zero.
    const double a = random.Uniform(0.2, 6.0), c = std::cos(a), s = std::sin(a);
    std::vector<double> zeros;
    EXPECT_FALSE(FindTrigZeros({1.0, -c, -s, 0.0, 0.0}, 1e-13, 0.0, 2.0 * pi, DoubleZeros::kRefused,
                               &zeros));
    const TrigPolynomial product = {2.0 - 0.5 * c, 1.0 - 2.0 * c, -2.0 * s, -0.5 * c, -0.5 * s};
    EXPECT_FALSE(FindTrigZeros(product, 1e-13, 0.0, 2.0 * pi, DoubleZeros::kRefused, &zeros)) << a;
    for (const TrigPolynomial& f : {TrigPolynomial{1.0, -c, -s, 0.0, 0.0}, product}) {
      zeros.clear();
      ASSERT_TRUE(FindTrigZeros(f, 1e-13, 0.0, 2.0 * pi, DoubleZeros::kOnce, &zeros)) << a;
      EXPECT_FALSE(zeros.empty()) << a;
      for (const double t : zeros) EXPECT_NEAR(t, a, 1e-6);
    }
  }
  std::vector<double> zeros;
  EXPECT_FALSE(FindTrigZeros({}, 1e-13, 0.0, 1.0, DoubleZeros::kOnce, &zeros));
}

TEST(WholeCurves, ZerosOfSmoothFunctions) {
  Random random(kCurvesSeed + 3);
  for (int n = 0; n < 100; ++n) {
    const double w = random.Uniform(1.0, 6.0), shift = random.Uniform(-0.8, 0.8);
    const auto at = [&](double t) {
      return FunctionSample{t, std::sin(w * t) + shift, w * std::cos(w * t)};
    };
    std::vector<double> zeros;
    ASSERT_TRUE(
        FindZeros(at, at(0.1), at(2.9), w * w * w * w, 1e-13, DoubleZeros::kRefused, 0, &zeros));
    EXPECT_EQ(static_cast<int>(zeros.size()),
              SignChanges([&](double t) { return at(t).f; }, 0.1, 2.9));
    EXPECT_TRUE(std::is_sorted(zeros.begin(), zeros.end()));
    for (const double t : zeros) EXPECT_NEAR(at(t).f, 0.0, 1e-13);
  }
  const auto square = [](double t) {
    return FunctionSample{t, (t - 0.3) * (t - 0.3), 2.0 * (t - 0.3)};
  };
  std::vector<double> zeros;
  EXPECT_FALSE(
      FindZeros(square, square(0.0), square(1.0), 0.0, 1e-13, DoubleZeros::kRefused, 0, &zeros));
  EXPECT_TRUE(
      FindZeros(square, square(0.0), square(1.0), 0.0, 1e-13, DoubleZeros::kOnce, 0, &zeros));
  ASSERT_EQ(zeros.size(), 1u);
  EXPECT_NEAR(zeros[0], 0.3, 1e-9);
}

// Where third surfaces cross curves, no sample sees more, and all are zeros.
TEST(WholeCurves, CrossingsAreThoseThatSamplesSee) {
  Random random(kCurvesSeed + 4);
  int crossings = 0;
  for (int n = 0; n < 150; ++n) {
    const Surfaces surfaces(&random, {n % 5, n / 5 % 5, n / 25 % 5});
    std::vector<WholeCurve> curves;
    if (!AddCurves(surfaces.prepared[0], surfaces.prepared[1], &curves)) continue;
    for (const WholeCurve& curve : curves) {
      constexpr int kParts = 4;
      for (int part = 0; part < kParts; ++part) {
        const double from = curve.from + (curve.to - curve.from) * part / kParts;
        const double to = curve.from + (curve.to - curve.from) * (part + 1) / kParts;
        CurveCrossings finder;
        finder.Begin(curve, from, to);
        Cell box;
        if (!finder.BoxOf(&box)) continue;
        // psi is not smooth where a cone's curve goes to infinity.
        const auto far = [&](int k) { return curve.At(from + k * (to - from) / 60).p.norm(); };
        bool is_near = true;
        for (int k = 0; k <= 60; ++k) is_near &= far(k) < 3.0;
        if (!is_near) continue;
        std::vector<double> found;
        const auto result = finder.Find(surfaces.prepared[2], &found);
        if (result == CurveCrossings::Result::kUnknown) continue;
        EXPECT_EQ(result == CurveCrossings::Result::kFound, !found.empty());
        const auto psi = [&](double t) { return surfaces.Psi(2, curve.At(t).p); };
        EXPECT_EQ(static_cast<int>(found.size()), SignChanges(psi, from, to)) << "case " << n;
        for (const double t : found) EXPECT_NEAR(psi(t), 0.0, 1e-10);
        crossings += static_cast<int>(found.size());
      }
    }
  }
  EXPECT_GE(crossings, 100);
}

ArcMethodResult SumOf(const Solid& A, const Solid& B, double tolerance, bool whole_curves) {
  ArcMethodOptions options;
  options.tolerance = tolerance;
  options.whole_curves = whole_curves;
  return SumEdgesOf(A, B, options);
}

// All integrals by whole curves are those by cells; true where there was something to compare.
bool ExpectSameByCells(const Solid& A, const Solid& B, const std::string& label,
                       bool* by_curves = nullptr) {
  constexpr double kTolerance = 1e-9;
  const ArcMethodResult curves = SumOf(A, B, kTolerance, true),
                        cells = SumOf(A, B, kTolerance, false);
  if (by_curves) *by_curves = curves.cells == 0;
  EXPECT_EQ(curves.failure, cells.failure) << label;
  if (cells.failure != ArcFailure::kNone || !cells.raw.converged) return false;
  EXPECT_TRUE(curves.raw.converged) << label;
  const SumsInA by_curves_A(curves.raw), by_cells_A(cells.raw);
  const VolumeMoments &actual = by_curves_A.moments, &expected = by_cells_A.moments;
  const double volume = expected.volume;
  EXPECT_NEAR(actual.volume, volume, 2.0 * kTolerance * volume) << label;
  if (volume == 0.0) return true;
  const Matrix3d second = expected.CentralSecond();
  const double size = std::sqrt(second.trace() / volume);
  EXPECT_LE((actual.Centroid() - expected.Centroid()).norm(), 2.0 * kTolerance * size) << label;
  // Those of a contact of 1e-14 of the cube scatter by cells, with roundings.
  EXPECT_LE((actual.CentralSecond() - second).norm(), 10.0 * kTolerance * second.norm()) << label;
  const double noise = std::max(curves.raw.area_noise, cells.raw.area_noise);
  EXPECT_LE((by_curves_A.area - by_cells_A.area).norm(), 100.0 * noise) << label;
  // Where no area tells the normal, the axis of the projection is any.
  const Vector3d axis = curves.raw.X_AC.RotationDouble() * ProjectionAxis(curves.raw),
                 of_cells = cells.raw.X_AC.RotationDouble() * ProjectionAxis(cells.raw);
  if (std::abs(axis.dot(of_cells)) > 1.0 - 1e-12) {
    EXPECT_NEAR(curves.raw.projected_area / cells.raw.projected_area, 1.0, 1e-6) << label;
  }
  return true;
}

struct NamedSolid {
  const char* name;
  Solid (*make)(Random* random);
};

constexpr NamedSolid kSolids[] = {
    {"box",
     [](Random* r) {
       const Vector3d size = r->UniformVector(0.6, 2.0);
       return Box({size.x(), size.y(), size.z()});
     }},
    {"sphere", [](Random* r) { return Sphere(r->Uniform(0.4, 1.0)); }},
    {"ellipsoid", [](Random* r) { return Ellipsoid(r->UniformVector(0.3, 1.0)); }},
    {"cylinder", [](Random* r) { return Cylinder(r->Uniform(0.2, 0.7), r->Uniform(0.5, 2.0)); }},
    {"cone", [](Random* r) { return Cone(r->Uniform(0.3, 1.0), r->Uniform(0.5, 1.5)); }},
    {"frustum", [](Random* r) { return Cone(r->Uniform(0.5, 1.0), 1.2, r->Uniform(0.1, 0.4)); }},
    {"drilled",
     [](Random* r) {
       return Difference(Box({1.6, 1.4, 1.2}),
                         {Cylinder(r->Uniform(0.1, 0.4), 4.0).Posed(PoseNear(r, 0.3))});
     }},
};

// Where a wide cylinder passes a cone's axis, parallel to it, at a small distance, their curve
// turns around at once: a plane across crosses it twice, however small the turn.
TEST(WholeCurves, CrossingsOnNarrowTurns) {
  for (const double distance : {0.1, 0.03, 1e-2, 3e-3, 1e-3}) {
    const double radius = 16.0, height = 2.0 * distance;
    const Vector3d apex(0.2, -0.3, -0.4);
    const auto moved = [&apex](const Solid& solid, const Vector3d& by) {
      return solid.Posed(MakePose(Matrix3d::Identity(), apex + by));
    };
    const Surfaces surfaces({moved(InfiniteCylinder(radius), {radius + distance, 0.0, 0.0}),
                             moved(Cone(1.0, 1.0), {0.0, 0.0, -1.0}),
                             moved(HalfSpace(), {0.0, 0.0, -height})});
    std::vector<WholeCurve> curves;
    ASSERT_TRUE(AddCurves(surfaces.prepared[0], surfaces.prepared[1], &curves));
    std::vector<double> parameters;
    std::vector<Vector3d> found;
    for (const WholeCurve& curve : curves) {
      const double step = (curve.to - curve.from) / 4.0;
      for (int n = 0; n < 4; ++n) {
        CurveCrossings crossings;
        crossings.Begin(curve, curve.from + n * step, curve.from + (n + 1) * step);
        Cell box;
        if (!crossings.BoxOf(&box)) continue;
        parameters.clear();
        ASSERT_NE(crossings.Find(surfaces.prepared[2], &parameters),
                  CurveCrossings::Result::kUnknown);
        for (const double t : parameters) found.push_back(curve.At(t).p - apex);
      }
    }
    ASSERT_EQ(found.size(), 2u) << distance;
    // (x − radius − distance)² + y² = radius², x² + y² = height².
    const double x = (height * height + 2.0 * radius * distance + distance * distance) /
                     (2.0 * (radius + distance));
    const double y = std::sqrt(height * height - x * x);
    for (const Vector3d& p : found) {
      EXPECT_LT((Vector3d(p.x(), std::abs(p.y()), p.z()) - Vector3d(x, y, -height)).norm(), 1e-10);
    }
    EXPECT_LT(found[0].y() * found[1].y(), 0.0);
  }
}

TEST(WholeCurves, DeepOverlapsAsByCells) {
  Random random(kCurvesSeed + 5);
  int compared = 0, by_curves = 0;
  for (const NamedSolid& a : kSolids) {
    for (const NamedSolid& b : kSolids) {
      const Solid A = a.make(&random).Posed(PoseNear(&random, 0.3));
      const Solid B = b.make(&random).Posed(PoseNear(&random, 0.5));
      bool used;
      compared += ExpectSameByCells(A, B, std::string(a.name) + ' ' + b.name, &used) ? 1 : 0;
      by_curves += used ? 1 : 0;
    }
  }
  EXPECT_GE(compared, 45);
  EXPECT_GE(by_curves, 30);
}

// The lowest points of solids dip into what has a plane, a ball, or a cylinder at the top.
TEST(WholeCurves, ThinOverlapsAsByCells) {
  Random random(kCurvesSeed + 6);
  int compared = 0;
  for (const double depth : {1e-1, 1e-3, 1e-6}) {
    const Solid grounds[] = {
        Box({4.0, 4.0, 1.0}).Posed({{0.0, 0.0, -0.5}, {1.0, 0.0, 0.0, 0.0}}),
        Sphere(1.5).Posed({{0.0, 0.0, -1.5}, {1.0, 0.0, 0.0, 0.0}}),
        Cylinder(0.8, 3.0).Posed(AxisAngle(Vector3d::UnitY(), 0.5 * pi, {0.0, 0.0, -0.8}))};
    for (const Solid& ground : grounds) {
      const double r = random.Uniform(0.2, 0.5);
      const double tilt = random.Uniform(0.2, 1.2), turn = random.Uniform(0.0, 6.0);
      const auto at = [&](double height) {
        return Compose(
            {{0.0, 0.0, height}, {1.0, 0.0, 0.0, 0.0}},
            Compose(AxisAngle(Vector3d::UnitZ(), turn), AxisAngle(Vector3d::UnitX(), tilt)));
      };
      const Solid dipping[] = {
          Sphere(r).Posed(at(r - depth)),
          Cylinder(r, 1.0).Posed(at(0.5 * std::cos(tilt) + r * std::sin(tilt) - depth)),
          Ellipsoid({r, r, 0.4})
              .Posed(at(std::hypot(r * std::sin(tilt), 0.4 * std::cos(tilt)) - depth))};
      for (const Solid& solid : dipping) {
        compared += ExpectSameByCells(solid, ground, "depth " + std::to_string(depth)) ? 1 : 0;
      }
    }
  }
  EXPECT_GE(compared, 20);
}

// A curved solid, turned at random, whose highest point is the origin.
Solid WithTopAtOrigin(Random* random, int kind) {
  const Pose turn = random->PoseAt(Vector3d::Zero());
  const Vector3d up = turn.Rotation().transpose() * Vector3d::UnitZ();
  Solid solid = Sphere(1.0);
  Vector3d top = Vector3d::Zero();  // in the solid's frame
  if (kind == 0) {
    const double r = random->Uniform(0.1, 2.0);
    solid = Sphere(r);
    top = r * up;
  } else if (kind == 1) {
    const Vector3d axes = random->UniformVector(0.2, 1.0);
    solid = Ellipsoid({axes.x(), axes.y(), axes.z()});
    top = axes.cwiseAbs2().cwiseProduct(up) / axes.cwiseProduct(up).norm();
  } else {
    // On its side, a little away from the middle.
    const double r = random->Uniform(0.1, 1.0), angle = random->Uniform(0.0, 6.0);
    const Vector3d side(std::cos(angle), std::sin(angle), 0.0);
    const Eigen::Quaterniond lie = MinimalRotation(side, Vector3d::UnitZ());
    const Eigen::Quaterniond yaw(Eigen::AngleAxisd(angle, Vector3d::UnitZ()));
    const Eigen::Quaterniond q = yaw * lie;
    const double along = random->Uniform(-0.3, 0.3);
    solid = Cylinder(r, 4.0);
    const Vector3d p = q * (r * side + Vector3d(0.0, 0.0, along));
    return solid.Posed({-p, {q.w(), q.x(), q.y(), q.z()}});
  }
  return solid.Posed({-(turn.Rotation() * top), turn.q});
}

// Two curved solids a little in each other meet in one loop.
TEST(WholeCurves, LoopsOfShallowContactsAsByCells) {
  Random random(kCurvesSeed + 8);
  int compared = 0, by_curves = 0;
  for (int k = 0; k < 36; ++k) {
    const double depth = std::pow(10.0, random.Uniform(-7.0, -1.5));
    const Solid upper = WithTopAtOrigin(&random, k % 3),
                lower = WithTopAtOrigin(&random, k / 3 % 3);
    const Pose X = random.PoseAt(random.UniformVector(-1.0, 1.0));
    const Pose over = Compose(X, {{0.0, 0.0, -depth}, {0.0, 1.0, 0.0, 0.0}});
    bool used = false;
    compared +=
        ExpectSameByCells(upper.Posed(over), lower.Posed(X), "case " + std::to_string(k), &used);
    const ArcMethodResult thin = SumOf(upper.Posed(over), lower.Posed(X), 1e-9, true);
    const ArcMethodResult cells = SumOf(upper.Posed(over), lower.Posed(X), 1e-9, false);
    by_curves += thin.cells < cells.cells ? 1 : 0;
  }
  EXPECT_GE(compared, 34);
  EXPECT_GE(by_curves, 30);
}

// Where surfaces touch, coincide or share an edge, whole curves are not believed, or right.
TEST(WholeCurves, DegeneratePosesAsByCells) {
  const double quarter = 0.5 * pi;
  const auto shifted = [](double x, double y, double z) {
    return Pose{{x, y, z}, {1.0, 0.0, 0.0, 0.0}};
  };
  const Pose crossed = AxisAngle(Vector3d::UnitX(), quarter);
  const Solid bored = Difference(Box({2.0, 2.0, 2.0}), {Cylinder(0.4, 4.0)});
  const std::vector<std::pair<const char*, std::pair<Solid, Solid>>> cases = {
      {"capsule on its cap",
       {Capsule(0.3, 1.0).Posed(shifted(0.0, 0.0, 0.7)), Box({2.0, 2.0, 0.2})}},
      {"capsule lying",
       {Capsule(0.3, 1.0).Posed(AxisAngle(Vector3d::UnitY(), quarter)),
        Box({4.0, 4.0, 1.0}).Posed(shifted(0.0, 0.0, -0.6))}},
      {"flush boxes", {Box({2.0, 1.0, 1.0}), Box({1.0, 1.0, 1.0})}},
      {"box on a face", {Box({1.0, 1.0, 1.0}), Box({1.0, 1.0, 1.0}).Posed(shifted(0.3, 0.0, 1.0))}},
      {"same cylinder", {Cylinder(0.5, 1.0), Cylinder(0.5, 1.0).Posed(shifted(0.0, 0.0, 0.25))}},
      {"same sphere", {Sphere(0.5), Sphere(0.5)}},
      {"equal cylinders across", {Cylinder(0.5, 2.0), Cylinder(0.5, 2.0).Posed(crossed)}},
      {"equal cylinders askew",
       {Cylinder(0.5, 3.0), Cylinder(0.5, 3.0).Posed(AxisAngle(Vector3d::UnitX(), 0.7))}},
      {"ball in a bore", {bored, Sphere(0.4)}},
      {"larger ball in a bore", {bored, Sphere(0.45)}},
      {"rod in its bore", {bored, Cylinder(0.4, 1.0)}},
      {"ball touching walls", {Box({1.0, 1.0, 1.0}), Sphere(0.5)}},
      {"cone in its own", {Cone(0.5, 1.0), Cone(0.5, 1.0).Posed(shifted(0.0, 0.0, 0.1))}},
      {"apex on a plane", {Cone(0.5, 1.0), Box({2.0, 2.0, 1.0})}},
      {"cylinder along an edge",
       {Box({1.0, 1.0, 1.0}), Cylinder(0.25, 1.0).Posed(shifted(0.5, 0.5, 0.0))}},
      {"cylinder touching a wall",
       {Box({1.0, 1.0, 1.0}), Cylinder(0.25, 2.0).Posed(shifted(0.25, 0.0, 0.0))}},
      {"balls nearly touching inside", {Sphere(0.5), Sphere(0.3).Posed(shifted(0.2 + 1e-9, 0, 0))}},
  };
  int compared = 0;
  for (const auto& [name, solids] : cases) {
    compared += ExpectSameByCells(solids.first, solids.second, name) ? 1 : 0;
  }
  EXPECT_GE(compared, 12);
}

// The outline of the cylinder, seen across the plane that halves it, is where the plane cuts it.
TEST(WholeCurves, OutlinesAlongEdges) {
  for (const double off : {0.0, 1e-14, 1e-8, 1e-5}) {
    const Solid half =
        Intersection({Cylinder(0.25, 2.0), HalfSpace()
                                               .Posed({{0.0, 0.0, off}, {1.0, 0.0, 0.0, 0.0}})
                                               .Posed(AxisAngle(Vector3d::UnitX(), 0.5 * pi))});
    const ArcMethodResult result = SumOf(half, Box({1.0, 0.6, 1.0}), 1e-6, true);
    ASSERT_EQ(result.failure, ArcFailure::kNone);
    const double projection = result.raw.projected_area;
    EXPECT_NEAR(projection, 0.5, 4e-5) << off;
  }
}

// A ball as wide as the bore that it is in: nothing is there, however thin the frame.
TEST(WholeCurves, NothingOfABallInItsBore) {
  const Pose across = AxisAngle(Vector3d::UnitX(), 0.5 * pi);
  for (const double width : {0.4, 0.5, 1.0}) {
    const Solid bored =
        Difference(Cylinder(width, 2.0),
                   {Cylinder(0.25, 4.0).Posed(across),
                    Cylinder(0.25, 4.0).Posed({{0.0, 0.25, 0.0}, {1.0, 0.0, 0.0, 0.0}})});
    EXPECT_EQ(SumOf(bored, Sphere(0.25), 1e-6, true).raw.moments.volume, 0.0) << width;
  }
}

// Infinite cylinders of one radius whose axes meet: 16 r³ / (3 sin θ), at any angle.
TEST(PlanePair, EqualCylindersCrossAtAnyAngle) {
  Random random(kCurvesSeed + 11);
  for (const double angle : {1.3, 0.2, 1e-2, 1e-3, 1e-4}) {
    const double r = random.Uniform(0.3, 0.8), height = 6.0 * r / angle;
    const Pose X = PoseNear(&random, 1.0);
    const Solid A = Cylinder(r, height).Posed(X);
    const Solid B = Cylinder(r, height).Posed(AxisAngle(random.UnitVector(), 0.0));
    const Solid turned =
        B.Posed(AxisAngle(Vector3d(std::cos(0.3), std::sin(0.3), 0.0), angle)).Posed(X);
    const ArcMethodResult result = SumEdgesOf(A, turned, {.tolerance = 1e-9});
    ASSERT_EQ(result.failure, ArcFailure::kNone) << angle << ": " << Describe(result.failure);
    const double volume = 16.0 * r * r * r / (3.0 * std::sin(angle));
    EXPECT_NEAR(result.raw.moments.volume, volume, 2e-9 * volume) << angle;
    EXPECT_EQ(result.cells, 0) << angle;
  }
}

// An ellipsoid and itself, turned about an axis of its own: the curves cross at both ends of that.
TEST(PlanePair, EllipsoidTurnedInItsPlace) {
  Random random(kCurvesSeed + 12);
  const Vector3d axes(0.9, 0.6, 0.5);
  for (const double angle : {1.0, 0.1, 1e-3}) {
    const Pose X = PoseNear(&random, 0.5);
    const Solid A = Ellipsoid(axes).Posed(X);
    const Solid B = Ellipsoid(axes).Posed(AxisAngle(Vector3d::UnitZ(), angle)).Posed(X);
    const ArcMethodResult result = SumEdgesOf(A, B, {.tolerance = 1e-10});
    ASSERT_EQ(result.failure, ArcFailure::kNone) << angle << ": " << Describe(result.failure);
    // Scaled along z to a ball's height, ellipses in one plane: their common part, of which the
    // polar integral is elementary.
    const double a = axes[0] * axes[0], b = axes[1] * axes[1];
    // In the frame half-way between both, r² = 1 / (p + q |sin 2φ| ...) is found by quadrature.
    double area = 0.0;
    const int steps = 4000;
    for (int quarter = 0; quarter < 4; ++quarter) {
      for (int n = 0; n < steps; ++n) {
        // The minimum of both changes between axes of symmetry at angle/2 + k π/2.
        const double phi = 0.5 * angle + (quarter + (n + 0.5) / steps) * 0.5 * pi;
        const auto square = [&](double at) {
          const double c = std::cos(at), s = std::sin(at);
          return 1.0 / (c * c / a + s * s / b);
        };
        area += 0.5 * std::min(square(phi), square(phi - angle)) * (0.5 * pi / steps);
      }
    }
    const double volume = 4.0 / 3.0 * axes[2] * area;
    EXPECT_NEAR(result.raw.moments.volume, volume, 3e-7 * volume) << angle;
    EXPECT_EQ(result.cells, 0) << angle;
  }
}

// A ball that touches the caps of the cylinder that it is joined with, from inside, in any pose:
// the sum is that of the cylinder and two caps of the ball beyond its side, none of which is there
// at the poles.
TEST(WholeCurves, BallsThatTouchCapsFromInside) {
  Random random(kCurvesSeed + 13);
  for (int n = 0; n < 8; ++n) {
    const double R = random.Uniform(0.4, 0.6), r = 0.8 * R;
    const Pose X = PoseNear(&random, 0.5);
    const Solid joined = Union({Cylinder(r, 2.0 * R), Sphere(R)}).Posed(X);
    const Solid around = Box(Vector3d::Constant(4.0)).Posed(PoseNear(&random, 0.3));
    const ArcMethodResult result = SumEdgesOf(joined, around, {.tolerance = 1e-10});
    ASSERT_EQ(result.failure, ArcFailure::kNone) << Describe(result.failure);
    EXPECT_EQ(result.cells, 0);
    // Beyond the side a ring of the height 2h = 2 √(R² − r²): 4/3 π h³, as Napkin's ring has it.
    const double h = std::sqrt(R * R - r * r);
    const double volume = pi * r * r * 2.0 * R + 4.0 / 3.0 * pi * h * h * h;
    EXPECT_NEAR(result.raw.moments.volume, volume, 1e-10 * volume);
  }
}

}  // namespace
}  // namespace volcontact::testing::whole_curves_test
