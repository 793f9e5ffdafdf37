#include "solids/mesh_repair/hole_filling.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "math/time_limit.h"
#include "solids/exact/exact_orientation.h"

namespace volcontact {
namespace {

// Files of single precision round coordinates by 2^-24 of their size.
constexpr double kFlatness = 0x1p-22;

// How the ring bends decides which planes could be meant; small rings must be flat by themselves.
constexpr double kFlatnessOfRing = 1e-3;

class EarClipping {
 public:
  EarClipping(const std::vector<Eigen::Vector3d>& vertices, const std::vector<int>& ring)
      : vertices_(vertices), polygon_(ring.rbegin(), ring.rend()) {
    for (std::size_t i = 0; i < polygon_.size(); ++i) {
      normal_ += (At(i) - At(0)).cross(At(i + 1) - At(0));
    }
    normal_.cwiseAbs().maxCoeff(&axis_);
  }

  std::vector<std::array<int, 3>> Run() {
    if (!IsFlat()) return {};
    turn_ = normal_[axis_] > 0.0 ? 1 : -1;
    while (polygon_.size() >= 3) {
      TimeLimit::Enforce();
      std::size_t ear = 0;
      while (ear < polygon_.size() && !IsEar(ear)) ++ear;
      if (ear == polygon_.size()) {
        if (!IsStraight()) return {};
        ear = FirstAlongLine();
      }
      const std::size_t n = polygon_.size();
      faces_.push_back({polygon_[(ear + n - 1) % n], polygon_[ear], polygon_[(ear + 1) % n]});
      polygon_.erase(polygon_.begin() + static_cast<std::ptrdiff_t>(ear));
    }
    return faces_;
  }

 private:
  const Eigen::Vector3d& At(std::size_t i) const {
    return vertices_[polygon_[i % polygon_.size()]];
  }

  bool IsFlat() const {
    if (polygon_.size() == 3) return true;
    double size = 0.0, extent = 0.0, off = 0.0;
    const double length = normal_.norm();
    const Eigen::Vector3d n = length > 0.0 ? Eigen::Vector3d(normal_ / length) : normal_;
    for (std::size_t i = 0; i < polygon_.size(); ++i) {
      const Eigen::Vector3d d = At(i) - At(0);
      size = std::max(size, At(i).cwiseAbs().maxCoeff());
      extent = std::max(extent, d.norm());
      off = std::max(off, std::abs(n.dot(d)));
    }
    return off <= kFlatness * size && off <= kFlatnessOfRing * extent;
  }

  int TurnOf(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c) const {
    return turn_ * OrientationAlong(axis_, a, b, c);
  }

  // A corner that turns inward, whose triangle holds no other vertex of the ring.
  bool IsEar(std::size_t i) const {
    const std::size_t n = polygon_.size();
    const Eigen::Vector3d &a = At(i + n - 1), &b = At(i), &c = At(i + 1);
    if (TurnOf(a, b, c) <= 0) return false;
    for (std::size_t k = 2; k + 1 < n; ++k) {
      const Eigen::Vector3d& p = At(i + k);
      if (TurnOf(a, b, p) >= 0 && TurnOf(b, c, p) >= 0 && TurnOf(c, a, p) >= 0) return false;
    }
    return true;
  }

  // Whether all that is left lies in one line.
  bool IsStraight() const {
    for (std::size_t i = 0; i < polygon_.size(); ++i) {
      for (std::size_t k = i + 1; k < polygon_.size(); ++k) {
        if (AxisOfArea(At(0), At(i), At(k)) >= 0) return false;
      }
    }
    return true;
  }

  // The first end of the line. A face there has its longest edge on the rim, where a neighbour can
  // take its middle vertex up.
  std::size_t FirstAlongLine() const {
    std::size_t first = 0;
    for (std::size_t i = 1; i < polygon_.size(); ++i) {
      const Eigen::Vector3d &p = At(i), &q = At(first);
      if (std::tie(p.x(), p.y(), p.z()) < std::tie(q.x(), q.y(), q.z())) first = i;
    }
    return first;
  }

  const std::vector<Eigen::Vector3d>& vertices_;
  std::vector<int> polygon_;
  std::vector<std::array<int, 3>> faces_;
  Eigen::Vector3d normal_ = Eigen::Vector3d::Zero();  // twice the area vector
  int axis_ = 0;                                      // along which the plane is seen
  int turn_ = 1;                                      // of the ring, seen against the axis
};

}  // namespace

std::vector<std::array<int, 3>> FillRing(const std::vector<Eigen::Vector3d>& vertices,
                                         const std::vector<int>& ring, std::size_t most_edges) {
  if (ring.size() < 3 || ring.size() > most_edges) return {};
  return EarClipping(vertices, ring).Run();
}

}  // namespace volcontact
