// Exact questions about quadrics and polynomials of low degree.
#pragma once

#include <array>
#include <optional>

#include "solids/exact/exact_number.h"
#include "solids/tree/solid_node.h"

namespace volcontact {

/// x'Ax + 2 b'x + c with A symmetric.
struct QuadraticForm {
  std::array<std::array<Rational, 3>, 3> A;
  std::array<Rational, 3> b;
  Rational c;

  QuadraticForm operator-() const;
};

/// psi of a quadric or a polynomial of degree at most two, up to a positive factor; nothing for
/// other shapes.
std::optional<QuadraticForm> QuadraticFormOf(const Shape& shape);

/// The inverse of A, symmetric and not singular.
std::array<std::array<Rational, 3>, 3> InverseOf(const std::array<std::array<Rational, 3>, 3>& A);

/// True when A is positive definite, or semidefinite.
bool IsPositiveDefinite(const std::array<std::array<Rational, 3>, 3>& A);
bool IsPositiveSemidefinite(const std::array<std::array<Rational, 3>, 3>& A);

}  // namespace volcontact
