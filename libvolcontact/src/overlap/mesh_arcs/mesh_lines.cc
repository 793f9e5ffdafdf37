#include "overlap/mesh_arcs/mesh_lines.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Boxes of the tree are looked into where a line misses them by no more than this part of the
// coordinates.
constexpr double kNearBox = 1e-14;

}  // namespace

void MeshLines::Begin(const MeshTree& mesh, bool is_beyond, const MeshToCube& to_cube,
                      const Vector3d& along) {
  mesh_ = &mesh;
  is_beyond_ = is_beyond;
  to_mesh_ = to_cube.Linear().inverse();
  along_ = to_mesh_ * along.normalized();
  origin_ = to_cube.origin();
  across_[0] = along_.unitOrthogonal();
  across_[1] = along_.normalized().cross(across_[0]);
}

// On which side of the line an edge passes it: of the same points whichever face asks.
int MeshLines::SideOf(std::uint32_t from, std::uint32_t to, const Line& line) const {
  if (from > to) return -SideOf(to, from, line);
  const Vector3d p = mesh_->vertices()[from] - origin_, q = mesh_->vertices()[to] - origin_;
  const double px = across_[0].dot(p) - line.x, py = across_[1].dot(p) - line.y;
  const double qx = across_[0].dot(q) - line.x, qy = across_[1].dot(q) - line.y;
  return px * qy - py * qx >= 0.0 ? 1 : -1;
}

int MeshLines::SideOf(const MeshTree::Face& face, const Line& line) const {
  const int side = SideOf(face[0], face[1], line);
  const bool crosses =
      SideOf(face[1], face[2], line) == side && SideOf(face[2], face[0], line) == side;
  return crosses ? side : 0;
}

void MeshLines::Visit(std::uint32_t number, const Line& line,
                      std::vector<Crossing>* crossings) const {
  const MeshNode& node = mesh_->nodes()[number];
  const Vector3d center = node.Center() - origin_, half = node.Half();
  const double margin = kNearBox * (center.cwiseAbs() + origin_.cwiseAbs() + half).sum();
  const std::array<double, 2> at = {line.x, line.y};
  for (int i = 0; i < 2; ++i) {
    const double reach = across_[i].cwiseAbs().dot(half) + margin;
    if (std::abs(across_[i].dot(center) - at[i]) > reach) return;
  }
  if (!node.IsLeaf()) {
    Visit(number + 1, line, crossings);
    return Visit(node.right, line, crossings);
  }
  for (std::uint32_t f = node.begin; f < node.end; ++f) {
    const MeshTree::Face& face = mesh_->faces()[f];
    const int side = SideOf(face, line);
    if (side == 0) continue;
    const Vector3d& p = mesh_->vertices()[face[0]];
    const Vector3d normal = (mesh_->vertices()[face[1]] - p).cross(mesh_->vertices()[face[2]] - p);
    crossings->push_back({normal.dot(p - origin_ - line.p) / normal.dot(along_), -side});
  }
}

bool MeshLines::FindCrossings(const Vector3d& p, std::vector<Crossing>* crossings) const {
  crossings->clear();
  const Vector3d p_M = to_mesh_ * p;
  Visit(0, {p_M, across_[0].dot(p_M), across_[1].dot(p_M)}, crossings);
  return crossings->size() % 2 == 0 &&
         std::all_of(crossings->begin(), crossings->end(),
                     [](const Crossing& crossing) { return std::isfinite(crossing.t); });
}

bool MeshLines::FindIntervals(const Vector3d& p,
                              std::vector<std::array<double, 2>>* intervals) const {
  thread_local std::vector<Crossing> found;
  thread_local std::vector<double> crossings;
  intervals->clear();
  if (!FindCrossings(p, &found)) return false;
  crossings.clear();
  for (const Crossing& crossing : found) crossings.push_back(crossing.t);
  if (is_beyond_) {
    constexpr double kNoEnd = std::numeric_limits<double>::infinity();
    crossings.insert(crossings.end(), {-kNoEnd, kNoEnd});
  }
  std::sort(crossings.begin(), crossings.end());
  for (std::size_t n = 0; n < crossings.size(); n += 2) {
    intervals->push_back({crossings[n], crossings[n + 1]});
  }
  return true;
}

void MeshLines::FindIntervalsBeside(Vector3d p, const Vector3d& step,
                                    std::vector<std::array<double, 2>>* intervals) const {
  constexpr int kMostMoves = 4;
  for (int n = 0; n < kMostMoves && !FindIntervals(p, intervals); ++n) p += step;
}

void IntersectIntervals(const std::vector<std::array<double, 2>>& first,
                        const std::vector<std::array<double, 2>>& second, double touch,
                        std::vector<std::array<double, 2>>* common) {
  common->clear();
  for (std::size_t m = 0, n = 0; m < first.size() && n < second.size();) {
    const double from = std::max(first[m][0], second[n][0]);
    const double to = std::min(first[m][1], second[n][1]);
    if (to - from > touch) {
      const bool goes_on = !common->empty() && from - common->back()[1] <= touch;
      if (goes_on) common->back()[1] = to;
      if (!goes_on) common->push_back({from, to});
    }
    first[m][1] < second[n][1] ? ++m : ++n;
  }
}

}  // namespace volcontact
