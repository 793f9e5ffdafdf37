#include "overlap/meshes/mesh_face_loops.h"

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <numbers>

namespace volcontact {
namespace {

using Eigen::AlignedBox2d;
using Eigen::Vector2d;

double Cross(const Vector2d& a, const Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

double AreaOf(const FaceLoop& loop) {
  const Vector2d c = loop.segments.front().first;
  double twice = 0.0;
  for (const auto& [p, q] : loop.segments) twice += Cross(p - c, q - c);
  return 0.5 * twice;
}

AlignedBox2d BoxOf(const FaceLoop& loop) {
  AlignedBox2d box;
  for (const auto& [p, q] : loop.segments) box.extend(p);
  return box;
}

// How often the loop runs around points of a hole, on the average: a mean, so that a common point
// does not decide.
double Winding(const FaceLoop& loop, const FaceLoop& hole) {
  constexpr std::size_t kPoints = 16;
  const std::size_t step = hole.segments.size() / kPoints + 1;
  double angle = 0.0;
  int points = 0;
  for (std::size_t i = 0; i < hole.segments.size(); i += step, ++points) {
    const Vector2d& x = hole.segments[i].first;
    for (const auto& [p, q] : loop.segments) {
      angle += std::atan2(Cross(p - x, q - x), (p - x).dot(q - x));
    }
  }
  return angle / (2.0 * std::numbers::pi * points);
}

}  // namespace

std::vector<int> EnclosingLoops(const std::vector<FaceLoop>& loops) {
  std::vector<double> area;
  std::vector<AlignedBox2d> box;
  for (const FaceLoop& loop : loops) {
    area.push_back(AreaOf(loop));
    box.push_back(BoxOf(loop));
  }
  const auto is_hole = [&](std::size_t i) { return !loops[i].meets_rim && area[i] < 0.0; };
  std::vector<int> enclosing(loops.size(), -1);
  for (std::size_t i = 0; i < loops.size(); ++i) {
    if (!is_hole(i)) continue;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < loops.size(); ++k) {
      if (is_hole(k) || area[k] >= least || !box[k].intersects(box[i])) continue;
      if (Winding(loops[k], loops[i]) <= 0.5) continue;
      least = area[k];
      enclosing[i] = static_cast<int>(k);
    }
  }
  return enclosing;
}

}  // namespace volcontact
