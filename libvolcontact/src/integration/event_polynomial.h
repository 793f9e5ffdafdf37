// Polynomials whose roots are the places on a slice where the structure of columns may change.
#pragma once

#include <cstdint>

#include "integration/slice_surface.h"
#include "math/univariate.h"

namespace volcontact {

/// A possible cause for the structure of columns to change along a slice: surface i turning over
/// (silhouette), surface i being a wall along the columns, surfaces i and j crossing.
struct EventSource {
  enum class Kind : std::uint8_t { kSilhouette, kWall, kPair };
  Kind kind;
  int i, j;

  bool operator==(const EventSource&) const = default;
};

/// The polynomial in v that vanishes where the event happens: a discriminant of the column polynomial
/// (degree 12 for quartics), the wall itself, or a resultant in z of the two column polynomials (degree
/// 8 for a quartic and a quadric). Surface i or j must be of degree > 2, not both; see quadric_events.h
/// for the others.
Univariate EventPolynomial(const EventSource& source, const SliceSurface& f,
                           const SliceSurface& g);

}  // namespace volcontact
