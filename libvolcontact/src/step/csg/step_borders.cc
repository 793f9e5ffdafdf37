#include "step/csg/step_borders.h"

#include <algorithm>
#include <cmath>

namespace volcontact {
namespace {

// How nearly vertices of the joint lie on the separator, and points of the face on one side of it,
// relative to the size.
constexpr double kOnSeparator = 1e-8;
// The cosine of the angle between the separator and the face.
constexpr double kAcross = 0.01;

std::optional<StepBorder> BorderBy(const StepJoints& joints, int face, int other,
                                   const StepFace& separator) {
  const double on = kOnSeparator * joints.step().Size();
  StepBorder border{separator};
  for (const StepEdge& edge : joints.Of(face).at(other).edges) {
    for (const int v : {edge.p, edge.q}) {
      const Eigen::Vector3d& p = joints.VertexAt(v);
      if (!(std::abs(separator.Height(p)) <= on)) return std::nullopt;
      const double cosine = separator.Up(p).dot(OutwardOf(joints.FaceAt(face), p));
      if (!(std::abs(cosine) <= kAcross)) return std::nullopt;
    }
    const Eigen::Vector3d middle = 0.5 * (joints.VertexAt(edge.p) + joints.VertexAt(edge.q));
    border.bulge = std::max(border.bulge, std::abs(separator.Height(middle)));
  }
  bool above = false;
  for (const Eigen::Vector3d& p : joints.FaceAt(face).inner) {
    border.below |= separator.Height(p) < -on;
    above |= separator.Height(p) > on;
  }
  return border.below != above ? std::optional(border) : std::nullopt;
}

}  // namespace

Eigen::Vector3d StepBorder::Into(const Eigen::Vector3d& p) const {
  return below ? Eigen::Vector3d(-separator.Up(p)) : separator.Up(p);
}

std::optional<std::map<int, StepBorder>> BordersOf(const StepJoints& joints, int face) {
  std::map<int, StepBorder> borders;
  for (const auto& [other, joint] : joints.Of(face)) {
    if (!joint.smooth) continue;
    for (const StepFace& separator : joints.step().separators) {
      const std::optional<StepBorder> border = BorderBy(joints, face, other, separator);
      if (!border) continue;
      borders.emplace(other, *border);
      break;
    }
    if (!borders.contains(other)) return std::nullopt;
  }
  return borders;
}

}  // namespace volcontact
