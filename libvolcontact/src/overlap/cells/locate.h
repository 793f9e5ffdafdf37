// Locates the overlap: from a box that contains it to a tight box aligned with the contact.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "overlap/cells/cell_bounds.h"
#include "overlap/cells/conjunction.h"
#include "overlap/frame/local_problem.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

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
  // What one search is about, and what it has cost. The problem is localized in one box after
  // another.
  struct Search {
    const SurfaceSet& set;
    LocalProblem* problem;
    int depth;        // octree levels of one step
    double thinnest;  // a box no thicker than this holds no volume worth the name
    long cells = 0;
  };

  // What is known of the surfaces over one cell; no models of those that are decided.
  struct CellState {
    const LinearModel* models;
    const Truth* states;
  };

  struct Survivor {
    Cell cell;
    Eigen::Vector3d push;  // outward normals of B less those of A in the cell, in C, by area
  };

  // A box in a cell, relative to the cell's centre.
  struct Range {
    Eigen::Vector3d low, high;
  };

  // The next box, the ratio of its volume to that of the present one, and by how much of the
  // present box's thickness its axes are off the new ones.
  struct Step {
    LocalFrame frame;
    double shrinkage, tilt;
  };

  /// How the axes of the boxes in turn may follow the contact.
  enum class Rotation { kNone, kAboutZ, kFree };

  Search Begin(const SurfaceSet& set, int depth, double thinnest, LocalProblem* problem);
  Result FollowContact(const LocalFrame& start, Search* search);
  Result Shrink(const LocalFrame& start, Rotation rotation, Search* search);
  Result AlignAndShrink(const LocalFrame& frame, const Eigen::Vector3d& z_C,
                        const Eigen::Matrix3d& second_C, Rotation rotation, Search* search);
  Eigen::Vector3d SearchNormal(const LocalProblem& problem, bool* empty);
  void Collect(const Cell& cell, int depth, Search* search);
  void AddSurvivor(const LocalProblem& problem, const Cell& cell, const CellState& state);
  Step NextStep(const LocalFrame& frame, Rotation rotation) const;

  static bool Contract(const Expression& expression, const CellState& state, Cell* cell);
  static bool ContractBy(const Expression& expression, int root, const CellState& state,
                         Range* range);
  static bool ContractByLiteral(const Expression::Node& literal, const CellState& state,
                                Range* range);

  // Scratch memory, kept from search to search.
  std::vector<int> sign_;      // by surface: its literal is psi·sign <= 0 (0: none)
  std::vector<Truth> states_;  // by depth and surface
  std::vector<LinearModel> models_;
  std::vector<Survivor> survivors_;
  std::vector<QuadraticModel> quadratics_;
  Conjunction conjunction_;
};

}  // namespace volcontact
