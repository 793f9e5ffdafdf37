// An octree on the boundary of one solid whose cells know bounds of their support.
#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "overlap/cells/cell_bounds.h"
#include "overlap/frame/local_problem.h"
#include "solids/implicit/expression.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

/// A half-space normal·(x − center) <= offset, |normal| = 1, that contains a cell's part of a
/// solid.
struct SupportPlane {
  Eigen::Vector3d normal;
  double offset;
};

/// A cell of the octree that may contain boundary points of the solid; in the common frame.
struct SupportCell {
  Eigen::Vector3d center;
  Eigen::Vector3d half;  // along the solid's axes
  std::vector<SupportPlane> planes;
  Cell cell;  // in scaled coordinates
  std::shared_ptr<const Expression> expression;
  std::optional<std::vector<int>> children;
};

/// The octree, grown on demand. Cells certified to lie outside the solid or in its interior are
/// left out: two disjoint sets come closest on their boundaries.
class SupportTree {
 public:
  /// The solid within `box` (finite, in its own frame), which has the pose (R, t) in the common
  /// frame.
  SupportTree(const SurfaceSet& set, const Aabb& box, const Eigen::Matrix3d& R,
              const Eigen::Vector3d& t);

  /// The root; nothing if the solid has no boundary in the box.
  std::optional<int> root() const { return root_; }
  const SupportCell& operator[](int index) const { return cells_[index]; }
  const std::vector<int>& Children(int index);

  /// Upper bound of u·(x − center) over the solid's points x in the cell.
  double Support(const SupportCell& cell, const Eigen::Vector3d& u) const;
  /// A point of the cell near p that about satisfies its planes.
  Eigen::Vector3d Nearest(const SupportCell& cell, const Eigen::Vector3d& p) const;
  /// A point of the solid near p, all in the common frame; nothing if a few Newton steps find none.
  std::optional<Eigen::Vector3d> Pull(const SupportCell& cell, const Eigen::Vector3d& p);

 private:
  std::optional<int> Grow(const Cell& cell, const Expression& expression);
  void AddPlanes(const Expression& expression, SupportCell* cell) const;
  double BoxSupport(const SupportCell& cell, const Eigen::Vector3d& u) const;

  LocalProblem problem_;
  Eigen::Matrix3d R_;
  Eigen::Vector3d origin_;  // of the root box, in the common frame
  std::vector<SupportCell> cells_;
  std::optional<int> root_;
  std::vector<QuadraticModel> models_;
  std::vector<Truth> states_;
};

}  // namespace volcontact
