// Estimated errors of integrals along edges.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "overlap/arcs/edge_quadrature.h"

namespace volcontact {
namespace {

// Errors of area vectors may be ten times those of the moments.
constexpr double kAreaWeight = 0.1;

}  // namespace

// How much a sum counts beside the volume.
double EdgeQuadrature::WeightOf(int sum) { return sum < BoundarySums::kArea ? 1.0 : kAreaWeight; }

// The estimated error of the finer of two rules in a row for the sums from one on of one sheet.
double EdgeQuadrature::ErrorOfSheet(int from, std::size_t side, const FaceForm& form,
                                    const PieceIntegrals& coarse, const PieceIntegrals& fine,
                                    int rule, const RuleSums& nodes) const {
  double largest = 0.0;
  int where = from;
  for (int k = from; k < BoundarySums::kSize; ++k) {
    const double difference =
        WeightOf(k) * form.Units().s[k] * std::abs(fine.sums[side].s[k] - coarse.sums[side].s[k]);
    if (difference <= largest) continue;
    largest = difference;
    where = k;
  }
  if (largest == 0.0) return 0.0;
  const double unit = WeightOf(where) * form.Units().s[where];
  return unit * nodes.ErrorOf(rule, largest / unit,
                              [&](const LaneSums* sums) { return sums[side][where]; });
}

// The same for what sheets add up to, which is of all faces: at the same nodes, so that where faces
// nearly coincide their errors cancel as the faces do.
double EdgeQuadrature::ErrorTogether(std::span<const EdgeSheet> sheets,
                                     const PieceIntegrals& coarse, const PieceIntegrals& fine,
                                     int rule, const RuleSums& nodes) const {
  BoundarySums difference;
  for (std::size_t side = 0; side < sheets.size(); ++side) {
    if (!FormOf(sheets[side]).IsDirect()) continue;
    difference.Add(sheets[side].weight, fine.sums[side]);
    difference.Add(-sheets[side].weight, coarse.sums[side]);
  }
  int where = 0;
  for (int k = 1; k < BoundarySums::kSize; ++k) {
    if (WeightOf(k) * std::abs(difference.s[k]) > WeightOf(where) * std::abs(difference.s[where]))
      where = k;
  }
  const auto all_sheets = [&](const LaneSums* sums) {
    Lanes sum;
    for (std::size_t side = 0; side < sheets.size(); ++side) {
      if (FormOf(sheets[side]).IsDirect()) sum += sheets[side].weight * sums[side][where];
    }
    return sum;
  };
  return WeightOf(where) * nodes.ErrorOf(rule, std::abs(difference.s[where]), all_sheets);
}

EdgeQuadrature::PieceError EdgeQuadrature::Difference(const EdgePiece& piece,
                                                      const PieceIntegrals& coarse,
                                                      const PieceIntegrals& fine, int rule,
                                                      const RuleSums& nodes) const {
  const std::span<const EdgeSheet> sheets = piece.sheets.All();
  PieceError error;
  error.together = ErrorTogether(sheets, coarse, fine, rule, nodes);
  for (std::size_t side = 0; side < sheets.size(); ++side) {
    const double weight = std::abs(sheets[side].weight);
    if (weight == 0.0) continue;
    const FaceForm& form = FormOf(sheets[side]);
    // Sums in other coordinates are no part of those together.
    if (form.IsDirect()) {
      error.areas +=
          weight * ErrorOfSheet(BoundarySums::kArea, side, form, coarse, fine, rule, nodes);
    } else {
      error.together += weight * ErrorOfSheet(0, side, form, coarse, fine, rule, nodes);
    }
  }
  return error;
}

// The largest of a piece's integrals, as one of the volume.
double EdgeQuadrature::SizeOf(const EdgePiece& piece, const PieceIntegrals& integrals) const {
  const std::span<const EdgeSheet> sheets = piece.sheets.All();
  double size = 0.0;
  for (std::size_t side = 0; side < sheets.size(); ++side) {
    const BoundarySums& units = FormOf(sheets[side]).Units();
    for (int k = 0; k < BoundarySums::kSize; ++k) {
      size = std::max(size, WeightOf(k) * units.s[k] * std::abs(integrals.sums[side].s[k]));
    }
  }
  return size;
}

}  // namespace volcontact
