#include "volcontact/forces/stiffness_estimates.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "forces/require.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

using std::numbers::pi;

// (1 − ν²)/E [1/Pa], π times h_m of Gonthier (2007), Eq. (2.3).
double Compliance(const ElasticMaterial& material, const char* modulus, const char* poisson) {
  RequirePositiveOrInfinite(modulus, material.modulus, "Pa");
  const double nu = material.poisson;
  if (!(nu > -1.0 && nu <= 0.5)) {
    throw InvalidInput(
        fmt::format("{} is {}; it must lie above -1 and not above 0.5", poisson, nu));
  }
  return (1.0 - nu * nu) / material.modulus;
}

}  // namespace

double EffectiveModulus(const ElasticMaterial& A, const ElasticMaterial& B) {
  const double compliance =
      Compliance(A, "modulus_a", "poisson_a") + Compliance(B, "modulus_b", "poisson_b");
  if (compliance == 0.0) {
    throw InvalidInput("modulus_a and modulus_b are both infinite; one must be finite");
  }
  return 1.0 / compliance;
}

double EffectiveRadius(double radius_a, double radius_b) {
  if (std::isinf(radius_a) && radius_b > 0.0 && std::isfinite(radius_b)) return radius_b;
  if (std::isinf(radius_b) && radius_a > 0.0 && std::isfinite(radius_a)) return radius_a;
  // The product keeps the digits of radii that nearly cancel.
  const double radius = radius_a * radius_b / (radius_a + radius_b);
  if (radius > 0.0 && std::isfinite(radius) && !(radius_a < 0.0 && radius_b < 0.0)) return radius;
  throw InvalidInput(fmt::format(
      "radius_a is {} m and radius_b is {} m; they must not be zero, and 1/radius_a + 1/radius_b "
      "must be positive: a ball in a hollow (negative radius) must be the smaller one",
      radius_a, radius_b));
}

double HertzStiffness(double effective_modulus, double effective_radius) {
  RequirePositive("effective_modulus", effective_modulus, "Pa");
  RequirePositive("effective_radius", effective_radius, "m");
  return 4.0 / 3.0 * effective_modulus * std::sqrt(effective_radius);
}

double HertzDepth(double stiffness, double force) {
  RequirePositive("stiffness", stiffness, "N/m^1.5");
  RequireNotNegative("force", force, "N");
  return std::pow(force / stiffness, 2.0 / 3.0);
}

double HertzDepthOfImpact(double stiffness, double mass, double speed) {
  RequirePositive("stiffness", stiffness, "N/m^1.5");
  RequirePositive("mass", mass, "kg");
  RequireNotNegative("speed", speed, "m/s");
  return std::pow(1.25 * mass * speed * speed / stiffness, 0.4);
}

double HertzPatchRadius(double effective_radius, double depth) {
  RequirePositive("effective_radius", effective_radius, "m");
  RequireNotNegative("depth", depth, "m");
  return std::sqrt(effective_radius * depth);
}

double FoundationStiffness(double modulus, double depth) {
  RequirePositiveOrInfinite("modulus", modulus, "Pa");
  RequirePositive("depth", depth, "m");
  return modulus / depth;
}

double PatchStiffness(double effective_modulus, double patch_radius) {
  RequirePositive("effective_modulus", effective_modulus, "Pa");
  RequirePositive("patch_radius", patch_radius, "m");
  return 2.0 * effective_modulus / (pi * patch_radius);
}

double BallStiffness(double effective_modulus, double effective_radius, double force) {
  RequirePositive("force", force, "N");
  const double depth = HertzDepth(HertzStiffness(effective_modulus, effective_radius), force);
  return 4.0 * effective_modulus / (3.0 * pi * HertzPatchRadius(effective_radius, depth));
}

double SeriesStiffness(double stiffness_a, double stiffness_b) {
  RequirePositiveOrInfinite("stiffness_a", stiffness_a, "N/m^3");
  RequirePositiveOrInfinite("stiffness_b", stiffness_b, "N/m^3");
  if (std::isinf(stiffness_a) && std::isinf(stiffness_b)) {
    throw InvalidInput("stiffness_a and stiffness_b are both infinite; one must be finite");
  }
  return 1.0 / (1.0 / stiffness_a + 1.0 / stiffness_b);
}

VOLCONTACT_NAMESPACE_END
