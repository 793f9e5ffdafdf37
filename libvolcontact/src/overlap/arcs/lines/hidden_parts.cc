#include "overlap/arcs/lines/hidden_parts.h"

#include <Eigen/Geometry>
#include <cstddef>
#include <deque>

#include "overlap/arcs/lines/line_probe.h"
#include "overlap/cells/cell_bounds.h"

namespace volcontact {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// Lines in a row of a grid, and rows.
constexpr int kLinesOfGrid = 16;
// Pairs of parts whose boxes lie behind each other, of which lines are asked: many parts that do
// not hide each other are one beside the other.
constexpr int kMostPairs = 64;

// A part as it is seen.
class SeenPart {
 public:
  SeenPart(const FramedRegion& part, const Vector3d& direction, const Vector3d& across)
      : part_(part), direction_(direction) {
    const Eigen::Matrix3d R = part.frame.X_AC.RotationDouble();
    axes_.row(0) = across;
    axes_.row(1) = direction.cross(across);
    const Vector2d center = axes_ * Round(part.frame.X_AC.t);
    const Vector2d reach = (axes_ * R).cwiseAbs() * part.frame.half;
    low_ = center - reach;
    high_ = center + reach;
  }

  const Vector2d& low() const { return low_; }
  const Vector2d& high() const { return high_; }

  // Whether the line seen at a place meets the region.
  bool MeetsLine(const Vector2d& place) {
    const LocalFrame& frame = part_.frame;
    const Eigen::Matrix3d R_CA = frame.X_AC.RotationDouble().transpose();
    if (!is_ready_) {
      Localize(*part_.set, frame, &problem_);
      SimplifyInBox(&problem_);
      probe_.Begin(problem_, (R_CA * direction_).cwiseQuotient(frame.half));
      is_ready_ = true;
    }
    const Vector3d center = Round(frame.X_AC.t);
    const Vector3d beside = axes_.transpose() * (place - axes_ * center);
    return probe_.CountIntervals((R_CA * beside).cwiseQuotient(frame.half)) > 0;
  }

 private:
  FramedRegion part_;
  Vector3d direction_;
  Eigen::Matrix<double, 2, 3> axes_;
  Vector2d low_, high_;
  bool is_ready_ = false;
  LocalProblem problem_;
  LineProbe probe_;
};

// What of two parts' boxes lies behind each other.
struct SeenBox {
  Vector2d low, high;

  SeenBox(const SeenPart& one, const SeenPart& other)
      : low(one.low().cwiseMax(other.low())), high(one.high().cwiseMin(other.high())) {}
  bool IsEmpty() const { return !(low.array() < high.array()).all(); }
};

bool DoHide(SeenPart* one, SeenPart* other, const SeenBox& box) {
  for (int m = 0; m < kLinesOfGrid; ++m) {
    for (int n = 0; n < kLinesOfGrid; ++n) {
      const Vector2d part = Vector2d(m + 0.5, n + 0.5) / kLinesOfGrid;
      const Vector2d place = box.low + part.cwiseProduct(box.high - box.low);
      if (one->MeetsLine(place) && other->MeetsLine(place)) return true;
    }
  }
  return false;
}

// Whether `hides` is true of two parts, and of what of their boxes lies behind each other.
template <typename Hides>
bool AnyBehind(std::span<const FramedRegion> parts, const Vector3d& direction, const Hides& hides) {
  const Vector3d across = direction.unitOrthogonal();
  std::deque<SeenPart> seen;
  for (const FramedRegion& part : parts) seen.emplace_back(part, direction, across);
  for (std::size_t m = 0; m < seen.size(); ++m) {
    for (std::size_t n = m + 1; n < seen.size(); ++n) {
      const SeenBox box(seen[m], seen[n]);
      if (!box.IsEmpty() && hides(&seen[m], &seen[n], box)) return true;
    }
  }
  return false;
}

}  // namespace

bool MayPartsHide(std::span<const FramedRegion> parts, const Vector3d& direction) {
  return AnyBehind(parts, direction, [](SeenPart*, SeenPart*, const SeenBox&) { return true; });
}

bool DoPartsHide(std::span<const FramedRegion> parts, const Vector3d& direction) {
  int pairs_left = kMostPairs;
  return AnyBehind(parts, direction, [&](SeenPart* one, SeenPart* other, const SeenBox& box) {
    return --pairs_left >= 0 && DoHide(one, other, box);
  });
}

}  // namespace volcontact
