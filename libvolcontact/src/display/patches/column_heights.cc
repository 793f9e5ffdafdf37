#include "display/patches/column_heights.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace volcontact {
namespace {

// A point is in a facet, and a facet below a point, but for this part of the size.
constexpr double kSlack = 1e-10;
constexpr std::uint32_t kLeafFacets = 4;

}  // namespace

ColumnHeights::ColumnHeights(const DisplayMesh& mesh, const Eigen::Vector3d& normal)
    : normal_(normal), u_(normal.unitOrthogonal()), v_(normal.cross(u_)) {
  Eigen::AlignedBox2d whole;
  for (const auto& t : mesh.triangles) {
    const Eigen::Vector3d &a = mesh.points[t[0]], &b = mesh.points[t[1]], &c = mesh.points[t[2]];
    if (!((b - a).cross(c - a).dot(normal_) < 0.0)) continue;
    Facet& facet = facets_.emplace_back();
    for (int i = 0; i < 3; ++i) {
      facet.corners[i] = Across(mesh.points[t[i]]);
      facet.height[i] = normal_.dot(mesh.points[t[i]]);
    }
    whole.extend(facet.Box());
  }
  if (facets_.empty()) return;
  slack_ = kSlack * whole.sizes().maxCoeff();
  for (Facet& facet : facets_) {
    const auto& c = facet.corners;
    double longest = 0.0;
    for (int i = 0; i < 3; ++i) longest = std::max(longest, (c[(i + 1) % 3] - c[i]).norm());
    facet.slack = slack_ * longest;
  }
  Build(0, static_cast<std::uint32_t>(facets_.size()));
}

Eigen::AlignedBox2d ColumnHeights::Facet::Box() const {
  Eigen::AlignedBox2d box;
  for (const Eigen::Vector2d& corner : corners) box.extend(corner);
  return box;
}

void ColumnHeights::Build(std::uint32_t first, std::uint32_t last) {
  const std::size_t number = nodes_.size();
  Node& node = nodes_.emplace_back();
  for (std::uint32_t n = first; n < last; ++n) node.box.extend(facets_[n].Box());
  const Eigen::Vector2d extents = node.box.sizes(), slack(slack_, slack_);
  node.box = {node.box.min() - slack, node.box.max() + slack};
  node.first = first;
  node.last = last;
  if (last - first <= kLeafFacets) return;
  const int axis = extents[0] >= extents[1] ? 0 : 1;
  const auto place = [axis](const Facet& facet) {
    return facet.corners[0][axis] + facet.corners[1][axis] + facet.corners[2][axis];
  };
  const std::uint32_t middle = first + (last - first) / 2;
  std::nth_element(facets_.begin() + first, facets_.begin() + middle, facets_.begin() + last,
                   [&](const Facet& a, const Facet& b) { return place(a) < place(b); });
  Build(first, middle);
  nodes_[number].second = static_cast<std::uint32_t>(nodes_.size());
  Build(middle, last);
}

std::optional<double> ColumnHeights::HeightOf(const Facet& facet, const Eigen::Vector2d& x) const {
  Eigen::Vector3d weight;
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector2d p1 = facet.corners[(i + 1) % 3] - x, p2 = facet.corners[(i + 2) % 3] - x;
    weight[i] = p2[0] * p1[1] - p2[1] * p1[0];
  }
  // Turned away: positive inside.
  if (!(weight.sum() > 0.0) || weight.minCoeff() < -facet.slack) return std::nullopt;
  const Eigen::Vector3d inside = weight.cwiseMax(0.0);
  return inside.dot(facet.height) / inside.sum();
}

double ColumnHeights::Below(const Eigen::Vector3d& p) const {
  if (facets_.empty()) return 0.0;
  // Halves of halves: nodes wait on no more levels than numbers of facets have bits.
  std::array<std::uint32_t, 33> waiting;
  std::size_t count = 0;
  waiting[count++] = 0;
  const Eigen::Vector2d x = Across(p);
  const double top = normal_.dot(p);
  double best = -std::numeric_limits<double>::infinity();
  while (count > 0) {
    const std::uint32_t number = waiting[--count];
    const Node& node = nodes_[number];
    if (!node.box.contains(x)) continue;
    if (node.second != 0) {
      waiting[count++] = node.second;
      waiting[count++] = number + 1;
      continue;
    }
    for (std::uint32_t n = node.first; n < node.last; ++n) {
      const std::optional<double> height = HeightOf(facets_[n], x);
      if (height && *height <= top + slack_) best = std::max(best, *height);
    }
  }
  return std::isfinite(best) ? std::max(0.0, top - best) : 0.0;
}

}  // namespace volcontact
