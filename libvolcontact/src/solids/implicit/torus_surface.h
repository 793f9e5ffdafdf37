// Tori recognized by their polynomials.
#pragma once

#include <optional>

#include "math/vector_double_double.h"
#include "solids/implicit/implicit_solid.h"

namespace volcontact {

/// A torus recognized by its polynomial, in the polynomial's frame.
struct TorusSurface {
  Vector3dd center, axis;        ///< axis: unit vector
  DoubleDouble major, minor;     ///< radii, minor <= major
  bool positive_inside = false;  ///< psi > 0 inside the torus
};

/// The torus psi = 0, to about 1e-18 of its size; nothing when psi is no torus.
std::optional<TorusSurface> RecognizeTorus(const SurfacePolynomial& psi);

}  // namespace volcontact
