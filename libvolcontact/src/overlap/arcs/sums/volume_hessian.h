// Derivatives of the area vectors of an overlap by the motion of A, as sums over its edges.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "math/quadrature/gauss_rules.h"
#include "overlap/arcs/edges/edges.h"
#include "overlap/arcs/faces/boundary_sums.h"
#include "overlap/cells/cell.h"
#include "overlap/frame/local_problem.h"
#include "overlap/frame/volume_derivatives.h"

namespace volcontact {

/// Whose faces meet in an edge of the overlap.
struct EdgeOfBodies {
  /// Faces of one body, of both, or the edge lies in faces of both.
  enum class Kind { kOfOne, kCrossing, kFlush };

  Kind kind = Kind::kOfOne;
  int of_A = -1, of_B = -1;  ///< surfaces of a crossing
  double boundary = 0.0;     ///< as in VolumeHessian::Crossing
};

EdgeOfBodies BodiesAt(const LocalProblem& problem, const EdgePiece& piece);

/// Why there are no derivatives of an overlap.
inline constexpr char kFlushBodies[] =
    "faces or edges of A and B lie in each other: V has no second derivative";

/// Integrals along those edges of an overlap at which a face of A's boundary and one of B's meet:
/// docs/theory.md, section 16. The other edges do not count: moving A moves its own along with it.
class VolumeHessian {
 public:
  /// An edge between faces of A and of B.
  struct Crossing {
    double boundary;   ///< weight of the way from start to end, as a part of B's face's boundary
    bool is_straight;  ///< both faces are flat
  };
  /// A point of one, with the derivative by u, and vectors along the normals of A's face and of
  /// B's: gradients, in the problem's coordinates.
  struct Place {
    CurvePoint point;
    Eigen::Vector3d of_A, of_B;
  };
  /// Finds the place u, from 0 to 1, on a crossing; false where that is lost.
  using PlaceOn = std::function<bool(std::size_t crossing, double u, Place* place)>;

  /// Along given edges, in a frame; `all` and `of_B` as below.
  RawDerivatives RunAlong(const LocalFrame& frame, const std::vector<Crossing>& crossings,
                          const PlaceOn& place_on, const BoundarySums& all,
                          const BoundarySums& of_B, double relative_error);

  /// `all` and `of_B`: the sums over the overlap's boundary and B's share of it. In the frame of
  /// the problem. `relative_error` is what the quadrature aims at where doubles allow. `nodes`:
  /// cells in which edges are not known.
  RawDerivatives Run(const LocalProblem& problem, const Edges& edges,
                     const std::vector<Cell>& nodes, const BoundarySums& all,
                     const BoundarySums& of_B, double relative_error);

 private:
  // Along a piece, all scaled: the matrix by columns; then with q = (r·dr) r − r² dr and i <= j
  // ∮ r_i q_k, ∮ r_i r_j q_k, and ∮ r_i r_j (r × dr)_k, each for all k in turn.
  static constexpr int kMatrix = 36, kTurnedFirst = 36, kTurnedSecond = 45, kMovedSecond = 63,
                       kSize = 81;
  using Values = std::array<double, kSize>;

  // A crossing that is a piece of the edges that were found.
  struct PieceOfBodies {
    const EdgePiece* piece;
    int of_A, of_B;  // surfaces
  };
  struct Part {
    double from = 0.0, to = 1.0;
  };
  // The integrals and their magnitudes, with the estimated errors of matrix and moments.
  struct Integrals {
    Values sums{}, magnitudes{};
    std::array<double, 2> errors{};

    void Add(const Integrals& other);
  };

  bool CollectCrossings(const LocalProblem& problem, const Edges& edges);
  bool EndsInNode(const LocalProblem& problem, const Edges& edges,
                  const std::vector<Cell>& nodes) const;
  void SetUnits();
  bool TraceNodes(std::size_t crossing, const Part& part, int begin, int end);
  void Evaluate(double boundary, const Place& place, Values* values) const;
  Integrals Integrate(std::size_t crossing, const Part& part, int rule, int traced);
  Integrals Refine(std::size_t crossing, const Part& part, const std::array<double, 2>& allowed,
                   double before);
  Integrals IntegrateAll(double relative_error);
  RawDerivatives Sum(const LocalFrame& frame, const PlaceOn& place_on, const BoundarySums& all,
                     const BoundarySums& of_B, double relative_error);
  VolumeDerivatives Derivatives(const Integrals& total, const BoundarySums& all,
                                const BoundarySums& of_B) const;
  void AddMoments(const Integrals& total, const BoundarySums& all, const BoundarySums& of_B,
                  VolumeDerivatives* result) const;

  LocalFrame frame_;
  const PlaceOn* place_on_ = nullptr;
  std::vector<PieceOfBodies> pieces_;  // by crossing, where these are pieces
  std::vector<Crossing> crossings_;
  std::vector<Integrals> integrals_;  // by crossing
  std::array<Values, kPattersonSizes[kPattersonCount - 1]> nodes_;
  std::array<double, 6> form_units_{};  // of N
  Eigen::Matrix<double, 6, 1> inverse_form_units_;
  // Of r_i r_j, of q and of r × dr.
  std::array<double, 6> square_units_{};
  Eigen::Vector3d turned_units_, moved_units_;
  bool lost_ = false;
  long node_count_ = 0;
};

}  // namespace volcontact
