// The columns of a quadrature as samples of its region.
#include "overlap/columns/column_quadrature.h"

namespace volcontact {

std::vector<VolumeColumn> ColumnQuadrature::SampleColumns() {
  const SliceFamily& family = options_.family;
  std::vector<VolumeColumn> columns;
  std::vector<ColumnSample> samples;
  const KronrodRule& rule = kKronrodRules[kMaxRule];
  for (const Panel& panel : panels_) {
    const NodeMap map(panel.x0, panel.x1, panel.branch0, panel.branch1);
    for (int n = 0; n < rule.size; ++n) {
      const QuadratureNode node = map(rule.nodes[n]);
      const Eigen::Vector2d base = family.Base(node.x), direction = family.Direction(node.x);
      FindStructureAt(node.x, &structure_);
      samples.clear();
      for (const Piece& piece : structure_.pieces) {
        if (piece.signature == 0) continue;
        slice_.SamplePiece(piece, rule, panel.parts, &samples);
      }
      for (const ColumnSample& sample : samples) {
        const Eigen::Vector2d p = base + sample.v * direction;
        columns.push_back(
            {p.x(), p.y(), sample.z0, sample.z1, rule.weights[n] * node.weight * sample.area});
      }
    }
  }
  return columns;
}

}  // namespace volcontact
