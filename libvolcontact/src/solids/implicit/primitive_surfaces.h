// The surfaces that bound each primitive: the one place that says what a primitive is.
//
// Written once over a ring E and used with three: polynomials (to compile a solid), numbers with an
// error bound (the membership filter) and rationals (exact membership). Every psi is scaled by a
// power of two that brings the primitive's size to order one, which rounds nothing and keeps fourth
// powers within the range of doubles for all lengths from kMinLength to kMaxLength.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "solids/implicit/expression.h"
#include "solids/tree/solid_node.h"

namespace volcontact {

/// The numbers that multiply elements of the ring E; E itself unless specialised.
template <class E>
struct ScalarOf {
  using Type = E;
};

/// The values psi of a primitive's surfaces; PrimitiveExpression says what they mean.
template <class E>
struct SurfaceValues {
  static constexpr int kMax = 6;
  std::array<E, kMax> psi;
  int count = 0;

  void Add(E value) { psi[count++] = std::move(value); }
};

/// The power of two s for which s·length lies in [0.5, 1); of lengths below the normal range of
/// doubles the largest there is.
inline double UnitScale(double length) {
  int exponent = 0;
  std::frexp(length, &exponent);
  return std::ldexp(1.0, std::min(-exponent, std::numeric_limits<double>::max_exponent - 1));
}

template <class E>
class PrimitiveSurfaceBuilder {
 public:
  using Scalar = typename ScalarOf<E>::Type;

  /// p holds the local coordinates.
  explicit PrimitiveSurfaceBuilder(const std::array<E, 3>& p) : p_(p) {}

  SurfaceValues<E> Take() { return std::move(out_); }

  void operator()(const HalfSpaceShape&) { out_.Add(p_[2]); }

  void operator()(const SlabShape& s) { AddFaces(2, s.thickness); }

  void operator()(const SphereShape& s) { AddSphere(s.radius, p_); }

  void operator()(const EllipsoidShape& s) {
    const double scale = UnitScale(*std::max_element(s.semi_axes.begin(), s.semi_axes.end()));
    E sum = E(-1.0);
    for (int i = 0; i < 3; ++i) {
      const Scalar ratio = Scalar(scale) / (Scalar(s.semi_axes[i]) * Scalar(scale));
      sum = sum + Square(E(p_[i] * ratio));
    }
    out_.Add(std::move(sum));
  }

  void operator()(const BoxShape& s) {
    for (int i = 0; i < 3; ++i) AddFaces(i, s.size[i]);
  }

  void operator()(const CylinderShape& s) { AddCylinder(s.radius, s.height); }

  // h²(x² + y²) − (r h + (t − r) z)²; the second nappe lies beyond the end planes.
  void operator()(const ConeShape& s) {
    const double scale = UnitScale(std::max({s.radius, s.height, s.radius_top}));
    const Scalar r = Scalar(s.radius) * Scalar(scale), h = Scalar(s.height) * Scalar(scale);
    const Scalar t = Scalar(s.radius_top) * Scalar(scale);
    const E z = p_[2] * Scalar(scale);
    const E radius_at_z = z * Scalar(t - r) + E(Scalar(r * h));
    out_.Add(SquaredAxisDistance(scale) * Scalar(h * h) - Square(radius_at_z));
    out_.Add(p_[2]);
    out_.Add(p_[2] - E(Scalar(s.height)));
  }

  void operator()(const CapsuleShape& s) {
    if (s.height == 0.0) return AddSphere(s.radius, p_);
    AddCylinder(s.radius, s.height);
    for (const double side : {-0.5, 0.5}) {
      AddSphere(s.radius, {p_[0], p_[1], p_[2] + E(Scalar(s.height) * Scalar(side))});
    }
  }

  // (x² + y² + z² + R² − r²)² − 4R²(x² + y²).
  void operator()(const TorusShape& s) {
    const double scale = UnitScale(s.major_radius);
    const Scalar R = Scalar(s.major_radius) * Scalar(scale);
    const Scalar r = Scalar(s.minor_radius) * Scalar(scale);
    const E axis = SquaredAxisDistance(scale);
    const E sum = axis + Square(E(p_[2] * Scalar(scale))) + E(Scalar((R - r) * (R + r)));
    out_.Add(Square(sum) - axis * Scalar(Scalar(4.0) * R * R));
  }

  void operator()(const QuadricShape& s) {
    double largest = 0.0;
    for (const auto& row : s.matrix) {
      for (const double entry : row) largest = std::max(largest, std::abs(entry));
    }
    const Scalar scale(UnitScale(largest));
    E sum = E(Scalar(s.matrix[3][3]) * scale);
    for (int i = 0; i < 3; ++i) {
      E row = E(Scalar((Scalar(s.matrix[i][3]) + Scalar(s.matrix[3][i])) * scale));
      for (int j = 0; j < 3; ++j) row = row + p_[j] * Scalar(Scalar(s.matrix[i][j]) * scale);
      sum = sum + row * p_[i];
    }
    out_.Add(std::move(sum));
  }

  void operator()(const PolynomialShape& s) {
    double largest = 0.0;
    for (const PolynomialTerm& term : s.terms) {
      largest = std::max(largest, std::abs(term.coefficient));
    }
    const Scalar scale(UnitScale(largest));
    E sum = E(0.0);
    for (const PolynomialTerm& term : s.terms) {
      E product = E(Scalar(Scalar(term.coefficient) * scale));
      for (int i = 0; i < 3; ++i) {
        for (int n = 0; n < term.exponents[i]; ++n) product = product * p_[i];
      }
      sum = sum + product;
    }
    out_.Add(std::move(sum));
  }

  // Not bounded by polynomial surfaces of their own.
  void operator()(const MeshShape&) {}
  void operator()(const BooleanShape&) {}

 private:
  static E Square(const E& e) { return e * e; }

  E SquaredAxisDistance(double scale) const {
    return Square(E(p_[0] * Scalar(scale))) + Square(E(p_[1] * Scalar(scale)));
  }

  void AddSphere(double radius, const std::array<E, 3>& p) {
    const Scalar scale(UnitScale(radius));
    const Scalar r = Scalar(radius) * scale;
    out_.Add(Square(E(p[0] * scale)) + Square(E(p[1] * scale)) + Square(E(p[2] * scale)) -
             E(Scalar(r * r)));
  }

  // The faces of |p_i| <= size/2: below the upper one, above the lower one.
  void AddFaces(int i, double size) {
    const E half(Scalar(size) * Scalar(0.5));
    out_.Add(p_[i] - half);
    out_.Add(p_[i] + half);
  }

  void AddCylinder(double radius, double height) {
    const double scale = UnitScale(radius);
    const Scalar r = Scalar(radius) * Scalar(scale);
    out_.Add(SquaredAxisDistance(scale) - E(Scalar(r * r)));
    if (std::isfinite(height)) AddFaces(2, height);
  }

  const std::array<E, 3>& p_;
  SurfaceValues<E> out_;
};

/// The surfaces of a primitive at (or as functions of) the local coordinates p; none for a
/// MeshShape or BooleanShape.
template <class E>
SurfaceValues<E> PrimitiveSurfaces(const Shape& shape, const std::array<E, 3>& p) {
  PrimitiveSurfaceBuilder<E> builder(p);
  std::visit(builder, shape);
  return builder.Take();
}

/// The primitive as an expression over its surfaces in the order of PrimitiveSurfaces.
const Expression& PrimitiveExpression(const Shape& shape);

/// A boolean shape as an expression, from its children's.
Expression Combine(BooleanShape::Kind kind, std::vector<Expression> children);

}  // namespace volcontact
