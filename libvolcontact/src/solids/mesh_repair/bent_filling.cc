#include "solids/mesh_repair/bent_filling.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "math/time_limit.h"
#include "solids/mesh_repair/hole_filling.h"

namespace volcontact {
namespace {

constexpr double kLeastCosine = 0.70710678;

Eigen::Vector3d AreaVector(const std::vector<Eigen::Vector3d>& p) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (std::size_t i = 1; i + 1 < p.size(); ++i) {
    sum += 0.5 * (p[i] - p[0]).cross(p[i + 1] - p[0]);
  }
  return sum;
}

std::vector<Eigen::Vector3d> PointsOf(const std::vector<Eigen::Vector3d>& vertices,
                                      const std::vector<int>& ring) {
  std::vector<Eigen::Vector3d> points;
  for (const int v : ring) points.push_back(vertices[static_cast<std::size_t>(v)]);
  return points;
}

// Least area over all ways to cut the polygon into triangles, by its parts between two corners.
class LeastArea {
 public:
  LeastArea(std::vector<Eigen::Vector3d> points, const Eigen::Vector3d& normal)
      : points_(std::move(points)), normal_(normal), size_(points_.size()) {
    area_.assign(size_ * size_, 0.0);
    middle_.assign(size_ * size_, 0);
    for (std::size_t gap = 2; gap < size_; ++gap) {
      TimeLimit::Enforce();
      for (std::size_t i = 0; i + gap < size_; ++i) Solve(i, i + gap);
    }
  }

  // As corners of the polygon; empty where every way leans too much.
  std::vector<std::array<std::size_t, 3>> Faces() const {
    std::vector<std::array<std::size_t, 3>> faces;
    if (std::isfinite(area_[size_ - 1])) Collect(0, size_ - 1, &faces);
    return faces;
  }

 private:
  double CostOf(std::size_t i, std::size_t m, std::size_t k) const {
    const Eigen::Vector3d a = 0.5 * (points_[m] - points_[i]).cross(points_[k] - points_[i]);
    const double area = a.norm();
    if (!(a.dot(normal_) >= kLeastCosine * area) || area == 0.0) {
      return std::numeric_limits<double>::infinity();
    }
    return area;
  }

  void Solve(std::size_t i, std::size_t k) {
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t m = i + 1; m < k; ++m) {
      const double cost = area_[i * size_ + m] + area_[m * size_ + k] + CostOf(i, m, k);
      if (cost >= best) continue;
      best = cost;
      middle_[i * size_ + k] = m;
    }
    area_[i * size_ + k] = best;
  }

  void Collect(std::size_t i, std::size_t k, std::vector<std::array<std::size_t, 3>>* faces) const {
    if (k - i < 2) return;
    const std::size_t m = middle_[i * size_ + k];
    faces->push_back({i, m, k});
    Collect(i, m, faces);
    Collect(m, k, faces);
  }

  const std::vector<Eigen::Vector3d> points_;
  const Eigen::Vector3d normal_;
  const std::size_t size_;
  std::vector<double> area_;
  std::vector<std::size_t> middle_;
};

}  // namespace

std::vector<std::array<int, 3>> FillBentRing(const std::vector<Eigen::Vector3d>& vertices,
                                             const std::vector<int>& ring) {
  if (ring.size() < 4 || ring.size() > kMostEdgesOfHole) return {};
  const std::vector<int> turned(ring.rbegin(), ring.rend());
  const std::vector<Eigen::Vector3d> points = PointsOf(vertices, turned);
  const Eigen::Vector3d area = AreaVector(points);
  if (!(area.norm() > 0.0)) return {};
  std::vector<std::array<int, 3>> faces;
  for (const auto& [a, b, c] : LeastArea(points, area.normalized()).Faces()) {
    faces.push_back({turned[a], turned[b], turned[c]});
  }
  return faces;
}

double BendOf(const std::vector<Eigen::Vector3d>& vertices, const std::vector<int>& ring) {
  const std::vector<Eigen::Vector3d> points = PointsOf(vertices, ring);
  const Eigen::Vector3d normal = AreaVector(points).normalized();
  double low = 0.0, high = 0.0;
  for (const Eigen::Vector3d& p : points) {
    low = std::min(low, normal.dot(p - points[0]));
    high = std::max(high, normal.dot(p - points[0]));
  }
  return high - low;
}

}  // namespace volcontact
