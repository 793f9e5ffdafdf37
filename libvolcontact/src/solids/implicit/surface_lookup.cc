#include "solids/implicit/surface_lookup.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace volcontact {
namespace {

// The point, in units of the first surface's length: no point of any symmetry.
constexpr std::array<double, 3> kPoint = {0.531, 0.327, 0.782};
// Far above the rounding of the value, and of what Coincide lets differ in relation to the largest
// length to the power of the degree.
constexpr double kValueRounding = 1e-12, kLetDiffer = 1e-23;

}  // namespace

SurfaceLookup::Key SurfaceLookup::KeyOf(const SurfacePolynomial& psi, double length) const {
  double sum = 0.0, size = 0.0, leading = 0.0;
  for (int m = 0; m < psi.size(); ++m) {
    double term = psi.c[m].hi;
    for (int i = 0; i < 3; ++i) {
      for (int n = 0; n < kMonomialExponents[m][i]; ++n) term *= place_ * kPoint[i];
    }
    sum += term;
    size += std::abs(term);
    if (m >= FirstOfDegree(psi.degree)) leading = std::max(leading, std::abs(psi.c[m].hi));
  }
  const double farthest = std::max({length, length_, RootLength(psi), place_});
  const double value = std::abs(sum) / leading;
  if (!std::isfinite(value)) return {0.0, std::numeric_limits<double>::infinity()};
  return {value, kValueRounding * size / leading + kLetDiffer * std::pow(farthest, psi.degree)};
}

void SurfaceLookup::Add(const SurfacePolynomial& psi, double length, int number) {
  if (place_ == 0.0) {
    const double size = RootLength(psi);
    place_ = size > 0.0 ? size : 1.0;
  }
  length_ = std::max({length_, length, RootLength(psi)});
  numbers_.emplace(KeyOf(psi, length).value, number);
}

}  // namespace volcontact
