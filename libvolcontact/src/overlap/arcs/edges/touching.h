// Surfaces that touch along a curve without crossing: a sphere in the cylinder of a capsule, a
// fillet at its plane.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "overlap/frame/local_problem.h"

namespace volcontact {

/// How far, in coefficients of at most one, two surfaces of degree up to two are from having no
/// common points, in the whole of space, but such in which they touch along a conic or a line:
/// their pencil contains the square of a plane then, or a plane that touches one of them so
/// (docs/theory.md). Infinite where this is not told.
double DistanceFromTouch(const LocalSurface& first, const LocalSurface& second);

/// The same, remembered by pair.
class TouchingPairs {
 public:
  void Begin(const LocalProblem& problem) {
    problem_ = &problem;
    known_.clear();
    for (const SurfaceTouch& touch : problem.touches) {
      const std::uint64_t key = Key(touch.first, touch.second);
      const auto place = Place(key);
      if (place == known_.end() || place->key != key) known_.insert(place, {key, touch.distance});
    }
  }
  double Distance(int first, int second);

 private:
  static std::uint64_t Key(int first, int second) {
    const auto [low, high] = std::minmax(first, second);
    return static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint32_t>(high);
  }

  struct Known {
    std::uint64_t key;  // both numbers, the lower first
    double distance;
  };
  std::vector<Known>::iterator Place(std::uint64_t key) {
    return std::lower_bound(known_.begin(), known_.end(), key,
                            [](const Known& known, std::uint64_t k) { return known.key < k; });
  }

  const LocalProblem* problem_ = nullptr;
  std::vector<Known> known_;  // by key
};

}  // namespace volcontact
