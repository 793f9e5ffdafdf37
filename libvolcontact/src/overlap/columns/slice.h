// A planar slice through a local problem, along z: the unit of all column quadrature.
//
// The slice holds the z direction and a direction d of the base plane; its points are (v, z), at
// the base position base + v·d. The parallel family uses slices side by side, the polar one slices
// through the axis of a contact patch. Surfaces are curves on the slice. Columns v = const meet
// them in closed form (degree <= 2) or by safeguarded iteration (degree 3, 4); the v at which the
// structure of the columns changes are found in advance, so that quadrature runs over smooth pieces
// only.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "math/plane_curves.h"
#include "math/quadrature/gauss_rules.h"
#include "math/quadrature/quadrature_node.h"
#include "overlap/columns/column_batch.h"
#include "overlap/columns/event_source.h"
#include "overlap/columns/slice_surface.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

/// Where a column enters or leaves the region: height, the surface crossed (kBoxEnd: the box's end)
/// and which of the column's crossings with that surface it is (of degree > 2: whether the column
/// leaves the surface's inside there; crossings that come and go elsewhere do not rename it).
struct ColumnEnd {
  static constexpr int kBoxEnd = -1;
  double z;
  int surface;
  int ordinal;
};

/// The part of a column inside the region: ends in pairs (entry, exit), ascending.
struct Column {
  std::vector<ColumnEnd> ends;

  /// Names the surfaces that bound the column, in order; equal over a smooth piece. 0 when empty.
  std::uint64_t Signature() const;
};

/// All possible sources of events among the surfaces that occur in a problem's expression.
void AllEventSources(const LocalProblem& problem, std::vector<EventSource>* sources);

/// A maximal interval of v over which columns have one signature.
struct Piece {
  double v0, v1;
  std::uint64_t signature;
};

/// The boundary between two pieces: its place, and the index of its source.
struct PieceBoundary {
  double v;
  int source;
};

/// The pieces of a slice over an interval; boundaries[i] lies between pieces[i] and pieces[i + 1].
struct SliceStructure {
  std::vector<Piece> pieces;
  std::vector<PieceBoundary> boundaries;

  /// Equal sequences of signatures.
  bool SameAs(const SliceStructure& other) const;
  /// Equal for structures that are the same.
  std::uint64_t Hash() const;
};

/// An interval of a column, with the part of a section's area that it stands for.
struct ColumnSample {
  double v, z0, z1;
  double area;
};

/// Integrals over the section of the region by a slice, per unit of the coordinate w across it: of
/// the monomials 1, v, z, v², vz, z²; over B's share of the region's boundary, of the area element
/// N = (N_v, N_w, N_z), of vN and of zN; the area element of the region's top, the last
/// end of every column, whose z component is the length of the section's projection; and where a
/// direction is given, of the absolute value of the component along it of A's share and of B's; and
/// about the absolute values of N's components, of parts of the boundary: what its sum may lose.
struct SliceSums {
  enum Index {
    kOne,
    kV,
    kZ,
    kVV,
    kVZ,
    kZZ,
    kN = 6,
    kVN = 9,
    kZN = 12,
    kTop = 15,
    kFacing = 18,
    kSpread = 20,
    kSize = 23
  };
  std::array<double, kSize> s{};

  void Add(double weight, const SliceSums& other) {
    for (int i = 0; i < kSize; ++i) s[i] += weight * other.s[i];
  }
};

/// A slice with the scratch memory of its operations: one object serves many slices in turn, and
/// allocates nothing once its vectors have grown.
class Slice {
 public:
  /// Looking at a part of the slice for zeros of curves costs about as much as so many looks at a
  /// surface on a column.
  static constexpr long kEffortOfBox = 2;
  /// And so the roots of one pair's polynomial, and what there is to do on any slice.
  static constexpr long kEffortOfSource = 4, kEffortOfSlice = 20;

  /// Prepares for a problem, which must outlive the use of the slice.
  void SetProblem(const LocalProblem& problem);

  /// From now on also integrates |g·N| over either body's share of the boundary, N in the problem's
  /// scaled coordinates; zero: no more. `g` is a covector.
  void SetFacing(const Eigen::Vector3d& g) { facing_ = g; }

  /// Replaces a surface on the present slice by a constant, as seen from its inside or outside.
  void Force(int surface, bool inside);

  /// What has been looked at, in surfaces on a column, since it was asked last.
  long TakeEffort() { return std::exchange(effort_, 0); }

  /// Moves to the slice through `base` along `direction` of the base plane.
  void MoveTo(const Eigen::Vector2d& base, const Eigen::Vector2d& direction);

  /// The column at v.
  void FindColumn(double v, Column* column);

  /// The pieces on [v0, v1], looking at the given sources of events only. Pieces narrower than
  /// `resolution`, relative to v1 − v0, are given to a neighbour.
  void FindStructure(double v0, double v1, const std::vector<EventSource>& sources,
                     double resolution, SliceStructure* structure);

  /// Adds the integral over one piece of the latest structure, cut into `parts` equal parts:
  /// Kronrod's rule into `sums`, the embedded Gauss rule into `coarse`. With `polar` the measure is
  /// v dv.
  void IntegratePiece(const Piece& piece, const KronrodRule& rule, int parts, bool polar,
                      SliceSums* sums, SliceSums* coarse);

  /// Appends the columns at the nodes of one piece of the latest structure, one sample for each
  /// interval: the point v, the interval, and its length times the node's weight.
  void SamplePiece(const Piece& piece, const KronrodRule& rule, int parts,
                   std::vector<ColumnSample>* samples);

  /// Adds a face parallel to slices across x, on which the section jumps by `jump` from the outside
  /// of the face's surface to its inside; `upward`: its outside is on the side of greater x.
  void AddFaceAcross(Owner owner, bool upward, const SliceSums& jump, SliceSums* sums) const;

  /// Adds B's share of the wall that separates two pieces at v.
  void AddWall(const EventSource& wall, double v, bool polar, SliceSums* sums);

 private:
  struct Event {
    double v;
    int source;
  };
  struct BranchPoint {
    double v;
    int surface;
  };
  struct NearSilhouettes {
    double v, width;  // v ± i width
    int surface;
  };
  // Square-root branch points of the heights over a piece [v0, v1], silhouettes of the bounding
  // surfaces: branch0 <= v0 and branch1 >= v1, at its ends or beyond (infinite when there are
  // none), and the closest complex pair, two silhouettes that have just vanished or are about to
  // appear (width zero when there is none).
  struct Silhouettes {
    double branch0 = -kNoBranchPoint, branch1 = kNoBranchPoint;
    double near = 0.0, near_width = 0.0;
  };
  struct Crossing {
    double z;
    int surface;
    int ordinal;
  };

  void PrepareConjunction();
  bool FindInterval(double v, ColumnEnd* entry, ColumnEnd* exit);
  void FindCrossings(double v);
  void CollectEnds(Column* column);
  void FindEvents(double v0, double v1, const std::vector<EventSource>& sources, double resolution);
  void AppendPolynomialEvents(const EventSource& source, int index, double v0, double v1);
  void AppendCurveEvents(const EventSource& source, int index, double v0, double v1,
                         double resolution);
  bool Matters(const EventSource& source, double v, double z);
  void FindNearSilhouettes();
  void AppendNearSilhouettes(int surface);
  Silhouettes SilhouettesOf(const Piece& piece);
  NodeMap MapOf(const Piece& piece, int surface) const;
  bool BetweenSheets() const;
  std::uint64_t SignatureAt(double v);
  void FindFacingKinks(const Piece& piece, std::vector<double>* kinks);
  void IntegrateSmooth(const Piece& piece, const KronrodRule& rule, int parts, bool polar,
                       SliceSums* sums, SliceSums* coarse);
  bool PrepareBatch(const Piece& piece, bool polar);
  bool BatchHolds(const Piece& piece, const KronrodRule& rule, bool polar);
  void AddColumn(double v, const Column& column, SliceSums* sums);
  void AddFacing(double weight, const Eigen::Vector3d& element, Owner owner, SliceSums* sums) const;

  const LocalProblem* problem_ = nullptr;
  Eigen::Vector3d facing_ = Eigen::Vector3d::Zero();
  Eigen::Vector3d facing_here_ = Eigen::Vector3d::Zero();  // along v, across the slice, along z
  std::vector<int> active_;
  std::vector<std::uint8_t> negated_;   // by surface: the literal is psi >= 0 (conjunctions only)
  bool conjunction_ = false;            // a conjunction of surfaces of degree <= 2
  bool curves_needed_ = false;          // some active surface is of degree > 2
  std::vector<SliceSurface> surfaces_;  // by surface
  std::vector<HalfSlice> straight_, convex_, concave_;  // a conjunction's literals, by sign of a
  std::vector<Bivariate> curves_;                       // by surface, about the middle of the slice
  std::vector<PlanePoint> zeros_;
  std::vector<Truth> states_;
  std::vector<Event> events_;
  std::vector<BranchPoint> branch_points_;
  double center_ = 0.0, half_ = 0.0;  // v = center_ + half_ t on the curves
  bool near_found_ = false;
  std::vector<NearSilhouettes> near_silhouettes_;
  std::vector<Crossing> crossings_;
  std::vector<std::uint8_t> inside_;
  Column column_, wall_column_;
  long effort_ = 0;
  ColumnBatch batch_;
};

}  // namespace volcontact
