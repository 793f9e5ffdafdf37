// Integrals along the edges of a region, and the metrics that follow from them.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "math/arithmetic/discs.h"
#include "math/quadrature/gauss_rules.h"
#include "overlap/arcs/edges/edge_nodes.h"
#include "overlap/arcs/edges/edges.h"
#include "overlap/arcs/edges/torus_seams.h"
#include "overlap/arcs/faces/boundary_sums.h"
#include "overlap/arcs/faces/face_form.h"
#include "overlap/arcs/sums/rule_sums.h"
#include "overlap/cells/undecided_cells.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

struct EdgeQuadratureResult {
  bool usable = false;     ///< false: a surface is too near to a degenerate one
  BoundarySums all, of_B;  ///< of the whole boundary, and of B's share of it
  double error = 0.0;      ///< estimate, of the volume in the cube's coordinates
  double noise = 0.0;      ///< of the same, by roundings of surfaces and by what edges are off them
  double spread = 0.0;     ///< [m²] the mean square of the distance of edges from the centroid
  long nodes = 0;
  bool has_closed_faces = false;  ///< all of a closed surface bounds the region, without edges

  /// What errors of the moments, all in the cube's coordinates, are to be compared with: the
  /// volume, or the trace of its second moments about the centroid, in units of the longest of the
  /// frame's `half` extents, where that is less, as it is for small parts of the cube.
  double Scale(const Eigen::Vector3d& half) const {
    return std::max(kLeastScale * Volume(), std::min(Volume(), Trace(half)));
  }
  /// The noise, to be compared with Scale: since it is where the faces are, it changes the second
  /// moments about the centroid by about the spread.
  double NoiseOfMoments(const Eigen::Vector3d& half) const {
    const double unit = half.maxCoeff();
    const double scale = std::min(Volume(), Trace(half) * unit * unit / spread);
    return scale > 0.0 ? noise * std::min(1.0, Scale(half) / scale) : noise;
  }

 private:
  static constexpr double kLeastScale = 1e-8;

  double Volume() const { return all.s[BoundarySums::kVolume]; }
  double Trace(const Eigen::Vector3d& half) const {
    const Eigen::Vector3d ratio = half / half.maxCoeff();
    const Eigen::Matrix3d second = all.Second() - all.First() * all.First().transpose() / Volume();
    return second.diagonal().dot(ratio.cwiseAbs2());
  }
};

/// What a bound of the volume may take where it is not found at once: as much as the quadrature, or
/// several times that.
enum class BoundEffort { kNone, kQuick, kFull };

/// Integrates the forms of all faces along the pieces of their edges, by nested rules.
class EdgeQuadrature {
 public:
  /// `segments` close what `edges` leave open; `seams` are those on its faces. `least_error`: the
  /// least that Reach will be asked for. `cells`: of the problem's expression, or null. All must
  /// outlive what follows. False if a face has no form.
  bool Begin(const LocalProblem& problem, const std::vector<SurfaceKind>& kinds, const Edges& edges,
             const std::vector<NodeSegment>& segments, const TorusSeams& seams, double least_error,
             int threads = 1, UndecidedCells* cells = nullptr);
  /// `relative_error`: of the moments, to be reached by the sum of the estimates where doubles
  /// allow. Again with a smaller one, it goes on from what is there.
  EdgeQuadratureResult Reach(double relative_error);

  /// How far the volume of the last Reach, in the cube's coordinates, is off by quadrature and
  /// roundings of the sums at most; infinite where nothing proves that (docs/theory.md, section
  /// 15).
  double VolumeBound(double volume, BoundEffort effort) const;

 private:
  // Of the integrals along a piece, estimated: of what its sheets add up to, and of the areas of
  // each.
  struct PieceError {
    double together = 0.0, areas = 0.0;
  };
  // The integrals of the forms of an edge's sheets along a part of it, and their estimated error.
  struct PieceIntegrals {
    std::array<BoundarySums, EdgeSheets::kMost> sums;
    PieceError error;
    int rule = 0;  // 0: of several parts
  };
  // Of a piece.
  struct Part {
    double from = 0.0, to = 1.0;
  };
  // What a part adds to the volume by a rule; 0: none has been taken.
  struct Taken {
    int rule = 0;
    double volume = 0.0;
  };
  // By the reach of ellipses about a part; negative where that is not known.
  static constexpr int kReachCount = 4;
  using Sizes = std::array<double, kReachCount>;
  // What a part adds to the volume, and what that is off at most.
  struct BoundedVolume {
    double value = 0.0, error = 0.0;
  };
  // The forms of the sheets at the nodes of one piece after another, for one thread.
  struct Nodes {
    RuleSums sums;
    bool lost = false;  // one was not found
    long count = 0;     // of the present piece,
    long most = 0;      // and how many it may have before it is halved no more
  };

  void SortPoints(const std::vector<SurfaceKind>& kinds);
  bool MakeForms(const std::vector<SurfaceKind>& kinds, const TorusSeams& seams);
  double FarPole(int surface);
  bool FindTorusPoles(int surface);
  std::optional<double> WeightBeside(int surface, const TorusStrip& torus,
                                     const TorusStrip::Pole& pole);
  double WeightAt(const Eigen::Vector3d& p, int surface);
  // The plane of a seam has no faces.
  bool IsSeam(const EdgePiece& piece) const { return form_of_[piece.second] < 0; }
  bool EvaluateAt(const EdgePiece& piece, const Part& part, const Lanes& place,
                  LaneSums* sums) const;
  PieceIntegrals Integrate(const EdgePiece& piece, const Part& part, int rule,
                           const PieceIntegrals* before, Nodes* nodes) const;
  bool IsStraight(const EdgePiece& piece) const;
  double VolumeOf(const EdgePiece& piece, const PieceIntegrals& integrals) const;
  bool HasDiscs(const EdgePiece& piece) const;
  bool IsOnTorus(const EdgePiece& piece) const;
  template <class T>
  T VolumeOn(const EdgePiece& piece, const std::array<T, 3>& p,
             const std::array<T, 3>& derivative) const;
  double MostOn(const EdgePiece& piece, const Part& part, double reach, long* packs) const;
  double ErrorOn(const EdgePiece& piece, const Part& part, int rule, double enough, Sizes* most,
                 long* packs) const;
  static double LeastError(const Sizes& most, int rule);
  double VolumeByRule(const EdgePiece& piece, const Part& part, int rule) const;
  BoundedVolume Enclose(const EdgePiece& piece, const Part& part, const Taken& taken, double enough,
                        int halvings, long* packs) const;
  double SizeOf(const EdgePiece& piece, const PieceIntegrals& integrals) const;
  PieceIntegrals ByFewNodes(const EdgePiece& piece, int first_rule, double relative_error,
                            Nodes* nodes) const;
  PieceIntegrals ByRules(const EdgePiece& piece, const Part& part, double error,
                         Nodes* nodes) const;
  PieceIntegrals Refine(const EdgePiece& piece, const Part& part, const PieceIntegrals& by_rules,
                        double error, Nodes* nodes) const;
  double ErrorTogether(std::span<const EdgeSheet> sheets, const PieceIntegrals& coarse,
                       const PieceIntegrals& fine, int rule, const RuleSums& nodes) const;
  PieceError Difference(const EdgePiece& piece, const PieceIntegrals& coarse,
                        const PieceIntegrals& fine, int rule, const RuleSums& nodes) const;
  // What of an error counts, as one of the volume.
  double Total(const PieceError& error) const {
    return error.together + area_weight_ * error.areas;
  }
  template <class IntegrateOne>
  void KeepEach(const IntegrateOne& integrate);
  void RefineTo(double allowed);
  bool IsLost() const;
  bool HasClosedFaces();
  void Keep(std::size_t n, const EdgePiece& piece, const PieceIntegrals& integrals);
  void AddSegment(const NodeSegment& segment, bool is_seam);
  double ShareOfSheet(const EdgeSheet& sheet) const;
  void AddToFace(const EdgeSheet& sheet, const BoundarySums& sums);
  // How far roundings of its coefficients may move a surface, and what edges are off it.
  struct Offsets {
    double of_surface = 0.0, of_edge = 0.0;
  };
  Offsets OffsetsOf(const EdgePiece& piece, const EdgeSheet& sheet) const;
  void FindSpread(EdgeQuadratureResult* result) const;
  void AddUp(EdgeQuadratureResult* result);
  const FaceForm& FormOf(const EdgeSheet& sheet) const { return forms_[form_of_[sheet.surface]]; }

  const LocalProblem* problem_ = nullptr;
  const Edges* of_region_ = nullptr;
  const std::vector<NodeSegment>* segments_ = nullptr;
  const TorusSeams* seams_ = nullptr;
  UndecidedCells* cells_ = nullptr;
  int threads_ = 1;
  std::vector<FaceForm> forms_;          // of the surfaces that have faces
  std::vector<int> form_of_;             // by surface, or -1
  std::vector<BoundarySums> integrals_;  // by form
  // Of the strips that edges cut off a surface: their area, and how much roundings may move it.
  struct FaceNoise {
    double area = 0.0, volume = 0.0;
  };
  std::vector<FaceNoise> noises_;  // by form
  // The same with B's share, where that is another on either side of the surface.
  std::vector<BoundarySums> integrals_of_B_;
  std::vector<EdgePiece> edges_;         // of all faces, then pieces of seams
  std::vector<BoundarySums> kept_;       // of all sheets of all pieces, by piece
  std::vector<Offsets> offsets_;         // of the same
  std::vector<std::size_t> kept_from_;   // by piece, its first in kept_
  std::vector<PieceError> errors_;       // by piece
  std::vector<int> rules_;               // by piece, 0: of several parts
  std::vector<double> volumes_;          // by piece, what it adds to the volume
  double area_weight_ = 1.0;             // of an error of areas, as one of the volume
  std::vector<Eigen::Vector3d> points_;  // on edges, by surface,
  std::vector<std::size_t> points_end_;  // and where those of a surface end
  std::vector<double> far_poles_;        // by surface, what FarPole says
  // Poles of spindle tori that are on faces.
  struct TorusPole {
    int surface;
    TorusStrip::Pole pole;
    double weight;
  };
  std::vector<TorusPole> torus_poles_;
  std::vector<bool> with_edges_;
  std::vector<Nodes> nodes_;  // by thread
  std::vector<long> counts_;  // by piece, of its nodes
};

}  // namespace volcontact
