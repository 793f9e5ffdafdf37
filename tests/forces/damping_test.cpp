// The damping by restitution against Eq. (3.23) of Gonthier (2007).
#include "volcontact/forces/damping.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "volcontact/math/error.h"

namespace volcontact::testing {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Damping, KnownValues) {
  EXPECT_NEAR(SolveDamping(0.5).d, 0.716375266635688, 2e-15);
  EXPECT_NEAR(SolveDamping(0.9).d, 0.149833755616777, 1e-15);
  EXPECT_NEAR(SolveDamping(0.1).d, 0.999815939749567, 1e-15);
  EXPECT_EQ(SolveDamping(1.0).d, 0.0);
  EXPECT_EQ(SolveDamping(1.0).one_minus_d, 1.0);
}

// Constants by 60 digits of mpmath: the root y = log(1 - d) of
// log(m - exp(y)/e) - y = m (1 - exp(y)), m = 1 + 1/e, e the double.
TEST(Damping, WhatIsLeftOfOneIsAccurateForSmallRestitution) {
  constexpr struct {
    double e, one_minus_d;
  } kTruth[] = {
      {0.0015, 7.254552208231675782e-288}, {0.002, 1.313113578734722203e-215},
      {0.005, 1.02330523259897633e-85},    {0.01, 1.382224865885594379e-42},
      {0.02, 3.618691822765202804e-21},    {0.027, 1.150618589647473686e-15},
      {0.05, 1.592338198177008701e-8},     {0.1, 1.840602504332183068e-4},
      {0.2, 1.616665684184270226e-2},      {0.25, 3.979849005549643132e-2},
      {0.2999, 7.379784211981097193e-2},   {0.3, 7.387540566111272012e-2},
      {0.31, 8.180853494873781e-2},        {0.5, 2.83624733364312486e-1},
  };
  for (const auto& [e, truth] : kTruth) {
    SCOPED_TRACE(e);
    // The logarithm of the result, about -1/e, is rounded.
    const double tolerance = 1e-15 * (4.0 + 1.0 / e);
    EXPECT_NEAR(SolveDamping(e).one_minus_d / truth, 1.0, tolerance);
    EXPECT_NEAR(SolveDamping(e).d, 1.0 - truth, 1e-15);
  }
}

// Constants by 120 digits of mpmath: the root of (log1p(d/e) - log1p(-d) - d (1 + 1/e))/d^2.
TEST(Damping, AccurateWhereItVanishes) {
  constexpr struct {
    double e, d;
  } kTruth[] = {
      {0.3, 0.9261245943388872799},
      {0.5, 7.16375266635687514e-1},
      {0.7, 4.443797968864917837e-1},
      {0.9, 1.498337556167772612e-1},
      {0.99, 1.49998484883466084e-2},
      {0.999, 1.499999849849885536e-3},
      {1.0 - 0x1p-20, 1.430511474609244896e-6},
      {1.0 - 0x1p-40, 1.364242052659392357e-12},
      {1.0 - 0x1p-52, 3.330669073875469621e-16},
  };
  for (const auto& [e, d] : kTruth) {
    EXPECT_NEAR(SolveDamping(e).d / d, 1.0, 2e-15) << e;
    EXPECT_NEAR(SolveDamping(e).one_minus_d, 1.0 - d, 2e-15) << e;
  }
}

// The logarithm of Eq. (3.23), and its change with d.
TEST(Damping, SolvesTheEquation) {
  for (int i = 1; i <= 2000; ++i) {
    const double e = 0.95 * i / 2000.0;
    if (e < 0.002) continue;
    const DimensionlessDamping damping = SolveDamping(e);
    const long double x = e, rest = damping.one_minus_d, d = 1.0L - rest;
    const long double residual = std::log1p(d / x) - std::log(rest) - d * (1.0L + 1.0L / x);
    const long double slope = 1.0L / (x + d) + 1.0L / rest - 1.0L - 1.0L / x;
    // Rounding of log(1 - d), and of the equation's terms.
    const long double allowed = 1e-15L * (4.0L + 1.0L / x) * rest + 1e-17L / std::abs(slope);
    EXPECT_LE(std::abs(residual / slope), allowed) << e;
  }
}

TEST(Damping, FallsFromOneToZero) {
  double last = 0.0;
  for (int i = 1; i <= 20000; ++i) {
    const double e = i / 20000.0;
    const DimensionlessDamping damping = SolveDamping(e);
    EXPECT_GE(damping.d, 0.0);
    EXPECT_LE(damping.d, 1.0);
    if (e > 0.0015) {
      ASSERT_GT(damping.one_minus_d, last) << e;
    }
    last = damping.one_minus_d;
  }
}

TEST(Damping, LimitNearOne) {
  for (const double rest : {1e-3, 1e-5, 1e-7, 1e-9}) {
    const double e = 1.0 - rest;
    EXPECT_NEAR(SolveDamping(e).d / (1.0 - e), 1.5, rest) << rest;
  }
}

TEST(Damping, TinyRestitutionIsFullDamping) {
  for (const double e : {1e-3, 1e-6, 1e-100, 1e-300, 1e-309, 5e-324}) {
    const DimensionlessDamping damping = SolveDamping(e);
    EXPECT_EQ(damping.d, 1.0) << e;
    EXPECT_GE(damping.one_minus_d, 0.0) << e;
    EXPECT_LE(damping.one_minus_d, 1e-300) << e;
  }
}

TEST(Damping, RefusesValuesOutOfRange) {
  for (const double e :
       {0.0, -0.0, -0.5, 1.0 + 1e-15, 2.0, kNan, std::numeric_limits<double>::infinity()}) {
    try {
      SolveDamping(e);
      FAIL() << e << " was accepted";
    } catch (const InvalidInput& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("restitution"), std::string::npos) << message;
      EXPECT_NE(message.find("(0, 1]"), std::string::npos) << message;
    }
    EXPECT_THROW(DampingAtImpact(RestitutionLaw::kExact, e), InvalidInput) << e;
  }
  for (const RestitutionLaw law :
       {RestitutionLaw::kHuntCrossley, RestitutionLaw::kLankaraniNikravesh}) {
    for (const double e : {-0.5, 1.5, kNan}) EXPECT_THROW(DampingAtImpact(law, e), InvalidInput);
  }
}

// Eqs. (3.24), (3.26), (3.27): a v_n^i = d/e.
TEST(Damping, AtImpact) {
  for (const double e : {0.05, 0.3, 0.5, 0.99, 1.0}) {
    const double d_hc = 1.5 * e * (1.0 - e), d_ln = 0.75 * e * (1.0 - e * e);
    EXPECT_NEAR(DampingAtImpact(RestitutionLaw::kExact, e), SolveDamping(e).d / e, 1e-15 / e);
    EXPECT_NEAR(DampingAtImpact(RestitutionLaw::kHuntCrossley, e), d_hc / e, 1e-15);
    EXPECT_NEAR(DampingAtImpact(RestitutionLaw::kLankaraniNikravesh, e), d_ln / e, 1e-15);
  }
  EXPECT_EQ(DampingAtImpact(RestitutionLaw::kHuntCrossley, 0.0), 1.5);
  EXPECT_EQ(DampingAtImpact(RestitutionLaw::kLankaraniNikravesh, 0.0), 0.75);
}

// Eqs. (3.24), (3.43), with the sign of v_n^i.
TEST(Damping, FactorIsInverseToTheSpeedOfImpact) {
  EXPECT_DOUBLE_EQ(DampingFactor(1.4, 0.7, 1e-3), -2.0);
  EXPECT_DOUBLE_EQ(DampingFactor(1.4, 1e-3, 1e-3), -1400.0);
  EXPECT_DOUBLE_EQ(DampingFactor(1.4, 1e-9, 1e-3), -1400.0);
  EXPECT_DOUBLE_EQ(DampingFactor(1.4, 0.0, 1e-3), -1400.0);
}

}  // namespace
}  // namespace volcontact::testing
