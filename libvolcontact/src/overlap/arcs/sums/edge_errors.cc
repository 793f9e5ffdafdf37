// Estimated errors of integrals along edges.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "overlap/arcs/sums/edge_quadrature.h"

namespace volcontact {

// The estimated error of the finer of two rules in a row for what sheets add up to, which is of all
// faces: at the same nodes, so that where faces nearly coincide their errors cancel as the faces
// do.
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
    if (RuleSums::WeightOf(k) * std::abs(difference.s[k]) >
        RuleSums::WeightOf(where) * std::abs(difference.s[where]))
      where = k;
  }
  const auto all_sheets = [&](const LaneSums* sums) {
    Lanes sum;
    for (std::size_t side = 0; side < sheets.size(); ++side) {
      if (FormOf(sheets[side]).IsDirect()) sum += sheets[side].weight * sums[side][where];
    }
    return sum;
  };
  return RuleSums::WeightOf(where) * nodes.ErrorOf(rule, std::abs(difference.s[where]), all_sheets);
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
    const int from = form.IsDirect() ? BoundarySums::kArea : 0;
    (form.IsDirect() ? error.areas : error.together) +=
        weight *
        nodes.ErrorOfSheet(side, from, form.Units(), coarse.sums[side], fine.sums[side], rule);
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
      size =
          std::max(size, RuleSums::WeightOf(k) * units.s[k] * std::abs(integrals.sums[side].s[k]));
    }
  }
  return size;
}

}  // namespace volcontact
