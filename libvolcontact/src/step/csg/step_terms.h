// Sums of products: sides of surfaces of which a solid, or what is outside of it, is the union.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "step/csg/step_table.h"

namespace volcontact {

/// What is on all of its sides.
using StepTerm = std::vector<StepSide>;

/// Which sides terms do without, if there is a choice. Separators make more terms, in which
/// surfaces that meet badly far from the solid are kept apart; with those at the ends of their
/// faces each surface stands alone where its face is, however smoothly the next begins.
enum class LeftOut { kSeparators, kFaces, kFacesAndFarSeparators };

/// Few terms that hold together those of some labels of the table that are inside, or those that
/// are outside, and none of the others. Nothing where labels inside and outside are on the same
/// sides of all surfaces, and after the time limit. Cost: a few milliseconds for each term, in
/// proportion to labels and surfaces.
std::optional<std::vector<StepTerm>> TermsOf(const StepTable& table,
                                             const std::vector<std::size_t>& labels, bool inside,
                                             LeftOut left_out);

/// The labels of the table that one of the terms holds.
PointSet HeldLabels(const std::vector<StepTerm>& terms, const StepTable& table);

/// Some points of a block, one a bit.
using PointBits = std::uint64_t;
inline constexpr std::size_t kMostInBlock = 64;

/// The sides of a block of points, each found when it is first asked for.
class SidesOfPoints {
 public:
  explicit SidesOfPoints(const StepTable& table)
      : table_(table), known_(table.surfaces().size(), 0), below_(known_) {}

  /// Goes on to other points, one to kMostInBlock, which must outlive their use.
  void MoveTo(std::span<const Eigen::Vector3d> points);
  PointBits All() const { return ~PointBits{0} >> (kMostInBlock - points_.size()); }
  /// Those of some points that are below a surface.
  PointBits Below(int surface, PointBits some);

 private:
  const StepTable& table_;
  std::span<const Eigen::Vector3d> points_;
  std::vector<PointBits> known_, below_;  // by surface
};

/// Those of a block's points, which are on no surface, that one of the terms holds.
PointBits HeldPoints(const std::vector<StepTerm>& terms, SidesOfPoints* points);

}  // namespace volcontact
