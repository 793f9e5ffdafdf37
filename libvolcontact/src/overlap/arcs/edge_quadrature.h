// Integrals along the edges of a region, and what they tell of it.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "math/gauss_rules.h"
#include "overlap/arcs/boundary_sums.h"
#include "overlap/arcs/edge_finder.h"
#include "overlap/arcs/edge_nodes.h"
#include "overlap/arcs/face_form.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

struct EdgeQuadratureResult {
  bool usable = false;     ///< false: a surface is too near to a degenerate one
  BoundarySums all, of_B;  ///< of the whole boundary, and of B's share of it
  double error = 0.0;      ///< estimate, of the volume in the cube's coordinates
  long nodes = 0;
};

/// Integrates the forms of all faces along the pieces of their edges, by nested rules.
class EdgeQuadrature {
 public:
  /// `segments` close what the finder left open. `relative_error`: of the volume, to be reached by
  /// the sum of the estimates where doubles allow.
  EdgeQuadratureResult Run(const LocalProblem& problem, const std::vector<SurfaceKind>& kinds,
                           const std::vector<NodeSegment>& segments, double relative_error,
                           EdgeFinder* finder);

 private:
  // The integrals of the forms of both surfaces along a part of an edge, and their estimated error.
  struct PieceIntegrals {
    std::array<BoundarySums, 2> sums;
    double error = 0.0;
  };
  struct Part {
    CurvePoint start, end;
  };

  bool MakeForms(const std::vector<SurfaceKind>& kinds, const EdgeFinder& finder);
  PieceIntegrals Integrate(const EdgePiece& piece, const Part& part, int rule);
  PieceIntegrals Refine(const EdgePiece& piece, const Part& part, double error, int depth);
  bool TraceNodes(const EdgePiece& piece, const Part& part, int begin, int end);
  double Difference(const EdgePiece& piece, const PieceIntegrals& coarse,
                    const PieceIntegrals& fine, int rule) const;
  PieceIntegrals Oriented(const EdgePiece& piece, PieceIntegrals integrals) const;
  void AddSegment(const NodeSegment& segment);
  void AddUp(const std::vector<NodeSegment>& segments, EdgeFinder* finder,
             EdgeQuadratureResult* result);

  const LocalProblem* problem_ = nullptr;
  std::vector<FaceForm> forms_;          // of the surfaces that have faces
  std::vector<int> form_of_;             // by surface, or -1
  std::vector<BoundarySums> integrals_;  // by form
  std::vector<PieceIntegrals> pieces_;
  std::vector<Eigen::Vector3d> points_;
  std::array<std::array<BoundarySums, 2>, kPattersonSizes[kPattersonCount - 1]> nodes_;
  bool lost_ = false;
  long node_count_ = 0;
};

}  // namespace volcontact
