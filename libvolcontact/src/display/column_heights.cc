#include "display/column_heights.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace volcontact {
namespace {

// A point is in a facet, and a facet below a point, but for this part of the size.
constexpr double kSlack = 1e-10;
constexpr int kMostCells = 512;

}  // namespace

ColumnHeights::ColumnHeights(const DisplayMesh& mesh, const Eigen::Vector3d& normal)
    : normal_(normal), u_(normal.unitOrthogonal()), v_(normal.cross(u_)) {
  const double infinity = std::numeric_limits<double>::infinity();
  Eigen::Vector2d low(infinity, infinity), high(-infinity, -infinity);
  for (const auto& t : mesh.triangles) {
    const Eigen::Vector3d &a = mesh.points[t[0]], &b = mesh.points[t[1]], &c = mesh.points[t[2]];
    if (!((b - a).cross(c - a).dot(normal_) < 0.0)) continue;
    Facet& facet = facets_.emplace_back();
    for (int i = 0; i < 3; ++i) {
      facet.corners[i] = Across(mesh.points[t[i]]);
      facet.height[i] = normal_.dot(mesh.points[t[i]]);
      low = low.cwiseMin(facet.corners[i]);
      high = high.cwiseMax(facet.corners[i]);
    }
  }
  if (facets_.empty()) return;
  low_ = low;
  slack_ = kSlack * (high - low).maxCoeff();
  cells_ =
      std::clamp(static_cast<int>(std::sqrt(static_cast<double>(facets_.size()))), 1, kMostCells);
  const double least = std::numeric_limits<double>::min();
  cell_ = ((high - low) / cells_).cwiseMax(least);
  in_cell_.resize(static_cast<std::size_t>(cells_) * cells_);
  for (std::uint32_t n = 0; n < facets_.size(); ++n) {
    const auto& c = facets_[n].corners;
    double longest = 0.0;
    for (int i = 0; i < 3; ++i) longest = std::max(longest, (c[(i + 1) % 3] - c[i]).norm());
    facets_[n].slack = slack_ * longest;
    const Eigen::Vector2d slack(slack_, slack_);
    const auto first = CellOf(c[0].cwiseMin(c[1]).cwiseMin(c[2]) - slack);
    const auto last = CellOf(c[0].cwiseMax(c[1]).cwiseMax(c[2]) + slack);
    for (int i = first[0]; i <= last[0]; ++i) {
      for (int j = first[1]; j <= last[1]; ++j) in_cell_[i * cells_ + j].push_back(n);
    }
  }
}

std::array<int, 2> ColumnHeights::CellOf(const Eigen::Vector2d& x) const {
  std::array<int, 2> cell;
  for (int i = 0; i < 2; ++i) {
    cell[i] = static_cast<int>(std::clamp((x[i] - low_[i]) / cell_[i], 0.0, cells_ - 1.0));
  }
  return cell;
}

double ColumnHeights::Below(const Eigen::Vector3d& p) const {
  if (facets_.empty()) return 0.0;
  const Eigen::Vector2d x = Across(p);
  const double top = normal_.dot(p);
  const auto cell = CellOf(x);
  double best = -std::numeric_limits<double>::infinity();
  for (const std::uint32_t n : in_cell_[cell[0] * cells_ + cell[1]]) {
    const Facet& facet = facets_[n];
    Eigen::Vector3d weight;
    for (int i = 0; i < 3; ++i) {
      const Eigen::Vector2d p1 = facet.corners[(i + 1) % 3] - x,
                            p2 = facet.corners[(i + 2) % 3] - x;
      weight[i] = p2[0] * p1[1] - p2[1] * p1[0];
    }
    // Turned away: positive inside.
    const double sum = weight.sum();
    if (!(sum > 0.0) || weight.minCoeff() < -facet.slack) continue;
    const Eigen::Vector3d inside = weight.cwiseMax(0.0);
    const double height = inside.dot(facet.height) / inside.sum();
    if (height <= top + slack_) best = std::max(best, height);
  }
  return std::isfinite(best) ? std::max(0.0, top - best) : 0.0;
}

}  // namespace volcontact
