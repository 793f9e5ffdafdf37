// On which sides of a solid's surfaces points are of which it is known whether they are inside.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "step/step_solid.h"

namespace volcontact {

/// A set of points by one bit of each.
class PointSet {
 public:
  PointSet() = default;
  explicit PointSet(std::size_t points) { Resize(points); }
  static PointSet All(std::size_t points);

  /// The points that are added are not in it.
  void Resize(std::size_t points) { words_.resize((points + kBits - 1) / kBits); }
  void Insert(std::size_t i) { words_[i / kBits] |= Word{1} << (i % kBits); }
  bool Has(std::size_t i) const { return (words_[i / kBits] >> (i % kBits) & 1u) != 0; }
  void Clear() { std::ranges::fill(words_, Word{0}); }
  void Add(const PointSet& more);
  void Remove(const PointSet& taken);
  void KeepOnly(const PointSet& kept);
  int CountCommon(const PointSet& other) const;
  /// Whether each point is in one of the others.
  bool IsWithin(const PointSet& a, const PointSet& b) const;

 private:
  using Word = std::uint64_t;
  static constexpr std::size_t kBits = 64;

  std::vector<Word> words_;
};

/// The points on either side of a surface; those next to it are in neither set.
struct SidesOfSurface {
  PointSet below, above;

  const PointSet& On(bool is_below) const { return is_below ? below : above; }
  /// Those of some points, by their place in the list.
  SidesOfSurface Some(const std::vector<std::size_t>& points) const;
};

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
    SidesOfSurface of_labels;
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
  void TakeSides(std::size_t first_label, Surface* surface) const;
  bool IsSame(const StepFace& a, const StepFace& b, double sign) const;
  void AddSurface(const StepFace& surface, bool is_face);

  const StepSolid& step_;
  const double size_;
  std::vector<Surface> surfaces_;
  std::vector<StepPoint> labels_;
};

}  // namespace volcontact
