// On which sides of a solid's surfaces points are of which it is known whether they are inside.
#pragma once

#include <cstdint>
#include <vector>

#include "step/step_solid.h"

namespace volcontact {

/// On which side of a surface each point is: −1 where its height is negative, 0 next to it.
using PointSides = std::vector<std::int8_t>;

/// A side of a surface, by its number in the table.
struct StepSide {
  int surface = 0;
  bool below = false;
};

/// The surfaces of a solid, each once, with the sides of points.
class StepTable {
 public:
  struct Surface {
    const StepFace* surface;
    std::vector<const StepFace*> faces;  ///< that lie on it; none on a separator
    PointSides of_labels;
    /// Of each of its faces the separators at which that ends at a right angle, with its own side:
    /// where faces go over into each other these keep their surfaces apart.
    std::vector<std::vector<StepSide>> ends;
  };

  /// With points on both sides of each face, and some beside the solid's bounds.
  explicit StepTable(const StepSolid& step);

  /// Adds points that are known otherwise.
  void Add(const std::vector<StepPoint>& points);

  const StepSolid& step() const { return step_; }
  /// Those of faces, and then those of separators.
  const std::vector<Surface>& surfaces() const { return surfaces_; }
  const std::vector<StepPoint>& labels() const { return labels_; }

 private:
  std::vector<StepSide> EndsOf(const StepFace& face) const;
  void TakeOutside();
  void TakeFace(int number);
  bool IsAlone(int face, const Eigen::Vector3d& p) const;
  void AppendSides(const std::vector<StepPoint>& points, Surface* surface) const;
  bool IsSame(const StepFace& a, const StepFace& b, double sign) const;
  void AddSurface(const StepFace& surface, bool is_face);

  const StepSolid& step_;
  const double size_;
  std::vector<Surface> surfaces_;
  std::vector<StepPoint> labels_;
};

}  // namespace volcontact
