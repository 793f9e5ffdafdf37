// Sines and cosines of several angles at a time.
#include "math/arithmetic/sine_cosine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace volcontact {
namespace {

// A unit in the last place of a number below one, and a half for what is rounded last.
constexpr double kLastPlace = 1.7e-16;

class SineCosineTest : public testing::Test {
 protected:
  void ExpectRight(const Lanes& angles) {
    Lanes sines, cosines;
    FindSineCosine(angles, &sines, &cosines);
    for (std::size_t n = 0; n < Lanes::kCount; ++n) {
      const double angle = angles.x[n];
      double sine, cosine;
      FindSineCosine(angle, &sine, &cosine);
      EXPECT_EQ(sines.x[n], sine) << angle;
      EXPECT_EQ(cosines.x[n], cosine) << angle;
      EXPECT_NEAR(sine, static_cast<double>(std::sin(static_cast<long double>(angle))), kLastPlace)
          << angle;
      EXPECT_NEAR(cosine, static_cast<double>(std::cos(static_cast<long double>(angle))),
                  kLastPlace)
          << angle;
    }
  }

  double Angle(double most) { return std::uniform_real_distribution<double>(-most, most)(random_); }

  std::mt19937_64 random_{1};
};

TEST_F(SineCosineTest, OfAnyAngles) {
  for (const double most : {1e-9, 1e-3, 1.0, 7.0, 1e3}) {
    for (int n = 0; n < 2000; ++n)
      ExpectRight({Angle(most), Angle(most), Angle(most), Angle(most)});
  }
}

// Where one of the two vanishes, and where the quarters of a turn change.
TEST_F(SineCosineTest, OfAnglesNextToEighthsOfATurn) {
  for (int eighth = -24; eighth <= 24; ++eighth) {
    const double angle = eighth * 0.25 * std::numbers::pi;
    ExpectRight(
        {angle, std::nextafter(angle, -100.0), std::nextafter(angle, 100.0), angle + Angle(1e-8)});
  }
}

TEST_F(SineCosineTest, KeepDigitsOfSmallSines) {
  for (const double angle : {1e-300, 1e-30, 1e-8, -1e-5}) {
    double sine, cosine;
    FindSineCosine(angle, &sine, &cosine);
    EXPECT_NEAR(sine / std::sin(angle), 1.0, 3e-16) << angle;
  }
}

}  // namespace
}  // namespace volcontact
