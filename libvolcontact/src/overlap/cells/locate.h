// Finding the overlap: from a box that contains it to a tight one aligned with the contact.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "overlap/cells/cell_bounds.h"
#include "overlap/cells/conjunction.h"
#include "overlap/frame/local_problem.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

/// Axes (columns) with z along a unit vector and x along the widest spread of the second moments
/// across it.
Eigen::Matrix3d AlignedAxes(const Eigen::Vector3d& z, const Eigen::Matrix3d& spread);

/// The coarse, certified octree pass. Each step classifies the cells of a shallow octree over the
/// present box, shrinks the survivors by the linear models of the surfaces that must hold, and
/// takes their hull in a frame whose z axis follows the contact normal as the next box. Boxes
/// shrink geometrically, so the cost grows with the logarithm of size over depth only, in any
/// orientation.
class Locator {
 public:
  struct Result {
    bool empty = false;  ///< no overlap with volume; certain but for a thickness that is lost in
                         ///< double-double rounding
    LocalFrame frame;    ///< contains the whole overlap otherwise, tight to a factor of about two
    long cells = 0;
  };

  /// `box`: contains the region, in the set's frame, bounded. `problem` is left localized in the
  /// result's frame.
  Result Run(const SurfaceSet& set, const Aabb& box, LocalProblem* problem);

  /// The same from a box, in the set's frame, in which a search with more cells comes first: for
  /// what Run left in a wide box.
  Result RunDeeper(const SurfaceSet& set, const LocalFrame& frame, LocalProblem* problem);

  /// A tight box around the same region in a given orientation: z along the unit vector z_C of the
  /// frame C, x along the widest spread of the second moments across it. `frame` contains the
  /// region.
  Result Align(const SurfaceSet& set, const LocalFrame& frame, const Eigen::Vector3d& z_C,
               const Eigen::Matrix3d& second_C, LocalProblem* problem);

  /// A tight box around the same region with the axes of `frame`, which contains it.
  Result Fit(const SurfaceSet& set, const LocalFrame& frame, LocalProblem* problem);

 private:
  struct Survivor {
    Cell cell;
    Eigen::Vector3d push;  // outward normals of B less those of A in the cell, in C, by area
  };

  // A box in a cell, relative to the cell's centre.
  struct Part {
    Eigen::Vector3d low, high;
  };

  /// How the axes of the boxes in turn may follow the contact.
  enum class Rotation { kNone, kAboutZ, kFree };

  // Octree levels of one step of the search: up to 64 leaves, and up to 4096.
  static constexpr int kDepth = 2, kGreatDepth = 4;

  void Prepare(const SurfaceSet& set, int depth, LocalProblem* problem);
  Result FollowContact(const SurfaceSet& set, const LocalFrame& start, double thinnest);
  Result Shrink(const SurfaceSet& set, const LocalFrame& start, Rotation rotation, double thinnest);
  Result Align(const SurfaceSet& set, const LocalFrame& frame, const Eigen::Vector3d& z_C,
               const Eigen::Matrix3d& second_C, LocalProblem* problem, Rotation rotation,
               double thinnest);
  Eigen::Vector3d SearchNormal(bool* empty);
  void Collect(const Cell& cell, int depth);
  bool Contract(Cell* cell) const;
  bool ContractBy(int root, Part* part) const;
  bool ContractByLiteral(const Expression::Node& literal, Part* part) const;
  void AddSurvivor(const Cell& cell, const LinearModel* models, const Truth* states);
  LocalFrame NextFrame(Rotation rotation, double* shrinkage, double* tilt) const;

  LocalProblem* problem_ = nullptr;
  int depth_ = kDepth;
  std::vector<int> sign_;      // by surface: its literal is psi·sign <= 0 (0: none)
  std::vector<Truth> states_;  // by depth and surface
  std::vector<LinearModel> models_;
  const Truth* states_now_ = nullptr;  // of the cell being looked at
  const LinearModel* models_now_ = nullptr;
  std::vector<Survivor> survivors_;
  std::vector<QuadraticModel> quadratics_;
  Conjunction conjunction_;
  long cells_ = 0;
};

}  // namespace volcontact
