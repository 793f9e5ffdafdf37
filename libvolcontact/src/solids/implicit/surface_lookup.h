// Finding surfaces that coincide among many.
#pragma once

#include <map>

#include "solids/implicit/implicit_solid.h"

namespace volcontact {

/// Numbered surfaces, sorted by the size of their normalised polynomials at one point, in which
/// coincident ones agree.
class SurfaceLookup {
 public:
  /// `length` [m]: as that of Coincide.
  void Add(const SurfacePolynomial& psi, double length, int number);

  /// Calls visit(number) for all that may coincide with psi, and few others, in no useful order.
  template <class Visit>
  void ForCandidates(const SurfacePolynomial& psi, double length, const Visit& visit) const {
    const Key key = KeyOf(psi, length);
    const auto end = numbers_.upper_bound(key.value + key.reach);
    for (auto it = numbers_.lower_bound(key.value - key.reach); it != end; ++it) visit(it->second);
  }

 private:
  // Coincident surfaces differ by less than `reach`.
  struct Key {
    double value, reach;
  };
  Key KeyOf(const SurfacePolynomial& psi, double length) const;

  double place_ = 0.0;   // about the distance of the point from the origin [m]; 0: none yet
  double length_ = 0.0;  // the largest of all that were added
  std::multimap<double, int> numbers_;
};

}  // namespace volcontact
