// Estimated errors of nested rules against integrals in closed form.
#include "overlap/arcs/sums/rule_sums.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <memory>
#include <numbers>

#include "support/random_solids.h"

namespace volcontact::testing {
namespace {

using Complex = std::complex<double>;

// Re(w / (x − z)): what forms are like beside their poles.
struct PoleBeside {
  Complex w, z;

  double At(double x) const { return (w / (x - z)).real(); }
  // The imaginary part of z is above zero.
  double Integral() const { return (w * (std::log(1.0 - z) - std::log(-1.0 - z))).real(); }
};

// Differences of two rules oscillate with the place of the pole, and vanish for some.
TEST(RuleSums, EstimatesErrorsBesidePoles) {
  constexpr int kPoles = 3000;
  Random random(7);
  const auto sums = std::make_unique<RuleSums>();
  for (const int rule : {2, 3, 4}) {
    int large = 0;
    for (int n = 0; n < kPoles; ++n) {
      const PoleBeside pole{std::polar(1.0, random.Uniform(0.0, 2.0 * std::numbers::pi)),
                            {random.Uniform(-1.3, 1.3), std::pow(10.0, random.Uniform(-1.6, 0.3))}};
      sums->Trace(1, 0, rule, [&](const Lanes& place, LaneSums* at) {
        for (std::size_t k = 0; k < Lanes::kCount; ++k) at[0][0].x[k] = pole.At(place.x[k]);
        return true;
      });
      const double value = sums->Integral(0, rule).s[0];
      const double estimate =
          sums->ErrorOf(rule, std::abs(value - sums->Integral(0, rule - 1).s[0]),
                        [](const LaneSums* at) { return at[0][0]; });
      const double error = std::abs(value - pole.Integral()) - 1e-12;
      EXPECT_LT(error, 40.0 * estimate) << rule << ' ' << pole.w << ' ' << pole.z;
      large += error > 10.0 * estimate;
    }
    EXPECT_LE(large, kPoles / 500) << rule;
  }
}

}  // namespace
}  // namespace volcontact::testing
