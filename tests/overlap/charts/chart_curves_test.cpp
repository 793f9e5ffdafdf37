// Curves of two surfaces on a chart of one: against points of the surfaces, and against sampling.
#include "overlap/charts/chart_curves.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "math/quadrature/gauss_rules.h"
#include "overlap/charts/chart_arc.h"
#include "overlap/charts/surface_chart.h"
#include "support/random_solids.h"

namespace volcontact::testing {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using std::numbers::pi;

constexpr std::uint64_t kSeed = 4711;
const Cell kAllOfIt = {Vector3d::Zero(), Vector3d::Constant(100.0)};

TorusSurface TorusAt(const Vector3d& center, const Vector3d& axis, double major, double minor) {
  return {ToDoubleDouble(center), Normalized(ToDoubleDouble(axis)), major, minor};
}

// (|q|² + R² − r²)² − 4 R² (|q|² − (q·axis)²), in extended precision.
long double PsiOf(const TorusSurface& torus, const Vector3d& p) {
  long double square = 0.0L, height = 0.0L;
  for (int i = 0; i < 3; ++i) {
    const long double q = static_cast<long double>(p[i]) - torus.center[i].hi;
    square += q * q;
    height += q * (static_cast<long double>(torus.axis[i].hi) + torus.axis[i].lo);
  }
  const long double R = torus.major.hi, r = torus.minor.hi;
  const long double sum = square + R * R - r * r;
  return sum * sum - 4.0L * R * R * (square - height * height);
}

double ValueAt(const ChartPair& pair, double u, double v) {
  return TableValues(pair.table, BasisValues(ChartParameter::kAngle, u),
                     BasisValues(pair.chart.v_kind, v))
      .f;
}

LocalSurface RandomQuadric(Random* random) {
  LocalSurface quadric;
  quadric.psi.degree = 2;
  for (int m = 0; m < quadric.psi.size(); ++m) quadric.psi.c[m] = random->Uniform(-1.0, 1.0);
  return quadric;
}

Rulings RandomRulings(bool is_cone, Random* random) {
  const auto vector = [&] { return random->UniformVector(-0.6, 0.6); };
  return {is_cone, vector(), vector(), vector(), vector(), vector(), -1.0, 1.0};
}

// How often the table changes its sign along a line u = t or v = t of the chart, at many places,
// and where the arcs of the curve say that it does.
struct Crossings {
  int sampled = 0, of_arcs = 0;
};
Crossings CrossingsAtU(const ChartPair& pair, const ChartArcs& arcs, double u) {
  Crossings crossings;
  constexpr int kSamples = 4000;
  const SurfaceChart& chart = pair.chart;
  bool is_positive = ValueAt(pair, u, chart.v_from) > 0.0;
  for (int n = 1; n <= kSamples; ++n) {
    const double v = chart.v_from + (chart.v_to - chart.v_from) * n / kSamples;
    const bool now = ValueAt(pair, u, v) > 0.0;
    crossings.sampled += now != is_positive;
    is_positive = now;
  }
  for (std::size_t n = 0; n < arcs.size(); ++n) {
    const ChartArc& arc = arcs[n];
    if (arc.is_over_u) {
      crossings.of_arcs += u >= arc.knots.front().t && u < arc.knots.back().t;
      continue;
    }
    // On graphs over v both parameters are followed from the first knot.
    constexpr int kSteps = 400;
    Eigen::Vector2d followed(arc.knots.front().w, arc.knots.front().t);
    const auto u_at = [&](int k) {
      Vector3d p, derivative;
      arc.At(arc.from() + (arc.to() - arc.from()) * k / kSteps, &p, &derivative);
      for (int step = 0; step < 6; ++step) {
        const ChartPoint at = chart.At(followed[0], followed[1]);
        Eigen::Matrix<double, 3, 2> along;
        along << at.by_u, at.by_v;
        followed += along.colPivHouseholderQr().solve(p - at.p);
      }
      return followed[0];
    };
    double before = u_at(0);
    for (int k = 1; k <= kSteps; ++k) {
      const double after = u_at(k);
      crossings.of_arcs += (before <= u) != (after <= u);
      before = after;
    }
  }
  return crossings;
}

TEST(SurfaceCharts, LieOnTheirTori) {
  Random random(kSeed);
  for (int n = 0; n < 40; ++n) {
    const TorusSurface torus =
        TorusAt(random.UniformVector(-0.5, 0.5), random.UniformVector(-1.0, 1.0), 0.7, 0.2);
    LocalFrame frame;
    frame.half = Vector3d(1.3, 0.7, 1.0);
    const TorusBase base(torus, frame, random.UniformVector(-1.0, 1.0));
    const SurfaceChart chart = ChartOfTorus(base, frame);
    for (int k = 0; k < 20; ++k) {
      const ChartPoint at = chart.At(random.Uniform(-pi, pi), random.Uniform(-pi, pi));
      EXPECT_LE(std::abs(PsiOf(torus, frame.half.cwiseProduct(at.p))), 1e-15L * 8);
    }
  }
}

TEST(ChartTables, AreTheSurfacesOnTheChart) {
  Random random(kSeed + 1);
  for (int n = 0; n < 60; ++n) {
    LocalFrame frame;
    const TorusSurface torus =
        TorusAt(random.UniformVector(-0.5, 0.5), random.UniformVector(-1.0, 1.0), 0.6, 0.25);
    const TorusBase base(torus, frame, random.UniformVector(-1.0, 1.0));
    const SurfaceChart charts[] = {
        ChartOfTorus(base, frame),
        ChartOfEllipsoid(random.UniformVector(-0.3, 0.3),
                         0.6 * random.PoseAt(Vector3d::Zero()).Rotation()),
        ChartOfRulings(RandomRulings(false, &random)),
        ChartOfRulings(RandomRulings(true, &random))};
    const LocalSurface quadric = RandomQuadric(&random);
    for (const SurfaceChart& chart : charts) {
      const ChartPair pair = {chart, TableOf(quadric, chart)};
      for (int k = 0; k < 10; ++k) {
        const double u = random.Uniform(-pi, pi), v = random.Uniform(-1.5, 1.5);
        const Vector3d p = chart.At(u, v).p;
        EXPECT_NEAR(ValueAt(pair, u, v), quadric.psi(p.x(), p.y(), p.z()), 1e-13);
      }
    }
    const TorusSurface other =
        TorusAt(random.UniformVector(-0.5, 0.5), random.UniformVector(-1.0, 1.0), 0.5, 0.3);
    const ChartPair pair = {charts[0], TableOf(TorusBase(other, frame, Vector3d::Zero()), base)};
    for (int k = 0; k < 10; ++k) {
      const double u = random.Uniform(-pi, pi), v = random.Uniform(-pi, pi);
      EXPECT_NEAR(ValueAt(pair, u, v), static_cast<double>(PsiOf(other, charts[0].At(u, v).p)),
                  1e-13);
    }
  }
}

// The table of a torus in one that is wider by a billionth of its thickness is the gap, with most
// digits: at the top of the tube the gap is known in closed form.
TEST(ChartTables, KeepTheDigitsOfNarrowGaps) {
  const double R = 0.5, r = 0.125, gap = std::ldexp(1.0, -33);
  const TorusSurface inner = TorusAt(Vector3d::Zero(), Vector3d::UnitZ(), R, r);
  TorusSurface outer = inner;
  outer.minor = DoubleDouble(r) + DoubleDouble(gap);
  const LocalFrame frame;
  const TorusBase base(inner, frame, Vector3d(R, 0.0, r));
  const ChartTable<double> table = TableOf(TorusBase(outer, frame, Vector3d::Zero()), base);
  // There |q|² = R² + r², and the polynomial is (2 R² + less)² − 4 R⁴.
  const double less = -(2.0 * r * gap + gap * gap);
  EXPECT_NEAR(table[0][0] / (less * (4.0 * R * R + less)), 1.0, 1e-12);
}

TEST(ChartCurves, AreThoseThatSamplingSees) {
  Random random(kSeed + 2);
  int found = 0;
  for (int n = 0; n < 24; ++n) {
    LocalFrame frame;
    const TorusSurface torus =
        TorusAt(Vector3d::Zero(), random.UniformVector(-1.0, 1.0), 0.6, 0.25);
    const TorusBase base(torus, frame, Vector3d::Zero());
    ChartPair pair;
    if (n % 3 == 0) {
      pair.chart = ChartOfTorus(base, frame);
      const TorusSurface other =
          TorusAt(random.UniformVector(-0.3, 0.3), random.UniformVector(-1.0, 1.0), 0.55, 0.2);
      pair.table = TableOf(TorusBase(other, frame, Vector3d::Zero()), base);
    } else {
      pair.chart =
          n % 3 == 1 ? ChartOfTorus(base, frame) : ChartOfRulings(RandomRulings(false, &random));
      pair.table = TableOf(RandomQuadric(&random), pair.chart);
    }
    Normalize(&pair.table);
    ChartArcs arcs;
    ASSERT_TRUE(ChartCurves().Run(pair, 0.0, kAllOfIt, &arcs));
    for (int k = 0; k < 4; ++k) {
      const double u = random.Uniform(pair.chart.u_from, pair.chart.u_to);
      const Crossings crossings = CrossingsAtU(pair, arcs, u);
      EXPECT_EQ(crossings.of_arcs, crossings.sampled) << n << " at " << u;
      found += crossings.sampled;
    }
  }
  EXPECT_GT(found, 40);
}

// The points of arcs are on both surfaces, and the derivative is that of the points.
TEST(ChartCurves, FollowBothSurfaces) {
  Random random(kSeed + 3);
  int points = 0;
  for (int n = 0; n < 20; ++n) {
    LocalFrame frame;
    const TorusSurface torus = TorusAt(Vector3d::Zero(), Vector3d::UnitZ(), 0.6, 0.25);
    const TorusSurface other =
        TorusAt(random.UniformVector(-1e-6, 1e-6),
                Vector3d::UnitZ() + random.UniformVector(-1e-6, 1e-6), 0.6, 0.25);
    const TorusBase base(torus, frame, Vector3d::Zero());
    ChartPair pair = {ChartOfTorus(base, frame),
                      TableOf(TorusBase(other, frame, Vector3d::Zero()), base)};
    Normalize(&pair.table);
    ChartArcs arcs;
    ASSERT_TRUE(ChartCurves().Run(pair, 0.0, kAllOfIt, &arcs));
    for (std::size_t k = 0; k < arcs.size(); ++k) {
      const ChartArc& arc = arcs[k];
      for (const double part : {0.0, 0.3, 0.71, 1.0}) {
        const double t = arc.from() + part * (arc.to() - arc.from());
        Vector3d p, derivative, q;
        arc.At(t, &p, &derivative);
        EXPECT_LE(std::abs(PsiOf(torus, p)), 1e-15L);
        // The tori are 1e-6 apart, and the point is on both all the same.
        EXPECT_LE(std::abs(PsiOf(other, p)), 1e-15L);
        ++points;
      }
    }
  }
  EXPECT_GT(points, 100);
}

// A ball pressed into a race of nearly its shape: a rule of 15 nodes on each arc is as
// good as one on many parts of them, though the thin outline turns back close to their ends.
TEST(ChartCurves, AreSmoothBesideTheirTurns) {
  const LocalFrame frame;
  const TorusSurface race = TorusAt(Vector3d::Zero(), Vector3d::UnitZ(), 0.5, 0.105);
  const TorusBase base(race, frame, Vector3d(0.6, 0.0, 0.0));
  ChartPair pair;
  pair.chart = ChartOfTorus(base, frame);
  for (const double depth : {1e-3, 1e-5}) {
    const double radius = 0.1, x = 0.505 + depth;
    LocalSurface ball;
    ball.psi.degree = 2;
    ball.psi.c[kXX] = ball.psi.c[kYY] = ball.psi.c[kZZ] = 1.0;
    ball.psi.c[kX] = -2.0 * x;
    ball.psi.c[kOne] = x * x - radius * radius;
    pair.table = TableOf(ball, pair.chart);
    ChartArcs arcs;
    ASSERT_TRUE(ChartCurves().Run(pair, 1e-16, kAllOfIt, &arcs));
    const auto length = [&](int parts) {
      double sum = 0.0;
      for (std::size_t k = 0; k < arcs.size(); ++k) {
        const double width = (arcs[k].to() - arcs[k].from()) / parts;
        for (int n = 0; n < 15 * parts; ++n) {
          const double place = n / 15 + 0.5 + 0.5 * internal::kKronrodNodes15[n % 15];
          Vector3d p, derivative;
          arcs[k].At(arcs[k].from() + width * place, &p, &derivative);
          sum += 0.5 * width * internal::kKronrodWeights15[n % 15] * derivative.norm();
        }
      }
      return sum;
    };
    const double exact = length(64);
    EXPECT_GT(exact, depth);
    EXPECT_NEAR(length(1), exact, 1e-6 * exact) << depth;
  }
}

// Surfaces that touch are not settled, and nothing is left behind.
TEST(ChartCurves, GiveUpWhereSurfacesTouch) {
  const LocalFrame frame;
  const TorusSurface torus = TorusAt(Vector3d::Zero(), Vector3d::UnitZ(), 0.5, 0.25);
  const TorusBase base(torus, frame, Vector3d(0.3, 0.2, 0.1));
  ChartPair pair;
  pair.chart = ChartOfTorus(base, frame);
  LocalSurface plane;
  plane.psi.degree = 1;
  plane.psi.c[kZ] = 1.0;
  plane.psi.c[kOne] = -0.25;
  pair.table = TableOf(plane, pair.chart);
  ChartArcs arcs;
  EXPECT_FALSE(ChartCurves().Run(pair, 1e-16, kAllOfIt, &arcs));
  EXPECT_EQ(arcs.size(), 0u);
}

// Zeros next to an extreme, where the slope changes by all of it from the guess on, as on the other
// ones: to rounding, with the basis functions there.
TEST(ChartTable, FindsZerosNextToExtremes) {
  Random random(kSeed);
  for (const ChartParameter kind : {ChartParameter::kAngle, ChartParameter::kLength}) {
    for (const double distance : {0.3, 1e-2, 1e-4, 1e-6}) {
      for (int trial = 0; trial < 50; ++trial) {
        // The square of the sine, or of the length, from an extreme, and a little of the rest.
        const double extreme = random.Uniform(-0.5, 0.5), zero = extreme + distance;
        const BasisPlace there(kind, extreme);
        std::array<double, kBasisSize> c = {0.0, 0.0, 1.0, 0.0, 0.0};
        if (kind == ChartParameter::kAngle) c[4] = random.Uniform(-0.3, 0.3);
        c[1] = -there.SumsOf(c).d1 / BasisPlace(kind, extreme).Slopes()[1];
        c[0] = -BasisPlace(kind, zero).SumsOf(c).f;
        const double low = extreme, high = extreme + 3.0 * distance;
        const double guess = random.Uniform(low + 0.01 * distance, high);
        const BasisZero found = ZeroOf(c, kind, low, high, guess);
        // What rounding of the sum moves its zero by.
        const double moved = 1e-16 / std::abs(BasisPlace(kind, zero).SumsOf(c).d1);
        EXPECT_NEAR(found.at, zero, 4.0 * moved + 1e-15) << distance;
        const BasisPlace again(kind, found.at);
        EXPECT_NEAR(found.place.first, again.first, 1e-15);
        EXPECT_NEAR(found.place.second, again.second, 1e-15);
      }
    }
  }
}

}  // namespace
}  // namespace volcontact::testing
