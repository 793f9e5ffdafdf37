// Sums of products: sides of surfaces of which a solid, or what is outside of it, is the union.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <vector>

#include "step/step_table.h"

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

/// Of each label of the table from `first` on whether one of the terms holds it.
std::vector<char> HeldLabels(const std::vector<StepTerm>& terms, const StepTable& table,
                             std::size_t first = 0);

/// The sides of one point after the other, each found when it is first asked for.
class SidesOfPoint {
 public:
  explicit SidesOfPoint(const StepTable& table)
      : table_(table), sides_(table.surfaces().size(), 0) {}

  void MoveTo(const Eigen::Vector3d& p);
  bool IsBelow(int surface);

 private:
  const StepTable& table_;
  Eigen::Vector3d p_ = Eigen::Vector3d::Zero();
  PointSides sides_;  // by surface; 0 where it is not found yet
};

/// Whether one of the terms holds a point that is on no surface.
bool HoldPoint(const std::vector<StepTerm>& terms, SidesOfPoint* point);

}  // namespace volcontact
