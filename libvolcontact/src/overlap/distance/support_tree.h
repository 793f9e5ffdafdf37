// A tree of cells on the boundary of one solid, which know bounds of their support.
#pragma once

#include <Eigen/Core>
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

/// The tree, grown on demand, for a pair search (pair_search.h). Cells certified to lie outside the
/// solid or in its interior are left out: two disjoint sets come closest on their boundaries. A
/// cell is halved along the axis along which its surfaces bend most, where that is too much, else
/// along its longest; so a wall that is bent in one direction is cut along the other only where it
/// ends.
class SupportTree {
 public:
  /// The solid within `box` (finite, in its own frame), which has the pose (R, t) in the common
  /// frame.
  SupportTree(const SurfaceSet& set, const Aabb& box, const Eigen::Matrix3d& R,
              const Eigen::Vector3d& t);

  /// The root; nothing if the solid has no boundary in the box.
  std::optional<int> root() const { return root_; }
  const std::vector<int>& Children(int index, double allowed);

  const Eigen::Vector3d& Center(int index) const { return cells_[index].center; }
  /// Around what is in a cell, in the common frame.
  Aabb BoxOf(int index) const {
    const Eigen::Vector3d reach = R_.cwiseAbs() * cells_[index].half;
    return {cells_[index].center - reach, cells_[index].center + reach};
  }
  double Size(int index) const { return cells_[index].half.squaredNorm(); }
  double Bend(int index) const { return cells_[index].bend.maxCoeff(); }
  double Support(int index, const Eigen::Vector3d& u) const;
  /// A point of the cell near p that about satisfies its planes.
  Eigen::Vector3d Nearest(int index, const Eigen::Vector3d& p) const;
  /// A point of the solid near p; nothing if a few Newton steps find none.
  std::optional<Eigen::Vector3d> Pull(int index, const Eigen::Vector3d& p);
  template <class Visit>
  void VisitNormals(int index, const Visit& visit) const {
    for (const SupportPlane& plane : cells_[index].planes) visit(plane.normal);
  }

 private:
  // A cell that may contain boundary points of the solid; in the common frame.
  struct SupportCell {
    Eigen::Vector3d center;
    Eigen::Vector3d half;  // along the solid's axes
    // How far what is in the cell may be from its planes, by axes.
    Eigen::Vector3d bend;
    std::vector<SupportPlane> planes;
    Cell cell;  // in scaled coordinates
    std::shared_ptr<const Expression> expression;
    std::optional<std::vector<int>> children;
  };

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
