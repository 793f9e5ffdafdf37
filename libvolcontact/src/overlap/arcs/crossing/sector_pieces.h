// The edges of the parts of a region in sectors about an axis.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <vector>

#include "math/rigid.h"
#include "overlap/arcs/crossing/curve_finder.h"
#include "overlap/arcs/curves/curve_crossings.h"
#include "overlap/arcs/edges/edges.h"
#include "overlap/frame/local_problem.h"
#include "overlap/frame/owner.h"
#include "solids/implicit/implicit_solid.h"

namespace volcontact {

/// Equal sectors about an axis, at least three. Sector k lies between the walls k and k + 1, which
/// are half-planes that end at the axis.
struct Sectors {
  int count = 0;
  Owner owner = Owner::kA;  ///< the body that is cut; owns the walls
  Rigid X_AF;               ///< z along the axis, x in wall 0, y on its side of sector 0
};

/// Cuts the edges of a region at the walls between sectors, and finds the edges in the walls. A
/// wall's edges bound the sectors on both sides of it.
class SectorPieces {
 public:
  /// Appends the planes of all walls to the problem's surfaces and `kinds`: wall k is psi = 0, and
  /// sector k lies where psi >= 0.
  void AppendWalls(const Sectors& sectors, LocalProblem* problem, std::vector<SurfaceKind>* kinds);

  /// Cuts the edges that a finder has found in the problem without walls. False if an edge lies in
  /// a wall, or touches one, or the edges in the walls are not certain.
  bool Run(const LocalProblem& problem, const std::vector<SurfaceKind>& kinds,
           const CurveFinder& of_region);

  bool IsEmpty(int sector) const { return pieces_[static_cast<std::size_t>(sector)].empty(); }
  /// Those of a sector; valid until this is called again.
  const Edges& EdgesIn(int sector);
  /// The part of a region in a sector.
  Expression ExpressionIn(int sector, const Expression& whole) const;

 private:
  int WallAt(int k) const { return first_wall_ + k % count_; }
  LocalSurface PlaneAt(double angle) const;
  double AngleOf(const Eigen::Vector3d& p) const;
  bool CutAt(const LocalSurface& plane, const EdgePiece& piece);
  template <class TakePart>
  void TakeParts(const EdgePiece& piece, const TakePart& take);
  void AddInWall(const LocalProblem& problem, EdgePiece piece, const CurvePoint& middle);

  int count_ = 0, first_wall_ = 0;
  Owner owner_ = Owner::kA;
  // Coordinates across the axis: gradients and constants, over the cube.
  std::array<Eigen::Vector3d, 2> across_;
  std::array<double, 2> offset_{};
  std::vector<LocalSurface> planes_, beside_;  // of walls, and across these through the axis
  CurveFinder sections_;
  CurveCrossings crossings_;
  std::vector<double> parameters_;
  Edges edges_;                                 // all curves, and the pieces of one sector
  std::vector<std::vector<EdgePiece>> pieces_;  // by sector
};

}  // namespace volcontact
