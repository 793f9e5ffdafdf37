// Sobol's points, which fill a cube more evenly than random ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// Points of as many dimensions as are drawn, by the direction numbers of Joe and Kuo (2008). Any
/// threads may ask at once.
class SobolPoints {
 public:
  /// The most dimensions that there are direction numbers for.
  static const std::size_t kMostDimensions;

  /// `dimensions` >= 1.
  explicit SobolPoints(std::size_t dimensions);

  /// The coordinates of some points after each other, all in [0, 1) times 2^64. Point 0 of the
  /// sequence, the corner of the cube, is left out: the first one is its middle.
  void Draw(std::uint64_t first, std::size_t count, std::vector<std::uint64_t>* bits) const;

 private:
  std::size_t dimensions_;
};

/// For the test of the points alone.
VOLCONTACT_EXPORT std::vector<double> SobolPoint(std::size_t dimensions, std::uint64_t index);

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
