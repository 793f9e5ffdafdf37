// The columns of a quadrature as samples of its region.
#include "overlap/columns/column_quadrature.h"

namespace volcontact {
namespace {

// Along half-slices, where a function of the distance from the axis may bend somewhere.
constexpr int kPolarRule = 1;

}  // namespace

std::vector<VolumeColumn> ColumnQuadrature::SampleColumns() {
  const SliceFamily& family = options_.family;
  std::vector<VolumeColumn> columns;
  std::vector<ColumnSample> samples;
  const KronrodRule& along = kKronrodRules[family.polar() ? kPolarRule : kMaxRule];
  for (const Panel& panel : panels_) {
    const KronrodRule& rule = family.polar() ? kKronrodRules[panel.rule_x] : along;
    const NodeMap map(panel.x0, panel.x1, panel.branch0, panel.branch1);
    for (int n = 0; n < rule.size; ++n) {
      const QuadratureNode node = map(rule.nodes[n]);
      const Eigen::Vector2d base = family.Base(node.x), direction = family.Direction(node.x);
      FindStructureAt(node.x, &structure_);
      samples.clear();
      for (const Piece& piece : structure_.pieces) {
        if (piece.signature == 0) continue;
        slice_.SamplePiece(piece, along, panel.parts, &samples);
      }
      for (const ColumnSample& sample : samples) {
        const Eigen::Vector2d p = base + sample.v * direction;
        const double width = family.polar() ? sample.v : 1.0;
        columns.push_back({p.x(), p.y(), sample.z0, sample.z1,
                           rule.weights[n] * node.weight * width * sample.area});
      }
    }
  }
  return columns;
}

}  // namespace volcontact
