// Tori recognized by their polynomials.
#pragma once

#include <optional>

#include "math/arithmetic/vector_double_double.h"
#include "solids/implicit/implicit_solid.h"

namespace volcontact {

/// A torus recognized by its polynomial, in the polynomial's frame.
struct TorusSurface {
  Vector3dd center, axis;        ///< axis: unit vector
  DoubleDouble major, minor;     ///< radii
  bool positive_inside = false;  ///< psi > 0 inside the tube

  /// Whether it crosses its axis, at two poles. An outer sheet, the apple, and an inner one, the
  /// lemon, meet there; psi has one sign between them.
  bool IsSpindle() const { return minor > major; }
};

/// The torus psi = 0 that does not cross its axis, to about 1e-18 of its size; nothing when psi is
/// another surface.
std::optional<TorusSurface> RecognizeTorus(const SurfacePolynomial& psi);

/// The same, of spindle tori, too, up to a minor radius of 1000 major ones. Both sheets are where
/// ρ = |R + r cos θ|: on the lemon R + r cos θ is negative. It lies in the ball around the centre
/// through the poles, and the apple around that.
std::optional<TorusSurface> RecognizeAnyTorus(const SurfacePolynomial& psi);

}  // namespace volcontact
